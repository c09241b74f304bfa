// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/redo_key.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace fathom {

namespace {

constexpr QKeyCombination kKnown(Qt::CTRL | Qt::SHIFT, Qt::Key_Z), kOther(Qt::CTRL, Qt::Key_Y);

bool isTextField(const QObject* object) {
  const auto* box = qobject_cast<const QComboBox*>(object);
  return (box != nullptr && box->isEditable()) || qobject_cast<const QLineEdit*>(object) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
         qobject_cast<const QPlainTextEdit*>(object) != nullptr ||
         qobject_cast<const QTextEdit*>(object) != nullptr;
}

}  // namespace

QList<QKeySequence> redoKeys() {
  return {QKeySequence(kKnown), QKeySequence(kOther)};
}

RedoKey::RedoKey(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool RedoKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
  if (static_cast<QKeyEvent*>(event)->keyCombination() != kOther || !isTextField(watched)) return false;
  QKeyEvent same(event->type(), kKnown.key(), kKnown.keyboardModifiers());
  QCoreApplication::sendEvent(watched, &same);
  event->setAccepted(same.isAccepted());
  return true;
}

}  // namespace fathom
