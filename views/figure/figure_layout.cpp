// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_layout.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/figure/label_layout.h"
#include "views/figure/legend_layout.h"
#include "views/figure/title_layout.h"
#include "views/figure/value_axis.h"

namespace fathom {

namespace {

constexpr double kBarWidth = 9;    // of a colour bar
constexpr double kLeastInner = 8;  // of a plot without its margins, where a page is too small for it

// Free at the edge of the page: fonts may reach a little beyond the box we give them.
double edgeOf(const FigureStyle& style) {
  return 1 + 0.36 * unitsOf(style.labelPoints);
}

struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

Margins largerOf(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

constexpr int kLeastBarTicks = 2, kMostBarTicks = 8;

// Room for the labels however many of them the height of the bar, known later, allows.
double barTextWidth(const ColourBar& bar, const FigureStyle& style) {
  double width = 0;
  const AxisRange range{bar.minimum, bar.maximum};
  for (int wanted = kLeastBarTicks; wanted <= kMostBarTicks; ++wanted) {
    for (const AxisTick& tick : axisTicks(FigureAxis{}, range, wanted))
      width = std::max(width, TextLine(tick.label, style.font(style.tickPoints)).width());
  }
  return width;
}

// Beside a low map the words may be longer than the bar: they go on below it, where else only the number of
// missing cells stands; above it is the title.
double barLabelBottom(const ColourBar& bar, const PanelLayout& at) {
  return bar.missing > 0 ? at.area.bottom() : at.slot.bottom();
}

// Room around the axes of one panel, given what its ticks need inside of its area of the pass before.
Margins panelMargins(const FigurePanel& panel, const FigureStyle& style, const PanelLayout& at,
                     const PanelRanges& ranges, double legendHeight, double titleHeight) {
  const double edge = edgeOf(style);
  const QRectF& area = at.area;
  Margins margins{edge, edge, edge, edge};
  const auto labelHeight = [&style](const Phrase& label) {
    return label.empty()
               ? 0
               : TextLine(QString::fromStdString(label.english()), style.font(style.labelPoints)).height() +
                     gapOf(style);
  };
  double tickBottom = area.bottom();
  for (const PlacedText& tick : placeTicks(panel, style, area, ranges).labels) {
    const QRectF box = tick.box();
    margins.left = std::max(margins.left, area.left() - box.left() + edge);
    tickBottom = std::max(tickBottom, box.bottom());
    margins.right = std::max(margins.right, box.right() - area.right() + edge);
    margins.top = std::max(margins.top, area.top() - box.top() + edge);
  }
  const auto [top, bottom] = uprightRoom(at.slot, area, tickBottom, style);
  margins.bottom = std::max(margins.bottom, tickBottom - area.bottom()) + labelHeight(panel.x.label);
  margins.left += labelDepth(panel.y.label, style, bottom - top);
  if (!panel.title.empty()) margins.top = std::max(margins.top, titleHeight + edge);
  if (legendHeight > 0) margins.bottom += legendHeight + gapOf(style);
  margins.bottom += edge;
  // The highest number of a colour bar stands half above the area.
  if (!panel.bars.empty()) margins.top = std::max(margins.top, 0.8 * unitsOf(style.tickPoints));
  if (const GridMark* grid = gridWithAxis(panel); grid != nullptr)
    margins.right = std::max(margins.right, valueAxisWidth(panel, style) + gapOf(style) +
                                                labelDepth(grid->axis, style, at.slot.height()) + edge);
  for (const ColourBar& bar : panel.bars) {
    margins.right = std::max(
        margins.right, 2 * gapOf(style) + kBarWidth + gapOf(style) + barTextWidth(bar, style) + gapOf(style) +
                           labelDepth(bar.label, style, barLabelBottom(bar, at) - area.top()) + edge);
    // The labels of its ends stand half above and half below it.
    margins.top = std::max(margins.top, textHeight(style, style.tickPoints) / 2 + edge);
    if (bar.missing > 0)
      margins.bottom =
          std::max(margins.bottom, 2 * textHeight(style, style.tickPoints) + gapOf(style) + edge);
  }
  return margins;
}

// Shared margins of columns and rows.
struct Tracks {
  std::vector<Margins> columns, rows;  // left/right of columns, top/bottom of rows are used
  std::vector<double> innerWidths, innerHeights;
};

// Tracks that follow each other and have a part of the length of their own.
struct Band {
  int tracks = 1;
  double share = 1;
};

std::vector<Band> rowBands(const FigureSpec& spec) {
  std::vector<Band> bands;
  for (const RowBand& band : spec.bands) bands.push_back({band.rows, band.share});
  return bands;
}

std::vector<Band> columnBands(const FigureSpec& spec) {
  std::vector<Band> bands;
  for (const ColumnBand& band : spec.columnBands) bands.push_back({band.columns, band.share});
  return bands;
}

// Around both sides of a track along its direction.
double around(const Margins& track, bool horizontal) {
  return horizontal ? track.left + track.right : track.top + track.bottom;
}

// Lengths of the tracks without their margins: each band's part of the length, shared equally within the
// band.
std::vector<double> innerLengths(std::vector<Band> bands, double length, const std::vector<Margins>& tracks,
                                 bool horizontal) {
  if (bands.empty()) bands = {{static_cast<int>(tracks.size()), 1}};
  double shares = 0;
  for (const Band& band : bands) shares += band.share;
  std::vector<double> inner;
  for (const Band& band : bands) {
    double room = length * band.share / shares;
    for (int i = 0; i < band.tracks; ++i)
      room -= around(tracks[inner.size() + static_cast<std::size_t>(i)], horizontal);
    inner.insert(inner.end(), static_cast<std::size_t>(band.tracks),
                 std::max(kLeastInner, room / band.tracks));
  }
  return inner;
}

std::vector<double> edgesOf(const std::vector<Margins>& tracks, const std::vector<double>& inner,
                            bool horizontal) {
  std::vector<double> edges = {0};
  for (std::size_t i = 0; i < tracks.size(); ++i)
    edges.push_back(edges.back() + inner[i] + around(tracks[i], horizontal));
  return edges;
}

Tracks makeTracks(const FigureSpec& spec, const QSizeF& size, const std::vector<Margins>& margins) {
  std::size_t rows = 1, columns = 1;
  for (const FigurePanel& panel : spec.panels) {
    rows = std::max(rows, static_cast<std::size_t>(panel.row + panel.rowSpan));
    columns = std::max(columns, static_cast<std::size_t>(panel.column + panel.columnSpan));
  }
  Tracks tracks;
  tracks.columns.resize(columns);
  tracks.rows.resize(rows);
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    Margins& first = tracks.columns[static_cast<std::size_t>(panel.column)];
    Margins& last = tracks.columns[static_cast<std::size_t>(panel.column + panel.columnSpan - 1)];
    Margins& top = tracks.rows[static_cast<std::size_t>(panel.row)];
    Margins& bottom = tracks.rows[static_cast<std::size_t>(panel.row + panel.rowSpan - 1)];
    first.left = std::max(first.left, margins[i].left);
    last.right = std::max(last.right, margins[i].right);
    top.top = std::max(top.top, margins[i].top);
    bottom.bottom = std::max(bottom.bottom, margins[i].bottom);
  }
  tracks.innerWidths = innerLengths(columnBands(spec), size.width(), tracks.columns, true);
  tracks.innerHeights = innerLengths(rowBands(spec), size.height(), tracks.rows, false);
  return tracks;
}

// Start and end of the inner part of tracks first ... last.
std::pair<double, double> innerPart(const std::vector<Margins>& tracks, const std::vector<double>& inner,
                                    int first, int last, bool horizontal) {
  double at = 0, begin = 0, end = 0;
  for (int i = 0; i <= last; ++i) {
    const Margins& track = tracks[static_cast<std::size_t>(i)];
    at += horizontal ? track.left : track.top;
    if (i == first) begin = at;
    at += inner[static_cast<std::size_t>(i)];
    end = at;
    at += horizontal ? track.right : track.bottom;
  }
  return {begin, end};
}

// Circles are round, and cells are as wide as high where the panel says so: the plot stands in the middle of
// its room and has one unit for both sides.
void keepAspect(const FigurePanel& panel, const PanelRanges& range, PanelLayout& at) {
  const bool plain = panel.x.scale == AxisScale::None && panel.y.scale == AxisScale::None;
  const bool round = plain && std::any_of(panel.marks.begin(), panel.marks.end(), [](const FigureMark& mark) {
                       return std::holds_alternative<EllipseMark>(mark.shape);
                     });
  if (!round && !panel.aspect) return;
  const double wide = range.x.size() * panel.aspect.value_or(1), high = range.y.size();
  if (!(wide > 0) || !(high > 0)) return;
  const double unit = std::min(at.room.width() / wide, at.room.height() / high);
  const QPointF centre = at.room.center();
  at.area.setSize({unit * wide, unit * high});
  at.area.moveCenter(centre);
  if (!round)  // axes stand at whole units
    at.area = QRectF(QPointF(std::round(at.area.left()), std::round(at.area.top())),
                     QSizeF(std::round(unit * wide), std::round(unit * high)));
}

void placeAreas(const FigureSpec& spec, const Tracks& tracks, const std::vector<PanelRanges>& ranges,
                FigureLayout& layout) {
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    const auto [left, right] = innerPart(tracks.columns, tracks.innerWidths, panel.column,
                                         panel.column + panel.columnSpan - 1, true);
    const auto [top, bottom] =
        innerPart(tracks.rows, tracks.innerHeights, panel.row, panel.row + panel.rowSpan - 1, false);
    // Whole units, as the axes of QCustomPlot are placed.
    layout.panels[i].area = layout.panels[i].room =
        QRectF(QPointF(std::round(left), std::round(top)), QPointF(std::round(right), std::round(bottom)));
    const Margins& first = tracks.columns[static_cast<std::size_t>(panel.column)];
    const Margins& last = tracks.columns[static_cast<std::size_t>(panel.column + panel.columnSpan - 1)];
    const Margins& above = tracks.rows[static_cast<std::size_t>(panel.row)];
    const Margins& below = tracks.rows[static_cast<std::size_t>(panel.row + panel.rowSpan - 1)];
    layout.panels[i].slot = layout.panels[i].room.adjusted(-first.left, -above.top, last.right, below.bottom);
    keepAspect(panel, ranges[i], layout.panels[i]);
  }
}

double textAscent(const FigureStyle& style) {
  return TextLine(QStringLiteral("Ag"), style.font(style.labelPoints)).ascent();
}

void placeColourBar(const ColourBar& bar, const FigureStyle& style, PanelLayout& layout) {
  const QRectF& area = layout.area;
  layout.colourBar = QRectF(area.right() + 2 * gapOf(style), area.top(), kBarWidth, area.height());
  const double left = layout.colourBar.right() + gapOf(style);
  const AxisRange range{bar.minimum, bar.maximum};
  const int wanted = std::clamp(static_cast<int>(area.height() / (unitsOf(style.tickPoints) * 3)),
                                kLeastBarTicks, kMostBarTicks);
  for (const AxisTick& tick : axisTicks(FigureAxis{}, range, wanted)) {
    PlacedText text = cutText(tick.label, style.font(style.tickPoints), 1e4, style.text);
    const double y = area.bottom() - (tick.unit - range.low) / range.size() * area.height();
    text.baseline = {left, y + (text.line.ascent() - text.line.descent()) / 2};
    layout.texts.push_back(std::move(text));
  }
  if (bar.missing > 0) {  // below the lowest tick
    PlacedText count =
        cutText(QString::number(bar.missing) + QStringLiteral(" NaN"), style.font(style.tickPoints),
                layout.slot.right() - layout.colourBar.left(), style.text);
    count.baseline = {layout.colourBar.left(), area.bottom() + textHeight(style, style.tickPoints) +
                                                   gapOf(style) + count.line.ascent()};
    layout.texts.push_back(std::move(count));
  }
  placeUpright(labelLines(bar.label, style, barLabelBottom(bar, layout) - area.top(), TextRole::LabelBar),
               style, left + barTextWidth(bar, style) + gapOf(style) + textAscent(style), area.center().y(),
               area.top(), barLabelBottom(bar, layout), layout.texts);
}

// Room for the label below a panel: it stands in the middle of `area`.
struct LabelRoom {
  QRectF area, slot;
  bool shown = true;
};

// Labels of neighbours share the border of their slots: each stays half a letter's height away from it.
void keepApart(const FigureSpec& spec, const FigureStyle& style, std::vector<LabelRoom>& rooms) {
  const double half = unitsOf(style.labelPoints) / 2;
  const std::vector<LabelRoom> whole = rooms;
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    for (std::size_t k = 0; k < rooms.size(); ++k) {
      const bool both = whole[i].shown && whole[k].shown && !spec.panels[k].x.label.empty();
      if (!both || whole[k].slot.top() > whole[i].slot.bottom() ||
          whole[i].slot.top() > whole[k].slot.bottom())
        continue;
      if (std::abs(whole[k].slot.left() - whole[i].slot.right()) < 2) rooms[i].slot.adjust(0, 0, -half, 0);
      if (std::abs(whole[k].slot.right() - whole[i].slot.left()) < 2) rooms[i].slot.adjust(half, 0, 0, 0);
    }
  }
}

// Each below its own panel. Where one is longer than that and those beside it say the same, one says it for
// all of them: else they would run into each other.
std::vector<LabelRoom> labelRooms(const FigureSpec& spec, const FigureStyle& style,
                                  const FigureLayout& layout) {
  std::vector<LabelRoom> rooms;
  for (const PanelLayout& at : layout.panels) rooms.push_back({at.area, at.slot});
  const auto follows = [&](std::size_t first, std::size_t second) {
    const FigurePanel &panel = spec.panels[first], &next = spec.panels[second];
    return next.row == panel.row && next.rowSpan == panel.rowSpan &&
           next.column == panel.column + panel.columnSpan && next.x.label == panel.x.label;
  };
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (spec.panels[i].x.label.empty()) continue;
    const TextLine line(QString::fromStdString(spec.panels[i].x.label.english()),
                        style.font(style.labelPoints));
    std::vector<std::size_t> group = {i};  // from the leftmost on
    bool leftmost = true;
    for (std::size_t k = 0; k < rooms.size(); ++k) leftmost = leftmost && !follows(k, i);
    for (std::size_t k = 0; leftmost && k < rooms.size();)
      k = follows(group.back(), k) ? (group.push_back(k), 0) : k + 1;
    const bool fits = std::all_of(group.begin(), group.end(), [&](std::size_t k) {
      return line.width() + unitsOf(style.labelPoints) <= layout.panels[k].slot.width();
    });
    if (fits || group.size() == 1) continue;
    for (const std::size_t k : group) {
      rooms[i].area |= layout.panels[k].area;
      rooms[i].slot |= layout.panels[k].slot;
      rooms[k].shown = k == i;
    }
  }
  keepApart(spec, style, rooms);
  return rooms;
}

// Axis labels, outside of the tick labels.
void placeLabels(const FigurePanel& panel, const FigureStyle& style, const PanelRanges& ranges,
                 const LabelRoom& below, PanelLayout& layout) {
  const QRectF area = layout.area;
  double left = area.left(), bottom = area.bottom();
  for (const PlacedText& tick : placeTicks(panel, style, area, ranges).labels) {
    left = std::min(left, tick.box().left());
    bottom = std::max(bottom, tick.box().bottom());
  }
  const double tickBottom = bottom;
  // A label that another panel shows for this one takes its room here, too: the legend stands below it.
  if (!panel.x.label.empty() && !below.shown)
    layout.foot =
        bottom + gapOf(style) +
        TextLine(QString::fromStdString(panel.x.label.english()), style.font(style.labelPoints)).height();
  if (!panel.x.label.empty() && below.shown) {
    PlacedText label = withoutUnit(panel.x.label, style, below.slot.width());
    // Below the middle of the area, but on the page: a narrow last panel may be shorter than its label.
    const double farthest = below.slot.right() - label.line.width();
    const double at = std::min(below.area.center().x() - label.line.width() / 2, farthest);
    label.anchor = 0.5;
    label.role = TextRole::LabelX;
    label.baseline = {std::max(at, below.slot.left()), bottom + gapOf(style) + label.line.ascent()};
    layout.texts.push_back(std::move(label));
  }
  const auto [top, low] = uprightRoom(layout.slot, area, tickBottom, style);
  std::vector<PlacedText> lines = labelLines(panel.y.label, style, low - top, TextRole::LabelY);
  if (!lines.empty()) {
    const double last = left - gapOf(style) - lines.back().line.descent();
    const double first = last - static_cast<double>(lines.size() - 1) * labelStep(style);
    placeUpright(std::move(lines), style, first, area.center().y(), top, low, layout.texts);
  }
  for (const ColourBar& bar : panel.bars) placeColourBar(bar, style, layout);
  if (const GridMark* grid = gridWithAxis(panel); grid != nullptr) {
    ValueAxis axis = placeValueAxis(panel, style, area, ranges);
    layout.valueAxis = std::move(axis.lines);
    for (PlacedText& text : axis.texts) layout.texts.push_back(std::move(text));
    placeUpright(labelLines(grid->axis, style, layout.slot.height(), TextRole::LabelValues), style,
                 area.right() + valueAxisWidth(panel, style) + gapOf(style) + textAscent(style),
                 area.center().y(), layout.slot.top(), layout.slot.bottom(), layout.texts);
  }
}

}  // namespace

MarkCanvas panelCanvas(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                       const PanelRanges& ranges) {
  MarkCanvas canvas;
  canvas.x = AxisMap(panel.x);
  canvas.y = AxisMap(panel.y);
  canvas.rangeX = ranges.x;
  canvas.rangeY = ranges.y;
  canvas.reversedX = panel.x.reversed;
  canvas.reversedY = panel.y.reversed;
  canvas.area = area;
  canvas.style = &style;
  return canvas;
}

FigureLayout layOutFigure(const FigureSpec& spec, const FigureStyle& style, const QSizeF& size,
                          const std::vector<PanelRanges>& ranges) {
  FigureLayout layout;
  layout.size = size;
  layout.panels.resize(spec.panels.size());
  std::vector<bool> below(spec.panels.size());
  for (std::size_t i = 0; i < below.size(); ++i) below[i] = spec.panels[i].legend == LegendPlace::Below;
  std::vector<QRectF> tried(spec.panels.size());  // areas that the legend was placed in
  std::vector<Margins> margins(spec.panels.size());
  Tracks tracks = makeTracks(spec, size, margins);
  placeAreas(spec, tracks, ranges, layout);
  // Margins depend on ticks, ticks on the area, the legend's place on both. Names that are cut to a share of
  // the area take a few more passes until area and margin agree.
  constexpr int kPasses = 3, kMostPasses = 16;
  bool settled = false;
  for (int pass = 0; pass < kPasses || (!settled && pass < kMostPasses); ++pass) {
    std::vector<QRectF> before;
    for (const PanelLayout& at : layout.panels) before.push_back(at.area);
    const std::vector<double> titles = titleHeights(spec, style, layout);
    for (std::size_t i = 0; i < spec.panels.size(); ++i) {
      const FigurePanel& panel = spec.panels[i];
      PanelLayout& at = layout.panels[i];
      // A smaller area may have no free corner any more.
      if (pass >= 1 && !below[i] && panel.legend != LegendPlace::None && tried[i] != at.area) {
        below[i] = !placeLegendInside(panel, style, panelCanvas(panel, style, at.area, ranges[i]), at);
        tried[i] = at.area;
      }
      const double room = legendRoom(spec, style, layout, below, i).width();
      const double height = below[i] ? legendHeight(panel, style, room) : 0;
      const Margins wanted = panelMargins(panel, style, at, ranges[i], height, titles[i]);
      // Letter by letter cut names could go to and fro for ever: in the end a margin only grows.
      margins[i] = pass < kPasses ? wanted : largerOf(margins[i], wanted);
    }
    tracks = makeTracks(spec, size, margins);
    placeAreas(spec, tracks, ranges, layout);
    settled = std::equal(before.begin(), before.end(), layout.panels.begin(),
                         [](const QRectF& area, const PanelLayout& at) { return area == at.area; });
  }
  layout.columnEdges = edgesOf(tracks.columns, tracks.innerWidths, true);
  layout.rowEdges = edgesOf(tracks.rows, tracks.innerHeights, false);
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    PanelLayout& panel = layout.panels[i];
    panel.texts.clear();
    panel.foot = 0;
  }
  placeTitles(spec, style, layout);
  const std::vector<LabelRoom> rooms = labelRooms(spec, style, layout);
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    PanelLayout& at = layout.panels[i];
    placeLabels(panel, style, ranges[i], rooms[i], at);
  }
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    PanelLayout& at = layout.panels[i];
    if (panel.legend == LegendPlace::None) continue;
    if (!below[i]) {
      placeLegendInside(panel, style, panelCanvas(panel, style, at.area, ranges[i]), at);
      continue;
    }
    placeLegendBelow(spec, style, ranges, below, i, layout);
  }
  return layout;
}

}  // namespace fathom
