// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/drag_gesture.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

namespace fathom {

DragGesture::DragGesture(QAbstractScrollArea* area, std::function<bool(const QPoint&)> mayBegin)
    : QObject(area), m_area(area), m_mayBegin(std::move(mayBegin)) {
  area->viewport()->installEventFilter(this);
  area->installEventFilter(this);
}

void DragGesture::end() {
  m_pressed.reset();
  if (!std::exchange(m_active, false)) return;
  QGuiApplication::restoreOverrideCursor();
}

void DragGesture::cancel() {
  const bool was = m_active;
  end();
  if (was) Q_EMIT cancelled();
}

bool DragGesture::move(const QPoint& position, const QPoint& global) {
  if (!m_pressed) return false;
  if (!m_active) {
    if ((position - *m_pressed).manhattanLength() < QApplication::startDragDistance()) return false;
    m_active = true;
    QGuiApplication::setOverrideCursor(Qt::ClosedHandCursor);
    Q_EMIT begun(*m_pressed);
  }
  Q_EMIT moved(global);
  return true;
}

// Other buttons do nothing while something is dragged.
bool DragGesture::eventFilter(QObject* watched, QEvent* event) {
  const bool inView = watched == m_area->viewport();
  switch (event->type()) {
    case QEvent::MouseButtonDblClick:
    case QEvent::ContextMenu:
      if (m_active) return true;
      break;
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (!inView) break;
      if (m_active && mouse->button() != Qt::LeftButton) return true;
      cancel();  // the release of the one before went elsewhere
      if (mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier &&
          m_mayBegin(mouse->position().toPoint()))
        m_pressed = mouse->position().toPoint();
      break;
    }
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (inView && (mouse->buttons() & Qt::LeftButton))
        return move(mouse->position().toPoint(), mouse->globalPosition().toPoint());
      if (inView) cancel();
      break;
    }
    case QEvent::MouseButtonRelease: {
      const bool was = inView && m_active;
      if (was && static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton) return true;
      if (inView) end();
      if (was) Q_EMIT dropped(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
      break;
    }
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      if (m_active && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::ShortcutOverride) return true;
        cancel();
        return true;
      }
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
