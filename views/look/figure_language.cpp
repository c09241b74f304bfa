// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/figure_language.h"

#include "core/base/options/metric.h"
#include "views/look/engine_text.h"

namespace fathom {

FigureSpec inWindowLanguage(FigureSpec spec) {
  const auto say = [](Phrase& words) { words = Phrase::words(toUtf8(phraseText(words))); };
  for (FigurePanel& panel : spec.panels) {
    for (Phrase* words : {&panel.title, &panel.x.label, &panel.y.label}) say(*words);
    for (FigureAxis* axis : {&panel.x, &panel.y})
      for (std::size_t i = 0; i < axis->words.size() && i < axis->categories.size(); ++i)
        axis->categories[i] = toUtf8(wordText(axis->words[i]));
    panel.legendRest = toUtf8(phraseText(kLegendRest));
    for (ColourBar& bar : panel.bars) say(bar.label);
    for (FigureMark& mark : panel.marks) {
      say(mark.label);
      if (auto* grid = std::get_if<GridMark>(&mark.shape)) say(grid->axis);
      if (auto* text = std::get_if<TextMark>(&mark.shape)) say(text->text);
    }
  }
  return spec;
}

}  // namespace fathom
