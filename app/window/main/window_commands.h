// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <functional>

#include "views/look/qt_names.h"

namespace fathom {

class FileChoice;
class JobCenter;
class MessageBar;
class ProjectService;
class RunTableModel;
class SelectionModel;
struct Command;

// The dialogs of commands.list, filled with what is selected in the window.
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
  };
  explicit WindowCommands(const Surroundings& with) : QObject(with.window), m_with(with) {}
  // The list of things that can go from the project; the dialog goes with the project.
  void cleanUp();
  // The dialog of the command with this id.
  void offer(const char* id);
  // `start`: text by key to begin with.
  void offer(const Command& command, const QHash<QString, QString>& start = {});

 Q_SIGNALS:
  void projectMade(const QString& path);

 private:
  QString wordOfRun(const QString& uuid) const;
  Surroundings m_with;
};

}  // namespace fathom
