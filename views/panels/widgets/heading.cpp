// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/heading.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace fathom {

namespace {

constexpr double kPageSize = 1.3;

void applyRank(QWidget* label, HeadingRank rank) {
  QFont font = label->font();
  font.setWeight(QFont::DemiBold);
  const QFont body = QApplication::font(label);
  const double size = rank == HeadingRank::Page ? kPageSize : 1;
  if (body.pointSizeF() > 0) {
    font.setPointSizeF(body.pointSizeF() * size);
  } else {
    font.setPixelSize(qRound(body.pixelSize() * size));
  }
  label->setFont(font);
}

class HeadingSize : public QObject {
 public:
  HeadingSize(QWidget* label, HeadingRank rank) : QObject(label), m_label(label), m_rank(rank) {
    // A widget with a font size of its own is not told that the usual one changed; windows are.
    qApp->installEventFilter(this);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ApplicationFontChange) applyRank(m_label, m_rank);
    return QObject::eventFilter(watched, event);
  }

 private:
  QWidget* m_label;
  HeadingRank m_rank;
};

}  // namespace

void setHeadingRank(QWidget* label, HeadingRank rank) {
  label->setProperty("headingRank", rank == HeadingRank::Page ? 1 : 2);
  applyRank(label, rank);
  new HeadingSize(label, rank);
}

}  // namespace fathom
