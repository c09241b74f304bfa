// SPDX-License-Identifier: Apache-2.0
// A printed page, as the printer of PDF files gets it: the sheet is the printer's, the figure as large as its
// style says, in the middle; one that is larger than the sheet is made smaller and the sheet is turned where
// that helps.
#include <QImage>
#include <QPrinter>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "support_figure_gallery.h"
#include "support_page_inspection.h"
#include "views/files/figure_export.h"
#include "views/files/figure_print.h"

using namespace fathom;

namespace {

constexpr double kDotsPerMm = 72 / 25.4;

FigureStyle printStyle(const char* id) {
  return figureStyle(QLatin1String(id)).value();
}

// The first page of a PDF, a dot a point.
QImage sheetOf(const QString& pdf) {
  const QString stem = pdf + QStringLiteral(".sheet");
  if (QProcess::execute("pdftoppm", {"-png", "-r", "72", "-singlefile", pdf, stem}) != 0) return {};
  return QImage(stem + QStringLiteral(".png")).convertToFormat(QImage::Format_Grayscale8);
}

QRect inkOf(const QImage& sheet) {
  QRect ink;
  for (int y = 0; y < sheet.height(); ++y)
    for (int x = 0; x < sheet.width(); ++x)
      if (qGray(sheet.pixel(x, y)) < 200) ink |= QRect(x, y, 1, 1);
  return ink;
}

}  // namespace

class FigurePrintTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(test::installed({"pdftoppm"}), "packaging/deps.sh installs it"); }
  void figureKeepsItsSizeInTheMiddle();
  void largeFigureTurnsTheSheetAndShrinks();
  void sheetOfAnotherSizeIsUsed();
  void unreachablePrinterIsAnError();

 private:
  // Prints into a file; the sheet comes back, empty where that failed.
  QImage printed(const FigureSpec& spec, const char* style, QPageSize::PageSizeId paper,
                 double* shrink) const;
  QTemporaryDir m_folder;
};

QImage FigurePrintTest::printed(const FigureSpec& spec, const char* style, QPageSize::PageSizeId paper,
                                double* shrink) const {
  const QString file = m_folder.filePath(QStringLiteral("%1-%2.pdf").arg(QLatin1String(style)).arg(paper));
  const FigureStyle shown = printStyle(style);
  {
    QPrinter printer(QPrinter::HighResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName(file);
    printer.setPageSize(QPageSize(paper));
    turnPaper(printer, figureSize(spec, shown));
    const auto scale = printFigure(spec, shown, printer);
    if (!scale.ok()) return {};
    *shrink = *scale;
  }
  return sheetOf(file);
}

void FigurePrintTest::figureKeepsItsSizeInTheMiddle() {
  const FigureSpec spec = gallery::trainingCurves();
  double shrink = 0;
  const QImage sheet = printed(spec, "acl", QPageSize::A4, &shrink);
  QCOMPARE(shrink, 1.0);
  QCOMPARE(sheet.size(), QSize(595, 842));
  const QString alone = m_folder.filePath(QStringLiteral("alone.pdf"));
  QVERIFY(exportFigure(spec, printStyle("acl"), alone.toStdString()).ok());
  const QImage page = sheetOf(alone);
  const QRect ink = inkOf(sheet), asExported = inkOf(page);
  QVERIFY(asExported.width() > 150);
  QVERIFY2(
      std::abs(ink.width() - asExported.width()) <= 2 && std::abs(ink.height() - asExported.height()) <= 2,
      qPrintable(QStringLiteral("%1 x %2, exported %3 x %4")
                     .arg(ink.width())
                     .arg(ink.height())
                     .arg(asExported.width())
                     .arg(asExported.height())));
  // The page of the file lies in the middle of the sheet.
  const QPoint corner((sheet.width() - page.width()) / 2, (sheet.height() - page.height()) / 2);
  const QPoint off = ink.topLeft() - asExported.topLeft() - corner;
  QVERIFY2(std::abs(off.x()) <= 3 && std::abs(off.y()) <= 3,
           qPrintable(QStringLiteral("%1 and %2 points beside the middle").arg(off.x()).arg(off.y())));
}

void FigurePrintTest::largeFigureTurnsTheSheetAndShrinks() {
  double shrink = 0;
  const FigureSpec spec = gallery::trainingCurves();
  const QImage sheet = printed(spec, "slide", QPageSize::A6, &shrink);
  const FigureSize size = figureSize(spec, printStyle("slide"));
  QVERIFY(size.widthMm > 148 && shrink > 0.3 && shrink < 1);
  QVERIFY(sheet.width() > sheet.height());
  QVERIFY(inkOf(sheet).width() <= size.widthMm * shrink * kDotsPerMm + 2);
  QVERIFY(inkOf(sheet).width() > 0.8 * size.widthMm * shrink * kDotsPerMm);
}

void FigurePrintTest::sheetOfAnotherSizeIsUsed() {
  double shrink = 0;
  const QImage sheet = printed(gallery::onePoint(), "acl", QPageSize::Letter, &shrink);
  QCOMPARE(sheet.size(), QSize(612, 792));
  QCOMPARE(shrink, 1.0);
}

void FigurePrintTest::unreachablePrinterIsAnError() {
  QPrinter printer;
  printer.setOutputFormat(QPrinter::PdfFormat);
  printer.setOutputFileName(m_folder.filePath(QStringLiteral("nowhere/x.pdf")));
  const auto scale = printFigure(gallery::onePoint(), printStyle("acl"), printer);
  QVERIFY(!scale.ok());
  QVERIFY2(scale.error().text().find("x.pdf") != std::string::npos, scale.error().text().c_str());
}

QTEST_MAIN(FigurePrintTest)
#include "tst_figure_print.moc"
