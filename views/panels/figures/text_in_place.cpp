// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/text_in_place.h"

#include <QKeyEvent>
#include <algorithm>

namespace fathom {

namespace {

constexpr int kAroundText = 24, kLeastTextPixels = 120;  // pixels

}  // namespace

TextInPlace::TextInPlace(QWidget* parent) : QLineEdit(parent) {
  setAccessibleName(tr("Text of the figure"));
  setToolTip(
      tr("Return takes the text, Esc leaves it as it was, Tab goes on to the next one; empty: as the "
         "figure has it"));
  connect(this, &QLineEdit::textChanged, this, &TextInPlace::fit);
  hide();
}

void TextInPlace::openAt(const QRectF& box, const QString& text, const QString& placeholder) {
  m_box = box;
  setPlaceholderText(placeholder);
  setText(text);
  fit();
  show();
  raise();
  selectAll();
  setFocus(Qt::OtherFocusReason);
}

void TextInPlace::fit() {
  const QString shown = text().isEmpty() ? placeholderText() : text();
  const QRect room = parentWidget()->rect();
  const int wide = std::clamp(fontMetrics().horizontalAdvance(shown) + kAroundText, kLeastTextPixels,
                              std::max(kLeastTextPixels, room.width() - kAroundText));
  QRect place(0, 0, wide, sizeHint().height());
  place.moveCenter(m_box.center().toPoint());
  place.moveLeft(std::clamp(place.left(), 0, std::max(0, room.width() - place.width())));
  place.moveTop(std::clamp(place.top(), 0, std::max(0, room.height() - place.height())));
  setGeometry(place);
}

// Keys that are shortcuts of the page are letters here, and Tab stays with the page.
bool TextInPlace::event(QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) {
      Q_EMIT wentOn(key->key() == Qt::Key_Tab);
      return true;
    }
  }
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  return QLineEdit::event(event);
}

void TextInPlace::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT taken();
      return;
    case Qt::Key_Escape:
      Q_EMIT left();
      return;
    default:
      QLineEdit::keyPressEvent(event);
  }
}

void TextInPlace::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  // Its own menu takes the focus for a while.
  if (isVisible() && event->reason() != Qt::PopupFocusReason) Q_EMIT taken();
}

}  // namespace fathom
