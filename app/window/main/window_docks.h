// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QSize>
#include <QStringList>
#include <functional>

#include "views/look/qt_names.h"

namespace fathom {

class FoldBar;
class SessionStore;

// The docks around the centre: their default places, their state from session to session, and while a page
// has the window to itself. Those below the centre are folded to a line (`bar`) until they are wanted; one of
// them is open at a time. Widths that nobody has chosen follow the window's. In a large window the details
// stand below the list of runs, which is as high as its runs: the curves have the rest of the width. In a
// narrow one they are folded, and slide over the curves when they are wanted: nothing else moves.
class WindowDocks : public QObject {
  Q_OBJECT
 public:
  // `session` outlives it.
  WindowDocks(QMainWindow* window, SessionStore* session);
  enum class Place { Side, Below };
  void add(const char* id, const QString& title, const char* iconName, QWidget* widget, Place place);
  // Pixels of the list of runs without scrolling, and that they changed.
  void setListHeight(std::function<int()> height) { m_listHeight = std::move(height); }
  void fitColumn();
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
  void askForWidths();
  void giveWidths();
  void giveHeights();
  void arrange();
  bool isNarrow() const;
  void followNarrowness();
  void markOver(bool over);
  void layOver();
  void slideIn();
  QRect placeOver() const;
  bool bringBack(const QByteArray& state);
  void readPlaces();
  void noteChosen(const QPoint& at);
  QMainWindow* m_window;
  SessionStore* m_session;
  FoldBar* m_bar;
  QHash<QString, QDockWidget*> m_docks;
  QStringList m_below;
  bool m_painted = false;
  bool m_hidden = false;        // by a page that is not the curves
  bool m_over = false;          // the details are in no dock area: they lie over the curves
  bool m_foldedNarrow = false;  // the details, by us, for want of width
  bool m_laidOut = false;       // by us, before anything was painted
  bool m_waiting = false;       // for the layout of another width
  bool m_widthsAsked = false;   // giveWidths() is to come
  QSet<QDockWidget*> m_ours;    // whose widths are
  QSize m_fittedFor;            // of the window when the docks last had their sizes
  QFont m_fittedFont;           // and its texts
  QByteArray m_before;          // their state meanwhile; empty: the default layout
  std::function<int()> m_listHeight;
  bool m_column = false;         // the details stand below the runs
  bool m_placing = false;        // docks are being put somewhere by us, or as they were
  bool m_placesChosen = false;   // by somebody who moved a dock
  bool m_heightsChosen = false;  // by somebody who moved the line between runs and details
};

}  // namespace fathom
