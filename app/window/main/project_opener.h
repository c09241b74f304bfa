// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <optional>

#include "app/window/files/dropped_file.h"
#include "views/look/qt_names.h"

namespace fathom {

class FileChoice;
class JobCenter;
class MessageBar;
class ProjectService;
class SessionStore;

// The ways into a project: dialogs, recent ones, the sample, and what is dropped on the window. A project
// that cannot be opened leaves the one that is open as it is.
class ProjectOpener : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  struct Surroundings {
    QWidget* window;
    ProjectService* service;
    JobCenter* jobs;
    MessageBar* messages;
    FileChoice* files;
    SessionStore* session;
  };
  explicit ProjectOpener(const Surroundings& with);
  void open(const QString& path, bool create = false);
  void choose(bool create);
  void openSample();
  void fillRecent(QMenu* menu);
  // Projects are opened, runs linked, of what other programs logged it is shown what would be imported. What
  // they are is found out in a job.
  void take(const QStringList& paths);
  // Asks for files or a folder and shows what would be imported. `follow`: to be read on as they grow. Where
  // no project is open it asks where one is to be made for it.
  void chooseImport(bool follow);
  // The sources that the project follows.
  void showSources();
  void showImport(const QStringList& paths, bool follow);

 Q_SIGNALS:
  // Runs of other programs came in.
  void runsImported(const QStringList& runs, const QStringList& metrics);
  // A data set was among them.
  void dataDropped(const QString& path);
  // Arrays of attention that another program wrote.
  void attentionFound(const QStringList& files);
  // Files of predictions were among them.
  void predictionsDropped(const QStringList& files);

 private:
  struct Import {
    QStringList paths;
    bool follow = false;
  };
  // The folder where a dialog about projects begins.
  QString startFolder() const;
  // The path of a project that is to be made, by a dialog; empty when it was closed.
  QString newPath(const QString& title, const QString& name);
  void takeKnown(const QVector<QPair<QString, DroppedKind>>& dropped);
  bool canTake(const QString& path, DroppedKind kind, const QString& origin);
  void takeData(const QStringList& paths);
  void tellImported(const QStringList& runs, const QStringList& metrics, const QStringList& notes);
  Surroundings m_with;
  std::optional<Import> m_waiting;  // for the project that is being opened
};

}  // namespace fathom
