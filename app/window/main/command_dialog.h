// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <memory>

#include "app/command.h"
#include "views/look/qt_names.h"

namespace fathom {

class ExperimentDraft;
class FileChoice;
class JobCenter;
class OptionRow;

// Any command of commands.list in the window: its fields as a form, what it says while it runs and what came
// out. Not modal: the command runs as a job of the window and goes on when the dialog is closed.
class CommandDialog : public QDialog {
  Q_OBJECT
 public:
  // `runs`: the selected runs, for the field that takes runs. `start`: text by key to begin with.
  CommandDialog(const Command& command, const QString& project, const QStringList& runs,
                const QHash<QString, QString>& start, JobCenter* jobs, FileChoice* files, QWidget* parent);
  ~CommandDialog() override;

 Q_SIGNALS:
  void ran();
  // The command made a project that the window should show.
  void projectMade(const QString& path);

 private:
  QWidget* makeForm(const QStringList& runs, const QHash<QString, QString>& start);
  void browse(const QString& key);
  void run();
  void refresh();
  void showResult(const Result<CommandOutput>& result);
  void offerFile();
  const Command& m_command;
  QString m_project;
  JobCenter* m_jobs;
  FileChoice* m_files;
  QString m_written;  // file that the command writes to, whatever the form says now
  std::unique_ptr<ExperimentDraft> m_draft;
  QVector<OptionRow*> m_rows;
  QLabel* m_progress;
  QPlainTextEdit* m_output;
  QPushButton* m_run;
  // Of the file that the command has written; not there before.
  QPushButton* m_open;
  QPushButton* m_folder;
};

}  // namespace fathom
