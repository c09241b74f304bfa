// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/legend_layout.h"

#include <algorithm>
#include <cmath>

#include "views/figure/distinct_text.h"

namespace fathom {

namespace {

constexpr double kPad = 4;
// Lengths in a legend for the letters and lines of a paper or a screen; larger ones ask for more.
double longer(const FigureStyle& style, double length) {
  constexpr double kScreenPoints = 8.1;
  return length * std::max(1.0, style.legendPoints / kScreenPoints);
}
// Long enough for a dash, a gap and a dash.
double sampleWidth(const FigureStyle& style) {
  return style.ink(18);
}
double sampleGap(const FigureStyle& style) {
  return longer(style, 5);
}
double entryGap(const FigureStyle& style) {
  return longer(style, 12);
}
// Above and below letters a font may reach further than its metrics here say.
constexpr double kLineSpacing = 1.39;

std::vector<LegendEntry> entriesOf(const FigurePanel& panel, const FigureStyle& style, double room) {
  const LegendNames names = legendNames(panel);
  std::vector<QString> labels;
  for (const std::size_t mark : names.marks)
    labels.push_back(QString::fromStdString(panel.marks[mark].label.english()));
  if (names.rest > 0) {
    const std::string& words = panel.legendRest;
    labels.push_back((words.empty() ? QString::fromUtf8(kLegendRest.english) : QString::fromStdString(words))
                         .arg(names.rest));
  }
  std::vector<TextLine> lines = linesApart(labels, style.font(style.legendPoints),
                                           {std::max(room - sampleWidth(style) - sampleGap(style), 10.0)});
  std::vector<LegendEntry> entries;
  const auto add = [&](TextLine line, const QString& label) -> LegendEntry& {
    LegendEntry& entry = entries.emplace_back();
    entry.text.line = std::move(line);
    entry.text.full = plainText(label);
    entry.text.colour = style.text;
    entry.text.points = style.legendPoints;
    entry.text.role = TextRole::Legend;
    return entry;
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    // A second line is an entry without a mark, below the first: no two of one name have room beside each
    // other.
    const TextFont font = style.font(style.legendPoints);
    std::vector<TextLine> both;
    if (TextLine(labels[i], font).width() > room - sampleWidth(style) - sampleGap(style))
      both = fewLines(labels[i], font, room - sampleWidth(style) - sampleGap(style));
    LegendEntry& first = add(both.empty() ? std::move(lines[i]) : std::move(both[0]), labels[i]);
    if (i < names.marks.size()) first.mark = names.marks[i];
    if (!both.empty()) add(std::move(both[1]), labels[i]);
  }
  return entries;
}

// Raised and lowered letters ask for more than half of what they add to their line.
double lineHeight(const FigureStyle& style, const std::vector<LegendEntry>& entries) {
  const double plain = TextLine(QStringLiteral("Ag"), style.font(style.legendPoints)).height();
  double highest = plain;
  for (const LegendEntry& entry : entries) highest = std::max(highest, entry.text.line.height());
  return plain * kLineSpacing + 0.6 * (highest - plain);
}

// All lines have one height and their baselines one distance, also with a raised 2 in them.
void placeEntry(LegendEntry& entry, const FigureStyle& style, double left, double top) {
  const TextLine plain(QStringLiteral("Ag"), style.font(style.legendPoints));
  const double high = longer(style, 8);
  entry.sample = QRectF(left, top + plain.height() / 2 - high / 2, sampleWidth(style), high);
  entry.text.baseline = {left + sampleWidth(style) + sampleGap(style), top + plain.ascent()};
}

// Number of lines in rows no wider than `width`; places the entries when `top` is given.
int flow(std::vector<LegendEntry>& entries, const FigureStyle& style, double left, double width,
         const double* top) {
  const double height = lineHeight(style, entries);
  int line = 0;
  double at = 0;
  for (LegendEntry& entry : entries) {
    const double needed = sampleWidth(style) + sampleGap(style) + entry.text.line.width();
    if (at > 0 && at + needed > width) {
      ++line;
      at = 0;
    }
    if (top != nullptr) placeEntry(entry, style, left + at, *top + line * height);
    at += needed + entryGap(style);
  }
  return line + 1;
}

// Points that stand for what is drawn, in units of the page.
void collectPoints(const FigureMark& mark, const MarkCanvas& canvas, std::vector<QPointF>& points) {
  const auto along = [&points](const std::vector<QPointF>& piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      points.push_back(piece[i]);
      // Long segments count along their length.
      if (i == 0) continue;
      const QPointF step = piece[i] - piece[i - 1];
      const int parts = std::min(200, static_cast<int>(std::hypot(step.x(), step.y()) / 4));
      for (int k = 1; k < parts; ++k)
        points.push_back(piece[i - 1] + step * (static_cast<double>(k) / parts));
    }
  };
  MarkCanvas ordered = canvas;
  ordered.vector = true;
  const auto series = [&](const std::vector<double>& x, const std::vector<double>& y) {
    for (const auto& piece : drawnLine(x, y, ordered).pieces) along(piece);
  };
  if (const auto* line = std::get_if<LineMark>(&mark.shape)) {
    series(line->x, line->y);
  } else if (const auto* band = std::get_if<BandMark>(&mark.shape)) {
    series(band->x, band->lower);
    series(band->x, band->upper);
  } else if (const auto* dots = std::get_if<PointsMark>(&mark.shape)) {
    for (std::size_t i = 0; i < dots->x.size(); ++i) points.push_back(canvas.pixel(dots->x[i], dots->y[i]));
  } else if (const auto* bars = std::get_if<BarsMark>(&mark.shape)) {
    for (std::size_t i = 0; i < bars->x.size(); ++i)
      along({canvas.pixel(bars->x[i], bars->height[i]),
             QPointF(canvas.pixelX(bars->x[i]), canvas.area.bottom())});
  } else if (!std::holds_alternative<RuleMark>(mark.shape) && !std::holds_alternative<TextMark>(mark.shape)) {
    points.push_back(canvas.area.center());
    for (const QPointF& corner :
         {canvas.area.topLeft(), canvas.area.topRight(), canvas.area.bottomLeft(), canvas.area.bottomRight()})
      points.push_back(corner + (canvas.area.center() - corner) * 0.1);
  }
}

// Lower end of a panel's content below its area: not the foot of a slot that a neighbour made deep.
double contentBottom(const FigurePanel& panel, const FigureStyle& style, const PanelRanges& ranges,
                     const PanelLayout& at) {
  double bottom = std::max(at.area.bottom(), at.foot);
  for (const PlacedText& text : at.texts) bottom = std::max(bottom, text.upright ? 0 : text.box().bottom());
  for (const PlacedText& tick : placeTicks(panel, style, at.area, ranges).labels)
    bottom = std::max(bottom, tick.box().bottom());
  return bottom;
}

// Panels whose last row is that of panel i.
std::vector<std::size_t> rowOf(const FigureSpec& spec, std::size_t i) {
  const auto last = [&spec](std::size_t k) { return spec.panels[k].row + spec.panels[k].rowSpan; };
  std::vector<std::size_t> row;
  for (std::size_t k = 0; k < spec.panels.size(); ++k) {
    if (last(k) == last(i)) row.push_back(k);
  }
  return row;
}

int legendLines(const FigurePanel& panel, const FigureStyle& style, double width) {
  const double room = width - 2 * kPad;
  std::vector<LegendEntry> entries = entriesOf(panel, style, room);
  return entries.empty() ? 0 : flow(entries, style, 0, room, nullptr);
}

}  // namespace

LegendNames legendNames(const FigurePanel& panel) {
  LegendNames names;
  if (panel.legend == LegendPlace::None) return names;
  for (std::size_t i = 0; i < panel.marks.size(); ++i)
    if (!panel.marks[i].label.empty()) names.marks.push_back(i);
  if (names.marks.size() <= kMostLegendLines) return names;
  names.rest = names.marks.size() - (kMostLegendLines - 1);
  names.marks.resize(kMostLegendLines - 1);
  return names;
}

double legendHeight(const FigurePanel& panel, const FigureStyle& style, double width) {
  const double room = width - 2 * kPad;
  std::vector<LegendEntry> entries = entriesOf(panel, style, room);
  if (entries.empty()) return 0;
  return flow(entries, style, 0, room, nullptr) * lineHeight(style, entries);
}

QRectF legendRoom(const FigureSpec& spec, const FigureStyle& style, const FigureLayout& layout,
                  const std::vector<bool>& below, std::size_t i) {
  constexpr int kNarrowLines = 2;
  const QRectF slot = layout.panels[i].slot;
  if (spec.flows) return QRectF(0, slot.top(), layout.size.width(), slot.height());
  if (legendLines(spec.panels[i], style, slot.width()) <= kNarrowLines) return slot;
  QRectF whole = slot;
  for (const std::size_t k : rowOf(spec, i)) {
    if (k != i && below[k] && !legendNames(spec.panels[k]).marks.empty()) return slot;
    whole.setLeft(std::min(whole.left(), layout.panels[k].slot.left()));
    whole.setRight(std::max(whole.right(), layout.panels[k].slot.right()));
  }
  return whole;
}

void placeLegendBelow(const FigureSpec& spec, const FigureStyle& style,
                      const std::vector<PanelRanges>& ranges, const std::vector<bool>& below, std::size_t i,
                      FigureLayout& layout) {
  PanelLayout& at = layout.panels[i];
  const QRectF room = legendRoom(spec, style, layout, below, i);
  const double width = room.width() - 2 * kPad;
  at.legend = entriesOf(spec.panels[i], style, width);
  at.legendInside = false;
  if (at.legend.empty()) return;
  double top = contentBottom(spec.panels[i], style, ranges[i], at);
  if (room != at.slot) {
    for (const std::size_t k : rowOf(spec, i))
      top = std::max(top, contentBottom(spec.panels[k], style, ranges[k], layout.panels[k]));
  }
  top += std::max(kPad + 0.5, 0.37 * unitsOf(style.labelPoints));  // large letters reach further
  const double height = legendHeight(spec.panels[i], style, room.width());
  flow(at.legend, style, room.left() + kPad, width, &top);
  at.legendBox = QRectF(room.left(), top, room.width(), height);
}

bool placeLegendInside(const FigurePanel& panel, const FigureStyle& style, const MarkCanvas& canvas,
                       PanelLayout& layout) {
  const QRectF& area = layout.area;
  const double limit = panel.legend == LegendPlace::Inside ? area.width() : area.width() * 0.6;
  layout.legend = entriesOf(panel, style, 1e4);
  layout.legendInside = true;
  layout.legendBox = QRectF();
  if (layout.legend.empty()) return true;
  double width = 0;
  for (const LegendEntry& entry : layout.legend) width = std::max(width, entry.text.line.width());
  width += sampleWidth(style) + sampleGap(style) + 2 * kPad;
  const double height =
      static_cast<double>(layout.legend.size()) * lineHeight(style, layout.legend) + 2 * kPad;
  if (panel.legend != LegendPlace::Inside && (width > limit || height > area.height() * 0.6)) return false;
  std::vector<QPointF> points;
  for (const FigureMark& mark : panel.marks) collectPoints(mark, canvas, points);
  const double inset = 4;
  const double left = area.left() + inset, right = area.right() - inset - width;
  const double top = area.top() + inset, bottom = area.bottom() - inset - height;
  std::size_t best = points.size() + 1;
  for (const QPointF& corner :
       {QPointF(right, top), QPointF(left, bottom), QPointF(right, bottom), QPointF(left, top)}) {
    const QRectF box(corner, QSizeF(width, height));
    const auto covered = static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [&box](const QPointF& p) { return box.contains(p); }));
    if (covered < best) {
      best = covered;
      layout.legendBox = box;
    }
  }
  if (best > 0 && panel.legend != LegendPlace::Inside) return false;
  double at = layout.legendBox.top() + kPad;
  for (LegendEntry& entry : layout.legend) {
    placeEntry(entry, style, layout.legendBox.left() + kPad, at);
    at += lineHeight(style, layout.legend);
  }
  return true;
}

}  // namespace fathom
