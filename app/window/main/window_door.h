// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>

#include "views/look/qt_names.h"

class QLocalServer;

namespace fathom {

// One program shows a project: whoever starts Fathom on a project that has a window gets that window in front
// instead of a second one. The door is a socket of this user in the runtime folder, named by the project's
// folder; what a killed program left behind is taken over. GUI thread.
class WindowDoor : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  ~WindowDoor() override;
  // Answers for these projects (folders) from now on, and for no others. Where another program answers for
  // one, or there is no runtime folder, nobody hears a knock there.
  void answerFor(const QStringList& projects);

  // Whether a program of this user shows `project` and has brought its window to the front. Waits at most two
  // seconds; a program that does not answer by then counts as none.
  static bool knock(const QString& project);

 Q_SIGNALS:
  void knocked(const QString& project);

 private:
  void open(const QString& project);
  void answer(QLocalServer* server, const QString& project);
  QHash<QString, QLocalServer*> m_doors;  // by canonical path
};

}  // namespace fathom
