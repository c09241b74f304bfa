// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fathom {

class JobCenter;
class ProjectService;
class RunTableModel;
class SystemView;

// Reads what the view of a run's load asks for, in the thread of the project, and asks the engine what the
// run needs. All that it is given is borrowed; GUI thread.
class SystemWatch : public QObject {
  Q_OBJECT
 public:
  SystemWatch(SystemView* view, RunTableModel* runs, ProjectService* service, JobCenter* jobs,
              QObject* parent);

 private:
  void estimate(const QString& uuid);
  SystemView* m_view;
  RunTableModel* m_runs;
  ProjectService* m_service;
  JobCenter* m_jobs;
  int m_job = 0;
  QString m_asked;  // the run whose memory is worked out
};

}  // namespace fathom
