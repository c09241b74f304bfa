// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>
#include <functional>

#include "views/look/qt_names.h"

namespace fathom {

// One of those on the rail (workspace_entry.h) as the window sees it: the window puts `widget` into its
// centre and hands on what menus, keys and the session ask for. What can be done in it are WorkspaceActions,
// which it gives their meaning.
class Workspace : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  virtual QWidget* widget() const = 0;
  virtual void activate() {}  // comes into view
  // Another one comes into view: it writes nothing that the window shares until it is back.
  virtual void deactivate() {}
  virtual void reset() = 0;          // another project, or none: everything goes
  virtual void takeRunList() {}      // runs came, went or changed
  virtual void takeDescription() {}  // the engine described itself
  virtual void refreshActions() {}   // enables what makes sense now
  // False: it has no undo, no filter of its own.
  virtual bool undo() { return false; }
  virtual bool redo() { return false; }
  virtual bool focusFilter() { return false; }
  virtual QList<QWidget*> places() const = 0;  // parts that F6 goes through, in order
  // Runs that were dropped on it.
  virtual void takeRuns(const QStringList& /*uuids*/) {}
  virtual void keep() {}  // edits that wait are written
  // What no file keeps goes to the same workspace of another window on the same project, by the function; it
  // is not here any more then. Empty: there is nothing.
  using Handing = std::function<void(Workspace& next)>;
  virtual Handing handOver() { return {}; }
  // View of the workspace that a session remembers.
  virtual QByteArray saveView() const = 0;
  virtual void restoreView(const QByteArray& view) = 0;
};

}  // namespace fathom
