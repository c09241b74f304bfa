// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "app/command.h"
#include "app/json_list.h"
#include "app/runner/followed_sources.h"
#include "app/runner/place_notes.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "core/imports/source_follower.h"
#include "core/library/runs/curve_index.h"

namespace fathom {

namespace {

std::string progressText(const RunRow& row) {
  std::string text = std::to_string(row.step);
  if (row.totalUpdates > 0) text += "/" + std::to_string(row.totalUpdates);
  return text;
}

// State of a run; one at work says it in its engine's words: "running, evaluating 3/40 batches".
std::string stateText(const RunRow& row) {
  std::string text = runStateName(row.state);
  if (!row.cause.empty()) text += " (" + row.cause + ")";
  if (!isLive(row.state)) return text;
  if (row.silentMinutes > 0) text += ", not heard for " + std::to_string(row.silentMinutes) + " min";
  const ScalarSummary::Phase& phase = row.phase;
  if (phase.name.empty() || phase.name == "training") return text;
  text += ", " + phase.name;
  if (phase.total > 0)
    text += " " + std::to_string(static_cast<int>(std::min(100 * phase.done / phase.total, 99.0))) + " %";
  return text;
}

// When the source of a run that is followed grew last.
std::optional<SourceGrowth> sourceGrowth(const RunRow& row, const std::string& project) {
  return isLive(row.state) ? growthOfRun(project, row.path) : std::nullopt;
}

double secondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// As the engine judges it.
std::string leftText(const RunRow& row) {
  if (!isLive(row.state)) return {};
  return row.remaining < 0 ? "–" : formatDuration(row.remaining);
}

Result<CommandOutput> listRunsCommand(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto index, CurveIndex::open(context.project));
  FATHOM_TRY(const auto waiting, QueueFolder(context.project).entries());
  CommandOutput output;
  JsonListText json({{"format", 1}, {"project", context.project}}, "runs");
  TextTable table({"run", "name", "state", "updates", "time", "left", "result"});
  std::set<std::string> known;
  const auto notes = placeNotes(context.project);  // of jobs elsewhere
  std::set<std::string> again;                     // runs that wait to go on
  std::vector<std::string> unread;
  for (const QueueEntry& entry : waiting) {
    if (entry.resume && !entry.claimed()) again.insert(entry.uuid);
  }
  // One row at a time: a project may have ten thousand.
  RunListing listing(*library, index.get());
  FATHOM_CHECK(listing.visit(RowParts::WithoutOptions, [&](const RunRow& row) {
    known.insert(row.identity.uuid);
    if (context.json) {
      Json facts = runJson(row);
      if (again.count(row.identity.uuid)) facts["queued_again"] = true;
      if (const auto note = notes.find(row.identity.uuid); note != notes.end())
        facts["place"] = placeNoteToJson(note->second);
      if (const auto growth = sourceGrowth(row, context.project))
        facts["source_growth"] = {{"grew", growth->grew}, {"every", growth->every}};
      json.add(facts);
      return;
    }
    const std::string metric = headlineMetric(row);
    // A folder that could not be read is called by its name, and has no state but what stands in its way.
    if (const std::string why = row.message.english();
        row.state == RunState::Lost && row.attempts == 0 && !why.empty()) {
      unread.push_back(row.name + ": " + why);
      table.addRow({shortRunId(row), row.name, "unreadable", "", "", "", ""});
      return;
    }
    std::string state = stateText(row);
    if (const auto growth = sourceGrowth(row, context.project))
      if (const std::string words = growth->phrase(secondsSince1970()).english(); !words.empty())
        state += ", " + words;
    const auto note = notes.find(row.identity.uuid);
    if (again.count(row.identity.uuid) || (note != notes.end() && !isLive(row.state)))
      state = "queued again, " + state;
    if (note != notes.end()) state += ", " + placeText(note->second);
    table.addRow({shortRunId(row), row.name, state, progressText(row),
                  tellsItsTime(row) ? formatDuration(row.elapsed) : std::string(), leftText(row),
                  metric.empty() ? "" : metric + " " + shownNumber(row.last.at(metric))});
  }));
  for (const std::string& problem : unread) context.say(problem);
  for (const QueueEntry& entry : waiting) {
    if (known.count(entry.uuid)) continue;
    const auto note = notes.find(entry.uuid);
    std::string state = runStateName(RunState::Queued);
    if (note != notes.end()) {
      state += ", " + placeText(note->second);
    } else if (entry.place != kLocalPlace) {
      state += " for " + entry.place;
    }
    if (context.json) {
      Json facts = queuedRunJson(entry);
      facts["place"] = note != notes.end() ? placeNoteToJson(note->second) : Json{{"place", entry.place}};
      json.add(facts);
    }
    table.addRow({entry.uuid.substr(0, 8), entry.config.value("name", ""), state, "", "", "", ""});
  }
  if (context.json) {
    output.jsonText = json.finished();
    return output;
  }
  const bool none = known.empty() && waiting.empty();
  output.text = none ? "no runs yet; start one with: fathom train --project " + shellWord(context.project) +
                           " --preset sample_small\n"
                     : table.text();
  return output;
}

}  // namespace

Command runsCommandEntry() {
  return {.id = "runs",
          .title = "List runs",
          .description = "Lists the runs of a project with state and results.",
          .group = "Run",
          .run = listRunsCommand};
}

}  // namespace fathom
