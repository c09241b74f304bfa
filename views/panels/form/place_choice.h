// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class TickButton;

// A place where runs can be started, as the window shows it.
struct PlaceView {
  QString id;
  QString launcher;         // "Host over ssh"
  QString file;             // it is written down in; empty: this machine, or a launcher's own defaults
  QString trouble, remedy;  // why nothing can be started there, and what to do; empty where it can
  bool here = false;        // engines run on this machine
  int running = 0, waiting = 0;
  int most = 0;  // runs at once; 0: as many as come
  bool operator==(const PlaceView&) const = default;
};

// "This machine", or the name that somebody gave the place.
QString placeName(const PlaceView& place);
// "Host over ssh, 2 at once: 1 running, 3 waiting".
QString placeFacts(const PlaceView& place);

// "Run on": one place for a run, or several with commas between them for a grid, ticked in a list or typed.
// What is wrong with them stands below.
class PlaceChoice : public QWidget {
  Q_OBJECT
 public:
  explicit PlaceChoice(QWidget* parent = nullptr);
  // `problem`: why the places cannot be read; this machine is there all the same.
  void setPlaces(const QVector<PlaceView>& places, const QString& problem = {});
  const QVector<PlaceView>& places() const { return m_places; }
  void setSeveral(bool several);
  // Ids, at least one. A place that is not there counts as this machine; several that hold one are in
  // trouble.
  QStringList chosen() const;
  // This machine is one of them.
  bool here() const;
  // Why runs cannot be started so, and what to do; both empty where they can.
  QString trouble() const;
  QString remedy() const;
  void focusChoice();
  // What a person chose, for one run and for grids: kept by the session, whatever places there are now.
  struct Wanted {
    QString one;
    QString several;
  };
  Wanted wanted() const { return m_wanted; }
  void setWanted(const Wanted& wanted);
  // Said below where nothing is wrong: how a grid is shared out.
  void setShares(const QString& text);

 Q_SIGNALS:
  void changed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  const PlaceView* find(const QString& word) const;
  QStringList words() const;
  QString written(const QString& text, bool names) const;
  void fill();
  void say();
  QComboBox* m_one;
  QLineEdit* m_several;
  TickButton* m_ticks;
  QLabel* m_title;
  QLabel* m_said;
  QVector<PlaceView> m_places;
  QString m_problem, m_shares;
  Wanted m_wanted;
  bool m_many = false;
  bool m_filling = false;
};

}  // namespace fathom
