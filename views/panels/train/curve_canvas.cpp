// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace fathom {

namespace {

constexpr double kKeyStep = 0.1, kKeyZoom = 0.8, kWheelZoom = 0.85;

class OverlayItem : public QCPLayerable {
 public:
  explicit OverlayItem(CurveCanvas& canvas)
      : QCPLayerable(&canvas, QStringLiteral("overlay")), m_canvas(canvas) {}

 protected:
  void applyDefaultAntialiasingHint(QCPPainter*) const override {}
  void draw(QCPPainter* painter) override { m_canvas.drawOverlay(*painter); }

 private:
  CurveCanvas& m_canvas;
};

}  // namespace

CurveCanvas::CurveCanvas(QWidget* parent) : FigureRenderer(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
  new OverlayItem(*this);  // owned by the plot
}

std::optional<double> CurveCanvas::unitAt(const QPointF& position, std::size_t& panel) const {
  const std::optional<std::size_t> found = panelAt(position);
  if (!found) return std::nullopt;
  panel = *found;
  const MarkCanvas view = canvas(panel);
  return view.rangeX.low + (position.x() - view.area.left()) / view.area.width() * view.rangeX.size();
}

std::optional<std::size_t> CurveCanvas::titleAt(const QPointF& position) const {
  constexpr double kHigh = 22;
  for (std::size_t i = 1; i < layout().panels.size(); ++i) {
    const QRectF& area = layout().panels[i].area;
    if (QRectF(area.left(), area.top() - kHigh, area.width(), kHigh).contains(position)) return i;
  }
  return std::nullopt;
}

// Place at which the panel that is held would be dropped.
std::optional<std::size_t> CurveCanvas::dropPanel() const {
  if (!m_grabbed || !m_moved) return std::nullopt;
  const std::optional<std::size_t> over = panelAt(m_last);
  const std::optional<std::size_t> target = over ? over : titleAt(m_last);
  return target != m_grabbed ? target : std::nullopt;
}

void CurveCanvas::refreshOverlay() {
  layer(QStringLiteral("overlay"))->replot();
}

void CurveCanvas::showCrosshair(std::optional<double> unitX, std::size_t panel, CurveReadings readings) {
  if (!unitX && !m_unitX) return;
  m_unitX = unitX;
  m_readPanel = panel;
  m_readings = std::move(readings);
  refreshOverlay();
}

void CurveCanvas::drawOverlay(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (hasFocus()) {
    painter.setPen(QPen(style().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
  if (m_pressed && m_moved && m_drag != Drag::Pan) {
    QColor fill = style().accent;
    fill.setAlpha(40);
    painter.fillRect(draggedArea(), fill);
    painter.setPen(QPen(style().accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(draggedArea());
  }
  if (const auto target = dropPanel()) {
    painter.setPen(QPen(style().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(layout().panels[*target].area);
  }
  if (!m_unitX) return;
  for (std::size_t i = 0; i < layout().panels.size(); ++i) {
    const MarkCanvas view = canvas(i);
    const double x = view.area.left() + (*m_unitX - view.rangeX.low) / view.rangeX.size() * view.area.width();
    if (x < view.area.left() || x > view.area.right()) continue;
    painter.setPen(QPen(style().secondary, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, view.area.top()), QPointF(x, view.area.bottom()));
    if (i == m_readPanel) drawReadings(painter, m_readings, style(), view.area, x);
  }
}

void CurveCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  std::size_t panel = 0;
  m_grabbed = titleAt(event->position());
  if (m_grabbed) {
    m_last = event->position();
    m_moved = false;
    return setCursor(Qt::ClosedHandCursor);
  }
  if (!unitAt(event->position(), panel)) return;
  m_pressed = m_last = event->position();
  m_panel = panel;
  m_moved = false;
  m_drag = event->modifiers() & Qt::ShiftModifier     ? Drag::Stretch
           : event->modifiers() & Qt::ControlModifier ? Drag::Region
                                                      : Drag::Pan;
}

QRectF CurveCanvas::draggedArea() const {
  const QRectF& area = layout().panels[m_panel].area;
  QRectF dragged = QRectF(*m_pressed, m_last).normalized();
  if (m_drag == Drag::Stretch) {
    dragged.setTop(area.top());
    dragged.setBottom(area.bottom());
  }
  return dragged & area;
}

void CurveCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (m_grabbed) {
    m_moved = m_moved || (event->position() - m_last).manhattanLength() >= QApplication::startDragDistance();
    if (m_moved) m_last = event->position();
    return refreshOverlay();
  }
  if (!m_pressed) {
    if (titleAt(event->position())) {
      setCursor(Qt::OpenHandCursor);
    } else {
      unsetCursor();
    }
    std::size_t panel = 0;
    if (const std::optional<double> unit = unitAt(event->position(), panel)) {
      const MarkCanvas view = canvas(panel);
      const double share = (view.area.bottom() - event->position().y()) / view.area.height();
      Q_EMIT hovered(*unit, static_cast<int>(panel), view.rangeY.low + share * view.rangeY.size());
    } else {
      Q_EMIT left();
    }
    return;
  }
  if (!m_moved && (event->position() - *m_pressed).manhattanLength() < QApplication::startDragDistance())
    return;
  m_moved = true;
  const QPointF step = event->position() - m_last;
  m_last = event->position();
  if (m_drag != Drag::Pan) return refreshOverlay();
  const MarkCanvas view = canvas(m_panel);
  Q_EMIT panned(-step.x() / view.area.width() * view.rangeX.size(),
                step.y() / view.area.height() * view.rangeY.size(), static_cast<int>(m_panel));
}

void CurveCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (m_grabbed && event->button() == Qt::LeftButton) {
    const auto from = static_cast<int>(*m_grabbed);
    const std::optional<std::size_t> target = dropPanel();
    const bool clicked = !m_moved;
    m_grabbed.reset();
    unsetCursor();
    refreshOverlay();
    if (clicked) Q_EMIT enlargeAsked(from);
    if (target) Q_EMIT panelMoved(from, static_cast<int>(*target));
    return;
  }
  if (!m_pressed || event->button() != Qt::LeftButton) return;
  if (m_moved) {
    finishDrag();
  } else {
    m_pressed.reset();
    const bool ctrl = event->modifiers() & Qt::ControlModifier;
    if (m_panel > 0 && !ctrl) return Q_EMIT enlargeAsked(static_cast<int>(m_panel));
    const std::optional<FigureHit> hit = hitAt(event->position());
    Q_EMIT clicked(hit ? hit->selection : QString(), ctrl);
  }
}

void CurveCanvas::finishDrag() {
  const QRectF dragged = draggedArea();
  m_pressed.reset();
  if (m_drag == Drag::Pan) return;
  refreshOverlay();
  const MarkCanvas view = canvas(m_panel);
  const auto unitX = [&view](double x) {
    return view.rangeX.low + (x - view.area.left()) / view.area.width() * view.rangeX.size();
  };
  const auto unitY = [&view](double y) {
    return view.rangeY.low + (view.area.bottom() - y) / view.area.height() * view.rangeY.size();
  };
  const PanelRanges region{{unitX(dragged.left()), unitX(dragged.right())},
                           {unitY(dragged.bottom()), unitY(dragged.top())}};
  if (m_drag == Drag::Region) {
    Q_EMIT regionChosen(region, static_cast<int>(m_panel));
  } else if (region.x.high > region.x.low) {
    Q_EMIT rangeChosen(region.x.low, region.x.high);
  }
}

void CurveCanvas::mouseDoubleClickEvent(QMouseEvent*) {
  Q_EMIT resetAsked();
}

void CurveCanvas::wheelEvent(QWheelEvent* event) {
  std::size_t panel = 0;
  const std::optional<double> x = unitAt(event->position(), panel);
  if (!x) return event->ignore();
  const MarkCanvas view = canvas(panel);
  const double y = view.rangeY.low +
                   (view.area.bottom() - event->position().y()) / view.area.height() * view.rangeY.size();
  const double steps = event->angleDelta().y() / 120.0;
  Q_EMIT zoomed(std::pow(kWheelZoom, steps), *x, y, event->modifiers() & Qt::ControlModifier,
                static_cast<int>(panel));
  event->accept();
}

void CurveCanvas::leaveEvent(QEvent*) {
  Q_EMIT left();
}

void CurveCanvas::keyPressEvent(QKeyEvent* event) {
  if (panelCount() == 0) return FigureRenderer::keyPressEvent(event);
  const PanelRanges shown = ranges(0);
  const double middleX = (shown.x.low + shown.x.high) / 2, middleY = (shown.y.low + shown.y.high) / 2;
  switch (event->key()) {
    case Qt::Key_Left:
      Q_EMIT panned(-kKeyStep * shown.x.size(), 0, 0);
      break;
    case Qt::Key_Right:
      Q_EMIT panned(kKeyStep * shown.x.size(), 0, 0);
      break;
    case Qt::Key_Up:
      Q_EMIT stepped(-1);
      break;
    case Qt::Key_Down:
      Q_EMIT stepped(1);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      Q_EMIT zoomed(kKeyZoom, middleX, middleY, false, 0);
      break;
    case Qt::Key_Minus:
      Q_EMIT zoomed(1 / kKeyZoom, middleX, middleY, false, 0);
      break;
    case Qt::Key_Home:
    case Qt::Key_0:
      Q_EMIT resetAsked();
      break;
    case Qt::Key_Escape:
      if (!m_escapes) return FigureRenderer::keyPressEvent(event);
      Q_EMIT backAsked();
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT chosen(event->modifiers() & Qt::ControlModifier);
      break;
    default:
      return FigureRenderer::keyPressEvent(event);
  }
  event->accept();
}

void CurveCanvas::focusInEvent(QFocusEvent* event) {
  FigureRenderer::focusInEvent(event);
  refreshOverlay();
}

void CurveCanvas::focusOutEvent(QFocusEvent* event) {
  FigureRenderer::focusOutEvent(event);
  refreshOverlay();
}

}  // namespace fathom
