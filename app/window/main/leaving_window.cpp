// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/leaving_window.h"

#include <QDialog>

#include "app/window/main/main_window.h"
#include "app/window/train/train_workspace.h"
#include "views/panels/widgets/sliced_deletion.h"

namespace fathom {

LeavingWindow::LeavingWindow(MainWindow* window) : QObject(window), m_window(window) {
  // News of its project are no concern of it any more.
  window->service()->blockSignals(true);
  window->jobs()->abandon();
  for (QDialog* each : window->findChildren<QDialog*>()) each->hide();
  window->hide();
  window->train()->dropForm();
  constexpr int kLookMilliseconds = 10;
  connect(&m_timer, &QTimer::timeout, this, &LeavingWindow::goOn);
  m_timer.start(kLookMilliseconds);
}

// A job that still works would be waited for.
void LeavingWindow::goOn() {
  if (m_window->jobs()->isAtWork() || SlicedDeletion::isGoingOn(m_window)) return;
  m_timer.stop();
  m_window->deleteLater();
}

}  // namespace fathom
