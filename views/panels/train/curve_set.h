// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "core/analysis/statistics/curve_pyramid.h"
#include "core/analysis/statistics/curve_smoothing.h"
#include "core/analysis/training/training_curve.h"
#include "core/library/runs/metric_catalogue.h"

namespace fathom {

// One metric of one run, as the window hands it to the curves. Arrays have one length; steps do not fall.
struct CurveSeries {
  QString run;                            // UUID
  QString name;                           // what the run is called
  QString group;                          // the same for runs that differ only in the seed; may be empty
  RunState outcome = RunState::Finished;  // as RunCurve::outcome
  int colour = 0;                         // index of the run's colour
  QString metric;
  std::vector<double> steps, seconds, epochs, values;
  std::vector<double> tokens;        // empty where they are not known
  std::vector<double> clock;         // the same; seconds since 1970
  std::vector<DroppedTail> dropped;  // what a resumed run threw away; only `set` takes it
};

// A part of a line that a resumed run threw away.
struct CurveLineTail {
  std::array<std::vector<double>, kCurveAxisCount> positions;  // by CurveAxis; there is a point
  CurvePyramid values;
  const std::vector<double>& x(CurveAxis axis) const { return positions[static_cast<std::size_t>(axis)]; }
};

// One line as it is drawn: a run, or the mean over the runs of a group.
struct CurveLine {
  QString name, run;                      // run: empty for a mean
  RunState outcome = RunState::Finished;  // of a single run
  QStringList members;                    // UUIDs of the runs it is made of
  int colour = 0;
  int runs = 1, failed = 0;
  // By CurveAxis; those along a metric are there where it is the set's axis.
  std::array<std::vector<double>, kCurveAxisCount> positions;
  CurvePyramid raw;                    // values as recorded
  CurvePyramid smooth;                 // empty without smoothing
  CurvePyramid lower, upper;           // band; empty without one
  std::vector<CurveLineTail> dropped;  // of a single run
  const CurvePyramid& shown() const { return smooth.size() > 0 ? smooth : raw; }
  const std::vector<double>& x(CurveAxis axis) const { return positions[static_cast<std::size_t>(axis)]; }
};

// All series of the panel and the lines made of them. Appending costs what was appended, unless seeds are
// grouped or a metric is the axis.
class CurveSet {
 public:
  CurveSet();
  ~CurveSet();
  void clear();
  // Replaces the run's series of that metric, or adds it.
  void set(CurveSeries series);
  // Adds points to a series that is there; name, group, outcome and colour are taken over. Otherwise like
  // set.
  void append(const CurveSeries& more);
  void removeRun(const QString& run);
  void setOutcome(const QString& run, RunState outcome);
  // CurveSeries::group by run; `titled`: the groups are called so.
  void setSeedGroups(const QHash<QString, QString>& groups, bool titled = false);
  void setNames(const QHash<QString, QString>& names);  // CurveSeries::name by run

  void setSmoothing(double weight);
  double smoothing() const { return m_smoothing; }
  void setGrouping(bool group, CurveBand band);
  bool grouped() const { return m_group; }
  // The metric along whose values lines are placed; runs without it have no lines then. "" = none.
  void setAxisMetric(const QString& metric);
  // Runs with such a series that have no position on the axis.
  QStringList notPlaced(const QString& metric, CurveAxis axis);
  CurveBand band() const { return m_band; }

  // Facts about the metrics of the runs that are drawn.
  void setCatalogue(MetricCatalogue metrics) { m_catalogue = std::move(metrics); }
  const MetricCatalogue& catalogue() const { return m_catalogue; }

  bool empty() const { return m_series.empty(); }
  QStringList metrics() const;  // in the order of first appearance
  QStringList runs() const;
  bool has(const QString& run, const QString& metric) const;
  std::vector<const CurveLine*> lines(const QString& metric);
  // The series of a metric as an analysis takes them, for figures and tables.
  std::vector<RunCurve> runCurves(const QString& metric) const;

 private:
  struct Entry;
  double smoothingOf(const QString& metric) const;
  std::vector<std::unique_ptr<CurveLine>> madeLines(const QString& metric) const;
  void placeAlongAxis(std::vector<RunCurve>& curves) const;
  void forgetLines(const QString& metric);  // that were made of it
  std::vector<std::unique_ptr<Entry>> m_series;
  std::map<QString, std::vector<std::unique_ptr<CurveLine>>> m_made;  // cache by metric
  MetricCatalogue m_catalogue;
  double m_smoothing = 0;
  bool m_group = false, m_titled = false;
  QString m_axisMetric;
  CurveBand m_band = CurveBand::Deviation;
};

}  // namespace fathom
