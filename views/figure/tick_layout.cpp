// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/tick_layout.h"

#include <algorithm>

#include "views/figure/distinct_text.h"

namespace fathom {

namespace {

constexpr double kLabelGap = 3;
constexpr int kMostTicks = 12;  // asked for: a tall axis is not read better with more

// Between axis and labels: larger letters need more, or the corner labels of both axes touch.
double axisGap(const FigureStyle& style) {
  return std::max(2.0, 0.35 * unitsOf(style.tickPoints));
}

// Texts of all ticks, in their order.
std::vector<PlacedText> tickTexts(const std::vector<AxisTick>& ticks, const FigureStyle& style, double room) {
  std::vector<QString> labels;
  for (const AxisTick& tick : ticks) labels.push_back(tick.label);
  const std::vector<TextLine> lines = linesApart(labels, style.font(style.tickPoints), {room});
  std::vector<PlacedText> texts(ticks.size());
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    texts[i].line = lines[i];
    texts[i].full = plainText(ticks[i].label);
    texts[i].colour = style.text;
    texts[i].points = style.tickPoints;
  }
  return texts;
}

// Stretches along an axis that labels already take; the first label placed has precedence.
class Occupied {
 public:
  // False, and nothing is taken, where another label is nearer than `gap`.
  bool take(double low, double high, double gap) {
    for (const auto& [from, to] : m_parts)
      if (low < to + gap && high > from - gap) return false;
    m_parts.emplace_back(low, high);
    return true;
  }

 private:
  std::vector<std::pair<double, double>> m_parts;
};

bool words(const FigureAxis& axis) {
  return axis.scale == AxisScale::Category || axis.scale == AxisScale::Token;
}

// Along x: words that do not fit side by side stand upright.
void placeBelow(const FigureAxis& axis, const std::vector<AxisTick>& ticks, const FigureStyle& style,
                const MarkCanvas& canvas, std::vector<PlacedText>& labels) {
  const QRectF& area = canvas.area;
  const double top = area.bottom() + unitsOf(style.tickLengthPoints) + axisGap(style);
  const double spacing = words(axis) && !axis.categories.empty()
                             ? area.width() / std::max(1.0, canvas.rangeX.size())
                             : area.width();
  bool upright = false;
  for (const AxisTick& tick : ticks)
    upright = upright ||
              (words(axis) && TextLine(tick.label, style.font(style.tickPoints)).width() > spacing * 0.95);
  Occupied occupied;
  const auto lineHeight = TextLine(QStringLiteral("Ag"), style.font(style.tickPoints)).height();
  std::vector<PlacedText> texts =
      tickTexts(ticks, style, upright ? std::max(area.height() * 0.6, 30.0) : 1e4);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (ticks[i].label.isEmpty()) continue;
    const double share = (ticks[i].unit - canvas.rangeX.low) / canvas.rangeX.size();
    const double at = area.left() + (canvas.reversedX ? 1 - share : share) * area.width();
    PlacedText& text = texts[i];
    text.upright = upright;
    text.anchor = upright ? 1 : 0.5;
    const double half = (upright ? lineHeight : text.line.width()) / 2;
    if (upright) {
      text.baseline = {at + (text.line.ascent() - text.line.descent()) / 2, top + text.line.width()};
    } else {
      text.baseline = {at - half, top + text.line.ascent()};
    }
    if (occupied.take(at - half, at + half, upright ? 0.2 * lineHeight : kLabelGap))
      labels.push_back(std::move(text));
  }
}

void placeLeft(const FigureAxis& axis, const std::vector<AxisTick>& ticks, const FigureStyle& style,
               const MarkCanvas& canvas, std::vector<PlacedText>& labels) {
  const QRectF& area = canvas.area;
  const double right = area.left() - unitsOf(style.tickLengthPoints) - kLabelGap;
  const double room = words(axis) ? std::max(area.width() * 0.6, 40.0) : 1e4;
  // Fonts reach further than our box says: numbers keep that much apart, words of a paper (every layer and
  // token is named) as long as their letters do not touch; numbers of places have their whole height.
  constexpr double kPaperPoints = 12;
  const bool close = words(axis) && style.labelPoints <= kPaperPoints;
  Occupied occupied;
  std::vector<PlacedText> texts = tickTexts(ticks, style, room);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (ticks[i].label.isEmpty()) continue;
    const double share = (ticks[i].unit - canvas.rangeY.low) / canvas.rangeY.size();
    const double at = area.bottom() - (canvas.reversedY ? 1 - share : share) * area.height();
    PlacedText& text = texts[i];
    text.anchor = 1;
    text.baseline = {right - text.line.width(), at + (text.line.ascent() - text.line.descent()) / 2};
    const double half = text.line.height() / 2;
    bool number = false;
    ticks[i].label.toInt(&number);
    const double gap = close && !number ? -0.1 : 0.8;  // of half a line
    if (occupied.take(at - half, at + half, gap * half)) labels.push_back(std::move(text));
  }
}

}  // namespace

PlacedTicks placeTicks(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                       const PanelRanges& ranges) {
  PlacedTicks placed;
  const MarkCanvas canvas = panelCanvas(panel, style, area, ranges);
  const double em = unitsOf(style.tickPoints);
  const int wantedX = std::clamp(static_cast<int>(area.width() / (em * 6)), 2, kMostTicks);
  const int wantedY = std::clamp(static_cast<int>(area.height() / (em * 3)), 2, kMostTicks);
  const std::vector<AxisTick> ticksX = axisTicks(panel.x, ranges.x, wantedX);
  const std::vector<AxisTick> ticksY = axisTicks(panel.y, ranges.y, wantedY);
  for (const AxisTick& tick : ticksX) (tick.minor ? placed.minorX : placed.majorX).push_back(tick.unit);
  for (const AxisTick& tick : ticksY) (tick.minor ? placed.minorY : placed.majorY).push_back(tick.unit);
  if (panel.x.tickLabels.empty()) placeBelow(panel.x, ticksX, style, canvas, placed.labels);
  if (panel.y.tickLabels.empty()) placeLeft(panel.y, ticksY, style, canvas, placed.labels);
  return placed;
}

FrameLines frameLines(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                      const PanelRanges& ranges) {
  FrameLines lines;
  const PlacedTicks ticks = placeTicks(panel, style, area, ranges);
  const MarkCanvas canvas = panelCanvas(panel, style, area, ranges);
  const double length = unitsOf(style.tickLengthPoints);
  if (panel.x.scale != AxisScale::None)
    lines.axes.emplace_back(area.left(), area.bottom(), area.right(), area.bottom());
  if (panel.x.scale != AxisScale::None && !words(panel.x)) {
    const auto add = [&](const std::vector<double>& units, double reach, bool ruled) {
      for (const double unit : units) {
        const double x = canvas.pixelX(canvas.x.fromUnit(unit));
        lines.axes.emplace_back(x, area.bottom(), x, area.bottom() + reach);
        if (ruled) lines.rules.emplace_back(x, area.top(), x, area.bottom());
      }
    };
    add(ticks.majorX, length, panel.x.grid);
    add(ticks.minorX, length / 2, false);
  }
  if (panel.y.scale != AxisScale::None)
    lines.axes.emplace_back(area.left(), area.bottom(), area.left(), area.top());
  if (panel.y.scale != AxisScale::None && !words(panel.y)) {
    const auto add = [&](const std::vector<double>& units, double reach, bool ruled) {
      for (const double unit : units) {
        const double y = canvas.pixelY(canvas.y.fromUnit(unit));
        lines.axes.emplace_back(area.left(), y, area.left() - reach, y);
        if (ruled) lines.rules.emplace_back(area.left(), y, area.right(), y);
      }
    };
    add(ticks.majorY, length, panel.y.grid);
    add(ticks.minorY, length / 2, false);
  }
  return lines;
}

}  // namespace fathom
