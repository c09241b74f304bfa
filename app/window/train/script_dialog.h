// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>

#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/look/qt_names.h"

namespace fathom {

class FileChoice;
class SessionStore;

// A command of somebody's own, which trains a run or, with several values of options, the runs of a grid.
// What is wrong with it is said before anything is queued; what was queued last is there the next time. Not
// modal.
class ScriptDialog : public QDialog {
  Q_OBJECT
 public:
  // All are borrowed.
  struct Parts {
    ProjectService* service;
    QPointer<JobCenter> jobs;  // of a window that goes it goes before its dialogs
    FileChoice* files;
    SessionStore* session;
  };
  ScriptDialog(const Parts& parts, QWidget* window);
  ~ScriptDialog() override;
  // The command of a run that is there, to be started again as another run.
  void repeat(const QString& name, const QString& runFolder);
  // What was said about the fields last.
  QString said() const;

 private:
  void layOut();
  void remember() const;
  void recall();
  void fill(const ScriptRequest& request);
  Result<ScriptRequest> request() const;
  void chooseFolder();
  void countRuns();
  void queue();
  void say(const QString& text, bool wrong);
  Parts m_parts;
  int m_job = 0;
  QLineEdit* m_command;
  QLineEdit* m_folder;
  QPushButton* m_choose;
  QPlainTextEdit* m_options;
  QPlainTextEdit* m_vary;
  QLineEdit* m_name;
  QLineEdit* m_group;
  QLabel* m_summary;
  QPushButton* m_cancel;
  QPushButton* m_queue;
};

}  // namespace fathom
