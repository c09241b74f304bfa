// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/place_pointer.h"

#include <QEvent>
#include <QPainter>
#include <QTimer>

#include "views/look/theme.h"

namespace fathom {

namespace {
constexpr int kFrame = 3, kRound = 4;
}

PlacePointer::PlacePointer(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("placePointer"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void PlacePointer::pointAt(QWidget* place) {
  if (m_place == place) return follow();
  for (QWidget* each = m_place; each != nullptr; each = each->parentWidget()) each->removeEventFilter(this);
  m_place = place;
  // Its parents move it, too.
  for (QWidget* each = m_place; each != nullptr; each = each->parentWidget()) each->installEventFilter(this);
  follow();
}

bool PlacePointer::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::ParentChange:
      QTimer::singleShot(0, this, &PlacePointer::follow);
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void PlacePointer::follow() {
  const bool seen = !m_place.isNull() && m_place->isVisible() && m_place->window() == window();
  setVisible(seen);
  if (!seen) return;
  const QRect around(m_place->mapTo(window(), QPoint()), m_place->size());
  setGeometry(around.adjusted(-kFrame, -kFrame, kFrame, kFrame).intersected(window()->rect()));
  setMask(QRegion(rect()) - QRegion(rect().adjusted(2 * kFrame, 2 * kFrame, -2 * kFrame, -2 * kFrame)));
  raise();
}

void PlacePointer::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Theme::of(palette()).accent, kFrame));
  const double half = kFrame / 2.0;
  painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), kRound, kRound);
}

}  // namespace fathom
