// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVector>

#include "app/window/jobs/project_service.h"
#include "views/tables/log_model.h"

namespace fathom {

class RunTableModel;

// Signs of Train while its panels are folded: how much waits, how many grids there are, what
// the shown run warned of; and what asks to be looked at now. GUI thread.
class RunAlarms : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // Another project, or none.
  void reset();
  // Before `known` takes them. `current`: the run whose log is shown.
  void take(const ProjectChanges& changes, const RunTableModel& known, const QString& current);
  // The log of another run, or the same from its beginning.
  void clearLog();
  void takeLog(const QVector<LogLine>& lines);

 Q_SIGNALS:
  // A note for the line of a folded panel ("log", "queue", "grid"); empty: none.
  void noteChanged(const QString& panel, const QString& note);
  // The panel shows why.
  void wentWrong(const QString& panel, const QString& note);
  // A run that was live has ended, whichever way.
  void runEnded(const fathom::RunItem& run);

 private:
  QString logNote() const;
  double m_since = 0;  // seconds since epoch: what was logged before is history
  int m_warnings = 0;
  bool m_runnerWorked = false;
};

}  // namespace fathom
