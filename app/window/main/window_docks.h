// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

#include "views/look/qt_names.h"

namespace fathom {

class SessionStore;

// The docks around the centre: their default places, their state from session to session, and while a page
// has the window to itself.
class WindowDocks : public QObject {
  Q_OBJECT
 public:
  // `session` outlives it.
  WindowDocks(QMainWindow* window, SessionStore* session);
  void add(const char* id, const QString& title, QWidget* widget);
  // The places they have at first.
  void layOut();
  // Out of the way, or back as they were.
  void setShown(bool shown);
  void setEnabled(bool on);
  void raise(const char* id);
  QAction* toggle(const char* id) const;
  void restore();
  void save() const;
  // Before the first painting the window has no size yet, and so its docks have none worth keeping.
  void painted() { m_painted = true; }

 private:
  QByteArray state() const;
  void tendTabBars();
  QMainWindow* m_window;
  SessionStore* m_session;
  QHash<QString, QDockWidget*> m_docks;
  bool m_painted = false;
  bool m_hidden = false;  // by a page that is not the curves
  QByteArray m_before;    // their state meanwhile; empty: the default layout
};

}  // namespace fathom
