// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/mark_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "views/figure/line_clip.h"

namespace fathom {

namespace {

QColor mixed(const QColor& over, const QColor& under, double opacity) {
  const auto channel = [opacity](int a, int b) {
    return static_cast<int>(std::lround(b + (a - b) * opacity));
  };
  return QColor(channel(over.red(), under.red()), channel(over.green(), under.green()),
                channel(over.blue(), under.blue()));
}

// While it lives nothing is painted outside of the area.
class AreaClip {
 public:
  AreaClip(QPainter& painter, const MarkCanvas& canvas) : m_painter(painter) {
    m_painter.save();
    m_painter.setClipRect(canvas.area, Qt::IntersectClip);
  }
  ~AreaClip() { m_painter.restore(); }
  AreaClip(const AreaClip&) = delete;
  AreaClip& operator=(const AreaClip&) = delete;

 private:
  QPainter& m_painter;
};

// A marker is painted whole where its middle lies in the area, and else not at all.
bool markedAt(const QPointF& point, const MarkCanvas& canvas) {
  constexpr double kRounding = 0.01;
  return canvas.area.adjusted(-kRounding, -kRounding, kRounding, kRounding).contains(point);
}

// One point of a line that is not connected to anything still has to be seen.
void paintLonePoints(QPainter& painter, const DrawnLine& line, const MarkStyle& style,
                     const MarkCanvas& canvas) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(markColour(style, canvas));
  const double size =
      canvas.units(style.markerSize > 0 ? canvas.style->ink(style.markerSize) : canvas.style->markerPoints);
  for (const auto& piece : line.pieces) {
    if (style.marker != MarkerShape::None) {
      for (const QPointF& point : piece)
        if (markedAt(point, canvas)) paintMarker(painter, style.marker, point, size);
    } else if (piece.size() == 1 && line.columns.empty() && markedAt(piece.front(), canvas)) {
      paintMarker(painter, MarkerShape::Disc, piece.front(), size);
    }
  }
}

void paintLine(QPainter& painter, const LineMark& mark, const MarkStyle& style, const MarkCanvas& canvas) {
  const DrawnLine line = drawnLine(mark.x, mark.y, canvas);
  {
    const AreaClip clip(painter, canvas);
    strokeLine(painter, canvas.vector ? clippedLine(line, canvas.area) : line, style, canvas);
  }
  paintLonePoints(painter, line, style, canvas);
}

void paintBand(QPainter& painter, const BandMark& band, const MarkStyle& style, const MarkCanvas& canvas) {
  MarkCanvas vectorCanvas = canvas;
  vectorCanvas.vector = true;  // ordered outlines are wanted, not columns
  painter.setPen(Qt::NoPen);
  painter.setBrush(markBrush(style, canvas));
  // Both edges break at the same places: a gap in one is a gap in the band.
  std::vector<double> x, lower, upper;
  const auto flush = [&] {
    if (x.size() > 1) {
      const DrawnLine low = drawnLine(x, lower, vectorCanvas), high = drawnLine(x, upper, vectorCanvas);
      QPolygonF outline;
      for (const auto& piece : low.pieces)
        for (const QPointF& point : piece) outline << point;
      for (auto piece = high.pieces.rbegin(); piece != high.pieces.rend(); ++piece)
        for (auto point = piece->rbegin(); point != piece->rend(); ++point) outline << *point;
      paintOutlineInside(painter, outline, canvas.area);
    }
    x.clear();
    lower.clear();
    upper.clear();
  };
  const double floorValue = canvas.y.fromUnit(canvas.rangeY.low);
  for (std::size_t i = 0; i < band.x.size(); ++i) {
    const bool shown = std::isfinite(band.lower[i]) && std::isfinite(canvas.y.toUnit(band.upper[i])) &&
                       std::isfinite(canvas.x.toUnit(band.x[i]));
    if (!shown) {
      flush();
      continue;
    }
    x.push_back(band.x[i]);
    // On a log axis a band that reaches below zero ends at the lower edge of the plot.
    lower.push_back(std::isfinite(canvas.y.toUnit(band.lower[i])) ? band.lower[i] : floorValue);
    upper.push_back(band.upper[i]);
  }
  flush();
}

void paintPoints(QPainter& painter, const PointsMark& mark, const MarkStyle& style,
                 const MarkCanvas& canvas) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(markColour(style, canvas));
  const double size =
      canvas.units(style.markerSize > 0 ? canvas.style->ink(style.markerSize) : canvas.style->markerPoints);
  const MarkerShape shape = style.marker == MarkerShape::None ? MarkerShape::Disc : style.marker;
  for (std::size_t i = 0; i < mark.x.size(); ++i) {
    const QPointF at = canvas.pixel(mark.x[i], mark.y[i]);
    if (std::isfinite(at.x()) && std::isfinite(at.y()) && markedAt(at, canvas))
      paintMarker(painter, shape, at, size);
  }
}

void paintSegments(QPainter& painter, const SegmentsMark& mark, const MarkStyle& style,
                   const MarkCanvas& canvas) {
  for (std::size_t i = 0; i < mark.x0.size(); ++i) {
    MarkStyle one = style;
    if (!mark.weight.empty()) one.opacity *= std::clamp(mark.weight[i], 0.0, 1.0);
    const QPointF from = canvas.pixel(mark.x0[i], mark.y0[i]), to = canvas.pixel(mark.x1[i], mark.y1[i]);
    if (!std::isfinite(from.x() + from.y() + to.x() + to.y()) || from == to) continue;
    painter.setPen(markPen(one, canvas));
    paintLineInside(painter, from, to, canvas.area);
  }
}

constexpr double kFrameSlack = 0.01;  // a rule on the frame is drawn

void paintRule(QPainter& painter, const RuleMark& rule, const MarkStyle& style, const MarkCanvas& canvas) {
  painter.setPen(markPen(style, canvas));
  const double at = rule.vertical ? canvas.pixelX(rule.position) : canvas.pixelY(rule.position);
  const QRectF& area = canvas.area;
  const bool shown = rule.vertical ? at >= area.left() - kFrameSlack && at <= area.right() + kFrameSlack
                                   : at >= area.top() - kFrameSlack && at <= area.bottom() + kFrameSlack;
  if (!shown) return;
  if (rule.vertical) painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
  if (!rule.vertical) painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
}

void paintPolygon(QPainter& painter, const PolygonMark& mark, const MarkStyle& style,
                  const MarkCanvas& canvas) {
  QPolygonF outline;
  for (std::size_t i = 0; i < mark.x.size(); ++i) {
    const QPointF at = canvas.pixel(mark.x[i], mark.y[i]);
    if (std::isfinite(at.x()) && std::isfinite(at.y())) outline << at;
  }
  painter.setPen(markPen(style, canvas));
  painter.setBrush(markBrush(style, canvas));
  paintOutlineInside(painter, outline, canvas.area);
}

// Turned in units of the axes, then mapped: where a unit is wider than high, a turned ellipse is sheared, and
// what lies inside it stays inside.
void paintEllipse(QPainter& painter, const EllipseMark& mark, const MarkStyle& style,
                  const MarkCanvas& canvas) {
  constexpr int kCorners = 180;
  const double turn = mark.angle * std::numbers::pi / 180;
  QPolygonF outline;
  for (int i = 0; i < kCorners; ++i) {
    const double t = 2 * std::numbers::pi * i / kCorners;
    const double along = mark.radiusX * std::cos(t), across = mark.radiusY * std::sin(t);
    outline << canvas.pixel(mark.x + along * std::cos(turn) - across * std::sin(turn),
                            mark.y + along * std::sin(turn) + across * std::cos(turn));
    if (!std::isfinite(outline.last().x() + outline.last().y())) return;
  }
  painter.setPen(markPen(style, canvas));
  painter.setBrush(markBrush(style, canvas));
  paintOutlineInside(painter, outline, canvas.area);
}

// Whole: a number that the frame cuts is another number.
void paintText(QPainter& painter, const TextMark& mark, const MarkStyle& style, const MarkCanvas& canvas) {
  if (const auto text = placeText(mark, style, canvas)) text->draw(painter, canvas.outlines);
}

// Place of the line if it is held on that side of the point.
QPointF besidePoint(const TextLine& line, const QPointF& at, TextAnchor anchor, double gap) {
  const double start = anchor == TextAnchor::Left    ? gap
                       : anchor == TextAnchor::Right ? -gap - line.width()
                                                     : -line.width() / 2;
  double baseline = at.y() + (line.ascent() - line.descent()) / 2;
  if (anchor == TextAnchor::Top) baseline = at.y() + gap + line.ascent();
  if (anchor == TextAnchor::Bottom) baseline = at.y() - gap - line.descent();
  return {at.x() + start, baseline};
}

// On the other side of the point where the frame has no room on this one.
TextAnchor anchorInside(const TextLine& line, const QPointF& at, TextAnchor anchor, double gap,
                        const QRectF& area) {
  const auto fits = [&](TextAnchor tried) {
    const QPointF start = besidePoint(line, at, tried, gap);
    const QRectF box(start.x(), start.y() - line.ascent(), line.width(), line.height());
    return anchor == TextAnchor::Left || anchor == TextAnchor::Right
               ? box.left() >= area.left() && box.right() <= area.right()
               : box.top() >= area.top() && box.bottom() <= area.bottom();
  };
  const TextAnchor other = anchor == TextAnchor::Left     ? TextAnchor::Right
                           : anchor == TextAnchor::Right  ? TextAnchor::Left
                           : anchor == TextAnchor::Top    ? TextAnchor::Bottom
                           : anchor == TextAnchor::Bottom ? TextAnchor::Top
                                                          : anchor;
  return !fits(anchor) && fits(other) ? other : anchor;
}

}  // namespace

std::optional<PlacedText> placeText(const TextMark& mark, const MarkStyle& style, const MarkCanvas& canvas) {
  const QPointF at = canvas.pixel(mark.x, mark.y);
  if (!std::isfinite(at.x() + at.y()) || !markedAt(at, canvas)) return std::nullopt;
  PlacedText text;
  text.points = canvas.style->tickPoints;
  const QString words = QString::fromStdString(mark.text.english());
  text.line = TextLine(words, canvas.style->font(text.points));
  text.full = plainText(words);
  text.colour = markColour(style, canvas);
  const double gap = canvas.units(std::max(2.0, 0.7 * canvas.style->markerPoints));
  const TextAnchor anchor = anchorInside(text.line, at, mark.anchor, gap, canvas.area);
  text.anchor = anchor == TextAnchor::Left ? 0 : anchor == TextAnchor::Right ? 1 : 0.5;
  text.baseline = besidePoint(text.line, at, anchor, gap);
  return text;
}

QColor markColour(const MarkStyle& style, const MarkCanvas& canvas) {
  const QColor colour = canvas.style->colour(QString::fromStdString(style.colour));
  return mixed(colour.isValid() ? colour : canvas.style->text, canvas.style->background,
               std::clamp(style.opacity, 0.0, 1.0));
}

QPen markPen(const MarkStyle& style, const MarkCanvas& canvas) {
  QPen pen(markColour(style, canvas),
           canvas.units(style.width > 0 ? canvas.style->ink(style.width) : canvas.style->linePoints));
  pen.setCapStyle(style.dash == LineDash::Solid ? Qt::RoundCap : Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  const std::vector<double> pattern = dashPattern(style.dash);
  if (!pattern.empty()) pen.setDashPattern(QList<qreal>(pattern.begin(), pattern.end()));
  return pen;
}

QBrush markBrush(const MarkStyle& style, const MarkCanvas& canvas) {
  if (style.fill <= 0) return Qt::NoBrush;
  MarkStyle opaque = style;
  opaque.opacity = 1;
  QColor colour = markColour(opaque, canvas);
  colour.setAlphaF(static_cast<float>(std::clamp(style.fill, 0.0, 1.0)));
  return colour;
}

void paintMarker(QPainter& painter, MarkerShape shape, const QPointF& at, double size) {
  const double r = size / 2;
  switch (shape) {
    case MarkerShape::None:
      return;
    case MarkerShape::Disc:
      painter.drawEllipse(at, r, r);
      return;
    case MarkerShape::Square:
      painter.drawRect(QRectF(at.x() - r, at.y() - r, size, size));
      return;
    case MarkerShape::Diamond:
      painter.drawPolygon(QPolygonF({{at.x(), at.y() - r * 1.2},
                                     {at.x() + r * 1.2, at.y()},
                                     {at.x(), at.y() + r * 1.2},
                                     {at.x() - r * 1.2, at.y()}}));
      return;
    case MarkerShape::Triangle:
      painter.drawPolygon(QPolygonF(
          {{at.x(), at.y() - r * 1.1}, {at.x() + r, at.y() + r * 0.8}, {at.x() - r, at.y() + r * 0.8}}));
      return;
    case MarkerShape::Cross: {
      const double arm = r * 0.4;
      painter.drawRect(QRectF(at.x() - r, at.y() - arm / 2, size, arm));
      painter.drawRect(QRectF(at.x() - arm / 2, at.y() - r, arm, size));
      return;
    }
  }
}

void paintMark(QPainter& painter, const FigureMark& mark, const MarkCanvas& canvas) {
  painter.setRenderHint(QPainter::Antialiasing, true);
  const auto paint = [&](const auto& shape) {
    using Shape = std::decay_t<decltype(shape)>;
    if constexpr (std::is_same_v<Shape, LineMark>) return paintLine(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, PointsMark>) return paintPoints(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, TextMark>) return paintText(painter, shape, mark.style, canvas);
    const AreaClip clip(painter, canvas);
    if constexpr (std::is_same_v<Shape, BandMark>) paintBand(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, SegmentsMark>) paintSegments(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, CellsMark>) paintCells(painter, shape, canvas);
    if constexpr (std::is_same_v<Shape, ViolinMark>) paintViolin(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, BoxMark>) paintBox(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, BarsMark>) paintBars(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, RuleMark>) paintRule(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, PolygonMark>) paintPolygon(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, EllipseMark>) paintEllipse(painter, shape, mark.style, canvas);
    if constexpr (std::is_same_v<Shape, ImageMark>) paintImage(painter, shape, canvas);
    if constexpr (std::is_same_v<Shape, GridMark>) paintGrid(painter, shape, mark.style, canvas);
  };
  std::visit(paint, mark.shape);
}

bool sampleIsArea(const FigureMark& mark) {
  if (std::holds_alternative<BarsMark>(mark.shape)) return true;
  return mark.style.fill > 0 && !std::holds_alternative<LineMark>(mark.shape) &&
         !std::holds_alternative<PointsMark>(mark.shape);
}

void paintSample(QPainter& painter, const FigureMark& mark, const MarkCanvas& canvas, const QRectF& box) {
  painter.setRenderHint(QPainter::Antialiasing, true);
  MarkStyle style = mark.style;
  if (std::holds_alternative<BarsMark>(mark.shape) && style.fill <= 0) style.fill = 1;  // as paintBars does
  const bool area = sampleIsArea(mark);
  if (area) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(markBrush(style, canvas));
    painter.drawRect(box);
  }
  if (std::holds_alternative<PointsMark>(mark.shape) || mark.style.marker != MarkerShape::None) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(markColour(mark.style, canvas));
    const double size = canvas.units(mark.style.markerSize > 0 ? canvas.style->ink(mark.style.markerSize)
                                                               : canvas.style->markerPoints);
    paintMarker(painter, mark.style.marker == MarkerShape::None ? MarkerShape::Disc : mark.style.marker,
                box.center(), size);
  }
  if (!area && !std::holds_alternative<PointsMark>(mark.shape)) {
    painter.setPen(markPen(mark.style, canvas));
    painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
  }
}

}  // namespace fathom
