// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/scalar_summary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/files/path_look.h"
#include "core/base/text/lines_of.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_pieces.h"
#include "core/record/events/event_scan.h"
#include "core/record/events/retreats.h"
#include "core/record/events/scalar_reader.h"

namespace fathom {

namespace {

constexpr int kHeadLines = 1000;  // reading large data tells its progress, too
constexpr int kTailLines = 2000;
constexpr std::size_t kTailBytes = std::size_t{8} << 20;

// Summary of the events of one attempt.
struct AttemptRow {
  std::vector<ScalarSummary::Validation> validations;
  double firstStep = -1, lastStep = 0;
  double firstTime = 0, lastTime = 0;
  std::int64_t totalUpdates = -1;
  std::vector<std::pair<std::string, double>> lastScalars;
  ScalarSummary::Phase phase;
  double remaining = -1;
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

// Reads on at the beginning of a log; `linesLeft` is 0 once all was found.
void readHead(std::string_view text, int& linesLeft, AttemptRow& row) {
  ScalarLine line;
  for (std::string_view whole; linesLeft > 0 && takeWholeLine(text, whole); --linesLeft) {
    const std::string_view body = checkedEventBody(whole);
    if (body.empty() || !scanEventLine(body, line)) continue;
    if (row.firstTime == 0 && std::isfinite(line.time)) row.firstTime = line.time;
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
    if (std::isfinite(line.time)) row.lastTime = std::max(row.lastTime, line.time);
    if (line.step >= 0) row.lastStep = std::max(row.lastStep, line.step);
    if (line.kind != "step") continue;
    if (update >= 0 && line.step != update) return;
    update = line.step;
    for (auto& scalar : owned(line)) row.lastScalars.push_back(std::move(scalar));
  }
}

double numberIn(const Json& event, const char* key, double otherwise) {
  const auto found = event.find(key);
  return found != event.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::string textIn(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The progress event around `at`; nothing where its line is torn.
std::optional<Json> progressAt(std::string_view text, std::size_t at) {
  const std::string_view line = lineAround(text, at);
  if (checkedEventBody(line).empty()) return std::nullopt;
  auto json = parseJson(line, {}, {64, kMaxEventBytes, true});
  return json.ok() ? std::optional<Json>(std::move(*json)) : std::nullopt;
}

// Kind of an event as it is written: ours have no blanks, Python's json does. One writer writes one log.
std::string kindWord(std::string_view text, const std::string& kind) {
  constexpr std::size_t kLook = 4096;
  const bool blank = text.substr(0, kLook).find("\"k\": \"") != std::string_view::npos;
  return (blank ? "\"k\": \"" : "\"k\":\"") + kind + "\"";
}

// Reads the engine's present work: its last word about progress, unless it has trained since. The remaining
// time is in its last word about updates.
void readPhase(std::string_view text, AttemptRow& row) {
  const std::string word = kindWord(text, "progress");
  const std::size_t lastStep = text.rfind(kindWord(text, "step"));
  std::size_t at = text.rfind(word);
  for (int i = 0; i < kTailLines && at != std::string_view::npos; ++i) {
    if (const auto event = progressAt(text, at)) {
      const ScalarSummary::Phase phase{textIn(*event, "phase"), textIn(*event, "unit"),
                                       numberIn(*event, "done", 0), numberIn(*event, "total", -1)};
      const bool updates = phase.unit == "updates";
      const bool trained = lastStep != std::string_view::npos && lastStep > at;
      if (row.phase.name.empty() && (updates || !trained)) row.phase = phase;
      if (row.phase.name.empty()) row.phase.name = "training";
      if (updates) {
        row.remaining = numberIn(*event, "remaining", -1);
        return;
      }
    }
    at = at == 0 ? std::string_view::npos : text.rfind(word, at - 1);
  }
}

void readValidations(std::string_view text, AttemptRow& row) {
  const std::string word = kindWord(text, "validation");
  ScalarLine line;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::string_view body = checkedEventBody(lineAround(text, at));
    if (!body.empty() && scanEventLine(body, line) && line.kind == "validation")
      row.validations.push_back({line.step, owned(line)});
  }
}

Result<AttemptRow> readAttemptRow(const std::string& path) {
  AttemptRow row;
  FATHOM_TRY(const bool begun, isThere(path));
  if (!begun) return row;
  FATHOM_TRY(EventPieces pieces, EventPieces::open(path));
  FATHOM_TRY(const std::string tail, pieces.tail(kTailBytes));
  readTail(tail, row);
  readPhase(tail, row);
  int headLines = kHeadLines;
  while (true) {
    FATHOM_TRY(const std::string_view text, pieces.next());
    if (text.empty()) return row;
    readHead(text, headLines, row);
    readValidations(text, row);
  }
}

// Reads the last values of a run of another program: metrics are not logged together, so each has its own,
// and lines stand in the order of their times.
Status readForeignValues(const std::string& runPath, ScalarSummary& summary) {
  summary.last.clear();
  summary.validations.clear();
  summary.elapsed = 0;
  double last = -1;
  std::map<std::string, double, std::less<>> steps;
  const auto take = [&](const ScalarRow& row) -> Status {
    last = std::max(last, row.step);
    if (std::isfinite(row.seconds)) summary.elapsed = std::max(summary.elapsed, row.seconds);
    ScalarSummary::Validation validation{row.step, {}};
    for (const auto& [name, value] : row.values) {
      auto known = steps.find(name);
      if (known == steps.end()) known = steps.emplace(std::string(name), -1).first;
      if (row.step >= known->second) summary.last.insert_or_assign(std::string(name), value);
      known->second = std::max(known->second, row.step);
      if (row.validation) validation.metrics.emplace_back(name, value);
    }
    if (row.validation) summary.validations.push_back(std::move(validation));
    return {};
  };
  FATHOM_TRY(const ScalarsEnd end, visitRunScalars(runPath, take));
  (void)end;
  if (last >= 0) summary.step = static_cast<std::int64_t>(last);
  std::stable_sort(summary.validations.begin(), summary.validations.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  return {};
}

}  // namespace

std::int64_t plannedUpdates(const Json& event, std::int64_t known) {
  if (const auto total = event.find("total_updates"); total != event.end() && total->is_number_integer())
    return total->get<std::int64_t>();
  const auto unit = event.find("unit"), total = event.find("total");
  const bool updates =
      unit != event.end() && *unit == "updates" && total != event.end() && total->is_number();
  return updates && total->get<double>() >= 0 ? static_cast<std::int64_t>(total->get<double>()) : known;
}

Result<ScalarSummary> readScalarSummary(const RunFolder& run) {
  ScalarSummary summary;
  const std::vector<int> attempts = run.attempts();
  if (attempts.empty()) {  // none, or none that can be seen
    FATHOM_TRY(const auto entries, entriesIn(run.attemptsPath()));
    (void)entries;
  }
  for (const int number : attempts) {
    ++summary.attempts;
    FATHOM_TRY(const AttemptRow attempt, readAttemptRow(run.eventsPath(number)));
    std::erase_if(summary.validations, [&](const ScalarSummary::Validation& old) {
      return attempt.firstStep >= 0 && old.step >= attempt.firstStep && old.step <= attempt.lastStep;
    });
    summary.validations.insert(summary.validations.end(), attempt.validations.begin(),
                               attempt.validations.end());
    summary.step = static_cast<std::int64_t>(attempt.lastStep);
    summary.totalUpdates = attempt.totalUpdates;
    summary.phase = attempt.phase;
    summary.remaining = attempt.remaining;
    summary.elapsed += std::max(attempt.lastTime - attempt.firstTime, 0.0);
    for (const auto& [name, value] : attempt.lastScalars) summary.last[name] = value;
  }
  if (!attempts.empty() && isForeignRun(run)) FATHOM_CHECK(readForeignValues(run.path(), summary));
  return summary;
}

}  // namespace fathom
