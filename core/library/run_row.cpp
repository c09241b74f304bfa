// SPDX-License-Identifier: Apache-2.0
// Reading one row of run_listing.h from a run's folder.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/library/metric_catalogue.h"
#include "core/library/run_listing.h"
#include "core/record/event_log.h"
#include "core/record/event_pieces.h"
#include "core/record/event_scan.h"
#include "core/record/run_config.h"

namespace fathom {

namespace {

constexpr int kHeadLines = 1000;  // reading large data tells its progress, too
constexpr int kTailLines = 2000;
constexpr std::size_t kTailBytes = std::size_t{8} << 20;

struct Validation {
  double step;
  std::vector<std::pair<std::string, double>> metrics;
};

// What one attempt's events say.
struct AttemptRow {
  std::vector<Validation> validations;
  double firstStep = -1, lastStep = 0;
  double firstTime = 0, lastTime = 0;
  std::int64_t totalUpdates = -1;
  std::vector<std::pair<std::string, double>> lastScalars;
};

// The whole line around `at`, or nothing when it is torn.
std::string_view lineAround(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  if (end == std::string_view::npos) return {};
  const std::size_t before = text.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, end - begin);
}

std::vector<std::pair<std::string, double>> owned(const ScalarLine& line) {
  return {line.metrics.begin(), line.metrics.end()};
}

// How many updates a run will have: said at its start where its length is in updates, else by the progress of
// the training itself, when the data are read. `known` otherwise.
std::int64_t plannedUpdates(const Json& event, std::int64_t known) {
  if (const auto total = event.find("total_updates"); total != event.end() && total->is_number_integer())
    return total->get<std::int64_t>();
  const auto unit = event.find("unit"), total = event.find("total");
  const bool updates =
      unit != event.end() && *unit == "updates" && total != event.end() && total->is_number();
  return updates && total->get<double>() >= 0 ? static_cast<std::int64_t>(total->get<double>()) : known;
}

// Reads on at the beginning of a log; `linesLeft` is 0 once all was found.
void readHead(std::string_view text, int& linesLeft, AttemptRow& row) {
  ScalarLine line;
  for (; linesLeft > 0 && !text.empty(); --linesLeft) {
    const std::size_t end = text.find('\n');
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::string_view body = checkedEventBody(whole);
    if (body.empty() || !scanEventLine(body, line)) continue;
    if (row.firstTime == 0) row.firstTime = line.time;
    if (line.kind == "run_started" || line.kind == "progress") {
      const auto json = parseJson(whole, {}, {64, kMaxEventBytes, true});
      if (json.ok()) row.totalUpdates = plannedUpdates(*json, row.totalUpdates);
    }
    if (line.step >= 0 && line.kind == "step") {
      row.firstStep = line.step;
      linesLeft = 0;
      return;
    }
  }
}

// The scalars of the last update; an imported one may go over several lines.
void readTail(std::string_view text, AttemptRow& row) {
  ScalarLine line;
  double update = -1;
  std::size_t end = text.rfind('\n');
  for (int i = 0; i < kTailLines && end != std::string_view::npos && end > 0; ++i) {
    const std::size_t before = text.rfind('\n', end - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view body = checkedEventBody(text.substr(begin, end - begin));
    end = before;
    if (body.empty() || !scanEventLine(body, line)) continue;
    row.lastTime = std::max(row.lastTime, line.time);
    if (line.step >= 0) row.lastStep = std::max(row.lastStep, line.step);
    if (line.kind != "step") continue;
    if (update >= 0 && line.step != update) return;
    update = line.step;
    for (auto& scalar : owned(line)) row.lastScalars.push_back(std::move(scalar));
  }
}

void readValidations(std::string_view text, AttemptRow& row) {
  static constexpr std::string_view kWord = "\"k\":\"validation\"";
  ScalarLine line;
  for (std::size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at + 1)) {
    const std::string_view body = checkedEventBody(lineAround(text, at));
    if (!body.empty() && scanEventLine(body, line) && line.kind == "validation")
      row.validations.push_back({line.step, owned(line)});
  }
}

Result<AttemptRow> readAttemptRow(const std::string& path) {
  AttemptRow row;
  std::error_code code;
  if (!std::filesystem::exists(path, code) && !code) return row;  // has not begun to write
  FATHOM_TRY(EventPieces pieces, EventPieces::open(path));
  FATHOM_TRY(const std::string tail, pieces.tail(kTailBytes));
  readTail(tail, row);
  int headLines = kHeadLines;
  while (true) {
    FATHOM_TRY(const std::string_view text, pieces.next());
    if (text.empty()) return row;
    readHead(text, headLines, row);
    readValidations(text, row);
  }
}

void addBest(RunRow& row, MetricDirection direction, const std::string& metric, double value,
             std::int64_t step) {
  if (!std::isfinite(value)) return;
  const auto [it, added] = row.best.try_emplace(metric, value);
  if (!added && direction != MetricDirection::None && !isBetter(direction, value, it->second)) return;
  it->second = value;
  row.bestStep[metric] = step;
}

void readConfigInto(const RunFolder& run, int attempt, RunRow& row) {
  const auto json = run.config(attempt);
  if (!json.ok()) return;
  const auto config = runConfigFromJson(*json, run.attemptPath(attempt) + "/config.json");
  if (!config.ok()) return;
  row.options = config->options;
  row.preset = config->preset;
  if (row.identity.name.empty()) row.identity.name = config->name;
}

void readOutcomeInto(const RunFolder& run, int attempt, const MetricCatalogue& metrics, RunRow& row) {
  const auto outcome = run.outcome(attempt);
  if (!outcome) {
    row.state = run.state();
    return;
  }
  row.state = outcome->state;
  row.cause = outcome->cause;
  row.message = outcome->message;
  row.details = outcome->details;
  row.finishedAt = outcome->finishedAt;
  row.step = std::max(row.step, outcome->step);
  for (const auto& [name, value] : outcome->scores.items()) {
    const auto real = realFromJson(value);
    if (real.ok()) row.last[name] = *real;
    if (real.ok()) addBest(row, metrics.direction(name), name, *real, outcome->step);
  }
}

// Inode, links, size and time of last writing; the reason where it cannot be looked at.
std::string factsOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno == ENOENT ? "" : "e" + std::to_string(errno);
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_nlink) + ":" +
         std::to_string(info.st_size) + ":" + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

}  // namespace

std::string runStamp(const RunFolder& run, const std::string& before) {
  const std::string attempts = factsOf(run.path() + "/attempts");
  // "7|<facts of attempts/>|…": while the folder is as it was, its last attempt is, too.
  const std::size_t bar = before.find('|');
  const bool same = bar != std::string::npos && before.compare(bar + 1, attempts.size(), attempts) == 0 &&
                    before.size() > bar + 1 + attempts.size() && before[bar + 1 + attempts.size()] == '|';
  const int attempt = same ? std::atoi(before.c_str()) : run.lastAttempt();
  std::string stamp = std::to_string(attempt) + "|" + attempts;
  const std::string folder = run.attemptPath(attempt);
  for (const std::string& file : {run.path() + "/run.json", folder + "/config.json", folder + "/events.jsonl",
                                  folder + "/outcome.json"})
    stamp += "|" + factsOf(file);
  return stamp;
}

Result<RunRow> readRunRow(const std::string& runPath) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  RunRow row;
  row.path = runPath;
  FATHOM_TRY(row.identity, run.identity());
  row.identity.metrics = unknownMetrics(row.identity.metrics);
  const MetricCatalogue metrics(row.identity.metrics);
  std::vector<Validation> validations;
  for (const int number : run.attempts()) {
    ++row.attempts;
    FATHOM_TRY(const AttemptRow attempt, readAttemptRow(run.attemptPath(number) + "/events.jsonl"));
    std::erase_if(validations, [&](const Validation& old) {
      return attempt.firstStep >= 0 && old.step >= attempt.firstStep && old.step <= attempt.lastStep;
    });
    validations.insert(validations.end(), attempt.validations.begin(), attempt.validations.end());
    row.step = static_cast<std::int64_t>(attempt.lastStep);
    row.totalUpdates = attempt.totalUpdates;
    row.elapsed += std::max(attempt.lastTime - attempt.firstTime, 0.0);
    for (const auto& [name, value] : attempt.lastScalars) row.last[name] = value;
  }
  for (const Validation& validation : validations) {
    for (const auto& [name, value] : validation.metrics) {
      row.last[name] = value;
      addBest(row, metrics.direction(name), name, value, static_cast<std::int64_t>(validation.step));
    }
  }
  const int last = run.lastAttempt();
  if (last > 0) readConfigInto(run, last, row);
  readOutcomeInto(run, last, metrics, row);
  row.name = row.identity.name;
  return row;
}

}  // namespace fathom
