// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <vector>

#include "app/window/jobs/job_center.h"
#include "core/library/runs/run_trash.h"
#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;

// The runs that lie in the trash of a project, to be chosen and brought back. Looking and bringing back are
// jobs of the window; what cannot be brought back stays listed, and why is said. Not modal.
class TrashDialog : public QDialog {
  Q_OBJECT
 public:
  // `jobs` is borrowed; of a window that goes it goes before its dialogs.
  TrashDialog(const QString& project, JobCenter* jobs, QWidget* window);
  ~TrashDialog() override;

  bool isIdle() const { return m_jobs.isNull() || !m_jobs->isRunning(m_job); }
  QTreeWidget* list() const { return m_list; }
  QPushButton* restoreButton() const { return m_restore; }
  // Sentences on what could not be read or brought back; empty where all could.
  QString problem() const;

  // Looks into the trash again; after what goes on.
  void refresh();

 Q_SIGNALS:
  void restored(const QStringList& names);

 private:
  struct Look {
    std::vector<TrashedRun> runs;
    QStringList restored, problems;  // of those that were to come back
  };
  void layOut();
  // Brings these folders back and looks at what is left.
  void start(const std::vector<std::string>& paths);
  void take(const Result<Look>& look);
  void fill(const std::vector<TrashedRun>& runs);
  void restoreSelected();
  void tell();
  QString m_project;
  QPointer<JobCenter> m_jobs;
  int m_job = 0;
  bool m_again = false;  // the trash has changed since it was looked into
  QLabel* m_summary;
  QLabel* m_problem;
  EmptyState* m_empty;
  QTreeWidget* m_list;
  QPushButton* m_close;
  QPushButton* m_restore;
};

}  // namespace fathom
