// SPDX-License-Identifier: Apache-2.0
// The fast half of event_reader.h: all scalars of a run without a DOM.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/base/path_facts.h"
#include "core/record/event_log.h"
#include "core/record/event_pieces.h"
#include "core/record/event_reader.h"
#include "core/record/event_scan.h"
#include "core/record/run_folder.h"

namespace fathom {

namespace {

// The series of one attempt or run, found by name; lines of a kind repeat their metrics in one order, so the
// series after the last one found is tried first.
class SeriesTable {
 public:
  ScalarSeries& find(std::string_view name) {
    if (++m_last < m_series.size() && m_series[m_last].metric == name) return m_series[m_last];
    const auto [it, added] = m_index.try_emplace(std::string(name), m_series.size());
    if (added) m_series.emplace_back().metric = std::string(name);
    m_last = it->second;
    return m_series[m_last];
  }
  std::vector<ScalarSeries>& series() { return m_series; }

 private:
  std::vector<ScalarSeries> m_series;
  std::unordered_map<std::string, std::size_t> m_index;
  std::size_t m_last = 0;
};

struct AttemptScalars {
  SeriesTable table;
  double firstStep = std::numeric_limits<double>::infinity();
  double lastStep = -std::numeric_limits<double>::infinity();
};

// Time as the sum of forward differences: a clock set back stands still instead of going back.
class ForwardClock {
 public:
  double at(double time) {
    if (m_started && time > m_last) m_elapsed += time - m_last;
    m_started = true;
    m_last = time;
    return m_elapsed;
  }

 private:
  bool m_started = false;
  double m_last = 0, m_elapsed = 0;
};

void reserveAll(ScalarSeries& series, std::size_t points) {
  // A metric that comes once in a while must not claim room for every line.
  points = std::min<std::size_t>(points, 1 << 16);
  for (auto* column : {&series.step, &series.time, &series.epoch, &series.tokens, &series.value})
    column->reserve(points);
}

void takeLine(ScalarLine& line, double elapsed, std::uint64_t following, AttemptScalars& out) {
  if (line.step < 0 || (line.kind != "step" && line.kind != "validation")) return;
  out.firstStep = std::min(out.firstStep, line.step);
  out.lastStep = std::max(out.lastStep, line.step);
  if (line.kind == "step" && line.hasRate) line.metrics.emplace_back("lr", line.rate);
  for (const auto& [name, value] : line.metrics) {
    ScalarSeries& series = out.table.find(name);
    if (series.step.empty()) reserveAll(series, following + 1);
    series.step.push_back(line.step);
    series.time.push_back(elapsed);
    series.epoch.push_back(line.epoch);
    series.tokens.push_back(line.tokens);
    series.value.push_back(value);
  }
}

Status readAttempt(const std::string& path, AttemptScalars& out) {
  FATHOM_TRY(EventPieces pieces, EventPieces::open(path));
  ForwardClock clock;
  ScalarLine line;
  while (true) {
    FATHOM_TRY(std::string_view rest, pieces.next());
    if (rest.empty()) return {};
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view body = checkedEventBody(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      if (body.empty()) continue;
      const bool good = scanEventLine(body, line);
      if (line.version > kEventVersion) {
        return dataErrorAt(path, 0, "the run was recorded with a newer event version",
                           "open it with a newer Fathom");
      }
      // Lines of a kind come in one length: so many can follow.
      if (good) takeLine(line, clock.at(line.time), (pieces.left() + rest.size()) / (body.size() + 1), out);
    }
  }
}

void dropSteps(std::vector<ScalarSeries>& all, double first, double last) {
  for (ScalarSeries& series : all) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < series.step.size(); ++i) {
      if (series.step[i] >= first && series.step[i] <= last) continue;
      for (auto* column : {&series.step, &series.time, &series.epoch, &series.tokens, &series.value})
        (*column)[kept] = (*column)[i];
      ++kept;
    }
    for (auto* column : {&series.step, &series.time, &series.epoch, &series.tokens, &series.value})
      column->resize(kept);
  }
}

// Where the time axis of an attempt that starts at `firstStep` goes on: the last moment before it.
double timeBefore(const std::vector<ScalarSeries>& all, double firstStep) {
  double time = 0;
  for (const ScalarSeries& series : all) {
    for (std::size_t i = 0; i < series.step.size(); ++i) {
      if (series.step[i] < firstStep) time = std::max(time, series.time[i]);
    }
  }
  return time;
}

void sortBySteps(ScalarSeries& series) {
  if (std::is_sorted(series.step.begin(), series.step.end())) return;
  std::vector<std::size_t> order(series.step.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return series.step[a] < series.step[b]; });
  for (auto* column : {&series.step, &series.time, &series.epoch, &series.tokens, &series.value}) {
    std::vector<double> sorted(column->size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = (*column)[order[i]];
    *column = std::move(sorted);
  }
}

void addAttempt(SeriesTable& run, AttemptScalars& attempt, bool withSuperseded) {
  if (run.series().empty()) {
    run = std::move(attempt.table);
    if (!withSuperseded) std::for_each(run.series().begin(), run.series().end(), sortBySteps);
    return;
  }
  const double offset = timeBefore(run.series(), attempt.firstStep);
  if (!withSuperseded) dropSteps(run.series(), attempt.firstStep, attempt.lastStep);
  for (ScalarSeries& added : attempt.table.series()) {
    for (double& time : added.time) time += offset;
    ScalarSeries& series = run.find(added.metric);
    const auto join = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    join(series.step, added.step);
    join(series.time, added.time);
    join(series.epoch, added.epoch);
    join(series.tokens, added.tokens);
    join(series.value, added.value);
    if (!withSuperseded) sortBySteps(series);
  }
}

}  // namespace

Result<std::vector<ScalarSeries>> readRunScalars(const std::string& runPath, bool withSuperseded) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  SeriesTable table;
  for (const int number : run.attempts()) {
    const std::string path = run.attemptPath(number) + "/events.jsonl";
    if (!fileExists(path)) continue;  // not begun yet
    AttemptScalars attempt;
    FATHOM_CHECK(readAttempt(path, attempt));
    addAttempt(table, attempt, withSuperseded);
  }
  return std::move(table.series());
}

}  // namespace fathom
