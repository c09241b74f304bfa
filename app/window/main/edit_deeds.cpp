// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/edit_deeds.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace fathom {

namespace {

// The commands of Edit that a widget can take now.
struct Deeds {
  bool cut = false, copy = false, paste = false, all = false;
};

bool clipboardHasText() {
  const QMimeData* data = QApplication::clipboard()->mimeData();
  return data != nullptr && data->hasText();
}

// The text inside of a list or number box that can be typed into; else the widget itself.
QWidget* textOf(QWidget* widget) {
  if (auto* box = qobject_cast<QComboBox*>(widget); box != nullptr && box->isEditable())
    return box->lineEdit();
  if (qobject_cast<QAbstractSpinBox*>(widget) != nullptr) return widget->findChild<QLineEdit*>();
  return widget;
}

template <class Edit>
Deeds deedsOfDocument(const Edit* edit) {
  const bool marked = edit->textCursor().hasSelection();
  return {marked && !edit->isReadOnly(), marked, !edit->isReadOnly() && edit->canPaste(),
          !edit->document()->isEmpty()};
}

// An action of the widget, or of one that it lies in, that listens to the standard key.
QAction* actionOf(QWidget* widget, QKeySequence::StandardKey key) {
  const QList<QKeySequence> keys = QKeySequence::keyBindings(key);
  for (QWidget* at = widget; at != nullptr; at = at->isWindow() ? nullptr : at->parentWidget())
    for (QAction* each : at->actions())
      if (each->isEnabled() && keys.contains(each->shortcut())) return each;
  return nullptr;
}

Deeds deedsOf(QWidget* widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) {
    const bool readable = line->hasSelectedText() && line->echoMode() == QLineEdit::Normal;
    return {readable && !line->isReadOnly(), readable, !line->isReadOnly() && clipboardHasText(),
            !line->text().isEmpty()};
  }
  if (const auto* plain = qobject_cast<const QPlainTextEdit*>(widget)) return deedsOfDocument(plain);
  if (const auto* rich = qobject_cast<const QTextEdit*>(widget)) return deedsOfDocument(rich);
  Deeds deeds;
  deeds.copy = widget != nullptr && actionOf(widget, QKeySequence::Copy) != nullptr;
  if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
    deeds.copy = deeds.copy || (view->selectionModel() != nullptr && view->selectionModel()->hasSelection());
    deeds.all = view->selectionMode() > QAbstractItemView::SingleSelection && view->model() != nullptr &&
                view->model()->rowCount() > 0;
  }
  return deeds;
}

// The key as if it were typed: tables copy what suits them where they listen to it.
void type(QWidget* widget, QKeySequence::StandardKey key) {
  const QKeyCombination typed = QKeySequence(key)[0];
  QKeyEvent press(QEvent::KeyPress, typed.key(), typed.keyboardModifiers());
  QCoreApplication::sendEvent(widget, &press);
}

}  // namespace

EditDeeds::EditDeeds(const Actions& actions, QWidget* window)
    : QObject(window),
      m_window(window),
      m_cut(actions.cut),
      m_copy(actions.copy),
      m_paste(actions.paste),
      m_all(actions.all) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { remember(now); });
  const auto bind = [this](QAction* action, QKeySequence::StandardKey key, const char* slot) {
    connect(action, &QAction::triggered, this, [this, key, slot] {
      QWidget* widget = target();
      if (widget == nullptr) return;
      if (QAction* own = actionOf(widget, key)) return own->trigger();
      if (widget->metaObject()->indexOfSlot(slot) >= 0)
        widget->metaObject()->method(widget->metaObject()->indexOfSlot(slot)).invoke(widget);
      else
        type(widget, key);
    });
  };
  bind(actions.cut, QKeySequence::Cut, "cut()");
  bind(actions.copy, QKeySequence::Copy, "copy()");
  bind(actions.paste, QKeySequence::Paste, "paste()");
  bind(actions.all, QKeySequence::SelectAll, "selectAll()");
  connect(QApplication::clipboard(), &QClipboard::dataChanged, this, &EditDeeds::refresh);
  refresh();
}

void EditDeeds::remember(QWidget* now) {
  if (now == nullptr || now->window() != m_window || qobject_cast<QMenuBar*>(now) != nullptr ||
      qobject_cast<QMenu*>(now) != nullptr)
    return;
  m_last = now;
  refresh();
}

QWidget* EditDeeds::target() const {
  return m_last.isNull() || !m_last->isVisible() ? nullptr : textOf(m_last);
}

void EditDeeds::refresh() {
  if (m_cut.isNull() || m_copy.isNull() || m_paste.isNull() || m_all.isNull()) return;
  const Deeds deeds = deedsOf(target());
  m_cut->setEnabled(deeds.cut);
  m_copy->setEnabled(deeds.copy);
  m_paste->setEnabled(deeds.paste);
  m_all->setEnabled(deeds.all);
}

}  // namespace fathom
