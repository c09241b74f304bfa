// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/own_texts.h"

#include <algorithm>
#include <functional>

namespace fathom {

namespace {

using Texts = std::map<std::string, std::string>;
// A text of a figure and the part of the recipe that may say it otherwise.
using Visit = std::function<void(Phrase& text, Texts FigureTexts::*part)>;

void visitTexts(FigureSpec& spec, const Visit& visit) {
  for (FigurePanel& panel : spec.panels) {
    visit(panel.title, &FigureTexts::titles);
    visit(panel.x.label, &FigureTexts::axes);
    visit(panel.y.label, &FigureTexts::axes);
    for (ColourBar& bar : panel.bars) visit(bar.label, &FigureTexts::axes);
    for (FigureMark& mark : panel.marks) {
      visit(mark.label, &FigureTexts::legend);
      if (auto* grid = std::get_if<GridMark>(&mark.shape)) visit(grid->axis, &FigureTexts::axes);
    }
  }
}

}  // namespace

FigureSpec withOwnTexts(FigureSpec spec, const FigureTexts& texts) {
  if (texts.empty()) return spec;
  visitTexts(spec, [&texts](Phrase& text, Texts FigureTexts::*part) {
    if (text.empty()) return;
    const Texts& own = texts.*part;
    if (const auto said = own.find(text.english()); said != own.end()) text = Phrase::words(said->second);
  });
  return spec;
}

std::vector<std::string> textsOf(const FigureSpec& spec) {
  std::vector<std::string> all;
  FigureSpec copy = spec;
  visitTexts(copy, [&all](Phrase& text, Texts FigureTexts::*) {
    const std::string said = text.english();
    if (!said.empty() && std::find(all.begin(), all.end(), said) == all.end()) all.push_back(said);
  });
  return all;
}

}  // namespace fathom
