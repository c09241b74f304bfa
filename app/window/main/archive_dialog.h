// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>

#include "app/window/jobs/job_center.h"
#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class FileChoice;

// Asks into which file one of the selected runs is to be packed, and whether with its checkpoints; a name
// that cannot be written to is red while it is typed. Packing is a job of the window; Cancel ends it. Not
// modal.
class ArchiveDialog : public QDialog {
  Q_OBJECT
 public:
  // Both are borrowed; of a window that goes the jobs go before its dialogs.
  struct Parts {
    QPointer<JobCenter> jobs;
    FileChoice* files;
  };
  // `runs`: those that have a folder, at least one.
  ArchiveDialog(const Parts& parts, const QVector<RunItem>& runs, QWidget* window);
  ~ArchiveDialog() override;

  QLineEdit* file() const { return m_file; }
  QPushButton* exportButton() const { return m_export; }
  QString problem() const;

 public Q_SLOTS:
  void reject() override;

 Q_SIGNALS:
  void written(const QString& file);

 private:
  void layOut();
  void propose();
  void choose();
  void check();
  void say(const QString& problem, const QString& note = {});
  void pack();
  void setBusy(int job);
  Parts m_parts;
  QVector<RunItem> m_runs;
  QString m_proposed;
  int m_job = 0;
  QTimer m_rest;
  QComboBox* m_run;
  QLineEdit* m_file;
  QPushButton* m_choose;
  QCheckBox* m_checkpoints;
  QLabel* m_verdict;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_export;
};

}  // namespace fathom
