// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include "core/base/options/field_builder.h"
#include "core/review/failure_sets.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr std::size_t kMostSets = 4;
constexpr int kGrid = 240;  // points per side of the page on which regions are measured

// Sets as ellipses on a page from (0, 0) to (1, 1).
std::vector<EllipseMark> ellipsesOf(std::size_t sets) {
  if (sets == 2) return {{0.35, 0.5, 0.3, 0.3, 0}, {0.65, 0.5, 0.3, 0.3, 0}};
  if (sets == 3)
    return {{0.37, 0.61, 0.26, 0.26, 0}, {0.63, 0.61, 0.26, 0.26, 0}, {0.5, 0.39, 0.26, 0.26, 0}};
  return {{0.34, 0.44, 0.34, 0.19, 130},
          {0.45, 0.55, 0.34, 0.19, 130},
          {0.55, 0.55, 0.34, 0.19, 50},
          {0.66, 0.44, 0.34, 0.19, 50}};
}

bool inside(const EllipseMark& e, double x, double y) {
  const double turn = e.angle * std::numbers::pi / 180, dx = x - e.x, dy = y - e.y;
  const double a = (dx * std::cos(turn) + dy * std::sin(turn)) / e.radiusX;
  const double b = (dy * std::cos(turn) - dx * std::sin(turn)) / e.radiusY;
  return a * a + b * b <= 1;
}

struct Place {
  double x = 0, y = 0, room = 0;
};

// Best place of a number in every region: the point farthest from the region's edge, by a distance
// transform on a grid.
std::map<std::uint32_t, Place> regionPlaces(const std::vector<EllipseMark>& ellipses) {
  std::vector<std::uint32_t> region(kGrid * kGrid, 0);
  std::vector<double> room(kGrid * kGrid, 0);
  const auto at = [](int column, int row) { return static_cast<std::size_t>(row * kGrid + column); };
  for (int row = 0; row < kGrid; ++row) {
    for (int column = 0; column < kGrid; ++column) {
      for (std::size_t m = 0; m < ellipses.size(); ++m) {
        if (inside(ellipses[m], (column + 0.5) / kGrid, (row + 0.5) / kGrid))
          region[at(column, row)] |= std::uint32_t{1} << m;
      }
    }
  }
  // Two sweeps; the steps go sideways, along and across.
  const auto relax = [&](int column, int row, int dx, int dy) {
    const int fromX = column + dx, fromY = row + dy;
    const bool off = fromX < 0 || fromY < 0 || fromX >= kGrid || fromY >= kGrid;
    const double other =
        off || region[at(fromX, fromY)] != region[at(column, row)] ? 0 : room[at(fromX, fromY)];
    room[at(column, row)] = std::min(room[at(column, row)], other + std::hypot(dx, dy));
  };
  room.assign(room.size(), kGrid);
  for (int row = 0; row < kGrid; ++row) {
    for (int column = 0; column < kGrid; ++column) {
      for (const auto& [dx, dy] : {std::pair{-1, 0}, std::pair{-1, -1}, std::pair{0, -1}, std::pair{1, -1}})
        relax(column, row, dx, dy);
    }
  }
  std::map<std::uint32_t, Place> places;
  for (int row = kGrid - 1; row >= 0; --row) {
    for (int column = kGrid - 1; column >= 0; --column) {
      for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{1, 1}, std::pair{0, 1}, std::pair{-1, 1}})
        relax(column, row, dx, dy);
      Place& best = places[region[at(column, row)]];
      if (room[at(column, row)] <= best.room) continue;
      best = {(column + 0.5) / kGrid, (row + 0.5) / kGrid, room[at(column, row)]};
    }
  }
  return places;
}

// The systems the diagram is about, as numbers in the review: those named, else the first four.
Result<std::vector<std::size_t>> chosen(const Review& review, const std::vector<std::string>& names) {
  std::vector<std::size_t> systems;
  std::string known;
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    known += (known.empty() ? "" : ", ") + review.models[m].name;
    const bool named = std::find(names.begin(), names.end(), review.models[m].name) != names.end();
    if (names.empty() ? systems.size() < kMostSets : named) systems.push_back(m);
  }
  if (systems.size() < names.size())
    return usageError(Phrase::tr("a system named for the diagram is not there"),
                      Phrase::tr("there are %1")(known));
  if (systems.size() < 2 || systems.size() > kMostSets) {
    return usageError(Phrase::tr("a Venn diagram shows 2 to 4 systems, these are %1")(systems.size()),
                      Phrase::tr("choose others, or the figure failure_upset"));
  }
  return systems;
}

std::string namesOf(const Review& review, const std::vector<std::size_t>& systems, std::uint32_t sets) {
  std::string names;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    if (sets >> s & 1) names += (names.empty() ? "" : " & ") + review.models[systems[s]].name;
  }
  return names;
}

std::vector<FailureIntersection> setsOf(const ReviewFigureInput& input,
                                        const std::vector<std::size_t>& systems) {
  std::vector<std::vector<std::uint8_t>> categories;
  for (const std::size_t m : systems) categories.push_back(input.categories[m]);
  return failureIntersections(categories);
}

// The whole of it is named in the legend; its regions have numbers.
FigureMark ellipseMark(const ReviewModel& model, std::size_t number, const EllipseMark& shape,
                       const std::vector<std::size_t>& wrong) {
  FigureMark mark;
  mark.shape = shape;
  mark.style.colour = modelStyle(number).colour;
  mark.style.fill = 0.25;
  mark.label = modelLabel(model) + " (" + std::to_string(wrong.size()) + ")";
  mark.selection = selectionOfExamples(model.name, wrong);
  return mark;
}

Result<ReviewFigure> buildFailureVenn(const ReviewFigureInput& input, const OptionValues& options) {
  const auto& models = input.review.models;
  FATHOM_TRY(const auto systems, chosen(input.review, options.texts("systems")));
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Wrong predictions");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "wrong in exactly")},
                          {QT_TRANSLATE_NOOP("Command", "systems"), 0},
                          {QT_TRANSLATE_NOOP("Command", "examples"), 0}};
  FigurePanel panel;
  panel.x.scale = panel.y.scale = AxisScale::None;
  panel.x.minimum = panel.y.minimum = 0.02;
  panel.x.maximum = panel.y.maximum = 0.98;
  panel.legend = LegendPlace::Below;
  const auto ellipses = ellipsesOf(systems.size());
  const auto sets = setsOf(input, systems);
  for (std::size_t s = 0; s < systems.size(); ++s) {
    std::vector<std::size_t> wrong;
    for (const auto& set : sets)
      if (set.models >> s & 1) wrong.insert(wrong.end(), set.examples.begin(), set.examples.end());
    std::sort(wrong.begin(), wrong.end());
    panel.marks.push_back(ellipseMark(models[systems[s]], systems[s], ellipses[s], wrong));
  }
  const auto places = regionPlaces(ellipses);
  for (std::uint32_t region = 1; region < (std::uint32_t{1} << systems.size()); ++region) {
    const auto set =
        std::find_if(sets.begin(), sets.end(), [&](const auto& each) { return each.models == region; });
    const std::size_t count = set == sets.end() ? 0 : set->examples.size();
    const Place& place = places.at(region);
    FigureMark number = textMark(place.x, place.y, std::to_string(count));
    if (count > 0) number.selection = reviewSelection("", "", set->examples);
    const std::string selection = number.selection;
    panel.marks.push_back(std::move(number));
    const std::string names = namesOf(input.review, systems, region);
    figure.table.rows.push_back({names, double(std::popcount(region)), double(count)});
    figure.lastRowLeadsTo(selection);
    figure.spec.summary.append(Phrase::tr("Only %1: %2.")(names, count));
  }
  figure.spec.panels.push_back(std::move(panel));
  figure.spec.notes = {Phrase::tr("Areas are not to scale.")};
  if (systems.size() < models.size())
    figure.spec.notes.push_back(Phrase::tr("%1 of %2 systems.")(systems.size(), models.size()));
  setSize(figure.spec, options, 76);
  return figure;
}

}  // namespace

FigureEntry failureVennFigureEntry() {
  return {.id = "failure_venn",
          .title = "Wrong predictions, Venn diagram",
          .fields = joinedFields(
              {{listField("systems", "Systems", "Names of 2 to 4 systems; none: the first four.")},
               sizeFields()}),
          .buildReview = buildFailureVenn,
          .ofEveryKind = true};
}

}  // namespace fathom
