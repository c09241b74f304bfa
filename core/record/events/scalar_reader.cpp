// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/scalar_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "core/base/files/path_look.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/text/lines_of.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_pieces.h"
#include "core/record/events/event_scan.h"
#include "core/record/events/retreats.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

struct Attempt {
  int number = 0;
  std::string events;
  // Range of the lines with scalars.
  double firstStep = std::numeric_limits<double>::infinity();
  double lastStep = -std::numeric_limits<double>::infinity();
  double start = 0;    // second of the run its clock starts at
  bool tells = false;  // itself, what gives way to it
  bool covers(double step) const { return step >= firstStep && step <= lastStep; }
};

using TakeLine = std::function<Status(ScalarLine& line, double elapsed, std::int64_t number)>;

// Lines with scalars, and the attempt's clock.
Status readAttempt(const std::string& path, const TakeLine& take) {
  std::int64_t number = 0;
  FATHOM_TRY(EventPieces pieces, EventPieces::open(path));
  RunClock clock;
  ScalarLine line;
  while (true) {
    FATHOM_TRY(std::string_view rest, pieces.next());
    if (rest.empty()) return {};
    for (std::string_view whole; takeWholeLine(rest, whole);) {
      const std::string_view body = checkedEventBody(whole);
      ++number;
      if (body.empty()) continue;
      const bool good = scanEventLine(body, line);
      if (line.version > kEventVersion) {
        return dataErrorAt(path, 0, Phrase::tr("the run was recorded with a newer event version"),
                           Phrase::tr("open it with a newer Fathom"));
      }
      if (!good) continue;
      const double elapsed = std::isnan(line.time) ? line.time : clock.at(line.time);
      if (carriesPoints(line.kind, line.step) || line.kind == kGivesWayKind)
        FATHOM_CHECK(take(line, elapsed, number));
    }
  }
}

struct AttemptLogs {
  std::vector<Attempt> attempts;
  Retreats retreats;
};

// Only what comes after another attempt can supersede anything, but for what a foreign log says itself.
Result<AttemptLogs> attemptsOf(const RunFolder& run) {
  AttemptLogs logs;
  const bool foreign = isForeignRun(run);
  for (const int number : run.attempts()) {
    Attempt attempt;
    attempt.number = number;
    attempt.events = run.eventsPath(number);
    FATHOM_TRY(const bool begun, isThere(attempt.events));
    if (!begun) continue;
    const auto place = static_cast<std::int64_t>(logs.attempts.size());
    const auto look = [&](const ScalarLine& line, double, std::int64_t at) -> Status {
      if (line.kind == kGivesWayKind) {
        for (const auto& [metric, from] : line.metrics)
          logs.retreats.add({place, at}, std::string(metric), from);
      } else {
        attempt.firstStep = std::min(attempt.firstStep, line.step);
        attempt.lastStep = std::max(attempt.lastStep, line.step);
      }
      return {};
    };
    if (foreign || !logs.attempts.empty()) FATHOM_CHECK(readAttempt(attempt.events, look));
    attempt.tells = logs.retreats.saysAll(place);
    logs.attempts.push_back(std::move(attempt));
  }
  return logs;
}

// False where a later attempt supersedes the line. The clock of an attempt goes on from the last moment
// before its first step that is there when it starts.
bool stays(std::vector<Attempt>& attempts, std::size_t at, double step, double seconds) {
  for (std::size_t later = at + 1; later < attempts.size(); ++later) {
    Attempt& next = attempts[later];
    if (step < next.firstStep) next.start = std::max(next.start, seconds);
    if (!next.tells && next.covers(step)) return false;
  }
  return true;
}

// The series of a run, found by name; lines of a kind repeat their metrics in one order, so the series after
// the last one found is tried first.
class SeriesTable {
 public:
  ScalarSeries& find(std::string_view name) {
    if (++m_last < m_series.size() && m_series[m_last].metric == name) return m_series[m_last];
    const auto [it, added] = m_index.try_emplace(std::string(name), m_series.size());
    if (added) m_series.emplace_back().metric = std::string(name);
    m_last = it->second;
    return m_series[m_last];
  }
  void add(const ScalarRow& row, const std::string& only) {
    for (const auto& [name, value] : row.values) {
      if (!only.empty() && name != only) continue;
      ScalarSeries& series = find(name);
      series.step.push_back(row.step);
      series.time.push_back(row.seconds);
      series.epoch.push_back(row.epoch);
      series.tokens.push_back(row.tokens);
      series.value.push_back(value);
      series.clock.push_back(row.clock);
    }
  }
  std::vector<ScalarSeries>& series() { return m_series; }

 private:
  std::vector<ScalarSeries> m_series;
  std::unordered_map<std::string, std::size_t> m_index;
  std::size_t m_last = 0;
};

// False where the line has no numbers. `row` holds those of the line until the next.
bool takeRow(ScalarLine& line, double seconds, ScalarRow& row) {
  if (line.kind == "step" && line.hasRate) line.metrics.emplace_back("lr", line.rate);
  if (line.metrics.empty()) return false;
  row.step = line.step;
  row.seconds = seconds;
  row.epoch = line.epoch;
  row.tokens = line.tokens;
  row.clock = line.time > kFirstDate ? line.time : kNaN;
  row.validation = line.kind == "validation";
  std::swap(row.values, line.metrics);
  return true;
}

}  // namespace

Result<ScalarsEnd> visitRunScalars(const std::string& runPath, const TakeScalars& take) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  FATHOM_TRY(AttemptLogs logs, attemptsOf(run));
  std::vector<Attempt>& attempts = logs.attempts;
  ScalarsEnd end;
  ScalarRow row;
  for (std::size_t at = 0; at < attempts.size(); ++at) {
    const auto takeLine = [&](ScalarLine& line, double elapsed, std::int64_t number) -> Status {
      if (line.kind == kGivesWayKind || !takeRow(line, attempts[at].start + elapsed, row)) return {};
      end = {attempts[at].number, attempts[at].start, row.step};
      if (!stays(attempts, at, row.step, row.seconds)) return {};
      if (!logs.retreats.empty()) {
        const LinePlace place{static_cast<std::int64_t>(at), number};
        std::erase_if(row.values,
                      [&](const auto& item) { return !logs.retreats.stays(place, item.first, row.step); });
        if (row.values.empty()) return {};
      }
      return take(row);
    };
    FATHOM_CHECK(readAttempt(attempts[at].events, takeLine));
  }
  return end;
}

Result<DroppedScalars> readDroppedScalars(const std::string& runPath, const std::string& only) {
  DroppedScalars dropped;
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  if (run.attempts().size() < 2 && !isForeignRun(run)) return dropped;
  FATHOM_TRY(AttemptLogs logs, attemptsOf(run));
  std::vector<Attempt>& attempts = logs.attempts;
  ScalarRow row;
  for (std::size_t at = 0; at < attempts.size(); ++at) {
    const auto isDropped = [&](double step) {
      return std::any_of(attempts.begin() + static_cast<std::ptrdiff_t>(at) + 1, attempts.end(),
                         [step](const Attempt& later) { return !later.tells && step >= later.firstStep; });
    };
    SeriesTable table;
    double last = -std::numeric_limits<double>::infinity();
    const auto takeLine = [&](ScalarLine& line, double elapsed, std::int64_t number) -> Status {
      if (line.kind == kGivesWayKind || !takeRow(line, attempts[at].start + elapsed, row)) return {};
      (void)stays(attempts, at, row.step, row.seconds);  // the clocks of later attempts
      if (isDropped(row.step)) {
        table.add(row, only);
        return {};
      }
      last = std::max(last, row.step);
      const LinePlace place{static_cast<std::int64_t>(at), number};
      std::erase_if(row.values,
                    [&](const auto& item) { return logs.retreats.stays(place, item.first, row.step); });
      table.add(row, only);
      return {};
    };
    FATHOM_CHECK(readAttempt(attempts[at].events, takeLine));
    // Values that give way by the log's own word stand in no series any more: nothing is to be cut off.
    if (std::isfinite(last) && logs.retreats.empty()) dropped.end = last;
    for (ScalarSeries& series : table.series()) {
      sortSeries(series, series.step);
      dropped.tails.push_back(std::move(series));
    }
  }
  if (attempts.size() < 2) dropped.end = std::numeric_limits<double>::infinity();
  return dropped;
}

void sortSeries(ScalarSeries& series, const std::vector<double>& keys) {
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  // `keys` may be a column: it is sorted last.
  for (auto* column :
       {&series.time, &series.epoch, &series.tokens, &series.value, &series.clock, &series.step}) {
    if (column->size() < order.size()) continue;  // nobody knows the dates
    std::vector<double> sorted(column->size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = (*column)[order[i]];
    *column = std::move(sorted);
  }
}

void cutAfter(ScalarSeries& series, double end) {
  const auto kept = std::upper_bound(series.step.begin(), series.step.end(), end) - series.step.begin();
  for (auto* column :
       {&series.step, &series.time, &series.epoch, &series.tokens, &series.value, &series.clock})
    if (column->size() > static_cast<std::size_t>(kept)) column->resize(static_cast<std::size_t>(kept));
}

Result<std::vector<ScalarSeries>> readRunScalars(const std::string& runPath, const std::string& only,
                                                 ScalarsEnd* end) {
  SeriesTable table;
  const auto take = [&](const ScalarRow& row) -> Status {
    table.add(row, only);
    return {};
  };
  FATHOM_TRY(const ScalarsEnd last, visitRunScalars(runPath, take));
  if (end != nullptr) *end = last;
  std::for_each(table.series().begin(), table.series().end(),
                [](ScalarSeries& series) { sortSeries(series, series.step); });
  return std::move(table.series());
}

}  // namespace fathom
