// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/composition_page.h"

#include <QDateTime>
#include <algorithm>
#include <utility>

#include "core/library/figures/panel_places.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_dashes.h"
#include "views/figures/figure_height.h"
#include "views/figures/own_texts.h"
#include "views/files/neighbour_file.h"

namespace fathom {

Result<FigureStyle> compositionStyle(const FigureComposition& composition) {
  FATHOM_TRY(FigureStyle style, figureStyle(QString::fromStdString(composition.style)));
  return withFont(std::move(style), QString::fromStdString(composition.font), composition.textPoints);
}

namespace {

// As it stands on the page: as wide as its columns, as high as in a figure of its own.
FigureSpec onPage(FigureSpec spec, const CompositionPanel& panel, double width, const FigureStyle& style) {
  if (spec.widthMm > 0 && spec.heightMm > 0) spec.heightMm *= width / spec.widthMm;
  spec.widthMm = width;
  if (spec.flows) return figureForPage(panel.recipe, std::move(spec), style);
  spec.heightMm = heightFor(panel.recipe, spec, style);
  return spec;
}

}  // namespace

FigurePage compositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs,
                           const FigureStyle& style) {
  FigurePage page;
  page.id = "composition";
  page.title = markupOf(composition.name);
  page.widthMm = composition.widthMm;
  page.heightMm = composition.heightMm;
  page.letters = composition.letters;
  page.shareX = composition.shareX;
  page.shareY = composition.shareY;
  page.rowShares = composition.rowShares;
  page.columnShares = composition.columnShares;
  const std::vector<double> shares = sharesOf(composition.columnShares, std::max(1, columnsOf(composition)));
  const double whole = page.widthMm > 0 ? page.widthMm : style.widthOfPage();
  for (std::size_t i = 0; i < composition.panels.size() && i < specs.size(); ++i) {
    const CompositionPanel& panel = composition.panels[i];
    const double width = widthOfColumns(shares, whole, panel.column, panel.columnSpan);
    FigureSpec spec = withOwnTexts(std::move(specs[i]), panel.recipe.texts);
    if (composition.dashes) spec = withDashes(std::move(spec), style);
    page.figures.push_back({onPage(std::move(spec), panel, width, style), panel.row, panel.column,
                            panel.rowSpan, panel.columnSpan, markupOf(panel.title)});
  }
  return page;
}

ExportOptions exportOptionsAt(const std::string& created, FigureChecks* found) {
  ExportOptions options;
  options.found = found;
  const QDateTime date = QDateTime::fromString(QString::fromStdString(created), Qt::ISODate);
  if (date.isValid()) options.date = date.toSecsSinceEpoch();
  return options;
}

Status exportCompositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs,
                             const std::string& path, FigureChecks* found) {
  const bool onlyCsv = path.ends_with(".csv");
  if (!onlyCsv) FATHOM_CHECK(figureFormatOf(path));
  FATHOM_CHECK(checkFigureNeighbours(path));
  FATHOM_TRY(const FigureStyle style, compositionStyle(composition));
  FATHOM_TRY(const ComposedPage page,
             composePage(compositionPage(composition, std::move(specs), style), style));
  if (!onlyCsv)
    FATHOM_CHECK(exportFigure(page.spec, style, path, exportOptionsAt(composition.created, found)));
  return writeNumbers(path, figureCsv(page.spec), found);
}

std::string recipeKey(const FigureRecipe& recipe) {
  return Json({{"figure", recipe.figure},
               {"runs", recipe.runs},
               {"review", recipe.review},
               {"options", recipe.options},
               {"pins", recipe.pins ? recipe.pins->toJson() : Json()}})
      .dump();
}

}  // namespace fathom
