// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_entry.h"

#include <QDateTime>

#include "views/figure/figure_style.h"

namespace fathom {

Result<FigureEntry> findFigure(const std::string& id) {
  std::string known;
  for (const FigureEntry& entry : figures()) {
    if (entry.id == id) return entry;
    known += (known.empty() ? "" : ", ") + entry.id;
  }
  return usageError("there is no figure \"" + id + "\"", "one of " + known);
}

Result<FigureSpec> buildFigure(const FigureRecipe& recipe, AnalysisSource& source) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  OptionValues options(OptionSchema(entry.fields, {}));
  FATHOM_CHECK(options.merge(recipe.options, "figure recipe"));
  FATHOM_CHECK(options.check());
  FATHOM_TRY(FigureSpec spec, entry.build(source, options));
  spec.id = entry.id;
  spec.style = recipe.style;
  FATHOM_CHECK(checkFigure(spec));
  return spec;
}

Status exportRecipe(const FigureRecipe& recipe, AnalysisSource& source, const std::string& path) {
  FATHOM_CHECK(figureFormatOf(path));
  FATHOM_TRY(const FigureStyle style, figureStyle(QString::fromStdString(recipe.style)));
  FATHOM_TRY(const FigureSpec spec, buildFigure(recipe, source));
  ExportOptions options;
  const QDateTime created = QDateTime::fromString(QString::fromStdString(recipe.created), Qt::ISODate);
  if (created.isValid()) options.date = created.toSecsSinceEpoch();
  return exportFigure(spec, style, path, options);
}

}  // namespace fathom
