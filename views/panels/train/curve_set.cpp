// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/numbers/not_a_number.h"

namespace fathom {

struct CurveSet::Entry {
  CurveSeries series;  // values live in line.raw
  CurveLine line;
  CurveSmoother smoother{0};

  void take(const CurveSeries& from) {
    series.name = line.name = from.name;
    series.group = from.group;
    series.outcome = line.outcome = from.outcome;
    series.colour = line.colour = from.colour;
    line.failed = isFailure(from.outcome) ? 1 : 0;
  }
  void add(const CurveSeries& more, double smoothing) {
    const std::pair<CurveAxis, const std::vector<double>*> positions[] = {{CurveAxis::Step, &more.steps},
                                                                          {CurveAxis::Time, &more.seconds},
                                                                          {CurveAxis::Epoch, &more.epochs},
                                                                          {CurveAxis::Tokens, &more.tokens},
                                                                          {CurveAxis::Clock, &more.clock}};
    for (const auto& [axis, fresh] : positions) {
      std::vector<double>& own = line.positions[static_cast<std::size_t>(axis)];
      own.insert(own.end(), fresh->begin(), fresh->end());
      const bool optional = axis == CurveAxis::Tokens || axis == CurveAxis::Clock;
      const double last = !own.empty() ? own.back() : optional ? kNaN : 0;
      own.resize(line.raw.size() + more.values.size(), last);
      // Positions are searched: a clock that was set back stands still.
      if (axis == CurveAxis::Clock)
        for (std::size_t i = std::max<std::size_t>(line.raw.size(), 1); i < own.size(); ++i)
          if (own[i] < own[i - 1]) own[i] = own[i - 1];
    }
    line.raw.append(more.values);
    if (smoothing <= 0) return;
    for (const double value : more.values) line.smooth.append(smoother.next(value));
  }
  void takeDropped(const std::vector<DroppedTail>& tails) {
    for (const DroppedTail& tail : tails) {
      if (tail.values.empty()) continue;
      CurveLineTail& part = line.dropped.emplace_back();
      for (const auto& axis : kCurveAxes)
        part.positions[static_cast<std::size_t>(axis.value)] = tailPositions(tail, axis.value);
      part.values.append(tail.values);
    }
  }
  void smoothAgain(double weight) {
    line.smooth.clear();
    smoother = CurveSmoother(weight);
    if (weight <= 0) return;
    line.smooth.append(smoothCurve(line.raw.values(), weight));
    for (const double value : line.raw.values()) smoother.next(value);
  }
};

CurveSet::CurveSet() = default;
CurveSet::~CurveSet() = default;

void CurveSet::clear() {
  m_series.clear();
  m_made.clear();
}

void CurveSet::set(CurveSeries series) {
  const auto same = [&series](const auto& entry) {
    return entry->series.run == series.run && entry->series.metric == series.metric;
  };
  auto found = std::find_if(m_series.begin(), m_series.end(), same);
  if (found == m_series.end()) {
    m_series.push_back(std::make_unique<Entry>());
    found = std::prev(m_series.end());
  } else {
    **found = Entry();
  }
  Entry& entry = **found;
  entry.series.run = entry.line.run = series.run;
  entry.line.members = QStringList(series.run);
  entry.series.metric = series.metric;
  entry.smoother = CurveSmoother(smoothingOf(series.metric));
  entry.take(series);
  entry.takeDropped(series.dropped);
  entry.add(series, smoothingOf(series.metric));
  forgetLines(series.metric);
}

void CurveSet::append(const CurveSeries& more) {
  for (const auto& entry : m_series) {
    if (entry->series.run != more.run || entry->series.metric != more.metric) continue;
    entry->take(more);
    entry->add(more, smoothingOf(more.metric));
    forgetLines(more.metric);
    return;
  }
  set(more);
}

void CurveSet::removeRun(const QString& run) {
  m_made.clear();
  std::erase_if(m_series, [&run](const auto& entry) { return entry->series.run == run; });
}

void CurveSet::setOutcome(const QString& run, RunState outcome) {
  m_made.clear();
  for (const auto& entry : m_series) {
    if (entry->series.run != run) continue;
    CurveSeries changed = entry->series;
    changed.outcome = outcome;
    entry->take(changed);
  }
}

void CurveSet::setSeedGroups(const QHash<QString, QString>& groups, bool titled) {
  m_made.clear();
  m_titled = titled;
  for (const auto& entry : m_series) entry->series.group = groups.value(entry->series.run);
}

void CurveSet::setNames(const QHash<QString, QString>& names) {
  m_made.clear();
  for (const auto& entry : m_series)
    if (const auto name = names.constFind(entry->series.run); name != names.cend())
      entry->series.name = entry->line.name = *name;
}

void CurveSet::setSmoothing(double weight) {
  if (weight == m_smoothing) return;
  m_smoothing = weight;
  m_made.clear();
  for (const auto& entry : m_series) entry->smoothAgain(smoothingOf(entry->series.metric));
}

double CurveSet::smoothingOf(const QString& metric) const {
  return isNoisyMetric(metric.toStdString()) ? m_smoothing : 0;
}

void CurveSet::setGrouping(bool group, CurveBand band) {
  m_made.clear();
  m_group = group;
  m_band = band;
}

QStringList CurveSet::metrics() const {
  QStringList names;
  for (const auto& entry : m_series)
    if (!names.contains(entry->series.metric)) names << entry->series.metric;
  return names;
}

QStringList CurveSet::runs() const {
  QStringList ids;
  for (const auto& entry : m_series)
    if (!ids.contains(entry->series.run)) ids << entry->series.run;
  return ids;
}

bool CurveSet::has(const QString& run, const QString& metric) const {
  return std::any_of(m_series.begin(), m_series.end(), [&](const auto& entry) {
    return entry->series.run == run && entry->series.metric == metric;
  });
}

std::vector<const CurveLine*> CurveSet::lines(const QString& metric) {
  std::vector<const CurveLine*> result;
  if (!m_group && m_axisMetric.isEmpty()) {
    for (const auto& entry : m_series)
      if (entry->series.metric == metric) result.push_back(&entry->line);
    return result;
  }
  auto found = m_made.find(metric);
  if (found == m_made.end()) found = m_made.emplace(metric, madeLines(metric)).first;
  for (const auto& line : found->second) result.push_back(line.get());
  return result;
}

std::vector<RunCurve> CurveSet::runCurves(const QString& metric) const {
  std::vector<RunCurve> curves;
  for (const auto& entry : m_series) {
    if (entry->series.metric != metric) continue;
    RunCurve curve;
    curve.run = entry->series.run.toStdString();
    curve.name = entry->series.name.toStdString();
    curve.group = entry->series.group.toStdString();
    if (m_titled) curve.groupTitle = curve.group;
    curve.outcome = entry->series.outcome;
    curve.look = entry->series.colour;
    curve.metric = m_catalogue.of(metric.toStdString());
    curve.steps = entry->line.x(CurveAxis::Step);
    curve.seconds = entry->line.x(CurveAxis::Time);
    curve.epochs = entry->line.x(CurveAxis::Epoch);
    curve.tokens = entry->line.x(CurveAxis::Tokens);
    curve.clock = entry->line.x(CurveAxis::Clock);
    const auto values = entry->line.raw.values();
    curve.values.assign(values.begin(), values.end());
    for (const CurveLineTail& tail : entry->line.dropped) {
      const auto dropped = tail.values.values();
      curve.dropped.push_back({tail.x(CurveAxis::Step),
                               tail.x(CurveAxis::Time),
                               tail.x(CurveAxis::Epoch),
                               {dropped.begin(), dropped.end()},
                               tail.x(CurveAxis::Tokens),
                               tail.x(CurveAxis::Clock)});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

void CurveSet::setAxisMetric(const QString& metric) {
  if (metric == m_axisMetric) return;
  m_axisMetric = metric;
  m_made.clear();
}

void CurveSet::forgetLines(const QString& metric) {
  m_made.erase(metric);
  if (metric == m_axisMetric) m_made.clear();
}

QStringList CurveSet::notPlaced(const QString& metric, CurveAxis axis) {
  QStringList placed, runs;
  if (axis == CurveAxis::Metric)
    for (const CurveLine* line : lines(metric)) placed += line->members;
  for (const auto& entry : m_series) {
    if (entry->series.metric != metric || entry->line.raw.size() == 0) continue;
    const std::vector<double>& x = entry->line.x(axis);
    const bool known = axis == CurveAxis::Metric ? placed.contains(entry->series.run)
                                                 : !std::isnan(x.front()) || !std::isnan(x.back());
    if (!known) runs << entry->series.run;
  }
  return runs;
}

void CurveSet::placeAlongAxis(std::vector<RunCurve>& curves) const {
  const std::vector<RunCurve> axes = runCurves(m_axisMetric);
  std::erase_if(curves, [&axes](RunCurve& curve) {
    const auto axis = std::find_if(axes.begin(), axes.end(),
                                   [&curve](const RunCurve& each) { return each.run == curve.run; });
    return axis == axes.end() || !placeAlong(curve, *axis);
  });
}

// Means over seeds and places along a metric are those of the analysis; positions are asked for on each axis.
std::vector<std::unique_ptr<CurveLine>> CurveSet::madeLines(const QString& metric) const {
  std::vector<RunCurve> curves = runCurves(metric);
  if (!m_axisMetric.isEmpty()) placeAlongAxis(curves);
  TrainingCurveRequest request;
  request.metric = metric.toStdString();
  request.groupSeeds = m_group;
  request.band = m_band;
  request.smoothing = m_smoothing;
  std::vector<std::unique_ptr<CurveLine>> lines;
  for (const auto& [axis, word, title] : kCurveAxes) {  // updates come first
    if (axis == CurveAxis::Metric && m_axisMetric.isEmpty()) continue;
    request.axis = axis;
    const TrainingCurveResult result = computeTrainingCurve(curves, request);
    for (std::size_t i = 0; i < result.curves.size(); ++i) {
      const TrainingCurve& curve = result.curves[i];
      if (axis == CurveAxis::Step) lines.push_back(std::make_unique<CurveLine>());
      CurveLine& line = *lines[i];
      line.positions[static_cast<std::size_t>(axis)] = curve.x;
      line.dropped.resize(curve.dropped.size());
      for (std::size_t part = 0; part < curve.dropped.size(); ++part) {
        line.dropped[part].positions[static_cast<std::size_t>(axis)] = curve.dropped[part].x;
        if (axis == CurveAxis::Step) line.dropped[part].values.append(curve.dropped[part].value);
      }
      if (axis != CurveAxis::Step) continue;
      line.name = QString::fromStdString(curve.name);
      line.runs = static_cast<int>(curve.runs.size());
      for (const std::string& run : curve.runs) line.members << QString::fromStdString(run);
      line.failed = curve.failed;
      if (line.runs == 1) {
        line.run = QString::fromStdString(curve.runs.front());
        line.outcome = curve.outcomes.front();
      }
      line.raw.append(curve.raw.empty() ? curve.value : curve.raw);
      if (!curve.raw.empty()) line.smooth.append(curve.value);
      line.lower.append(curve.lower);
      line.upper.append(curve.upper);
      line.colour = std::max(curve.look, 0);
    }
  }
  return lines;
}

}  // namespace fathom
