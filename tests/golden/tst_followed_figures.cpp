// SPDX-License-Identifier: Apache-2.0
// Figures of many states or runs: an analysis over training, norms of epochs, stability grids. Golden dumps,
// vector PDFs, and what is said when there is too little.
#include <QApplication>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/attention_distribution.h"
#include "core/analysis/epoch_norm.h"
#include "core/analysis/input_norm.h"
#include "core/analysis/stack_dependency.h"
#include "core/base/atomic_file.h"
#include "tests/golden/support_page_inspection.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_dump.h"
#include "views/figure/figure_export.h"
#include "views/figure/figure_renderer.h"
#include "views/figures/figure_entry.h"

using namespace fathom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> kStates = {"init", "0001-00000100", "0001-00000200", "0002-00000200",
                                          "0002-00000300"};

// Entropy falls with the updates, faster in higher layers; the superseded state of update 200 is far off.
Json entropyAt(std::size_t state, bool second) {
  AttentionDistributions made{"attention_entropy", "nats", 20, 100, {}};
  for (const char* stack : {"encoder", "decoder"}) {
    AttentionDistribution attention{stack, "self_attention", 0, {}};
    for (int layer = 0; layer < 8; ++layer) {
      HeadDistribution head;
      head.values.count = 100;
      const double update = state == 0 ? 0 : state == 1 ? 1 : state == 4 ? 3 : 2;
      head.values.mean = 4 - 0.1 * (layer + 1) * update - (second ? 0.5 : 0) + (state == 2 ? 9 : 0);
      head.values.fiveNumbers.fill(head.values.mean - 0.1);
      attention.heads.push_back({head, head});
      if (layer == 3 && state == 1) attention.heads.back() = {HeadDistribution{}};  // no number at all
    }
    made.attentions.push_back(std::move(attention));
  }
  return distributionsToJson(made);
}

Json dependencyAt(std::size_t state) {
  StackDependency stack;
  stack.stack = "encoder";
  stack.residual = "post_ln";
  stack.tokens = 50;
  stack.sublayers = {"encoder.layers.0.self_attention", "encoder.layers.0.feed_forward",
                     "encoder.layers.1.self_attention", "encoder.layers.1.feed_forward"};
  stack.beta.sublayers = 4;
  stack.beta.meanTokenStd.assign(20, 0.1 * static_cast<double>(state + 1));
  stack.beta.globalStd = stack.beta.meanTokenStd;
  stack.beta.biasShare.assign(4, 0);
  return dependenciesToJson({stack});
}

Json epochAt(std::size_t epoch) {
  EpochNorms norms;
  norms.epoch = static_cast<std::int64_t>(epoch);
  for (const char* matrix : {"query", "key", "value", "output"})
    for (std::int64_t layer = 0; layer < 3; ++layer)
      norms.matrices.push_back({"encoder", "self_attention", matrix, layer,
                                std::pow(10.0, -static_cast<double>(layer)) / static_cast<double>(epoch + 1),
                                epoch == 0 ? kNaN : 1 - 0.1 * static_cast<double>(layer)});
  return epochNormsToJson(norms);
}

Json inputsOf(bool second) {
  InputNorms norms;
  norms.examples = 40;
  NormHistogram histogram;
  for (int i = 0; i < 600; ++i) histogram.add(4 + 3 * std::sin(0.37 * i) + (second ? 2 : 0));
  for (const char* part : {"", "question"})
    norms.parts.push_back({"extra", part, 4, second ? "post_ln" : "unnormalised", histogram.summary(),
                           histogram.width(), histogram.counts(), part[0] == 0 ? 0 : 3});
  if (!second) norms.used.push_back({"extra", 7, 0.033});
  for (int layer = 0; layer < 4; ++layer)
    for (const char* name : {"self_attention.query", "self_attention.value", "feed_forward.input"}) {
      if (layer == 2 && name[0] == 'f') continue;  // a cell without a matrix
      norms.tensors.push_back({"extra.layers." + std::to_string(layer) + "." + name + ".weight",
                               "normal",
                               {16, 16},
                               0.25,
                               name[15] == 'q' ? 1.0 : 0.033,
                               0.25 * (layer + 1),
                               0});
    }
  norms.tensors.push_back({"embedding.token.weight", "normal", {100, 16}, 0.25, 1, 0.25, 0});
  return inputNormsToJson(norms);
}

class MadeUpStates : public AnalysisSource {
 public:
  std::vector<std::string> chosen = {"aaaa", "bbbb"};
  std::vector<std::string> runs() const override { return chosen; }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    return dataError("run " + run + " has no " + metric);
  }
  std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis) override {
    if (run == "lone" || analysis == "attention_jsd") return {"init"};
    if (analysis == "epoch_norm") return {"init", "0001-00000010", "0001-00000020", "0001-00000030"};
    return kStates;
  }
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override {
    const auto names = probedCheckpoints(run, analysis);
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), checkpoint) - names.begin());
    ProbedResult result;
    result.run = run;
    result.name = run == "bbbb" ? "RealFormer <2>" : "Post-LN";
    result.checkpoint = checkpoint;
    result.result = analysis == "input_norm"        ? inputsOf(run == "bbbb")
                    : analysis == "epoch_norm"      ? epochAt(at)
                    : analysis == "beta_dependency" ? dependencyAt(at)
                                                    : entropyAt(at, run == "bbbb");
    return result;
  }
  // Three rates × two β2, two seeds each: one column diverges, one cell half; one run is still at work.
  Result<RunFacts> facts(const std::string& run) override {
    const std::size_t number = static_cast<std::size_t>(std::stoi(run));
    const std::size_t rate = number / 4, beta = number / 2 % 2, seed = number % 2;
    RunFacts facts;
    facts.run = run;
    facts.name = "run " + run;
    facts.failed = rate == 2 || (rate == 1 && beta == 0 && seed == 1);
    facts.open = number == 7;
    facts.outcome = facts.open ? "running" : facts.failed ? "diverged" : "finished";
    const std::vector<double> rates = {0.0005, 0.001, 0.01};
    facts.options = {{"lr_schedule.rate", rates[rate]},
                     {"optimizer.beta2", beta == 0 ? 0.98 : 0.999},
                     {"seed", seed + 1},
                     {"model.width", 64}};
    facts.last = {{"valid.bleu", 20.0 + static_cast<double>(rate + seed)}};
    facts.best = {{"valid.bleu", 21.0 + static_cast<double>(rate + seed)}};
    return facts;
  }
};

Result<FigureSpec> figureOf(const QString& figure, const QString& assignments, MadeUpStates& source) {
  const FigureEntry entry = findFigure(figure.toStdString()).value();
  OptionValues options{OptionSchema(entry.fields, {})};
  for (const QString& word : assignments.split(' ', Qt::SkipEmptyParts))
    options.setText(word.toStdString()).value();
  FigureRecipe recipe;
  recipe.figure = figure.toStdString();
  recipe.options = options.minimal();
  return buildFigure(recipe, source);
}

std::vector<std::string> twelveRuns() {
  std::vector<std::string> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(std::to_string(i));
  return runs;
}

}  // namespace

class FollowedFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void inspection_data() { dumps_data(); }
  void inspection();
  void supersededStatesAreReplaced();
  void twoStatesAreNeeded();
  void unknownPartsAreListed();
  void gridsCountFailures();
  void otherDifferencesAreNamed();
  void unknownOptionsAreRefused();
  void missingCellsAreDrawnAndCounted();

 private:
  static MadeUpStates sourceFor(const QString& figure) {
    MadeUpStates source;
    if (figure == QLatin1String("stability_grid")) source.chosen = twelveRuns();
    return source;
  }
};

void FollowedFigures::dumps_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("assignments");
  const auto row = [](const char* name, const char* figure, const char* assignments) {
    QTest::newRow(name) << QString::fromLatin1(figure) << QString::fromLatin1(assignments);
  };
  row("entropy", "over_training", "");
  row("entropy_part", "over_training", "part=decoder.self_attention statistic=median");
  row("beta", "over_training", "analysis=beta_dependency");
  row("epochs", "epoch_norm", "");
  row("epochs_network", "epoch_norm", "reference=network");
  row("inputs", "input_norm", "");
  row("scales", "input_norm", "form=scales");
  row("factors", "input_norm", "form=factors");
  row("stability", "stability_grid", "");
  row("stability_last", "stability_grid", "score=last x=optimizer.beta2 y=lr_schedule.rate");
}

void FollowedFigures::dumps() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  MadeUpStates source = sourceFor(figure);
  const FigureSpec spec = figureOf(figure, assignments, source).value();
  QVERIFY(!spec.summary.empty() && !spec.notes.empty());
  const auto bytes = figureBytes(spec, figureStyle(QStringLiteral("acl_wide")).value(), FigureFormat::Pdf);
  QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().text().c_str());
  QVERIFY(bytes->startsWith("%PDF") && !bytes->contains("/Subtype /Image"));
  const std::string path =
      std::string(FATHOM_SOURCE_DIR) + "/tests/golden/figures/followed_" + QTest::currentDataTag() + ".txt";
  const std::string text = figureDump(spec);
  if (qEnvironmentVariableIsSet("FATHOM_REGENERATE")) {
    writeFileAtomically(path, text).value();
    return;
  }
  const Result<std::string> golden = readFile(path);
  QVERIFY2(golden.ok(), path.c_str());
  QCOMPARE(QString::fromStdString(text), QString::fromStdString(*golden));
}

// With poppler and librsvg, in a column and over the whole width.
void FollowedFigures::inspection() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  if (!test::installed({"pdffonts", "pdftotext", "pdfimages", "rsvg-convert"}))
    QSKIP("poppler-utils or librsvg2-bin is not installed");
  const QTemporaryDir folder;
  MadeUpStates source = sourceFor(figure);
  const FigureSpec spec = figureOf(figure, assignments, source).value();
  for (const char* id : {"acl", "acl_wide"}) {
    const FigureStyle style = figureStyle(QLatin1String(id)).value();
    const QString name = QString::fromLatin1(QTest::currentDataTag()) + u'_' + QLatin1String(id);
    const QString pdf = test::pdfProblem(spec, style, folder.filePath(QStringLiteral("f.pdf")), name);
    QVERIFY2(pdf.isEmpty(), qPrintable(style.id + QStringLiteral(": ") + pdf));
    const QString svg = test::svgProblem(spec, style, folder.filePath(QStringLiteral("f.svg")));
    QVERIFY2(svg.isEmpty(), qPrintable(style.id + QStringLiteral(": ") + svg));
  }
}

// Update 200 was reached by two attempts: the later one counts. A layer without numbers is a gap.
void FollowedFigures::supersededStatesAreReplaced() {
  MadeUpStates source;
  const FigureSpec spec = figureOf("over_training", "part=encoder.self_attention", source).value();
  QCOMPARE(spec.panels.size(), std::size_t{2});
  const LineMark& top = std::get<LineMark>(spec.panels[0].marks.at(7).shape);
  QCOMPARE(top.x, (std::vector<double>{0, 100, 200, 300}));
  QVERIFY(std::abs(top.y[2] - 2.4) < 1e-12);
  QVERIFY(std::isnan(std::get<LineMark>(spec.panels[0].marks.at(3).shape).y[1]));
  QVERIFY(spec.notes.back().find("not drawn") != std::string::npos);
}

void FollowedFigures::twoStatesAreNeeded() {
  MadeUpStates source;
  source.chosen = {"lone"};
  for (const char* figure : {"over_training", "epoch_norm"}) {
    const auto spec = figureOf(QString::fromLatin1(figure), "", source);
    QVERIFY(!spec.ok());
    QVERIFY2(spec.error().text().find("two are needed") != std::string::npos, spec.error().text().c_str());
  }
}

void FollowedFigures::unknownPartsAreListed() {
  MadeUpStates source;
  const auto part = figureOf("over_training", "part=encoder.cross", source);
  QVERIFY(!part.ok() && part.error().text().find("decoder.self_attention") != std::string::npos);
  const auto attention = figureOf("epoch_norm", "attention=decoder.cross_attention", source);
  QVERIFY(!attention.ok() && attention.error().text().find("decoder.cross_attention") != std::string::npos);
}

void FollowedFigures::gridsCountFailures() {
  MadeUpStates source = sourceFor("stability_grid");
  const FigureSpec spec = figureOf("stability_grid", "", source).value();
  std::map<std::string, int> texts;
  for (const FigureMark& mark : spec.panels[0].marks)
    if (const auto* text = std::get_if<TextMark>(&mark.shape)) ++texts[text->text];
  QCOMPARE(texts["diverged"], 2);
  QCOMPARE(texts["failed 2/2"], 2);
  QCOMPARE(texts["failed 1/2"], 1);
  QCOMPARE(texts["1 open"], 1);
  QCOMPARE(texts["21.5 ± 0.71"] + texts["21.5 ± 0.7"], 2);
  QVERIFY(spec.notes.at(1).starts_with("failed 5/11"));
}

void FollowedFigures::otherDifferencesAreNamed() {
  MadeUpStates source = sourceFor("stability_grid");
  const FigureSpec spec = figureOf("stability_grid", "y=model.width", source).value();
  QVERIFY(spec.notes.back().find("optimizer.beta2") != std::string::npos);
}

void FollowedFigures::unknownOptionsAreRefused() {
  MadeUpStates source = sourceFor("stability_grid");
  const auto spec = figureOf("stability_grid", "x=optimizer.beta", source);
  QVERIFY(!spec.ok() &&
          spec.error().text().find("run 0 has no option 'optimizer.beta'") != std::string::npos);
}

// Cells that are not numbers are grey, and the colour bar says how many there are.
void FollowedFigures::missingCellsAreDrawnAndCounted() {
  FigureSpec spec;
  FigurePanel panel;
  panel.x.label = "column";
  CellsMark cells;
  cells.rows = cells.columns = 2;
  cells.values = {0.1, kNaN, kNaN, 0.4};
  FigureMark mark;
  mark.shape = cells;
  panel.marks = {mark};
  ColourBar bar;
  bar.missing = 2;
  panel.bars = {bar};
  spec.panels = {panel};
  const FigureStyle style = figureStyle(QStringLiteral("acl")).value();
  FigureRenderer renderer;
  renderer.setFigure(spec, style).value();
  QImage page(400, 300, QImage::Format_ARGB32);
  page.fill(Qt::white);
  renderer.paintTo(page, page.size(), {});
  int found = 0;
  for (const PlacedText& text : renderer.texts()) {
    QVERIFY(QRectF(page.rect()).contains(text.box()));
    found += text.full == QLatin1String("2 NaN") ? 1 : 0;
  }
  QCOMPARE(found, 1);
  const QRectF area = renderer.layout().panels.at(0).area;
  const QColor missing =
      page.pixelColor((area.topLeft() + QPointF(area.width() / 4, area.height() / 4)).toPoint());
  QCOMPARE(missing, mapColour(ColourMap::Viridis, kNaN));
  const auto tex = figureBytes(spec, style, FigureFormat::Pgf);
  QVERIFY(tex.ok() && tex->contains("2 NaN"));
}

QTEST_MAIN(FollowedFigures)
#include "tst_followed_figures.moc"
