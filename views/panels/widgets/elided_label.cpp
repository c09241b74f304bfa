// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/elided_label.h"

#include <QEvent>

namespace fathom {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
  if (text == m_full) return;  // else the same count lays out and paints a whole workspace at every key
  m_full = text;
  setAccessibleName(text);
  updateGeometry();
  elide();
}

void ElidedLabel::setHint(const QString& hint) {
  m_hint = hint;
  elide();
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 4, fontMetrics().height()};
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(m_full) + 2, fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange) elide();
}

void ElidedLabel::elide() {
  const QString shown = fontMetrics().elidedText(m_full, Qt::ElideRight, contentsRect().width());
  QLabel::setText(shown);
  const bool cut = shown != m_full;
  QString tip = cut ? m_full : QString();
  if (!m_hint.isEmpty()) tip += (tip.isEmpty() ? QString() : QStringLiteral("\n")) + m_hint;
  setToolTip(tip);
}

}  // namespace fathom
