// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/mark_canvas_view.h"

#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

namespace fathom {

MarkCanvasView::MarkCanvasView(QWidget* parent) : FigureRenderer(parent) {
  setMouseTracking(true);
}

void MarkCanvasView::mousePressEvent(QMouseEvent* event) {
  event->accept();
}

void MarkCanvasView::mouseReleaseEvent(QMouseEvent* event) {
  const std::optional<FigureHit> hit = hitAt(event->position());
  if (event->button() == Qt::LeftButton && hit && !hit->selection.isEmpty()) Q_EMIT clicked(hit->selection);
}

void MarkCanvasView::mouseMoveEvent(QMouseEvent* event) {
  const std::optional<FigureHit> hit = hitAt(event->position());
  setCursor(hit && !hit->selection.isEmpty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (hit) {
    QToolTip::showText(event->globalPosition().toPoint(), hoverText(*hit), this);
  } else {
    QToolTip::hideText();
  }
}

void MarkCanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
}

void MarkCanvasView::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

}  // namespace fathom
