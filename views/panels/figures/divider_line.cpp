// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/divider_line.h"

#include <QPainter>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr int kWordPad = 6;

}  // namespace

DividerLine::DividerLine(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void DividerLine::showAt(bool column, double at, const QString& sizes) {
  setGeometry(parentWidget()->rect());
  m_column = column;
  m_at = at;
  m_sizes = sizes;
  setAccessibleName(sizes);
  show();
  raise();
  update();
}

void DividerLine::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::of(palette());
  QPainter painter(this);
  painter.setPen(QPen(theme.accent, 2));
  painter.drawLine(m_column ? QLineF(m_at, 0, m_at, height()) : QLineF(0, m_at, width(), m_at));
  QRect card = fontMetrics().boundingRect(m_sizes).adjusted(-kWordPad, -kWordPad / 2, kWordPad, kWordPad / 2);
  card.moveCenter(m_column ? QPoint(int(m_at), height() / 2) : QPoint(width() / 2, int(m_at)));
  painter.fillRect(card, theme.panel);
  painter.setPen(theme.accent);
  painter.drawRect(card.adjusted(0, 0, -1, -1));
  painter.setPen(theme.text);
  painter.drawText(card, Qt::AlignCenter, m_sizes);
}

}  // namespace fathom
