// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>

#include "app/window/jobs/project_service.h"

namespace fathom {

class JobCenter;
class MessageBar;

// In the sample project: as soon as one of its runs has ended, a job in the background computes the analyses
// that the views show (app/sample/sample_analyses.h). One that was cancelled goes on when the next run ends,
// or the project is opened again. All of it is borrowed. GUI thread.
class SampleAnalysisJob : public QObject {
  Q_OBJECT
 public:
  SampleAnalysisJob(ProjectService* service, JobCenter* jobs, MessageBar* messages, QObject* parent);

  // True if the open project is the sample.
  bool isSample() const { return m_sample; }
  // From now on nothing is computed: for who only looks at a project.
  void rest() { m_resting = true; }

 Q_SIGNALS:
  void computed(int results);

 private:
  void take(const ProjectChanges& changes);
  void start();
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  QSet<QString> m_ended;
  bool m_sample = false, m_again = false, m_resting = false;
  int m_job = 0;
};

}  // namespace fathom
