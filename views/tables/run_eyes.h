// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QVector>

#include "core/base/json/json.h"
#include "views/tables/run_item.h"

namespace fathom {

// Which runs of a project are drawn, which is another question than which are selected. What a person has
// opened or closed stays so. Of the others the newest are drawn, and whichever is selected as long as it is.
// Remembered by project. GUI thread.
class RunEyes : public QObject {
  Q_OBJECT
 public:
  static constexpr int kNewest = 20;  // drawn by themselves: as many as a legend can nearly tell
  static constexpr int kMost = 100;   // drawn at once, whatever was asked for

  using QObject::QObject;
  // The project that is looked at from now on; "" while there is none.
  void begin(const QString& project);
  // All of its runs: which of them are the newest.
  void setRuns(const QVector<RunItem>& runs);
  void setSelected(const QStringList& runs);
  bool isOpen(const QString& run) const;
  // Open where none of these is, else closed.
  void toggle(const QStringList& runs);
  void set(const QStringList& runs, bool open);
  void openAll() { setAll(Rest::Open); }
  void closeAll() { setAll(Rest::Closed); }
  void openOnly(const QStringList& runs);

  // Of this project and of those before it, for the session; restoring ignores what it does not know.
  Json save() const;
  void restore(const Json& kept);

 Q_SIGNALS:
  void changed();

 private:
  // Runs that nobody has opened or closed by hand.
  enum class Rest { Newest, Open, Closed };
  void setAll(Rest rest);
  Json state() const;
  QString m_project;
  Rest m_rest = Rest::Newest;
  QHash<QString, bool> m_byHand;
  QSet<QString> m_newest, m_selected;
  Json m_kept = Json::array();  // states of other projects, the last one first
};

}  // namespace fathom
