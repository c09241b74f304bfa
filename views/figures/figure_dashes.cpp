// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_dashes.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "views/figure/figure_checks.h"
#include "views/figure/legend_layout.h"

namespace fathom {

namespace {

constexpr LineDash kTriedDashes[] = {LineDash::Solid, LineDash::Dash, LineDash::Dot, LineDash::DashDot};
constexpr MarkerShape kTriedMarkers[] = {MarkerShape::None,     MarkerShape::Disc,  MarkerShape::Square,
                                         MarkerShape::Triangle, MarkerShape::Cross, MarkerShape::Diamond};

constexpr std::size_t kMostMarked = 60;  // of the points of a line: more marks would cover it

bool sameLook(const FigureMark& a, const FigureMark& b) {
  return a.shape.index() == b.shape.index() && a.style.colour == b.style.colour &&
         a.style.dash == b.style.dash && a.style.marker == b.style.marker;
}

// Looks that a mark of this shape can have, the plainest first.
std::vector<std::pair<LineDash, MarkerShape>> looksFor(const FigureMark& mark) {
  std::vector<std::pair<LineDash, MarkerShape>> looks;
  if (const auto* line = std::get_if<LineMark>(&mark.shape))
    for (const MarkerShape marker : kTriedMarkers)
      for (const LineDash dash : kTriedDashes)
        if (marker == MarkerShape::None || line->x.size() <= kMostMarked) looks.emplace_back(dash, marker);
  if (std::holds_alternative<PointsMark>(mark.shape))
    for (const MarkerShape marker : kTriedMarkers)
      if (marker != MarkerShape::None) looks.emplace_back(mark.style.dash, marker);
  return looks;
}

struct Changed {
  FigureMark before;
  LineDash dash;
  MarkerShape marker;
};

// The first look in which the mark is like none of the others.
std::optional<Changed> apart(const FigureMark& mark, const std::vector<FigureMark>& others,
                             const FigureStyle& style) {
  for (const auto& [dash, marker] : looksFor(mark)) {
    FigureMark tried = mark;
    tried.style.dash = dash;
    tried.style.marker = marker;
    const bool alike = std::any_of(others.begin(), others.end(),
                                   [&](const FigureMark& other) { return alikeInGray(tried, other, style); });
    if (!alike) return Changed{mark, dash, marker};
  }
  return std::nullopt;
}

// One mark of each look that a legend of the figure names, without its data.
std::vector<FigureMark> namedLooks(const FigureSpec& spec) {
  std::vector<FigureMark> named;
  for (const FigurePanel& panel : spec.panels)
    for (const std::size_t mark : legendNames(panel).marks) {
      const FigureMark& each = panel.marks[mark];
      const bool known = std::any_of(named.begin(), named.end(),
                                     [&each](const FigureMark& other) { return sameLook(each, other); });
      if (!known) named.push_back(each);
    }
  return named;
}

std::vector<Changed> changesOf(const FigureSpec& spec, const FigureStyle& style) {
  std::vector<FigureMark> named = namedLooks(spec);
  std::vector<Changed> changes;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const bool alike =
        std::any_of(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const FigureMark& other) { return alikeInGray(named[i], other, style); });
    if (!alike) continue;
    // Later marks keep their look where they can.
    std::vector<FigureMark> others = named;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    std::optional<Changed> change = apart(named[i], others, style);
    if (!change) continue;
    named[i].style.dash = change->dash;
    named[i].style.marker = change->marker;
    changes.push_back(std::move(*change));
  }
  return changes;
}

}  // namespace

FigureSpec withDashes(FigureSpec spec, const FigureStyle& style) {
  const std::vector<Changed> changes = changesOf(spec, style);
  if (changes.empty()) return spec;
  for (FigurePanel& panel : spec.panels)
    for (FigureMark& mark : panel.marks) {
      const auto change = std::find_if(changes.begin(), changes.end(),
                                       [&mark](const Changed& each) { return sameLook(mark, each.before); });
      if (change == changes.end()) continue;
      mark.style.dash = change->dash;
      mark.style.marker = change->marker;
    }
  return spec;
}

bool dashesWouldHelp(const FigureSpec& spec, const FigureStyle& style) {
  return !changesOf(spec, style).empty();
}

}  // namespace fathom
