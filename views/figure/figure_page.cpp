// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_page.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/numbers/figure_limits.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_layout.h"

namespace fathom {

namespace {

struct Grid {
  int rows = 1, columns = 1;
};

Grid gridOf(const std::vector<PlacedFigure>& figures) {
  Grid grid;
  for (const PlacedFigure& figure : figures) {
    grid.rows = std::max(grid.rows, figure.row + figure.rowSpan);
    grid.columns = std::max(grid.columns, figure.column + figure.columnSpan);
  }
  return grid;
}

Grid gridOf(const FigureSpec& spec) {
  Grid grid;
  for (const FigurePanel& panel : spec.panels) {
    grid.rows = std::max(grid.rows, panel.row + panel.rowSpan);
    grid.columns = std::max(grid.columns, panel.column + panel.columnSpan);
  }
  return grid;
}

// Into how many tracks each row or column of the page is divided, so that every figure's own come out whole.
int division(const std::vector<PlacedFigure>& figures, bool rows) {
  int parts = 1;
  for (const PlacedFigure& figure : figures) {
    const Grid own = gridOf(figure.spec);
    const int count = rows ? own.rows : own.columns, span = rows ? figure.rowSpan : figure.columnSpan;
    parts = std::lcm(parts, count / std::gcd(count, span));
    if (parts > kMostFigureTracks) break;
  }
  return parts;
}

void place(FigurePanel& panel, const PlacedFigure& figure, const Grid& own, const Grid& divided) {
  const int height = divided.rows * figure.rowSpan / own.rows;
  const int width = divided.columns * figure.columnSpan / own.columns;
  panel.row = figure.row * divided.rows + panel.row * height;
  panel.column = figure.column * divided.columns + panel.column * width;
  panel.rowSpan *= height;
  panel.columnSpan *= width;
}

Phrase bothPhrases(const Phrase& first, const Phrase& text) {
  if (first.empty()) return text;
  return text.empty() ? first : Phrase::list({first, text}, " ");
}

bool sameKind(const FigureAxis& a, const FigureAxis& b) {
  return a.scale == b.scale && a.label == b.label && a.categories == b.categories &&
         a.reversed == b.reversed && a.datesFrom == b.datesFrom &&
         (a.scale != AxisScale::Symlog || a.linearBelow == b.linearBelow);
}

// Along x: panels of the same columns, the lowest keeps its labels. Along y: of the same rows, the leftmost.
void shareAxes(FigureSpec& spec, bool horizontal) {
  const auto axis = [horizontal](FigurePanel& panel) -> FigureAxis& {
    return horizontal ? panel.x : panel.y;
  };
  const auto track = [horizontal](const FigurePanel& panel) {
    return horizontal ? std::pair(panel.column, panel.columnSpan) : std::pair(panel.row, panel.rowSpan);
  };
  std::vector<bool> done(spec.panels.size());
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    if (done[i] || axis(spec.panels[i]).scale == AxisScale::None) continue;
    std::vector<std::size_t> group;
    for (std::size_t k = i; k < spec.panels.size(); ++k)
      if (!done[k] && track(spec.panels[k]) == track(spec.panels[i]) &&
          sameKind(axis(spec.panels[k]), axis(spec.panels[i])))
        group.push_back(k);
    if (group.size() < 2) continue;
    AxisRange range = panelRange(spec.panels[i], horizontal);
    std::size_t keeper = i;
    for (const std::size_t k : group) {
      const AxisRange own = panelRange(spec.panels[k], horizontal);
      range = {std::min(range.low, own.low), std::max(range.high, own.high)};
      const FigurePanel &each = spec.panels[k], &best = spec.panels[keeper];
      if (horizontal ? each.row > best.row : each.column < best.column) keeper = k;
    }
    const bool words =
        axis(spec.panels[i]).scale == AxisScale::Category || axis(spec.panels[i]).scale == AxisScale::Token;
    for (const std::size_t k : group) {
      FigureAxis& shared = axis(spec.panels[k]);
      const AxisMap map(shared);
      done[k] = true;
      if (!words) {
        shared.minimum = map.fromUnit(range.low);
        shared.maximum = map.fromUnit(range.high);
      }
      if (k == keeper) continue;
      shared.label.clear();
      shared.tickLabels = "none";
    }
  }
}

// Of the rows of the page in mm, at the width their figures get: as high as they like to be, and as low as
// they can be read.
struct RowHeights {
  std::vector<double> natural, least;
};

// A row of violins is a layer: it keeps its number beside it.
std::vector<double> leastPlots(const FigureSpec& spec) {
  constexpr double kLowestMm = 12, kLowestAloneMm = 18, kLayerMm = 1.6;
  const double least = gridOf(spec).rows > 1 ? kLowestMm : kLowestAloneMm;
  std::vector<double> plots;
  for (const FigurePanel& panel : spec.panels) {
    int layers = 0;
    for (const FigureMark& mark : panel.marks)
      if (const auto* grid = std::get_if<GridMark>(&mark.shape))
        for (const GridCell& cell : grid->cells) layers = std::max(layers, cell.row + 1);
    plots.push_back(std::max(least, kLayerMm * layers));
  }
  return plots;
}

// How much higher than `least` the plots of each row of panels are, in mm; below 0: how much lower.
std::vector<double> spareOf(const FigureSpec& spec, const FigureStyle& style,
                            const std::vector<double>& least) {
  std::vector<PanelRanges> ranges;
  for (const FigurePanel& panel : spec.panels)
    ranges.push_back({panelRange(panel, true), panelRange(panel, false)});
  const FigureLayout layout = layOutFigure(spec, style, QSizeF(unitSize(figureSize(spec, style))), ranges);
  std::vector<double> spare(static_cast<std::size_t>(gridOf(spec).rows), kLargestFigureMm);
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    const double own = (layout.panels[i].room.height() / unitsOfMm(1) - least[i]) / panel.rowSpan;
    for (int row = panel.row; row < panel.row + panel.rowSpan; ++row) {
      double& each = spare[static_cast<std::size_t>(row)];
      each = std::min(each, own);
    }
  }
  for (double& each : spare)
    if (each == kLargestFigureMm) each = 0;  // a row without panels
  return spare;
}

// `heightMm` less what its plots can spare; texts keep their room.
double leastHeight(FigureSpec spec, const FigureStyle& style, double heightMm) {
  spec.heightMm = heightMm;
  double all = 0;
  for (const double each : spareOf(spec, style, leastPlots(spec))) all += std::max(0.0, each);
  return heightMm - all;
}

RowHeights rowHeights(const FigurePage& page, const FigureStyle& style, const Grid& grid, double widthMm,
                      bool least) {
  RowHeights rows;
  rows.natural.resize(static_cast<std::size_t>(grid.rows));
  rows.least = rows.natural;
  const std::vector<double> shares = sharesOf(page.columnShares, grid.columns);
  for (const PlacedFigure& figure : page.figures) {
    FigureSpec spec = figure.spec;
    const double width = widthOfColumns(shares, widthMm, figure.column, figure.columnSpan);
    if (spec.widthMm > 0 && spec.heightMm > 0) spec.heightMm *= width / spec.widthMm;
    spec.widthMm = width;
    const double height = figureSize(spec, style).heightMm;
    const double lowest = least ? leastHeight(std::move(spec), style, height) : height;
    for (auto row = static_cast<std::size_t>(figure.row);
         row < static_cast<std::size_t>(figure.row + figure.rowSpan); ++row) {
      rows.natural[row] = std::max(rows.natural[row], height / figure.rowSpan);
      rows.least[row] = std::max(rows.least[row], lowest / figure.rowSpan);
    }
  }
  constexpr double kEmptyRow = 5;
  for (std::vector<double>* heights : {&rows.natural, &rows.least})
    for (double& row : *heights)
      if (row <= 0) row = kEmptyRow;
  return rows;
}

double sumOf(const std::vector<double>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

// On a page of this height, which they are too high for, every row gives the same part of what it can spare;
// std::nullopt where that is not enough.
std::optional<std::vector<double>> pressedInto(double pageMm, const RowHeights& rows) {
  const double natural = sumOf(rows.natural), least = sumOf(rows.least);
  if (least > pageMm) return std::nullopt;
  const double kept = (pageMm - least) / (natural - least);
  std::vector<double> pressed = rows.least;
  for (std::size_t i = 0; i < pressed.size(); ++i) pressed[i] += kept * (rows.natural[i] - rows.least[i]);
  return pressed;
}

// Rows of about the same height stay one band: their plots come out exactly equal.
std::vector<RowBand> bandsOf(const std::vector<double>& heights, int division) {
  constexpr double kAlike = 1.1;
  const auto [least, most] = std::minmax_element(heights.begin(), heights.end());
  std::vector<RowBand> bands;
  if (*most <= kAlike * *least) return bands;
  for (const double height : heights) bands.push_back({division, height});
  return bands;
}

// The sum of what the rows need; the height of the style's page where that is a little less, and no row gets
// too low for its plots there.
double heightOf(const std::vector<double>& rows, const FigureStyle& style) {
  constexpr double kLeastShare = 0.7, kLeastRowMm = 36;
  const double sum = sumOf(rows);
  const double share = style.mostHeightMm / sum;
  if (share >= 1 || share < kLeastShare) return sum;
  const bool low = std::any_of(rows.begin(), rows.end(), [share](double row) {
    return row > kLeastRowMm && row * share < kLeastRowMm;
  });
  return low ? sum : style.mostHeightMm;
}

// The rows of a page that is too high for its style, pressed into it; std::nullopt where their plots would
// get too low. Figures beside each other share their margins, so that plots may come out lower than in a
// figure alone: those rows take more. `composed` is the page but for its heights.
std::optional<std::vector<double>> rowsOfPage(const FigurePage& page, const FigureStyle& style,
                                              const Grid& grid, const ComposedPage& composed) {
  constexpr int kPasses = 4;
  constexpr double kHairMm = 0.1;
  RowHeights rows = rowHeights(page, style, grid, composed.spec.widthMm, true);
  std::vector<double> least(composed.spec.panels.size());
  for (std::size_t i = 0; i < least.size(); ++i)
    least[i] = leastPlots(page.figures[composed.figureOf[i]].spec)[composed.panelOf[i]];
  FigureSpec spec = composed.spec;
  spec.heightMm = style.mostHeightMm;
  const std::vector<double> liked = rows.natural;
  const bool proportional = heightOf(liked, style) <= style.mostHeightMm;
  std::optional<std::vector<double>> pressed = liked;
  for (double& row : *pressed) row *= style.mostHeightMm / sumOf(liked);
  if (!proportional) pressed = pressedInto(style.mostHeightMm, rows);
  for (int pass = 0; pass < kPasses && pressed; ++pass) {
    spec.bands = bandsOf(*pressed, composed.rowTracks);
    const std::vector<double> spare = spareOf(spec, style, least);
    bool low = false;
    for (std::size_t row = 0; row < pressed->size(); ++row) {
      const auto first = spare.begin() + static_cast<std::ptrdiff_t>(row) * composed.rowTracks;
      const double lack = -std::min(0.0, *std::min_element(first, first + composed.rowTracks));
      if (lack < kHairMm) continue;
      low = true;
      rows.least[row] = (*pressed)[row] + lack * composed.rowTracks;
      rows.natural[row] = std::max(rows.natural[row], rows.least[row]);
    }
    if (!low) return pass == 0 && proportional ? liked : pressed;
    pressed = pressedInto(style.mostHeightMm, rows);
  }
  return pressed;
}

// As a person has given them. Rows of one height are one band: their plots come out exactly equal.
std::vector<RowBand> givenBands(const std::vector<double>& shares, int division) {
  constexpr double kEqual = 1.002;
  std::vector<RowBand> bands;
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  if (*most <= kEqual * *least) return bands;
  for (const double share : shares) bands.push_back({division, share});
  return bands;
}

Status checkPlaces(const FigurePage& page) {
  if (page.figures.empty()) return dataError(Phrase::tr("the page holds no figure"), Phrase::tr("add one"));
  for (std::size_t i = 0; i < page.figures.size(); ++i) {
    const PlacedFigure& a = page.figures[i];
    if (a.row < 0 || a.column < 0 || a.rowSpan < 1 || a.columnSpan < 1)
      return dataError(Phrase::tr("figure %1 of the page lies outside its grid")(i + 1));
    FATHOM_CHECK(checkFigure(a.spec));
    for (std::size_t k = 0; k < i; ++k) {
      const PlacedFigure& b = page.figures[k];
      if (a.row < b.row + b.rowSpan && b.row < a.row + a.rowSpan && a.column < b.column + b.columnSpan &&
          b.column < a.column + a.columnSpan)
        return dataError(Phrase::tr("figure %1 of the page lies on figure %2")(i + 1, k + 1));
    }
  }
  return {};
}

// Panels, summary and notes of one figure into the page's.
void addFigure(const PlacedFigure& figure, std::size_t index, const std::string& letter, const Grid& divided,
               ComposedPage& composed) {
  const Grid own = gridOf(figure.spec);
  const std::size_t first = firstPanel(figure.spec);
  for (std::size_t i = 0; i < figure.spec.panels.size(); ++i) {
    FigurePanel panel = figure.spec.panels[i];
    if (i == first) panel.title = bothPhrases(letter, figure.title.empty() ? panel.title : figure.title);
    place(panel, figure, own, divided);
    composed.spec.panels.push_back(std::move(panel));
    composed.figureOf.push_back(index);
    composed.panelOf.push_back(i);
  }
  composed.spec.summary = bothPhrases(composed.spec.summary, bothPhrases(letter, figure.spec.summary));
  for (const Phrase& note : figure.spec.notes) composed.spec.notes.push_back(bothPhrases(letter, note));
}

}  // namespace

std::size_t firstPanel(const FigureSpec& spec) {
  const auto first = std::min_element(
      spec.panels.begin(), spec.panels.end(),
      [](const auto& a, const auto& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); });
  return static_cast<std::size_t>(first - spec.panels.begin());
}

std::string panelLetter(const std::string& form, std::size_t index) {
  if (form.empty()) return {};
  const auto letter = static_cast<char>((form == "A" ? 'A' : 'a') + index % 26);
  if (form == "A") return std::string(1, letter);
  return (form == "(a)" ? "(" : "") + std::string(1, letter) + ")";
}

std::vector<std::size_t> letterOrder(const std::vector<PlacedFigure>& figures) {
  std::vector<std::size_t> byPlace(figures.size()), order(figures.size());
  std::iota(byPlace.begin(), byPlace.end(), std::size_t{0});
  std::stable_sort(byPlace.begin(), byPlace.end(), [&figures](std::size_t a, std::size_t b) {
    return std::tie(figures[a].row, figures[a].column) < std::tie(figures[b].row, figures[b].column);
  });
  for (std::size_t i = 0; i < byPlace.size(); ++i) order[byPlace[i]] = i;
  return order;
}

std::vector<double> sharesOf(const std::vector<double>& given, int tracks) {
  const double sum = std::accumulate(given.begin(), given.end(), 0.0);
  std::vector<double> shares = given;
  shares.resize(static_cast<std::size_t>(tracks),
                given.empty() ? 1 : sum / static_cast<double>(given.size()));
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
}

double widthOfColumns(const std::vector<double>& shares, double widthMm, int first, int span) {
  const auto from = shares.begin() + first;
  return widthMm * std::accumulate(from, from + span, 0.0);
}

double naturalHeightMm(const FigurePage& page, const FigureStyle& style) {
  const double width = page.widthMm > 0 ? page.widthMm : style.widthOfPage();
  return sumOf(rowHeights(page, style, gridOf(page.figures), width, false).natural);
}

Result<ComposedPage> composePage(const FigurePage& page, const FigureStyle& style) {
  FATHOM_CHECK(checkPlaces(page));
  const Grid grid = gridOf(page.figures);
  const Grid divided{division(page.figures, true), division(page.figures, false)};
  if (grid.rows * divided.rows > kMostFigureTracks || grid.columns * divided.columns > kMostFigureTracks)
    return dataError(Phrase::tr("the figures of the page have too many panels side by side for one grid"),
                     Phrase::tr("give figures with many panels more rows or columns"));
  ComposedPage composed;
  composed.rows = grid.rows;
  composed.columns = grid.columns;
  composed.rowTracks = divided.rows;
  composed.columnTracks = divided.columns;
  const std::vector<std::size_t> letters = letterOrder(page.figures);
  for (std::size_t i = 0; i < page.figures.size(); ++i)
    addFigure(page.figures[i], i, panelLetter(page.letters, letters[i]), divided, composed);
  composed.spec.id = page.id;
  composed.spec.title = page.title;
  composed.spec.style = style.id.toStdString();
  composed.spec.widthMm = page.widthMm > 0 ? page.widthMm : style.widthOfPage();
  std::vector<double> heights = rowHeights(page, style, grid, composed.spec.widthMm, false).natural;
  double wanted = page.heightMm > 0 ? page.heightMm : style.pageHeightMm;
  if (wanted <= 0) {  // one that has its own height keeps the proportions that its rows like
    wanted = std::min(heightOf(heights, style), kLargestFigureMm);
    if (sumOf(heights) > style.mostHeightMm) {
      if (auto pressed = rowsOfPage(page, style, grid, composed)) {
        heights = *std::move(pressed);
        wanted = style.mostHeightMm;
      }
    }
  }
  composed.spec.bands = page.rowShares.empty()
                            ? bandsOf(heights, divided.rows)
                            : givenBands(sharesOf(page.rowShares, grid.rows), divided.rows);
  if (!page.columnShares.empty())
    for (const RowBand& band : givenBands(sharesOf(page.columnShares, grid.columns), divided.columns))
      composed.spec.columnBands.push_back({band.rows, band.share});
  composed.spec.heightMm = wanted;
  if (page.shareX) shareAxes(composed.spec, true);
  if (page.shareY) shareAxes(composed.spec, false);
  FATHOM_CHECK(checkFigure(composed.spec));
  return composed;
}

}  // namespace fathom
