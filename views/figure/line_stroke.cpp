// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/figure/mark_painter.h"

namespace fathom {

namespace {

// Device pixels. Qt fills wider antialiased lines as outlines, which takes thirty times as long as a line of
// one pixel; up to this width a line is several of those side by side.
constexpr double kWidestBundle = 4;

// The pieces of a polyline that a dash pattern (in units) leaves visible.
void dashSegments(const std::vector<QPointF>& points, const std::vector<double>& pattern,
                  std::vector<QLineF>& out) {
  std::size_t slot = 0;
  double left = pattern[0];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QLineF line(points[i - 1], points[i]);
    const double length = line.length();
    double done = 0;
    while (done < length) {
      const double step = std::min(left, length - done);
      if (slot % 2 == 0) out.emplace_back(line.pointAt(done / length), line.pointAt((done + step) / length));
      done += step;
      left -= step;
      if (left > 1e-9) continue;
      slot = (slot + 1) % pattern.size();
      left = pattern[slot];
    }
  }
}

// The segments moved across their direction so that the k-th of `count` lines of one pixel makes its part of
// a line `width` device pixels wide; `pixel` is one in units.
std::vector<QLineF> bundled(const std::vector<QLineF>& segments, int k, int count, double width,
                            double pixel) {
  std::vector<QLineF> moved;
  moved.reserve(segments.size());
  for (const QLineF& line : segments) {
    const double dx = std::abs(line.dx()), dy = std::abs(line.dy()), major = std::max(dx, dy);
    // Thickness is measured along the lesser direction, where such lines are one pixel wide.
    const double across = major > 0 ? width * std::hypot(dx, dy) / major : width;
    const double step = std::clamp((across - 1) / (count - 1), 0.0, 1.0) * pixel;
    const double by = (k - (count - 1) / 2.0) * step;
    moved.push_back(dx >= dy ? line.translated(0, by) : line.translated(by, 0));
  }
  return moved;
}

void strokeSegments(QPainter& painter, const std::vector<QLineF>& segments, const QPen& pen, double scale) {
  const double width = pen.widthF() * scale;
  const int count = static_cast<int>(std::ceil(width - 0.01));
  QPen used = pen;
  if (count > 1 && width <= kWidestBundle) {
    used.setCosmetic(true);
    used.setWidthF(1);
  }
  painter.setPen(used);
  if (!used.isCosmetic()) return painter.drawLines(segments.data(), static_cast<int>(segments.size()));
  for (int k = 0; k < count; ++k) {
    const std::vector<QLineF> lines = bundled(segments, k, count, width, 1 / scale);
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  }
}

// The part of a column inside the clip, in device pixels: x, first row, row after the last. A line of
// several pixels is as many columns wide where it is steep.
struct PixelColumn {
  int x, top, end;
};

std::vector<PixelColumn> pixelColumns(const QPainter& painter, const std::vector<QRectF>& columns, int wide,
                                      double scale) {
  const QRectF clip = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.window());
  const auto pixel = [scale](double unit) { return static_cast<int>(std::lround(unit * scale)); };
  std::vector<PixelColumn> shown;
  shown.reserve(columns.size());
  for (const QRectF& column : columns) {
    const PixelColumn one{pixel(column.left()), pixel(std::max(column.top(), clip.top())),
                          pixel(std::min(column.bottom(), clip.bottom()))};
    if (one.end <= one.top) continue;
    for (int k = 0; k < wide; ++k) {
      const int x = one.x + k - (wide - 1) / 2;
      if (x >= pixel(clip.left()) && x < pixel(clip.right())) shown.push_back({x, one.top, one.end});
    }
  }
  return shown;
}

// Straight into a picture that is kept from frame to frame: as rectangles, each pixel of a column would be a
// span of its own, which takes half of the time of a frame.
void drawColumns(QPainter& painter, const std::vector<PixelColumn>& columns, const QColor& colour,
                 double scale) {
  QRect box(QPoint(columns.front().x, columns.front().top), QSize(1, 1));
  for (const PixelColumn& column : columns)
    box |= QRect(QPoint(column.x, column.top), QPoint(column.x, column.end - 1));
  thread_local QImage picture;
  if (picture.width() < box.width() || picture.height() < box.height())
    picture = QImage(box.size().expandedTo(picture.size()), QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(1);
  const qsizetype stride = picture.bytesPerLine() / qsizetype{sizeof(QRgb)};
  QRgb* const pixels = reinterpret_cast<QRgb*>(picture.bits());
  for (int row = 0; row < box.height(); ++row) std::fill_n(pixels + row * stride, box.width(), 0U);
  const QRgb ink = colour.rgba();
  for (const PixelColumn& column : columns) {
    QRgb* at = pixels + (column.top - box.top()) * stride + (column.x - box.left());
    for (int row = column.top; row < column.end; ++row, at += stride) *at = ink;
  }
  const QRectF target(QPointF(box.topLeft()) / scale, QSizeF(box.size()) / scale);
  painter.drawImage(target, picture, QRectF(QPointF(0, 0), QSizeF(box.size())));
}

void fillColumns(QPainter& painter, std::vector<QRectF> columns, const QPen& pen, double scale) {
  const int wide = std::max(1, static_cast<int>(std::lround(pen.widthF() * scale)));
  const bool pixelsAreOurs = painter.device() != nullptr && painter.worldTransform().isIdentity() &&
                             painter.device()->devicePixelRatioF() == scale;
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (pixelsAreOurs) {
    const std::vector<PixelColumn> shown = pixelColumns(painter, columns, wide, scale);
    if (!shown.empty()) drawColumns(painter, shown, pen.color(), scale);
  } else {
    for (QRectF& column : columns)
      column.adjust(-((wide - 1) / 2) / scale, 0, (wide - 1 - (wide - 1) / 2) / scale, 0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawRects(columns.data(), static_cast<int>(columns.size()));
    painter.setBrush(Qt::NoBrush);
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
}

}  // namespace

std::vector<double> dashPattern(LineDash dash) {
  switch (dash) {
    case LineDash::Solid:
      return {};
    case LineDash::Dash:
      return {5, 3};
    case LineDash::Dot:
      return {1.5, 2.5};
    case LineDash::DashDot:
      return {5, 2.5, 1.5, 2.5};
  }
  return {};
}

void strokeLine(QPainter& painter, const DrawnLine& line, const MarkStyle& style, const MarkCanvas& canvas) {
  const QPen pen = markPen(style, canvas);
  painter.setBrush(Qt::NoBrush);
  if (canvas.vector) {
    painter.setPen(pen);
    for (const auto& piece : line.pieces) painter.drawPolyline(piece.data(), static_cast<int>(piece.size()));
    return;
  }
  if (!line.columns.empty()) fillColumns(painter, line.columns, pen, canvas.scale);
  std::vector<double> pattern = dashPattern(style.dash);
  for (double& length : pattern) length *= pen.widthF();
  QPen solid = pen;
  solid.setStyle(Qt::SolidLine);
  solid.setCapStyle(Qt::SquareCap);  // round ones cost a curve per segment
  std::vector<QLineF> segments;
  for (const auto& piece : line.pieces) {
    if (pattern.empty()) {
      for (std::size_t i = 1; i < piece.size(); ++i) segments.emplace_back(piece[i - 1], piece[i]);
    } else {
      dashSegments(piece, pattern, segments);
    }
  }
  if (!segments.empty()) strokeSegments(painter, segments, solid, canvas.scale);
}

}  // namespace fathom
