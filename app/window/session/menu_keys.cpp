// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/menu_keys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>

namespace fathom {

MenuKeys::MenuKeys(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

// An accepted override comes back to its widget as a key press, past the shortcuts.
bool MenuKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  const bool menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr ||
                    qobject_cast<QMenuBar*>(QApplication::focusWidget()) != nullptr;
  const Qt::KeyboardModifiers modifiers = static_cast<QKeyEvent*>(event)->modifiers();
  if (!menu || !watched->isWidgetType() || (modifiers & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0)
    return false;
  event->accept();
  return true;
}

}  // namespace fathom
