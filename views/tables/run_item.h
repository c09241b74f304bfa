// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QDateTime>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include "core/analysis/analysis_entry.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/record/import/source_growth.h"
#include "core/record/runs/run_folder.h"
#include "views/tables/shared_options.h"

namespace fathom {

// A run's place, where that is not this machine, and what was last heard of its job there.
struct RunJob {
  QString place;              // empty: this machine
  QString id, state, reason;  // the place's own words; states of app/runner/place_notes.h
  QDateTime silentFrom = {};  // nothing was heard since; invalid while the place answers
  bool operator==(const RunJob&) const = default;
};

// What was brought to another program's run beside its values.
struct BroughtParts {
  bool analyses = false, predictions = false;
  bool operator==(const BroughtParts&) const = default;
};

// One run as the tables and panels of the window show it; made from library and run folder by the
// application.
struct RunItem {
  QString uuid;
  QString name;       // shown: given by hand, else the run's own
  QString givenName;  // by hand, or empty
  QString folder;     // empty while the run only waits in the queue
  // Of a combination of a grid that nobody gave a name: what the grid is called, and the values of its axes
  // in words (core/library/runs/short_names.h).
  QString gridName;
  QStringList gridValues;
  RunState state = RunState::Queued;
  QString cause;    // of an outcome: "no_learning", "nan_loss", ..., or empty
  QString message;  // sentence about the outcome
  QString preset;
  QString grid;  // grid it belongs to, or empty
  bool star = false;
  int colour = 0;       // number of its look (core/base/numbers/series_look.h), the chosen colour in it
  QColor chosenColour;  // set by hand, or invalid
  QStringList tags;
  QString note;
  qint64 step = 0;               // updates done
  qint64 totalSteps = 0;         // 0 = unknown
  double remainingSeconds = -1;  // as its engine judges it, -1 = unknown
  // Work of a run between updates ("evaluating 3/40 batches"), and how much of that is done
  // (-1 = unknown); empty while it trains.
  QString doing;
  double doingFraction = -1;
  int silentMinutes = 0;  // for which it has not been heard
  double durationSeconds = 0;
  QDateTime created;
  QDateTime listed;  // its place among the others by time: does not change when a run that waited starts
  QMap<QString, double> best;  // metric -> best value so far, and the step it was reached at
  QMap<QString, qint64> bestStep;
  QMap<QString, double> last;  // metric -> latest value
  Metrics metrics;             // what this program does not declare of them, as in RunRow
  SharedOptions config;        // effective options of the last attempt
  QString origin;              // where it was imported from, empty for a run of our own
  QString source;              // the same for people: "TensorBoard · /path", "fathom.py · its group"
  // Of a run that lives by a source of another program, which is read as it grows.
  bool followed = false;
  SourceGrowth growth;
  BroughtParts brought;  // of another program's run, as its folder was when it was looked at
  int attempts = 1;
  RunJob job;
  bool operator==(const RunItem&) const = default;
};

// The value of a configuration key as people read it; empty when the run has none.
QString runConfigText(const RunItem& run, const QString& key);

// Title, icon name and colour id of a run state.
struct RunStateLook {
  QString word;    // translated
  QString icon;    // of resources/icons
  QString colour;  // for Theme::state
};
// `cause`: of the outcome; what a person aborted is no failure.
RunStateLook runStateLook(RunState state, const QString& cause = {});
// The state that counts (countedState), and whether it is a failure that nobody asked for.
RunState countedState(const RunItem& run);
bool endedBadly(const RunItem& run);
// "no learning" for "no_learning", translated; the id itself for unknown ones.
QString runCauseText(const QString& cause);

// Facts of a run that grids ask for: how it ended and its latest values.
RunFacts factsOf(const RunItem& run);
// Facts about the metrics of these runs.
MetricCatalogue metricsOf(const QVector<RunItem>& runs);
// Title of a metric in tables and menus: its short title, translated.
QString metricTitle(const Metric& metric);
// A metric's value for tables: four significant digits, "NaN" and "∞" as words, "–" for none.
QString metricText(double value);
// The same in a column of the metric: with as many decimals as it declares, so that digits stand below each
// other, unless too few of them would mean something.
QString metricColumnText(const RunItem& run, const QString& metric, double value);
QString metricColumnText(const Metric& metric, double value);
// "last grew 12 s ago, this source writes every 15 s", as of now; empty where nothing is known of it.
QString growthText(const RunItem& run);
// "box 17_3, Priority, nothing heard since 06:40"; empty for a run of this machine.
QString jobText(const RunJob& job);
// "12 s", "3:07", "1:02:03".
QString durationText(double seconds);

}  // namespace fathom
