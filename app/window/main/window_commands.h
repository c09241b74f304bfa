// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QVector>

#include "views/look/qt_names.h"

namespace fathom {

class FileChoice;
class JobCenter;
class MessageBar;
class ProjectService;
class RunTableModel;
class ScriptDialog;
class SelectionModel;
class SessionStore;
struct RunItem;

// Dialogs of the window for what commands of the shell do, filled with what is selected. Each goes with the
// project that it is about.
class WindowCommands : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  struct Surroundings {
    QWidget* window;
    ProjectService* service;
    JobCenter* jobs;
    FileChoice* files;
    const SelectionModel* selection;
    const RunTableModel* runs;
    MessageBar* messages;
    SessionStore* session;
  };
  explicit WindowCommands(const Surroundings& with) : QObject(with.window), m_with(with) {}
  // The list of things that can go from the project.
  void cleanUp();
  // The deleted runs, to be brought back.
  void restore();
  // One of the runs into a file.
  void archive(const QVector<RunItem>& runs);
  // Attention that another program wrote; `files`: arrays to begin with.
  void importAttention(const QStringList& files = {});
  // A command of one's own for the queue.
  void runScript();
  // The one that trained this run, for another.
  void repeatScript(const RunItem& run);
  // The page of places; `place`: chosen there.
  void showPlaces(const QString& place = {});

 Q_SIGNALS:
  // Attention came in for the run.
  void attentionImported(const QString& run);

 private:
  ScriptDialog* openScript();
  Surroundings m_with;
};

}  // namespace fathom
