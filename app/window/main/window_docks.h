// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>

#include "views/look/qt_names.h"

namespace fathom {

class FoldBar;
class SessionStore;

// The docks around the centre: their default places, their state from session to session, and while a page
// has the window to itself. Those below the centre are folded to a line (`bar`) until they are wanted; one of
// them is open at a time. Widths that nobody has chosen follow the window's.
class WindowDocks : public QObject {
  Q_OBJECT
 public:
  // `session` outlives it.
  WindowDocks(QMainWindow* window, SessionStore* session);
  enum class Place { Side, Below };
  void add(const char* id, const QString& title, const char* iconName, QWidget* widget, Place place);
  // The buttons of what is folded; to be put below the centre.
  FoldBar* bar() const { return m_bar; }
  // The places they have at first.
  void layOut();
  // Out of the way, or back as they were.
  void setShown(bool shown);
  void setEnabled(bool on);
  void raise(const char* id);
  // Something went wrong in there: unfolded unless something else below is being read.
  void alarm(const QString& id, const QString& note);
  QAction* toggle(const char* id) const;
  void restore();
  void save() const;
  // Before the first painting the window has no size yet, and so its docks have none worth keeping.
  void painted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QByteArray state() const;
  void tendTabBars();
  QDockWidget* dock(const QString& id) const { return m_docks.value(id); }
  bool isBelow(const QString& id) const { return m_below.contains(id); }
  void foldOthers(const QString& id);
  void noteOurs();
  void fit();
  void giveWidths();
  QMainWindow* m_window;
  SessionStore* m_session;
  FoldBar* m_bar;
  QHash<QString, QDockWidget*> m_docks;
  QStringList m_below;
  bool m_painted = false;
  bool m_hidden = false;        // by a page that is not the curves
  bool m_foldedNarrow = false;  // the details, by us, for want of width
  bool m_laidOut = false;       // by us, before anything was painted
  bool m_waiting = false;       // for the layout of another width
  QSet<QDockWidget*> m_ours;    // whose widths are
  int m_fittedFor = 0;          // the window's width when the docks last had theirs
  QByteArray m_before;          // their state meanwhile; empty: the default layout
};

}  // namespace fathom
