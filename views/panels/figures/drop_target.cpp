// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/drop_target.h"

#include <QPainter>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr double kTint = 0.16, kPlace = 0.5;
constexpr int kTargetPad = 6;

}  // namespace

DropTarget::DropTarget(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Place where the panel goes"));
  hide();
}

void DropTarget::showAt(const QRect& target, const QVector<QRect>& places, const QString& word,
                        bool allowed) {
  setGeometry(parentWidget()->rect());
  m_target = target;
  m_places = places;
  m_word = word;
  m_allowed = allowed;
  setAccessibleDescription(word);
  show();
  raise();
  update();
}

void DropTarget::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::of(palette());
  QPainter painter(this);
  QColor line = theme.secondary;
  line.setAlphaF(kPlace);
  painter.setPen(QPen(line, 1, Qt::DashLine));
  for (const QRect& place : m_places) painter.drawRect(place.adjusted(0, 0, -1, -1));
  if (m_target.isEmpty()) return;
  const QColor colour = m_allowed ? theme.accent : theme.secondary;
  QColor tint = colour;
  tint.setAlphaF(kTint);
  painter.fillRect(m_target, tint);
  painter.setPen(QPen(colour, 2, m_allowed ? Qt::SolidLine : Qt::DotLine));
  painter.drawRect(m_target.adjusted(1, 1, -1, -1));
  if (m_word.isEmpty()) return;
  // Beside the middle of the place, whole in the view however small the place is.
  QRect card =
      fontMetrics().boundingRect(m_word).adjusted(-kTargetPad, -kTargetPad / 2, kTargetPad, kTargetPad / 2);
  card.moveCenter(m_target.center());
  card.moveLeft(qBound(0, card.left(), qMax(0, width() - card.width())));
  card.moveTop(qBound(0, card.top(), qMax(0, height() - card.height())));
  painter.fillRect(card, theme.panel);
  painter.setPen(colour);
  painter.drawRect(card.adjusted(0, 0, -1, -1));
  painter.setPen(theme.text);
  painter.drawText(card, Qt::AlignCenter, m_word);
}

}  // namespace fathom
