// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>
#include <optional>

#include "app/window/imports/import_work.h"
#include "app/window/jobs/job_center.h"
#include "views/look/qt_names.h"

namespace fathom {

class ImportColumns;
class SessionStore;

// Shows what files and folders hold before they are imported: format, runs, metrics, points, and of a table
// what its columns are taken for. Looking and importing are jobs of the window; Cancel ends what goes on, and
// closes the dialog when nothing does. Not modal.
class ImportDialog : public QDialog {
  Q_OBJECT
 public:
  // All are borrowed. `follow`: which of the two buttons Enter presses.
  struct Parts {
    QString project;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
    SessionStore* session;
  };
  ImportDialog(const Parts& parts, const QStringList& paths, bool follow, QWidget* window);
  ~ImportDialog() override;

  // Neither looking nor importing.
  bool isIdle() const { return m_job == 0; }
  QTreeWidget* list() const { return m_list; }
  ImportColumns* columns() const { return m_columns; }
  QPushButton* importButton() const { return m_import; }
  QPushButton* followButton() const { return m_follow; }
  QPushButton* cancelButton() const { return m_cancel; }
  QString summary() const;
  QString notes() const;

 public Q_SLOTS:
  void reject() override;

 Q_SIGNALS:
  // Runs came in; the dialog closes where everything did.
  void imported(const QStringList& runs, const QStringList& metrics, const QStringList& notes);

 private:
  void makeLists();
  void layOut();
  void lookAt();
  void takeLook(const Result<std::vector<FoundSource>>& found);
  void fillList();
  void addRuns(const FoundSource& source);
  void showColumns();
  void takeUses();
  void tell();
  void import(bool follow);
  void takeDone(const Result<ImportDone>& done, bool follow);
  void setBusy(int job, const QString& saying);
  QStringList troubles() const;
  const FoundSource* currentTable() const;

  Parts m_parts;
  QStringList m_paths;
  std::vector<FoundSource> m_found;
  std::map<std::string, ColumnUses> m_said;
  std::optional<Error> m_error;  // of the work as a whole
  int m_job = 0;
  bool m_importing = false;
  QLabel* m_summary;
  QTreeWidget* m_list;
  ImportColumns* m_columns;
  QPlainTextEdit* m_notes;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QPushButton* m_follow;
  QPushButton* m_import;
};

}  // namespace fathom
