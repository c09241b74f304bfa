// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

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
  // Projects are opened, runs linked, archives and logs of other programs imported.
  void take(const QStringList& paths);

 Q_SIGNALS:
  // Files of predictions were among them.
  void predictionsDropped(const QStringList& files);

 private:
  void takeOther(const QString& path, const QString& origin);
  void import(const QString& path, const QString& origin);
  Surroundings m_with;
};

}  // namespace fathom
