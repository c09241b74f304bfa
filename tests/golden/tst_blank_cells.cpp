// SPDX-License-Identifier: Apache-2.0
// Cells of a map where nothing is (above the diagonal of the layer dependency, a pair of options that no run
// has) are blank on screen and in every file, and are not among the numbers.
#include <QApplication>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/golden/support_page_inspection.h"
#include "tests/golden/support_probe_gallery.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_picture.h"
#include "views/files/figure_export.h"
#include "views/tables/paper/figure_table.h"

using namespace fathom;

namespace {

constexpr double kDotsPerInch = 192;

FigureStyle style() {
  return figureStyle(QStringLiteral("acl")).value();
}

const CellsMark& cellsOf(const FigureSpec& spec) {
  return std::get<CellsMark>(spec.panels.front().marks.front().shape);
}

// More cells than are drawn one by one: an image.
FigureSpec largeTriangle() {
  constexpr int kSize = 80;
  FigureSpec spec = gallery::probeFigure("beta_dependency", {});
  spec.panels.resize(1);
  CellsMark& cells = std::get<CellsMark>(spec.panels.front().marks.front().shape);
  spec.panels.front().x.categories.clear();
  spec.panels.front().y.categories.clear();
  spec.panels.front().marks.front().rowParts.clear();
  for (FigureAxis* axis : {&spec.panels.front().x, &spec.panels.front().y}) {
    axis->scale = AxisScale::None;
    axis->maximum = kSize - 0.5;
  }
  cells.rows = cells.columns = kSize;
  cells.values.assign(kSize * kSize, 0.5);
  cells.shown.assign(kSize * kSize, '.');
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column <= row; ++column) cells.shown[std::size_t(row * kSize + column)] = '#';
  return spec;
}

// Whether the cells around are like this one: images are smoothed by who shows them.
bool isInside(const CellsMark& cells, int row, int column) {
  const auto has = [&cells](int r, int c) { return cells.has(std::size_t(r * cells.columns + c)); };
  for (int r = std::max(0, row - 1); r <= std::min(cells.rows - 1, row + 1); ++r)
    for (int c = std::max(0, column - 1); c <= std::min(cells.columns - 1, column + 1); ++c)
      if (has(r, c) != has(row, column)) return false;
  return true;
}

// Every place of the map has the colour of the paper where nothing is, and another one where a value is.
QString problemOf(const QImage& image, const FigureSpec& spec, const QString& device) {
  if (image.isNull()) return device + QStringLiteral(": no picture");
  FigureRenderer renderer;
  if (const Status set = renderer.setFigure(spec, style()); !set.ok())
    return QString::fromStdString(set.error().text());
  (void)figurePicture(renderer, figureSize(spec, style()), 1);
  const double scale = image.width() / renderer.layout().size.width();
  const CellsMark& cells = cellsOf(spec);
  const QRgb paper = image.pixel(2, 2) & 0xffffff;
  for (int row = 0; row < cells.rows; ++row) {
    for (int column = 0; column < cells.columns; ++column) {
      if (rasterCells(cells) && !isInside(cells, row, column)) continue;
      const QPointF at = renderer.canvas(0).pixel(column, row) * scale;
      const bool blank = (image.pixel(at.toPoint()) & 0xffffff) == paper;
      if (blank == cells.has(std::size_t(row * cells.columns + column)))
        return QStringLiteral("%1: row %2, column %3 is %4")
            .arg(device)
            .arg(row)
            .arg(column)
            .arg(blank ? QStringLiteral("blank") : QStringLiteral("painted"));
    }
  }
  return {};
}

}  // namespace

class BlankCells : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void betaHasNothingAboveTheDiagonal();
  void everyDevice_data();
  void everyDevice();
  void numbersLeaveThemOut();
  void wrongMasksAreRefused();

 private:
  QTemporaryDir m_folder;
};

void BlankCells::betaHasNothingAboveTheDiagonal() {
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"beside=init"},
                                                  {"form=difference", "beside=init"},
                                                  {"embedding=true"}}) {
    const FigureSpec spec = gallery::probeFigure("beta_dependency", options);
    QVERIFY(!spec.panels.empty());
    for (const FigurePanel& panel : spec.panels) {
      const CellsMark& cells = std::get<CellsMark>(panel.marks.front().shape);
      QVERIFY(cells.rows > 1);
      const int more = cells.columns - cells.rows;  // 1 with the embedding's column
      for (int row = 0; row < cells.rows; ++row)
        for (int column = 0; column < cells.columns; ++column)
          QCOMPARE(cells.has(std::size_t(row * cells.columns + column)), column <= row + more);
      // A bar stands at the end of a row, and beside a map with missing cells.
      QVERIFY(&panel != &spec.panels.back() || !panel.bars.empty());
      if (!panel.bars.empty()) QCOMPARE(panel.bars.front().missing, 0);
    }
  }
}

void BlankCells::everyDevice_data() {
  QTest::addColumn<bool>("large");
  QTest::newRow("cells") << false;
  QTest::newRow("image") << true;
}

void BlankCells::everyDevice() {
  QFETCH(bool, large);
  FigureSpec spec = large ? largeTriangle() : gallery::probeFigure("beta_dependency", {});
  spec.panels.resize(1);
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(spec, style()).ok());
  QCOMPARE(problemOf(figurePicture(renderer, figureSize(spec, style()), 2), spec, "screen"), QString());
  const auto file = [this](const char* name) { return m_folder.filePath(QString::fromLatin1(name)); };
  for (const char* name : {"map.png", "map.svg", "map.pdf", "map.tex"})
    QVERIFY(exportFigure(spec, style(), file(name).toStdString()).ok());
  QCOMPARE(problemOf(QImage(file("map.png")), spec, "PNG"), QString());
  QVERIFY2(test::installed({"rsvg-convert", "pdftoppm"}), "librsvg2-bin, poppler-utils: packaging/deps.sh");
  const QString resolution = QString::number(kDotsPerInch);
  QCOMPARE(QProcess::execute("rsvg-convert", {"-d", resolution, "-p", resolution, "-z", "2", "-b", "white",
                                              "-o", file("svg.png"), file("map.svg")}),
           0);
  QCOMPARE(problemOf(QImage(file("svg.png")), spec, "SVG"), QString());
  QCOMPARE(
      QProcess::execute("pdftoppm", {"-r", resolution, "-png", "-singlefile", file("map.pdf"), file("pdf")}),
      0);
  QCOMPARE(problemOf(QImage(file("pdf.png")), spec, "PDF"), QString());
  if (large) return;  // PGF places the same picture
  // A path for each cell, besides the colour bar's.
  const auto paths = [](const FigureSpec& figure) {
    return figureBytes(figure, style(), FigureFormat::Pgf)->count("\\path[fill=");
  };
  FigureSpec whole = spec;
  std::get<CellsMark>(whole.panels.front().marks.front().shape).shown.clear();
  const std::string& shown = cellsOf(spec).shown;
  QCOMPARE(paths(whole) - paths(spec), qsizetype(std::count(shown.begin(), shown.end(), '.')));
}

void BlankCells::numbersLeaveThemOut() {
  const FigureSpec spec = gallery::probeFigure("beta_dependency", {"beside=init"});
  qsizetype cells = 0;
  for (const FigurePanel& panel : spec.panels) {
    const std::string& shown = std::get<CellsMark>(panel.marks.front().shape).shown;
    cells += std::count(shown.begin(), shown.end(), '#');
  }
  QCOMPARE(QByteArray::fromStdString(figureCsv(spec)).count(",cells,"), cells);
  const QByteArray csv = QByteArray::fromStdString(figureCsv(spec));
  QVERIFY(!csv.contains("NaN"));
  QCOMPARE(qsizetype(tableOfFigure(spec).rows.size()), cells);
}

void BlankCells::wrongMasksAreRefused() {
  FigureSpec spec = gallery::probeFigure("beta_dependency", {});
  std::string& shown = std::get<CellsMark>(spec.panels.front().marks.front().shape).shown;
  QVERIFY(checkFigure(spec).ok());
  shown.pop_back();
  QVERIFY(!checkFigure(spec).ok());
  shown += 'x';
  QVERIFY(!checkFigure(spec).ok());
}

QTEST_MAIN(BlankCells)
#include "tst_blank_cells.moc"
