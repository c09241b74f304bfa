// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace fathom {

// A frame in the accent around a place of the window that somebody is pointed to, until it is used or another
// one is pointed at. It takes no mouse and no keyboard, follows the place when it moves, and is gone while
// the place is not in sight.
class PlacePointer : public QWidget {
 public:
  // Over `window`, which owns it.
  explicit PlacePointer(QWidget* window);
  // Borrowed; null: at nothing.
  void pointAt(QWidget* place);
  QWidget* place() const { return m_place; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void follow();
  QPointer<QWidget> m_place;
};

}  // namespace fathom
