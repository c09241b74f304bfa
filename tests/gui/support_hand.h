// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>
#include <QWidget>

namespace fathom::test {

// The mouse as a hand moves it over a window: it is pressed on one widget, and all that follows is that
// widget's, wherever the pointer goes.
class Hand {
 public:
  explicit Hand(QWidget* taken) : m_taken(taken) {}
  void press(const QPoint& at) {
    m_at = at;
    QTest::mousePress(m_taken, Qt::LeftButton, {}, at);
  }
  // To a place in another widget, in a few steps.
  void moveTo(const QWidget* over, const QPoint& place) {
    constexpr int kSteps = 5;
    const QPoint end = m_taken->mapFromGlobal(over->mapToGlobal(place));
    const QPoint begin = m_at;
    for (int step = 1; step <= kSteps; ++step)
      QTest::mouseMove(m_taken, begin + (end - begin) * step / kSteps);
    m_at = end;
  }
  void letGo() { QTest::mouseRelease(m_taken, Qt::LeftButton, {}, m_at); }

 private:
  QWidget* m_taken;
  QPoint m_at;
};

}  // namespace fathom::test
