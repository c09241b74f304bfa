// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>
#include <optional>

#include "app/window/jobs/job_center.h"
#include "core/library/runs/project_cleaner.h"
#include "views/look/qt_names.h"

namespace fathom {

// What can go from a project, by its kind and with its size, to be ticked; one button removes it for good, by
// the engine of `fathom clean`. Looking and removing are jobs of the window; Cancel ends what goes on, and
// closes the dialog when nothing does. Not modal.
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
  quint64 chosenBytes() const;

 public Q_SLOTS:
  void reject() override;

 Q_SIGNALS:
  void cleaned(quint64 bytes);

 private:
  void makeList();
  void layOut();
  void lookAt();
  void takePlan(const Result<CleanPlan>& plan);
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
  QTimer m_soon;  // another look after the numbers that are kept
  QLabel* m_summary;
  QTreeWidget* m_list;
  QSpinBox* m_last;
  QSpinBox* m_best;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_free;
};

}  // namespace fathom
