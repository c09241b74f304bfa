// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/focus_ring.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QTabBar>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr int kWide = 2;

bool hasRingOfItsStyle(const QWidget* widget) {
  if (qobject_cast<const QPushButton*>(widget) != nullptr) return false;
  return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QMenu*>(widget) != nullptr || qobject_cast<const QMenuBar*>(widget) != nullptr ||
         qobject_cast<const QTabBar*>(widget) != nullptr;
}

// Lies over a widget and is nothing to it: neither pointer nor keyboard see it.
class Ring : public QWidget {
 public:
  explicit Ring(QWidget* over) : QWidget(over) {
    setObjectName(QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(over->rect());
    raise();
    QWidget::show();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    // On what is filled with the accent the ring has the colour of texts.
    const Theme& theme = Theme::of(parentWidget()->palette());
    const QColor colour = parentWidget()->property("primary").toBool() ? theme.text : theme.accent;
    painter.setPen(QPen(colour, kWide, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect().adjusted(kWide / 2, kWide / 2, -kWide / 2, -kWide / 2));
  }
};

}  // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { show(now); });
}

FocusRing::~FocusRing() {
  delete m_ring;
}

void FocusRing::show(QWidget* widget) {
  if (m_ring != nullptr && m_ring->parentWidget() == widget) return;
  if (m_ring != nullptr) {
    m_ring->parentWidget()->removeEventFilter(this);
    m_ring->hide();
    m_ring->deleteLater();
    m_ring.clear();
  }
  if (widget == nullptr || widget->isWindow() || hasRingOfItsStyle(widget)) return;
  m_ring = new Ring(widget);
  widget->installEventFilter(this);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  if (m_ring != nullptr && m_ring->parentWidget() == watched) {
    if (event->type() == QEvent::Resize) m_ring->setGeometry(m_ring->parentWidget()->rect());
    // A widget that is added later would lie above the ring otherwise.
    if (event->type() == QEvent::ChildPolished) m_ring->raise();
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
