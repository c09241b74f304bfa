// SPDX-License-Identifier: Apache-2.0
// Functions that the readers of imported_run.h share.
#include "core/imports/imported_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/utf8.h"
#include "core/imports/run_appender.h"
#include "core/record/events/retreats.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxMetrics = 200'000, kMaxMetricName = 1000;
constexpr double kMaxStep = 9007199254740992.0;  // 2^53: every whole number below has a double
// A curve that repeats steps more rarely than this has logged some points twice; fewer steps tell nothing.
constexpr std::int64_t kRarely = 10;

bool sameTime(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

Result<std::size_t> ImportedPoints::place(std::string_view metric) {
  if (m_next >= m_metrics.size()) m_next = 0;
  if (m_next < m_metrics.size() && m_metrics[m_next].asItCame && m_metrics[m_next].name == metric)
    return m_next++;
  if (const auto known = m_index.find(metric); known != m_index.end()) {
    m_next = known->second + 1;
    return known->second;
  }
  if (m_metrics.size() >= kMaxMetrics)
    return dataErrorAt(m_path, 0, Phrase::tr("more than %1 metrics")(std::int64_t{kMaxMetrics}));
  const std::size_t at = m_metrics.size();
  Metric fresh;
  fresh.name = plainText(std::string(metric));
  fresh.asItCame = fresh.name == metric;
  m_index.emplace(std::string(metric), at);
  m_metrics.push_back(std::move(fresh));
  return at;
}

std::vector<std::string> ImportedPoints::metrics() const {
  std::vector<std::string> names;
  for (const Metric& metric : m_metrics) names.push_back(metric.name);
  return names;
}

Status ImportedPoints::add(std::string_view metric, const Axes& axes, double value) {
  if (metric.empty() || metric.size() > kMaxMetricName) {
    ++m_badNames;
    return {};
  }
  if (!(axes.step >= 0 && axes.step <= kMaxStep)) {
    ++m_strange;
    return {};
  }
  FATHOM_TRY(const std::size_t at, place(metric));
  giveWayTo(axes.step);
  Metric& known = m_metrics[at];
  History& history = known.history;
  ImportedPoint point{axes.step, axes.time, axes.epoch, axes.tokens, value, static_cast<std::uint32_t>(at)};
  for (double* position : {&point.time, &point.epoch, &point.tokens})
    if (!std::isfinite(*position)) *position = kNaN;  // no position is infinite
  const bool again = history.points > 0 && point.step == history.lastStep && point.step == history.highest &&
                     (sameTime(point.time, history.lastTime) ||
                      (history.distinct >= kRarely && (history.repeated + 1) * kRarely <= history.distinct));
  if (point.step > history.highest) ++history.distinct;
  history.highest = std::max(history.highest, point.step);
  history.lastStep = point.step;
  history.lastTime = point.time;
  if (again) {
    ++history.repeated;
    ++m_repeated;
    if (known.pending >= 0) {
      m_fresh[static_cast<std::size_t>(known.pending)] = point;
      return {};
    }
    m_marks.push_back({ImportedMark::Kind::GivesWay, m_fresh.size(), known.name, point.step});
  } else {
    ++history.points;
  }
  ++m_points;
  if (m_fresh.size() >= static_cast<std::size_t>(kMaxImportedPoints))
    return dataErrorAt(m_path, 0, Phrase::tr("more than %1 points")(kMaxImportedPoints),
                       Phrase::tr("log fewer updates, or import it in parts"));
  known.pending = static_cast<std::int64_t>(m_fresh.size());
  m_fresh.push_back(point);
  return {};
}

void ImportedPoints::beginAttempt() {
  m_anew = false;  // this is it
  for (Metric& metric : m_metrics) metric.pending = -1;
  m_marks.push_back({ImportedMark::Kind::Attempt, m_fresh.size(), {}, 0});
}

// Points that are not given yet may come at an earlier step than the first one.
void ImportedPoints::giveWayTo(double step) {
  if (std::exchange(m_anew, false)) {
    beginAttempt();
    giveWay({}, step);
    m_anewMark = static_cast<std::int64_t>(m_marks.size()) - 1;
  } else if (m_anewMark >= 0) {
    double& from = m_marks[static_cast<std::size_t>(m_anewMark)].from;
    from = std::min(from, step);
  }
}

void ImportedPoints::giveWay(const std::string& metric, double from) {
  const auto forget = [&](Metric& known) {
    known.pending = -1;
    if (known.history.highest >= from) ++m_superseded;
    known.history = {};
  };
  std::string name = metric;
  if (metric.empty()) {
    for (Metric& known : m_metrics) forget(known);
  } else if (const auto known = m_index.find(metric); known != m_index.end()) {
    forget(m_metrics[known->second]);
    name = m_metrics[known->second].name;
  }
  m_marks.push_back({ImportedMark::Kind::GivesWay, m_fresh.size(), plainText(name), from});
}

const ImportedPoints::History* ImportedPoints::history(std::string_view metric) const {
  const auto known = m_index.find(metric);
  return known == m_index.end() ? nullptr : &m_metrics[known->second].history;
}

void ImportedPoints::giveTo(ImportedRun& run) {
  run.metrics.clear();
  for (ImportedPoint& point : m_fresh) {
    Metric& metric = m_metrics[point.metric];
    if (metric.given < 0) {
      metric.given = static_cast<std::int64_t>(run.metrics.size());
      run.metrics.push_back(metric.name);
    }
    point.metric = static_cast<std::uint32_t>(metric.given);
  }
  run.points = std::exchange(m_fresh, {});
  run.marks = std::exchange(m_marks, {});
  m_anewMark = -1;
  for (Metric& metric : m_metrics) metric.given = metric.pending = -1;
  if (m_superseded > 0)
    run.warnings.push_back(Phrase::tr(
        "%1 curves were begun again at an earlier step: what they had behind it gave way")(m_superseded));
  if (m_strange > 0)
    run.warnings.push_back(
        Phrase::tr("%1 points are left out: their step is no number from 0 to 2^53")(m_strange));
  if (m_repeated > 0)
    run.warnings.push_back(
        Phrase::tr("%1 points come at a step that their metric had already: the last one stays")(m_repeated));
  if (m_badNames > 0)
    run.warnings.push_back(Phrase::tr(
        "%1 points are left out: the name of their metric is empty or longer than 1,000 bytes")(m_badNames));
}

Json ImportedPoints::state() const {
  Json json = {{"points", m_points},       {"repeated", m_repeated},  {"superseded", m_superseded},
               {"strange", m_strange},     {"bad_names", m_badNames}, {"anew", m_anew},
               {"metrics", Json::array()}, {"marks", Json::array()}};
  // Marks that no point came behind yet: a run that is not given stands still.
  for (const ImportedMark& mark : m_marks)
    json["marks"].push_back(
        {mark.kind == ImportedMark::Kind::Attempt ? "attempt" : "gives_way", mark.metric, mark.from});
  // The names as they came: invalid UTF-8 is kept byte by byte.
  std::vector<const std::string*> names(m_metrics.size());
  for (const auto& [name, at] : m_index) names[at] = &name;
  for (std::size_t i = 0; i < m_metrics.size(); ++i) {
    const History& history = m_metrics[i].history;
    const Json name = validUtf8(*names[i])
                          ? Json(*names[i])
                          : Json(std::vector<unsigned char>(names[i]->begin(), names[i]->end()));
    json["metrics"].push_back({name, history.points, history.distinct, history.repeated, history.lastStep,
                               jsonReal(history.lastTime), history.highest});
  }
  return json;
}

void ImportedPoints::restore(const Json& state) {
  *this = ImportedPoints(m_path);
  m_points = memberInteger(state, "points");
  m_repeated = memberInteger(state, "repeated");
  m_superseded = memberInteger(state, "superseded");
  m_strange = memberInteger(state, "strange");
  m_badNames = memberInteger(state, "bad_names");
  m_anew = memberFlag(state, "anew", false);
  for (const Json& mark : memberList(state, "marks"))
    m_marks.push_back({mark.at(0) == "attempt" ? ImportedMark::Kind::Attempt : ImportedMark::Kind::GivesWay,
                       0, mark.at(1).get<std::string>(), mark.at(2).get<double>()});
  for (const Json& item : memberList(state, "metrics")) {
    if (!item.is_array() || item.size() != 7) continue;
    std::string name;
    if (item[0].is_string()) name = item[0].get<std::string>();
    if (item[0].is_array())
      for (const Json& byte : item[0]) name += static_cast<char>(byte.is_number() ? byte.get<int>() : '?');
    Metric metric;
    metric.name = plainText(name);
    metric.asItCame = metric.name == name;
    const auto real = [&item](std::size_t at) { return realOr(item[at], kNaN); };
    metric.history = {static_cast<std::int64_t>(real(1)),
                      static_cast<std::int64_t>(real(2)),
                      static_cast<std::int64_t>(real(3)),
                      real(4),
                      real(5),
                      real(6)};
    m_index.emplace(name, m_metrics.size());
    m_metrics.push_back(std::move(metric));
  }
}

std::string plainText(std::string text) {
  if (validUtf8(text)) return text;
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return text;
}

double startOf(const ImportedRun& run) {
  double first = std::numeric_limits<double>::infinity();
  for (const ImportedPoint& point : run.points) first = std::fmin(first, point.time);
  return std::isfinite(first) && first > kFirstDate ? first : 0;
}

std::vector<ScalarSeries> seriesOf(const ImportedRun& run) {
  Retreats retreats;
  for (const ImportedMark& mark : run.marks)
    if (mark.kind == ImportedMark::Kind::GivesWay)
      retreats.add({0, static_cast<std::int64_t>(mark.before)}, mark.metric, mark.from);
  std::vector<ScalarSeries> all(run.metrics.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].metric = run.metrics[i];
  const double start = startOf(run);
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    const ImportedPoint& point = run.points[i];
    ScalarSeries& series = all[point.metric];
    if (!retreats.stays({0, static_cast<std::int64_t>(i)}, series.metric, point.step)) continue;
    series.step.push_back(point.step);
    series.time.push_back(point.time - start);
    series.epoch.push_back(point.epoch);
    series.tokens.push_back(point.tokens);
    series.value.push_back(point.value);
  }
  for (ScalarSeries& series : all) sortSeries(series, series.step);
  std::erase_if(all, [](const ScalarSeries& series) { return series.value.empty(); });
  return all;
}

void ImportedLoads::give(std::vector<ImportedLoad> loads, ImportedRun& run) {
  std::erase_if(loads, [](const ImportedLoad& load) { return !std::isfinite(load.time); });
  if (loads.empty()) return;
  const auto [first, last] =
      std::minmax_element(loads.begin(), loads.end(),
                          [](const ImportedLoad& a, const ImportedLoad& b) { return a.time < b.time; });
  const double from = first->time, to = last->time;
  const bool anew = std::exchange(m_anew, false);
  if (anew && from <= m_last) run.loadsAnew = LoadSpan{from, m_last};
  m_last = anew || std::isnan(m_last) ? to : std::max(m_last, to);
  run.loads = std::move(loads);
}

Json ImportedLoads::state() const {
  return {{"last", jsonReal(m_last)}, {"anew", m_anew}};
}

void ImportedLoads::restore(const Json& state) {
  m_last = memberReal(state, "last", kNaN);
  m_anew = memberFlag(state, "anew", false);
}

ImportedRun withoutRecords(const ImportedRun& piece) {
  ImportedRun facts;
  facts.format = piece.format;
  facts.name = piece.name;
  facts.title = piece.title;
  facts.options = piece.options;
  facts.notes = piece.notes;
  facts.declared = piece.declared;
  facts.warnings = piece.warnings;
  return facts;
}

Status writeImportedRun(const std::string& path, const ImportedRun& run, const std::string& name,
                        const std::string& uuid, const std::string& source) {
  FATHOM_TRY(const auto appender, RunAppender::create(path, {name, uuid, source, false, true}, run));
  FATHOM_CHECK(appender->append(run));
  return appender->finish(run.end.value_or(ImportedEnd{}));
}

}  // namespace fathom
