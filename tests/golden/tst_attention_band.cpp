// SPDX-License-Identifier: Apache-2.0
// Attention of two streams: the band is drawn as a band, a sentence can be followed, and 4,096 long with 512
// global tokens are read, drawn and moved through in time and memory that grow with n * r.
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "core/analysis/attention/attention_maps.h"
#include "core/base/errors/error.h"
#include "core/record/formats/array_file.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_layout.h"
#include "views/figure/figure_picture.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/figure_style.h"
#include "views/figures/attention/attention_band.h"
#include "views/figures/figure_entry.h"
#include "views/files/figure_export.h"

using namespace fathom;

namespace {

struct Sizes {
  int longs = 40, globals = 6, radius = 3, layers = 2, heads = 2;
  std::vector<int> kept{};
  int run() const { return (longs + globals - 1) / globals; }  // long tokens of a global one
  int keptLayers() const { return kept.empty() ? layers : static_cast<int>(kept.size()); }
};

// A query looks at its neighbours, at its own global token and a little at the others.
void writeMaps(const std::string& file, const Sizes& sizes, bool ofLong) {
  const int window = 2 * sizes.radius + 1, rows = ofLong ? sizes.longs : sizes.globals;
  const int columns = ofLong ? window + sizes.globals : sizes.longs + sizes.globals;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(sizes.keptLayers() * sizes.heads) *
                 static_cast<std::size_t>(rows * columns));
  for (int map = 0; map < sizes.keptLayers() * sizes.heads; ++map)
    for (int q = 0; q < rows; ++q)
      for (int c = 0; c < columns; ++c) {
        const int key = q - sizes.radius + c;
        float value = 0.001F * static_cast<float>(map + 1);
        if (ofLong && c < window)
          value =
              key < 0 || key >= sizes.longs ? 0 : 0.2F / static_cast<float>(1 + std::abs(c - sizes.radius));
        if (ofLong && c >= window && c - window == q / sizes.run()) value = 0.4F;
        if (!ofLong && c < sizes.longs) value = c / sizes.run() == q ? 0.3F : 0;
        values.push_back(value);
      }
  writeArrayFile(file, {sizes.keptLayers(), sizes.heads, rows, columns}, values).value();
}

ProbedResult madeUpBand(const std::string& folder, const Sizes& sizes) {
  std::filesystem::create_directories(folder);
  AttentionMatrices matrices;
  matrices.places.emplace();
  AttentionMatrix of;
  of.kind = "self_attention";
  of.layers = sizes.layers;
  of.heads = sizes.heads;
  std::vector<std::string> longs, globals;
  for (int i = 0; i < sizes.longs; ++i) {
    longs.push_back("w" + std::to_string(i));
    matrices.places->sentence.push_back(i / sizes.run());
    matrices.places->paragraph.push_back(-1);
  }
  for (int i = 0; i < sizes.globals; ++i) globals.push_back("<" + std::to_string(i + 1) + ">");
  of.keys = longs;
  of.keys.insert(of.keys.end(), globals.begin(), globals.end());
  if (!sizes.kept.empty()) of.kept = sizes.kept;
  for (const bool ofLong : {true, false}) {
    of.stack = ofLong ? "encoder" : "global";
    of.queries = ofLong ? longs : globals;
    of.band.reset();
    if (ofLong) of.band = AttentionBand{sizes.radius, sizes.globals};
    const std::string file = of.name() + ".probabilities.npy";
    of.parts = {{"probabilities", file}};
    writeMaps(folder + "/" + file, sizes, ofLong);
    matrices.attentions.push_back(of);
  }
  return {"aaaa", "ETC", "0001-00000300", attentionMatricesToJson(matrices), folder, {}};
}

class OneResult : public AnalysisSource {
 public:
  explicit OneResult(ProbedResult result) : m_result(std::move(result)) {}
  std::vector<std::string> runs() const override { return {m_result.run}; }
  Result<RunCurve> curve(const std::string&, const std::string&) override {
    return dataError(Phrase::tr("no run is chosen"));
  }
  Result<ProbedResult> probed(const std::string&, const std::string&, const std::string&) override {
    return m_result;
  }
  Result<ProbedResult> probedWith(const std::string&, const std::string&, const std::string&,
                                  const Json&) override {
    return m_result;
  }

 private:
  ProbedResult m_result;
};

OptionValues optionsOf(const std::vector<std::string>& assignments) {
  OptionValues options{OptionSchema(findFigure("attention_maps").value().fields, {})};
  for (const std::string& assignment : assignments) options.setText(assignment).value();
  return options;
}

const CellsMark& cellsOf(const FigureSpec& spec, std::size_t panel) {
  return std::get<CellsMark>(spec.panels.at(panel).marks.front().shape);
}

double processorMs(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

class AttentionBandTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bandIsABand();
  void globalQueriesSeeLongAndGlobal();
  void sentenceIsFollowed();
  void titleStandsAboveBoth();
  void clickIsFollowed();
  void allHeadsAtAGlance();
  void keysThatAreNotThereAreBlank();
  void longInputStaysFluid();
  void layersThatAreKeptAreNamed();
  void refusesWhatDoesNotFit();
  void canBeExported();

 private:
  OneResult source(const Sizes& sizes) {
    return OneResult(madeUpBand(m_folder.path().toStdString() + "/" + std::to_string(++m_made), sizes));
  }
  FigureSpec built(const Sizes& sizes, const std::vector<std::string>& assignments) {
    OneResult from = source(sizes);
    return findFigure("attention_maps").value().build(from, optionsOf(assignments)).value();
  }
  QTemporaryDir m_folder;
  int m_made = 0;
};

void AttentionBandTest::bandIsABand() {
  const Sizes sizes;
  const FigureSpec spec = built(sizes, {"form=matrix", "layer=2", "head=1"});
  QCOMPARE(spec.panels.size(), std::size_t{2});
  const CellsMark &band = cellsOf(spec, 0), &globals = cellsOf(spec, 1);
  QCOMPARE(band.rows, 40);
  QCOMPARE(band.columns, 7);  // never 40
  QCOMPARE(globals.columns, 6);
  QCOMPARE(spec.panels[0].x.categories.front(), std::string("-3"));
  QCOMPARE(spec.panels[0].x.categories.back(), std::string("3"));
  QVERIFY(!band.has(0) && !band.has(2) && band.has(3));  // nothing stands before the first token
  QVERIFY(band.has(39 * 7 + 3) && !band.has(39 * 7 + 4));
  QVERIFY(std::abs(band.values[3] - 0.2) < 1e-6);
  QVERIFY(std::abs(globals.values[0] - 0.4) < 1e-6);
  QVERIFY(std::abs(globals.values[1] - 0.003) < 1e-6);  // of the third map
  const FigureMark& mark = spec.panels[1].marks.front();
  QCOMPARE(mark.rowParts.at(5), std::string("q:5"));
  QCOMPARE(mark.columnParts.at(2), std::string("k:42"));
  QVERIFY(checkFigure(spec).ok());
}

void AttentionBandTest::globalQueriesSeeLongAndGlobal() {
  const FigureSpec spec = built({}, {"form=matrix", "attention=global.self_attention"});
  QCOMPARE(cellsOf(spec, 0).rows, 6);
  QCOMPARE(cellsOf(spec, 0).columns, 40);
  QCOMPARE(cellsOf(spec, 1).columns, 6);
  QVERIFY(std::abs(cellsOf(spec, 0).values[0] - 0.3) < 1e-6);
  const FigureSpec lines = built({}, {"form=lines", "attention=global.self_attention"});
  QCOMPARE(lines.notes.size(), spec.notes.size() + 1);
  QVERIFY(lines.notes.back().english().find("instead of lines") != std::string::npos);
}

void AttentionBandTest::sentenceIsFollowed() {
  const Sizes sizes;  // 7 tokens each
  const FigureSpec longs = built(sizes, {"form=matrix", "follow=3"});
  QCOMPARE(cellsOf(longs, 0).rows, 7);
  QCOMPARE(longs.panels[0].y.categories.front(), std::string("w14"));
  QCOMPARE(longs.panels[0].marks.front().rowParts.front(), std::string("q:14"));
  const FigureSpec globals = built(sizes, {"form=matrix", "follow=3", "attention=global.self_attention"});
  QCOMPARE(cellsOf(globals, 0).columns, 7);
  QCOMPARE(globals.panels[0].x.categories.front(), std::string("w14"));
  const FigureSpec some = built(sizes, {"form=matrix", "from=11", "queries=5"});
  QCOMPARE(cellsOf(some, 0).rows, 5);
  QCOMPARE(some.panels[0].y.categories.front(), std::string("w10"));
  OneResult from = source(sizes);
  const auto none = findFigure("attention_maps").value().build(from, optionsOf({"follow=7"}));
  QVERIFY(!none.ok() && none.error().key == "follow");
}

// Above band and global tokens there is room for a name that the band alone has not.
void AttentionBandTest::titleStandsAboveBoth() {
  FigureSpec spec = built({}, {"form=matrix"});
  spec.panels[0].title = Phrase::words("HotpotQA, two streams, layer 1, head 1");
  FigureRenderer renderer;
  const FigureStyle style = figureStyle(QStringLiteral("acl")).value();
  QVERIFY(renderer.setFigure(spec, style).ok());
  const FigureSize size = figureSize(spec, style);
  const QSize units(qRound(unitsOfMm(size.widthMm)), qRound(unitsOfMm(size.heightMm)));
  QImage image(units, QImage::Format_RGB32);
  renderer.paintTo(image, units, {false, false, 1});
  int titles = 0;
  for (const PlacedText& text : renderer.texts()) {
    if (!text.bold) continue;
    ++titles;
    QVERIFY(!text.line.elided());
    QVERIFY(text.box().right() <= units.width());
  }
  QCOMPARE(titles, 1);
}

void AttentionBandTest::clickIsFollowed() {
  OneResult from = source({});
  const OptionValues options = optionsOf({"form=matrix"});
  const FigureSpec spec = findFigure("attention_maps").value().build(from, options).value();
  const std::string selection = spec.panels[0].marks.front().selection + "/q:16";
  const FigureSpec detail = findFigure("attention_maps").value().detail(from, options, selection).value();
  QCOMPARE(cellsOf(detail, 0).rows, 7);
  QCOMPARE(detail.panels[0].y.categories.front(), std::string("w14"));
  const OptionValues global = optionsOf({"form=matrix", "attention=global.self_attention"});
  const FigureSpec other = findFigure("attention_maps").value().build(from, global).value();
  const FigureSpec own = findFigure("attention_maps")
                             .value()
                             .detail(from, global, other.panels[0].marks.front().selection + "/q:2")
                             .value();
  QCOMPARE(cellsOf(own, 0).columns, 7);
  QCOMPARE(own.panels[0].x.categories.front(), std::string("w14"));
}

void AttentionBandTest::allHeadsAtAGlance() {
  const FigureSpec spec = built({.longs = 400, .globals = 10, .layers = 3}, {});
  const auto& grid = std::get<GridMark>(spec.panels.at(0).marks.front().shape);
  QCOMPARE(grid.cells.size(), std::size_t{6});
  for (const GridCell& cell : grid.cells) QVERIFY(cell.y.size() <= 48 * 64);
  QVERIFY(!spec.notes.empty());
}

// Before the first and behind the last token there is no key: the paper, light or dark, also in the small
// maps.
void AttentionBandTest::keysThatAreNotThereAreBlank() {
  const FigureSpec spec = built({}, {});
  const auto& grid = std::get<GridMark>(spec.panels.at(0).marks.front().shape);
  QCOMPARE(grid.cells.front().mapColumns, 13);  // seven of the window, six global tokens
  QCOMPARE(grid.cells.front().shown.substr(0, 13), std::string("...##########"));
  QCOMPARE(grid.cells.front().shown.substr(39 * 13), std::string("####...######"));
  for (const char* id : {"screen_light", "screen_dark"}) {
    const FigureStyle style = figureStyle(QString::fromLatin1(id)).value();
    FigureRenderer renderer;
    QVERIFY(renderer.setFigure(spec, style).ok());
    const QImage image = figurePicture(renderer, figureSize(spec, style), 2);
    const MarkCanvas canvas = renderer.canvas(0);
    for (const GridCell& cell : grid.cells) {
      const QRectF box = QRectF(canvas.pixel(cell.column - kGridCellShare / 2, cell.row - kGridCellShare / 2),
                                canvas.pixel(cell.column + kGridCellShare / 2, cell.row + kGridCellShare / 2))
                             .normalized();
      const auto colourAt = [&](double column, double row) {
        const QPointF at(box.left() + column / 13 * box.width(), box.top() + row / 40 * box.height());
        return image.pixelColor((at * 2).toPoint());
      };
      QCOMPARE(colourAt(0.5, 0.5), style.background);
      QCOMPARE(colourAt(6.5, 39.5), style.background);
      QVERIFY(colourAt(3.5, 0.5) != style.background);
      QVERIFY(colourAt(12.5, 39.5) != style.background);
    }
  }
  // Not written among the numbers; global queries see every key.
  const FigureSpec globals = built({}, {"attention=global.self_attention"});
  for (const GridCell& cell : std::get<GridMark>(globals.panels.at(0).marks.front().shape).cells)
    QVERIFY(cell.shown.empty());
  const QByteArray csv = QByteArray::fromStdString(figureCsv(spec));
  const auto blank = [](const GridCell& cell) {
    return std::count(cell.shown.begin(), cell.shown.end(), '.');
  };
  QCOMPARE(blank(grid.cells.front()), std::ptrdiff_t{12});
  QCOMPARE(csv.count(",cells,") + csv.count(",grid,"), qsizetype(4 * (13 * 40 - 12)));
  FigureSpec wrong = spec;
  std::get<GridMark>(wrong.panels.at(0).marks.front().shape).cells.front().shown.pop_back();
  QVERIFY(!checkFigure(wrong).ok());
}

// The largest input of the paper. Times are of the processor, with a wide margin for slow machines.
void AttentionBandTest::longInputStaysFluid() {
  const Sizes sizes{.longs = 4096, .globals = 512, .radius = 84, .layers = 2, .heads = 2};
  OneResult from = source(sizes);
  const std::string folder = from.probed("", "", "").value().folder;
  const auto bytes = std::filesystem::file_size(folder + "/encoder.self_attention.probabilities.npy");
  QVERIFY(bytes < std::uintmax_t{4} * 4 * 4096 * (169 + 512) + 4096);  // four maps of n (2r + 1 + g)
  const FigureEntry entry = findFigure("attention_maps").value();
  const auto shown = [&](const std::vector<std::string>& assignments, double most) {
    FigureSpec spec;
    const double build = processorMs([&] { spec = entry.build(from, optionsOf(assignments)).value(); });
    std::size_t cells = 0;
    for (const FigurePanel& panel : spec.panels)
      cells += std::get<CellsMark>(panel.marks.front().shape).values.size();
    QVERIFY2(cells <= std::size_t{2} * kMostBandCells * kMostBandCells, "cells");
    FigureRenderer renderer;
    renderer.resize(1200, 700);
    renderer.setFigure(spec, figureStyles().front()).value();
    const double paint = processorMs([&] { QVERIFY(!renderer.toPixmap(1200, 700).isNull()); });
    qInfo("%s: built in %.0f ms, painted in %.0f ms", assignments.back().c_str(), build, paint);
    QVERIFY2(build < most && paint < most, qPrintable(QStringLiteral("%1 %2").arg(build).arg(paint)));
  };
  shown({"form=matrix", "layer=2"}, 1500);
  shown({"form=matrix", "attention=global.self_attention"}, 1500);
  // Moving on: 512 queries at a time, and from sentence to sentence.
  for (int step = 0; step < 4; ++step) {
    shown({"form=matrix", "queries=512", "from=" + std::to_string(1 + 1024 * step)}, 500);
    shown({"form=matrix", "follow=" + std::to_string(1 + 100 * step)}, 500);
    if (QTest::currentTestFailed()) return;
  }
}

void AttentionBandTest::layersThatAreKeptAreNamed() {
  const Sizes sizes{.layers = 4, .kept = {0, 3}};
  const FigureSpec spec = built(sizes, {"form=matrix", "layer=4"});
  QVERIFY(spec.notes.front().english().find("2 of 4 layers") != std::string::npos);
  OneResult from = source(sizes);
  const auto refused =
      findFigure("attention_maps").value().build(from, optionsOf({"form=matrix", "layer=2"}));
  QVERIFY(!refused.ok());
  QVERIFY2(refused.error().text().find("kept are: 1, 4") != std::string::npos,
           refused.error().text().c_str());
  const FigureSpec all = built(sizes, {});
  QCOMPARE(std::get<GridMark>(all.panels[0].marks.front().shape).cells.size(), std::size_t{4});
}

void AttentionBandTest::refusesWhatDoesNotFit() {
  const auto problem = [&](const std::function<void(ProbedResult&)>& damage) {
    OneResult good = source({});
    ProbedResult result = good.probed("", "", "").value();
    damage(result);
    OneResult from(std::move(result));
    const auto built = findFigure("attention_maps").value().build(from, optionsOf({"form=matrix"}));
    return built.ok() ? std::string() : built.error().text();
  };
  QVERIFY(!problem([](ProbedResult& r) { r.result["places"]["sentence"][3] = 99; }).empty());
  QVERIFY(!problem([](ProbedResult& r) { r.result["attentions"][0]["band"]["radius"] = -4; }).empty());
  QVERIFY(!problem([](ProbedResult& r) { r.result["attentions"][0]["band"]["radius"] = 4; }).empty());
  QVERIFY(!problem([](ProbedResult& r) { r.result["attentions"][0]["kept"] = {0}; }).empty());
  QVERIFY(!problem([](ProbedResult& r) {
             std::filesystem::resize_file(r.folder + "/encoder.self_attention.probabilities.npy", 200);
           }).empty());
}

void AttentionBandTest::canBeExported() {
  OneResult from = source({.longs = 400, .globals = 20, .radius = 12});
  FigureRecipe recipe;
  recipe.figure = "attention_maps";
  recipe.style = "acl";
  for (const char* ending : {"pdf", "svg", "png", "csv"}) {
    const std::string file = m_folder.path().toStdString() + "/band." + ending;
    FigureSpec spec = findFigure("attention_maps").value().build(from, optionsOf({"form=matrix"})).value();
    const Status written = exportBuilt(recipe, std::move(spec), file);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
  }
}

QTEST_MAIN(AttentionBandTest)
#include "tst_attention_band.moc"
