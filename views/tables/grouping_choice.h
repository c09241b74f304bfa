// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/analysis/statistics/run_grouping.h"
#include "core/base/json/json.h"
#include "views/tables/run_item.h"

namespace fathom {

// By what a person groups the runs of a project, in the run table and for bands of seeds. Remembered by
// project. GUI thread.
class GroupingChoice : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // The project that is looked at from now on; "" while there is none.
  void begin(const QString& project);
  const RunGrouping& grouping() const { return m_grouping; }
  bool bySeeds() const { return m_grouping.kind() == RunGrouping::Kind::Seeds; }
  // An error leaves what was.
  Status set(const QString& text);
  // What the run has in common with its group, "" where it is in none. Not of bySeeds().
  QString groupOf(const RunItem& run) const;

  // Of this project and of those before it, for the session; restoring ignores what it does not know.
  Json save() const;
  void restore(const Json& kept);

 Q_SIGNALS:
  void changed();

 private:
  QString m_project;
  RunGrouping m_grouping;
  Json m_kept = Json::array();  // {"project", "by"}, the last one first
};

}  // namespace fathom
