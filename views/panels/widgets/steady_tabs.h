// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QTabBar>
#include <QTabWidget>

namespace fathom {

// Tabs that stay as they are painted when something inside asks for another size: QTabWidget paints all of
// itself anew, which is too slow for every key of a filter.
class SteadyTabs : public QTabWidget {
 public:
  using QTabWidget::QTabWidget;

 protected:
  bool event(QEvent* event) override {
    if (event->type() != QEvent::LayoutRequest || tabBar()->sizeHint() != m_bar) {
      m_bar = tabBar()->sizeHint();
      return QTabWidget::event(event);
    }
    updateGeometry();
    return QWidget::event(event);
  }

 private:
  QSize m_bar;
};

}  // namespace fathom
