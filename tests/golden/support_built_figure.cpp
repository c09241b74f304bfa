// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_built_figure.h"

#include <QStringList>

namespace fathom::gallery {

std::vector<std::string> optionWords(const QString& text) {
  std::vector<std::string> list;
  for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) list.push_back(word.toStdString());
  return list;
}

Result<FigureSpec> builtFigure(const std::string& figure, const std::vector<std::string>& assignments,
                               AnalysisSource& source) {
  FATHOM_TRY(const FigureEntry entry, findFigure(figure));
  OptionValues options{OptionSchema(entry.fields, {})};
  for (const std::string& assignment : assignments) FATHOM_CHECK(options.setText(assignment));
  FigureRecipe recipe;
  recipe.figure = figure;
  recipe.options = options.minimal();
  return buildFigure(recipe, source);
}

}  // namespace fathom::gallery
