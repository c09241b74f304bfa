// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_words.h"

#include <algorithm>

#include "views/figure/value_axis.h"

namespace fathom {

namespace {

constexpr double kBeside = 3;  // units around a text in which a click means it

void add(std::vector<WordPlace>& places, const WordPlace& place) {
  const auto known = std::find_if(places.begin(), places.end(), [&place](const WordPlace& each) {
    return each.panel == place.panel && each.role == place.role && each.mark == place.mark;
  });
  if (known == places.end()) {
    places.push_back(place);
  } else {
    known->box |= place.box;
  }
}

}  // namespace

std::vector<WordPlace> wordPlaces(const FigureSpec& spec, const FigureLayout& layout) {
  std::vector<WordPlace> places;
  for (std::size_t i = 0; i < spec.panels.size() && i < layout.panels.size(); ++i) {
    for (const PlacedText& text : layout.panels[i].texts)
      if (text.role != TextRole::Other) add(places, {i, text.role, 0, text.box(), text.upright});
    // A second line of an entry has no mark: it belongs to the one above it.
    std::optional<std::size_t> mark;
    for (const LegendEntry& entry : layout.panels[i].legend) {
      if (entry.mark) mark = entry.mark;
      const bool rest =
          !entry.mark && &entry == &layout.panels[i].legend.back() &&
          entry.text.full !=
              plainText(QString::fromStdString(mark ? spec.panels[i].marks[*mark].label.english() : ""));
      if (mark && !rest) add(places, {i, TextRole::Legend, *mark, entry.text.box(), false});
    }
  }
  return places;
}

std::optional<WordPlace> wordAt(const std::vector<WordPlace>& places, const QPointF& point) {
  for (const WordPlace& place : places)
    if (place.box.adjusted(-kBeside, -kBeside, kBeside, kBeside).contains(point)) return place;
  return std::nullopt;
}

std::string wordsAt(const FigureSpec& spec, const WordPlace& place) {
  if (place.panel >= spec.panels.size()) return {};
  const FigurePanel& panel = spec.panels[place.panel];
  switch (place.role) {
    case TextRole::Title:
      return panel.title.english();
    case TextRole::LabelX:
      return panel.x.label.english();
    case TextRole::LabelY:
      return panel.y.label.english();
    case TextRole::LabelBar:
      return panel.bars.empty() ? std::string() : panel.bars.front().label.english();
    case TextRole::LabelValues: {
      const GridMark* grid = gridWithAxis(panel);
      return grid == nullptr ? std::string() : grid->axis.english();
    }
    case TextRole::Legend:
      return place.mark < panel.marks.size() ? panel.marks[place.mark].label.english() : std::string();
    case TextRole::Other:
      break;
  }
  return {};
}

}  // namespace fathom
