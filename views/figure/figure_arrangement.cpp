// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_arrangement.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/base/numbers/figure_limits.h"
#include "views/figure/figure_layout.h"
#include "views/figure/legend_layout.h"

namespace fathom {

namespace {

constexpr double kGoldenRatio = 1.618;
constexpr double kGrowth = 1.2;   // of a plot's height from one try to the next
constexpr double kPaperTick = 7;  // points

double mmOf(double units) {
  return units / 96 * 25.4;
}

// Larger numbers need longer axes, though not in proportion; beside more than one other a plot may be small
// only where nothing else is left.
double leastWidthMm(const FigureSpec& spec, const FigureStyle& style) {
  int columns = 1;
  for (const FigurePanel& panel : spec.panels) columns = std::max(columns, panel.column + panel.columnSpan);
  const double least = columns > 2 ? 1.5 * kLeastPlotMm : 1.1 * kLeastPlotMm;
  return least * std::sqrt(std::max(1.0, style.tickPoints / kPaperTick));
}

struct Arrangement {
  FigureLayout layout;
  std::vector<PanelRanges> ranges;
};

Arrangement laidOut(const FigureSpec& spec, const FigureStyle& style) {
  Arrangement made;
  for (const FigurePanel& panel : spec.panels)
    made.ranges.push_back({panelRange(panel, true), panelRange(panel, false)});
  const FigureSize size = figureSize(spec, style);
  made.layout = layOutFigure(spec, style, QSizeF(unitSize(size)), made.ranges);
  return made;
}

bool numbered(const FigureAxis& axis) {
  return axis.tickLabels.empty() &&
         (axis.scale == AxisScale::Linear || axis.scale == AxisScale::Log || axis.scale == AxisScale::Symlog);
}

// Every text of the panel, and how many of its axes cannot be read.
std::vector<PlacedText> textsOf(const FigurePanel& panel, const FigureStyle& style, const PanelLayout& at,
                                const PanelRanges& ranges, int& unread) {
  std::vector<PlacedText> texts = placeTicks(panel, style, at.area, ranges).labels;
  // Texts below start under the plot, those beside it end left of it.
  const auto below = std::count_if(texts.begin(), texts.end(),
                                   [](const PlacedText& t) { return t.anchor != 1 || t.upright; });
  const auto beside = static_cast<std::ptrdiff_t>(texts.size()) - below;
  const auto few = [](const FigureAxis& axis, std::ptrdiff_t count) {
    return numbered(axis) && axis.ticks.empty() && count < 2;
  };
  unread += (few(panel.x, below) ? 1 : 0) + (few(panel.y, beside) ? 1 : 0);
  texts.insert(texts.end(), at.texts.begin(), at.texts.end());
  for (const LegendEntry& entry : at.legend) texts.push_back(entry.text);
  return texts;
}

PageFaults faultsOf(const FigureSpec& spec, const FigureStyle& style, const Arrangement& made) {
  PageFaults faults;
  std::vector<PlacedText> texts;
  double low = 1e9, narrow = 1e9;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const PanelLayout& at = made.layout.panels[i];
    const std::vector<PlacedText> own = textsOf(spec.panels[i], style, at, made.ranges[i], faults.unread);
    texts.insert(texts.end(), own.begin(), own.end());
    low = std::min(low, mmOf(at.room.height()));
    narrow = std::min(narrow, mmOf(at.room.width()));
  }
  const QRectF page = QRectF(QPointF(-1, -1), made.layout.size + QSizeF(2, 2));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    faults.cut += texts[i].line.elided() ? 1 : 0;
    faults.overlapping += page.contains(texts[i].box()) ? 0 : 1;
    for (std::size_t k = 0; k < i; ++k) {
      const QRectF common = texts[i].box().intersected(texts[k].box());
      if (!common.isEmpty() && std::min(common.width(), common.height()) > unitsOf(0.5)) ++faults.overlapping;
    }
  }
  faults.lowMm = std::max(0.0, kLeastPlotMm - low - 0.15);  // a plot ends at whole units
  faults.narrowMm = std::max(0.0, leastWidthMm(spec, style) - narrow - 0.15);
  faults.highMm = std::max(0.0, mmOf(made.layout.size.height()) - style.mostHeightMm - 0.15);
  return faults;
}

// Marks of the other panels whose names the legend's panel lacks: an entry without a line of its own there.
void nameAll(const std::vector<FigurePanel>& panels, FigurePanel& keeper) {
  const auto known = [&keeper](const FigureMark& mark) {
    return std::any_of(keeper.marks.begin(), keeper.marks.end(), [&mark](const FigureMark& other) {
      if (other.label.empty()) return false;
      return mark.selection.empty() ? other.label == mark.label : other.selection == mark.selection;
    });
  };
  for (const FigurePanel& panel : panels) {
    for (const FigureMark& mark : panel.marks) {
      if (mark.label.empty() || known(mark)) continue;
      FigureMark entry;
      entry.label = mark.label;
      entry.selection = mark.selection;
      entry.style = mark.style;
      entry.shape = LineMark{};
      keeper.marks.push_back(std::move(entry));
    }
  }
}

// One legend for all, below the last row; what panels below each other share is said once.
FigureSpec inColumns(FigureSpec spec, int columns) {
  const int count = static_cast<int>(spec.panels.size());
  for (int i = 0; i < count; ++i) {
    FigurePanel& panel = spec.panels[static_cast<std::size_t>(i)];
    panel.row = i / columns;
    panel.column = i % columns;
    panel.legend = LegendPlace::None;
    const auto under = static_cast<std::size_t>(i + columns);
    if (under < spec.panels.size() && spec.panels[under].x.label == panel.x.label) panel.x.label.clear();
  }
  FigurePanel& keeper = spec.panels[static_cast<std::size_t>((count - 1) / columns * columns)];
  keeper.legend = LegendPlace::Below;
  nameAll(spec.panels, keeper);
  return spec;
}

// With plots of this height: margins do not depend on it, or hardly.
void setPlotHeight(FigureSpec& spec, const FigureStyle& style, double plotMm) {
  int rows = 1;
  for (const FigurePanel& panel : spec.panels) rows = std::max(rows, panel.row + panel.rowSpan);
  for (int pass = 0; pass < 2; ++pass) {
    if (spec.heightMm <= 0) spec.heightMm = rows * (plotMm + 15);
    const Arrangement made = laidOut(spec, style);
    double least = 1e9;
    for (const PanelLayout& at : made.layout.panels) least = std::min(least, mmOf(at.room.height()));
    spec.heightMm = std::clamp(spec.heightMm + rows * (plotMm - least), 10.0, kLargestFigureMm);
  }
}

// Less is better, in this order.
auto rank(const PageFaults& faults) {
  return std::tuple(faults.cut + faults.overlapping, faults.unread, faults.highMm + faults.lowMm,
                    faults.narrowMm);
}

struct Candidate {
  FigureSpec spec;
  PageFaults faults;
};

// Gives what is wrong with the one that was tried.
PageFaults keepBetter(std::optional<Candidate>& best, FigureSpec spec, const FigureStyle& style) {
  const PageFaults faults = faultsOf(spec, style, laidOut(spec, style));
  if (!best || rank(faults) < rank(best->faults)) best = Candidate{std::move(spec), faults};
  return faults;
}

double plotWidthMm(const FigureSpec& spec, const FigureStyle& style) {
  const Arrangement made = laidOut(spec, style);
  double width = 1e9;
  for (const PanelLayout& at : made.layout.panels) width = std::min(width, mmOf(at.room.width()));
  return width;
}

// In so many columns: by the golden ratio, higher where a label asks for it, lower where the page is full.
void tryColumns(const FigureSpec& spec, const FigureStyle& style, int columns, bool heightChosen,
                std::optional<Candidate>& best) {
  FigureSpec made = inColumns(spec, columns);
  if (heightChosen) {
    keepBetter(best, std::move(made), style);
    return;
  }
  made.heightMm = 0;
  const double width = plotWidthMm(made, style);
  const double natural = std::max(kLeastPlotMm, width / kGoldenRatio);
  for (double plot = natural; plot <= std::max(1.3 * width, natural); plot *= kGrowth) {
    FigureSpec higher = made;
    setPlotHeight(higher, style, plot);
    const PageFaults faults = keepBetter(best, std::move(higher), style);
    if (faults.none()) return;
    if (faults.highMm > 0) break;
  }
  for (double plot = natural / kGrowth; plot > kLeastPlotMm / kGrowth; plot /= kGrowth) {
    FigureSpec lower = made;
    setPlotHeight(lower, style, std::max(plot, kLeastPlotMm));
    const PageFaults faults = keepBetter(best, std::move(lower), style);
    if (faults.none() || faults.highMm <= 0) return;  // lower plots have less room for their labels
  }
}

FigureSpec flowing(const FigureSpec& spec, const FigureStyle& style, bool heightChosen) {
  constexpr int kMostColumns = 4;
  const int count = static_cast<int>(spec.panels.size());
  std::optional<Candidate> best;
  if (spec.columns > 0) {
    tryColumns(spec, style, std::min(spec.columns, count), heightChosen, best);
    return std::move(best->spec);
  }
  for (int columns = std::min(count, kMostColumns); columns >= 1; --columns) {
    const auto rows = [count](int across) { return (count + across - 1) / across; };
    if (columns > 1 && rows(columns - 1) == rows(columns)) continue;  // nothing would stand in the last one
    tryColumns(spec, style, columns, heightChosen, best);
    if (best->faults.none()) break;
  }
  return std::move(best->spec);
}

// Panels that stand where they stand.
FigureSpec standing(FigureSpec spec, const FigureStyle& style) {
  const FigureSize size = figureSize(spec, style);
  const PageFaults faults = faultsOf(spec, style, laidOut(spec, style));
  if (faults.highMm > 0) {
    FigureSpec lower = spec;
    lower.heightMm = style.mostHeightMm;
    const PageFaults left = faultsOf(lower, style, laidOut(lower, style));
    // That the page ends somewhere counts for more than plots of the usual height.
    constexpr double kLowestPlotMm = 12;
    const double mostLack = std::max(faults.lowMm, kLeastPlotMm - kLowestPlotMm);
    const bool asGood = left.cut <= faults.cut && left.overlapping <= faults.overlapping &&
                        left.unread <= faults.unread && left.lowMm <= mostLack;
    return asGood ? lower : spec;
  }
  for (double height = size.heightMm;
       faults.cut + faults.unread > 0 && height * kGrowth <= style.mostHeightMm; height *= kGrowth) {
    FigureSpec higher = spec;
    higher.heightMm = height * kGrowth;
    const PageFaults left = faultsOf(higher, style, laidOut(higher, style));
    if (left.cut + left.unread == 0) return higher;
  }
  return spec;
}

}  // namespace

PageFaults pageFaults(const FigureSpec& spec, const FigureStyle& style) {
  return faultsOf(spec, style, laidOut(spec, style));
}

FigureSpec arrangedFigure(FigureSpec spec, const FigureStyle& style, bool heightChosen) {
  if (spec.panels.size() > 1 && spec.flows) return flowing(spec, style, heightChosen);
  return heightChosen ? spec : standing(std::move(spec), style);
}

std::string whatWouldFit(const FigureSpec& spec, const FigureStyle& style) {
  const auto fits = [](const FigureSpec& tried, const FigureStyle& look, bool heightChosen) {
    const PageFaults faults = pageFaults(arrangedFigure(tried, look, heightChosen), look);
    return faults.cut + faults.overlapping == 0 && faults.highMm <= 0;
  };
  FigureSpec free = spec;
  free.columns = 0;
  free.heightMm = spec.flows ? 0 : spec.heightMm;
  if (spec.flows && (spec.columns > 0 || spec.heightMm > 0) && fits(free, style, false))
    return spec.columns > 0 ? "--set columns=0 --set height=0" : "--set height=0";
  for (double height = figureSize(spec, style).heightMm; height <= style.mostHeightMm; height *= kGrowth) {
    FigureSpec higher = spec;
    higher.heightMm = std::ceil(height);
    if (fits(higher, style, true)) return "--set height=" + std::to_string(std::lround(higher.heightMm));
  }
  for (const char* wide : {"_wide", ""}) {
    const auto other =
        figureStyle(*wide != '\0' ? style.id + QLatin1String(wide) : QStringLiteral("acl_wide"));
    if (other.ok() && other->id != style.id && other->widthMm > style.widthMm && fits(free, *other, false))
      return "--style " + other->id.toStdString();
  }
  return {};
}

}  // namespace fathom
