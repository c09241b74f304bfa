// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "views/look/qt_names.h"

namespace fathom {

class JobCenter;
class ProjectService;
class TrainWorkspace;

// The status bar: runs at work and queued, the engine's device, how old the last event is, jobs, and for a
// few seconds what was copied.
class WindowStatus : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  WindowStatus(QStatusBar* bar, const ProjectService* service, const TrainWorkspace* train, JobCenter* jobs);
  void refresh();

 private:
  void sayCopied();
  const ProjectService* m_service;
  const TrainWorkspace* m_train;
  QLabel* m_counts;
  QLabel* m_device;
  QLabel* m_age;
  QLabel* m_copied;
  QTimer m_timer, m_copiedFor;
};

}  // namespace fathom
