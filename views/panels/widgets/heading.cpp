// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/heading.h"

#include <QApplication>
#include <QEvent>
#include <QFont>
#include <QHash>
#include <QPointer>
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

// Every heading of the program. A widget with a font size of its own is not told that the usual one changed;
// windows are, of which there are several.
class HeadingSizes : public QObject {
 public:
  static HeadingSizes* all() {
    static QPointer<HeadingSizes> known;  // of the application that there is: tests make several
    if (known.isNull()) known = new HeadingSizes;
    return known;
  }
  void add(QWidget* label, HeadingRank rank) {
    m_ranks.insert(label, rank);
    connect(label, &QObject::destroyed, this, [this, label] { m_ranks.remove(label); });
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ApplicationFontChange && m_font != QApplication::font()) {
      m_font = QApplication::font();
      for (auto each = m_ranks.cbegin(); each != m_ranks.cend(); ++each) applyRank(each.key(), each.value());
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  HeadingSizes() : QObject(qApp), m_font(QApplication::font()) { qApp->installEventFilter(this); }
  QHash<QWidget*, HeadingRank> m_ranks;
  QFont m_font;
};

}  // namespace

void setHeadingRank(QWidget* label, HeadingRank rank) {
  label->setProperty("headingRank", rank == HeadingRank::Page ? 1 : 2);
  applyRank(label, rank);
  HeadingSizes::all()->add(label, rank);
}

}  // namespace fathom
