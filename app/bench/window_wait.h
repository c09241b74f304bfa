// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QSet>
#include <QTimer>
#include <QWidget>
#include <functional>

#include "core/base/errors/result.h"

namespace fathom {

// Which windows are painted while it lives.
class PaintedWindows : public QObject {
 public:
  PaintedWindows() { qApp->installEventFilter(this); }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && watched->isWidgetType())
      m_painted.insert(static_cast<QWidget*>(watched)->window());
    return false;
  }
  bool contains(const QWidget* window) const { return m_painted.contains(window); }

 private:
  QSet<const QWidget*> m_painted;
};

// Lets the window work until it is ready; an error after a minute.
inline Status waitForWindow(const std::function<bool()>& ready) {
  constexpr qint64 kMinute = 60000;
  constexpr int kLookMilliseconds = 2;
  QElapsedTimer clock;
  clock.start();
  QTimer wake;
  wake.start(kLookMilliseconds);
  while (!ready()) {
    if (clock.elapsed() > kMinute) return unavailableError("the window did not answer in time");
    QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
  }
  return {};
}

}  // namespace fathom
