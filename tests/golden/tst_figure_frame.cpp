// SPDX-License-Identifier: Apache-2.0
// Bars begin on their axis, on screen and in every file; markers on the frame of a plot are whole, and those
// that are not in view are not painted at all.
#include <QApplication>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/golden/support_page_inspection.h"
#include "views/figure/figure_picture.h"
#include "views/files/figure_export.h"

using namespace fathom;

namespace {

constexpr double kDotsPerInch = 480;

FigureStyle style() {
  return figureStyle(QStringLiteral("acl")).value();
}

// One high bar in the middle, nothing beside it.
FigureSpec barFigure(double heightMm) {
  FigurePanel panel;
  panel.x.minimum = 0, panel.x.maximum = 3;
  panel.y.minimum = 0, panel.y.maximum = 100;
  FigureMark bars;
  bars.shape = BarsMark{.x = {1.5}, .height = {80}, .width = 1};
  bars.style.colour = "series:0";
  panel.marks = {bars};
  FigureSpec spec;
  spec.heightMm = heightMm;
  spec.panels = {panel};
  return spec;
}

// Points in the corners of the plot and two that lie outside of it.
FigureSpec cornerFigure(bool line) {
  FigurePanel panel;
  panel.x.minimum = 0, panel.x.maximum = 1;
  panel.y.minimum = 0, panel.y.maximum = 1;
  FigureMark mark;
  if (line)
    mark.shape = LineMark{{-0.05, 0, 1, 1.05}, {0.2, 0, 1, 0.8}};
  else
    mark.shape = PointsMark{{-0.05, 0, 1, 1.05}, {0.2, 0, 1, 0.8}};
  mark.style.marker = MarkerShape::Disc;
  mark.style.markerSize = 9;
  panel.marks = {mark};
  FigureSpec spec;
  spec.heightMm = 60;
  spec.panels = {panel};
  return spec;
}

// The plot area of the figure in pixels of a picture of it.
QRectF areaIn(const QImage& image, const FigureSpec& spec) {
  FigureRenderer renderer;
  if (!renderer.setFigure(spec, style()).ok()) return {};
  (void)figurePicture(renderer, figureSize(spec, style()), 1);
  const double scale = image.width() / renderer.layout().size.width();
  const QRectF area = renderer.layout().panels[0].area;
  return {area.topLeft() * scale, area.size() * scale};
}

// Whether the colour of the marks covers most of the pixel.
bool marked(const QImage& image, int x, int y) {
  const QColor at = image.pixelColor(x, y);
  return at.blue() - at.red() > 80;
}
bool dark(const QImage& image, int x, int y) {
  return qGray(image.pixel(x, y)) < 128 && !marked(image, x, y);
}

QString barProblem(const QImage& image, const FigureSpec& spec) {
  if (image.isNull()) return QStringLiteral("no picture");
  const QRectF area = areaIn(image, spec);
  const int beside = qRound(area.left() + area.width() * 0.27), inside = qRound(area.center().x());
  int first = -1, last = -1, end = -1;  // rows of the axis beside the bar; the bar's lowest row
  for (int y = qRound(area.center().y()); y < image.height(); ++y) {
    if (y > area.bottom() + image.height() * 0.02) break;
    if (dark(image, beside, y)) first = first < 0 ? y : first, last = y;
    if (marked(image, inside, y)) end = y;
  }
  if (first < 0 || end < 0) return QStringLiteral("no axis or no bar");
  if (end >= first - 1 && end <= last) return {};
  return QStringLiteral("axis in rows %1 to %2, the bar ends in %3").arg(first).arg(last).arg(end);
}

QString cornerProblem(const QImage& image, const FigureSpec& spec) {
  if (image.isNull()) return QStringLiteral("no picture");
  const QRectF area = areaIn(image, spec);
  // Slantwise: axes and ticks lie over the marker.
  const double away = 0.25 * 9 / 72 * 96 * image.width() / unitsOfMm(figureSize(spec, style()).widthMm);
  for (const QPointF& corner : {area.bottomLeft(), area.topRight()})
    for (const QPointF& step :
         {QPointF(-away, -away), QPointF(away, -away), QPointF(-away, away), QPointF(away, away)}) {
      const QPoint at = (corner + step).toPoint();
      if (!marked(image, at.x(), at.y()))
        return QStringLiteral("cut at %1, %2 of %3, %4")
            .arg(at.x())
            .arg(at.y())
            .arg(corner.x())
            .arg(corner.y());
    }
  for (const QPointF& outside :
       {QPointF(area.left() - area.width() * 0.05, area.bottom() - 0.2 * area.height()),
        QPointF(area.right() + area.width() * 0.05, area.top() + 0.2 * area.height())}) {
    const QPoint at = outside.toPoint();
    if (image.rect().contains(at) && marked(image, at.x(), at.y())) return QStringLiteral("painted outside");
  }
  return {};
}

}  // namespace

class FigureFrame : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void barsBeginOnTheAxis_data();
  void barsBeginOnTheAxis();
  void markersAreWhole_data();
  void markersAreWhole();

 private:
  // The figure on screen at both scales and from every file that shows pixels.
  std::vector<std::pair<QString, QImage>> pictures(const FigureSpec& spec) const;
  QTemporaryDir m_folder;
};

std::vector<std::pair<QString, QImage>> FigureFrame::pictures(const FigureSpec& spec) const {
  std::vector<std::pair<QString, QImage>> all;
  FigureRenderer renderer;
  if (!renderer.setFigure(spec, style()).ok()) return all;
  for (const double scale : {1.0, 1.5, 2.0})
    all.emplace_back(QStringLiteral("screen %1").arg(scale),
                     figurePicture(renderer, figureSize(spec, style()), scale));
  const auto file = [this](const char* name) { return m_folder.filePath(QString::fromLatin1(name)); };
  for (const char* name : {"frame.png", "frame.svg", "frame.pdf"})
    if (!exportFigure(spec, style(), file(name).toStdString()).ok()) return {};
  all.emplace_back(QStringLiteral("PNG"), QImage(file("frame.png")));
  const QString resolution = QString::number(kDotsPerInch);
  if (QProcess::execute("rsvg-convert",
                        {"-z", "5", "-b", "white", "-o", file("svg.png"), file("frame.svg")}) != 0)
    return {};
  all.emplace_back(QStringLiteral("SVG"), QImage(file("svg.png")));
  if (QProcess::execute("pdftoppm",
                        {"-r", resolution, "-png", "-singlefile", file("frame.pdf"), file("pdf")}) != 0)
    return {};
  all.emplace_back(QStringLiteral("PDF"), QImage(file("pdf.png")));
  return all;
}

void FigureFrame::barsBeginOnTheAxis_data() {
  QTest::addColumn<double>("heightMm");
  for (const double height : {48, 53, 60, 61, 67, 92}) QTest::addRow("%g mm", height) << height;
}

void FigureFrame::barsBeginOnTheAxis() {
  QFETCH(double, heightMm);
  QVERIFY2(test::installed({"rsvg-convert", "pdftoppm"}), "librsvg2-bin, poppler-utils: packaging/deps.sh");
  const FigureSpec spec = barFigure(heightMm);
  const auto all = pictures(spec);
  QCOMPARE(all.size(), 6U);
  for (const auto& [device, image] : all) {
    const QString problem = barProblem(image, spec);
    QVERIFY2(problem.isEmpty(), qPrintable(device + QStringLiteral(": ") + problem));
  }
}

void FigureFrame::markersAreWhole_data() {
  QTest::addColumn<bool>("line");
  QTest::newRow("points") << false;
  QTest::newRow("line") << true;
}

void FigureFrame::markersAreWhole() {
  QFETCH(bool, line);
  QVERIFY2(test::installed({"rsvg-convert", "pdftoppm"}), "librsvg2-bin, poppler-utils: packaging/deps.sh");
  const FigureSpec spec = cornerFigure(line);
  const auto all = pictures(spec);
  QCOMPARE(all.size(), 6U);
  for (const auto& [device, image] : all) {
    const QString problem = cornerProblem(image, spec);
    QVERIFY2(problem.isEmpty(), qPrintable(device + QStringLiteral(": ") + problem));
  }
  const auto pgf = figureBytes(spec, style(), FigureFormat::Pgf);
  QVERIFY(pgf.ok());
  QVERIFY(pgf->contains("clip marker paths=false"));
}

QTEST_MAIN(FigureFrame)
#include "tst_figure_frame.moc"
