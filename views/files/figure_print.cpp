// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/files/figure_print.h"

#include <QPrinter>
#include <algorithm>

#include "views/figure/figure_picture.h"
#include "views/figure/figure_renderer.h"

namespace fathom {

namespace {

constexpr double kSheetUnitsPerInch = 96;
constexpr double kMmPerInch = 25.4;

// Both in millimetres.
double shrinkInto(const QSizeF& sheet, const FigureSize& size) {
  return std::min({1.0, sheet.width() / size.widthMm, sheet.height() / size.heightMm});
}

QRectF reachOf(const QPrinter& printer) {
  return printer.pageLayout().paintRect(QPageLayout::Millimeter);
}

std::string nameOf(const QPrinter& printer) {
  const QString file = printer.outputFileName();
  return (file.isEmpty() ? printer.printerName() : file).toStdString();
}

// The corner of the figure as margins of the sheet, which no printer takes smaller than its own.
void centre(QPrinter& printer, const FigureSize& size, double shrink) {
  const QRectF reach = reachOf(printer);
  const QMarginsF own = printer.pageLayout().margins(QPageLayout::Millimeter);
  const double aside = (reach.width() - size.widthMm * shrink) / 2;
  const double above = (reach.height() - size.heightMm * shrink) / 2;
  printer.setPageMargins(QMarginsF(own.left() + std::max(0.0, aside), own.top() + std::max(0.0, above),
                                   own.right(), own.bottom()),
                         QPageLayout::Millimeter);
}

}  // namespace

void turnPaper(QPrinter& printer, const FigureSize& size) {
  const QSizeF reach = reachOf(printer).size();
  const bool isUpright = printer.pageLayout().orientation() == QPageLayout::Portrait;
  const QSizeF upright = isUpright ? reach : reach.transposed();
  const bool turned = shrinkInto(upright.transposed(), size) > shrinkInto(upright, size);
  printer.setPageOrientation(turned ? QPageLayout::Landscape : QPageLayout::Portrait);
}

Result<double> printFigure(const FigureSpec& spec, const FigureStyle& style, QPrinter& printer) {
  FATHOM_CHECK(checkFigure(spec));
  FATHOM_CHECK(checkGlyphs(spec, style));
  FigureRenderer renderer;
  FATHOM_CHECK(renderer.setFigure(spec, style));
  const FigureSize size = figureSize(spec, style);
  const double shrink = shrinkInto(reachOf(printer).size(), size);
  centre(printer, size, shrink);
  const double dots = printer.resolution() / kSheetUnitsPerInch * shrink;
  if (!renderer.paintTo(printer, unitSize(size), {true, false, dots}))
    return diskError(Phrase::tr("nothing could be printed on %1")(nameOf(printer)),
                     Phrase::tr("look whether it is on and takes jobs, or print into a file"));
  return shrink;
}

}  // namespace fathom
