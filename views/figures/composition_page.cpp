// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/composition_page.h"

#include <QDateTime>
#include <filesystem>
#include <utility>

#include "core/base/atomic_file.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_text.h"

namespace fathom {

Result<FigureStyle> compositionStyle(const FigureComposition& composition) {
  FATHOM_TRY(FigureStyle style, figureStyle(QString::fromStdString(composition.style)));
  return withFont(std::move(style), QString::fromStdString(composition.font), composition.textPoints);
}

FigurePage compositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs) {
  FigurePage page;
  page.id = "composition";
  page.title = markupOf(composition.name);
  page.widthMm = composition.widthMm;
  page.heightMm = composition.heightMm;
  page.letters = composition.letters;
  page.shareX = composition.shareX;
  page.shareY = composition.shareY;
  for (std::size_t i = 0; i < composition.panels.size() && i < specs.size(); ++i) {
    const CompositionPanel& panel = composition.panels[i];
    page.figures.push_back({std::move(specs[i]), panel.row, panel.column, panel.rowSpan, panel.columnSpan,
                            markupOf(panel.title)});
  }
  return page;
}

ExportOptions exportOptionsAt(const std::string& created) {
  ExportOptions options;
  const QDateTime date = QDateTime::fromString(QString::fromStdString(created), Qt::ISODate);
  if (date.isValid()) options.date = date.toSecsSinceEpoch();
  return options;
}

Status exportCompositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs,
                             const std::string& path) {
  const bool onlyCsv = path.ends_with(".csv");
  if (!onlyCsv) FATHOM_CHECK(figureFormatOf(path));
  FATHOM_TRY(const FigureStyle style, compositionStyle(composition));
  FATHOM_TRY(const ComposedPage page, composePage(compositionPage(composition, std::move(specs)), style));
  if (!onlyCsv) FATHOM_CHECK(exportFigure(page.spec, style, path, exportOptionsAt(composition.created)));
  return writeFileAtomically(std::filesystem::path(path).replace_extension(".csv").string(),
                             figureCsv(page.spec));
}

std::string recipeKey(const FigureRecipe& recipe) {
  return Json({{"figure", recipe.figure},
               {"runs", recipe.runs},
               {"review", recipe.review},
               {"options", recipe.options}})
      .dump();
}

}  // namespace fathom
