// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <mutex>

#include "app/window/jobs/job_center.h"
#include "core/library/runs/project_cleaner.h"
#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;

// What can go from a project, by its kind and with its size, to be ticked; one button removes it for good, by
// the engine of `fathom clean`. Looking and removing are jobs of the window. Cancel and Escape end a removal
// and show what is left; else they close the dialog, and a look at the project ends with it. Not modal.
class CleanDialog : public QDialog {
  Q_OBJECT
 public:
  // `jobs` is borrowed; of a window that goes it goes before its dialogs.
  CleanDialog(const QString& project, JobCenter* jobs, QWidget* window);
  ~CleanDialog() override;

  bool isIdle() const { return m_job == 0; }
  QTreeWidget* list() const { return m_list; }
  QPushButton* freeButton() const { return m_free; }
  QString summary() const;
  // Why a removal failed; empty where it did not.
  QString problem() const;
  quint64 chosenBytes() const;

 public Q_SLOTS:
  void reject() override;

 Q_SIGNALS:
  // So much went for good, of a removal that failed or was cancelled, too.
  void cleaned(quint64 bytes);

 private:
  // What can go now, and what has gone of that which was to.
  struct Look {
    CleanPlan plan;
    std::uint64_t gone = 0;
  };
  void makeList();
  void layOut();
  void lookAt();
  void takeLook(const Result<Look>& look);
  QTreeWidgetItem* groupOf(const std::string& kind, QHash<QString, QTreeWidgetItem*>* groups);
  void fill();
  void tell();
  CleanPlan chosen() const;
  void removeChosen();
  void takeRemoved(const Result<std::uint64_t>& bytes, const CleanPlan& plan);
  void setBusy(int job, const QString& saying);
  QString m_project;
  QPointer<JobCenter> m_jobs;
  CleanPlan m_plan;
  int m_job = 0;
  bool m_removing = false;
  std::vector<CleanItem> m_asked;                                        // to be removed, and not told yet
  std::shared_ptr<std::mutex> m_files = std::make_shared<std::mutex>();  // a look waits for a removal to end
  QTimer m_soon;  // another look after the numbers that are kept
  QLabel* m_summary;
  QLabel* m_problem;
  EmptyState* m_empty;
  QTreeWidget* m_list;
  QSpinBox* m_last;
  QSpinBox* m_best;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_free;
};

}  // namespace fathom
