// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/mark_canvas_view.h"

#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

namespace fathom {

MarkCanvasView::MarkCanvasView(QWidget* parent) : FigureRenderer(parent) {
  setMouseTracking(true);
}

std::optional<FigureHit> MarkCanvasView::under(const QPointF& position) const {
  const std::optional<FigureHit> name = nameAt(position);
  return name ? name : hitAt(position);
}

void MarkCanvasView::mousePressEvent(QMouseEvent* event) {
  event->accept();
}

void MarkCanvasView::mouseReleaseEvent(QMouseEvent* event) {
  const std::optional<FigureHit> hit = under(event->position());
  if (event->button() == Qt::LeftButton && hit && !hit->selection.isEmpty()) Q_EMIT clicked(hit->selection);
}

void MarkCanvasView::mouseMoveEvent(QMouseEvent* event) {
  const std::optional<FigureHit> hit = under(event->position());
  setCursor(hit && !hit->selection.isEmpty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (hit) {
    // Names are read where they stand.
    const QString text = hit->text.isEmpty() || nameAt(event->position()) ? hit->text : hoverText(*hit);
    QToolTip::showText(event->globalPosition().toPoint(), text, this);
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
