// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "app/command.h"
#include "app/json_list.h"
#include "app/runner/followed_sources.h"
#include "app/runner/place_notes.h"
#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/analysis/statistics/run_grouping.h"
#include "core/analysis/statistics/seed_summary.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "core/imports/source_follower.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_condition.h"

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

// The condition on the runs that are listed; nothing where there is none.
Result<std::optional<RunCondition>> wantedRuns(const CommandContext& context) {
  const std::string text = context.options.text("where");
  if (text.empty()) return std::optional<RunCondition>();
  FATHOM_TRY(RunCondition condition, RunCondition::parse(text));
  return std::optional(std::move(condition));
}

// Runs by what they are grouped by: how many, their states, and mean and deviation of their main score.
class GroupTable {
 public:
  void add(const std::string& group, const RunRow& row) {
    if (!m_groups.contains(group)) m_order.push_back(group);
    Group& here = m_groups[group];
    ++here.runs;
    ++here.states[runStateName(row.state)];
    const std::string metric = headlineMetric(row);
    if (metric.empty() || (!here.metric.empty() && here.metric != metric)) return;
    here.metric = metric;
    if (const double value = row.last.at(metric); std::isfinite(value)) here.values.push_back(value);
  }

  std::string text() const {
    TextTable table({"group", "runs", "states", "result"});
    for (const std::string& name : m_order) {
      const Group& group = m_groups.at(name);
      std::string states;
      for (const auto& [state, count] : group.states)
        states += (states.empty() ? "" : ", ") + std::to_string(count) + " " + state;
      table.addRow({name.empty() ? "(none)" : name, std::to_string(group.runs), states, resultOf(group)});
    }
    return table.text();
  }

 private:
  struct Group {
    int runs = 0;
    std::map<std::string, int> states;
    std::string metric;
    std::vector<double> values;
  };
  static std::string resultOf(const Group& group) {
    if (group.values.empty()) return "";
    const SeedSummary summary = summariseSeeds(group.values);
    std::string text = group.metric + " " + shownNumber(summary.mean);
    if (summary.finished > 1) text += " ± " + shownNumber(summary.deviation);
    if (std::ssize(group.values) < group.runs)
      text += " (" + std::to_string(group.values.size()) + "/" + std::to_string(group.runs) + ")";
    return text;
  }
  std::vector<std::string> m_order;
  std::map<std::string, Group> m_groups;
};

// The runs as a table or as JSON, one row at a time: a project may have ten thousand.
class RunList {
 public:
  RunList(const CommandContext& context, const std::optional<RunCondition>& condition,
          const RunGrouping& grouping, const std::vector<QueueEntry>& waiting)
      : m_context(context),
        m_condition(condition),
        m_grouping(grouping),
        m_json({{"format", 1}, {"project", context.project}}, "runs"),
        m_table({"run", "name", "state", "updates", "time", "left", "result"}),
        m_notes(placeNotes(context.project)) {
    if (condition) m_unmet.emplace(*condition);
    for (const QueueEntry& entry : waiting)
      if (entry.resume && !entry.claimed()) m_again.insert(entry.uuid);
  }

  void add(const RunRow& row) {
    m_known.insert(row.identity.uuid);
    const auto note = m_notes.find(row.identity.uuid);
    if (!fits(row, note != m_notes.end() ? note->second.place : std::string())) return;
    if (m_context.json) return addJson(row);
    grouped() ? m_groups.add(groupOf(row), row) : addLine(row);
  }

  void add(const QueueEntry& entry) {
    if (m_known.count(entry.uuid) || !fits(queuedRow(entry), entry.place)) return;
    if (grouped() && !m_context.json) return m_groups.add(groupOf(queuedRow(entry)), queuedRow(entry));
    const auto note = m_notes.find(entry.uuid);
    std::string state = runStateName(queuedRow(entry).state);
    if (note != m_notes.end()) {
      state += ", " + placeText(note->second);
    } else if (entry.place != kLocalPlace) {
      state += " for " + entry.place;
    }
    if (m_context.json) {
      Json facts = queuedRunJson(entry);
      if (grouped()) facts["group_by"] = groupOf(queuedRow(entry));
      facts["place"] = note != m_notes.end() ? placeNoteToJson(note->second) : Json{{"place", entry.place}};
      m_json.add(facts);
    }
    m_table.addRow({entry.uuid.substr(0, 8), entry.config.value("name", ""), state, "", "", "", ""});
  }

  CommandOutput finished() {
    for (const std::string& problem : m_unread) m_context.say(problem);
    if (m_unmet)
      for (const Phrase& name : m_unmet->sentences()) m_context.say(name.english());
    CommandOutput output;
    if (m_context.json) {
      output.jsonText = m_json.finished();
    } else if (!m_seen) {
      output.text = "no runs yet; start one with: fathom train --project " + shellWord(m_context.project) +
                    " --preset sample_small\n";
    } else {
      output.text = !m_fits ? "no run fits the condition\n" : grouped() ? m_groups.text() : m_table.text();
    }
    return output;
  }

 private:
  bool grouped() const { return m_grouping.kind() != RunGrouping::Kind::Seeds; }
  std::string groupOf(const RunRow& row) const { return m_grouping.groupOf(row.name, row.options); }

  bool fits(const RunRow& row, const std::string& queuedAt) {
    m_seen = true;
    if (m_unmet) m_unmet->see(row);
    const bool fits = !m_condition || m_condition->holds(row, queuedAt);
    m_fits = m_fits || fits;
    return fits;
  }

  void addJson(const RunRow& row) {
    Json facts = runJson(row);
    if (grouped()) facts["group_by"] = groupOf(row);
    if (m_again.count(row.identity.uuid)) facts["queued_again"] = true;
    if (const auto note = m_notes.find(row.identity.uuid); note != m_notes.end())
      facts["place"] = placeNoteToJson(note->second);
    if (const auto growth = sourceGrowth(row, m_context.project))
      facts["source_growth"] = {{"grew", growth->grew}, {"every", growth->every}};
    m_json.add(facts);
  }

  void addLine(const RunRow& row) {
    // A folder that could not be read is called by its name, and has no state but what stands in its way.
    if (const std::string why = row.message.english();
        row.state == RunState::Lost && row.attempts == 0 && !why.empty()) {
      m_unread.push_back(row.name + ": " + why);
      m_table.addRow({shortRunId(row), row.name, "unreadable", "", "", "", ""});
      return;
    }
    std::string state = stateText(row);
    if (const auto growth = sourceGrowth(row, m_context.project))
      if (const std::string words = growth->phrase(secondsSince1970()).english(); !words.empty())
        state += ", " + words;
    const auto note = m_notes.find(row.identity.uuid);
    if (m_again.count(row.identity.uuid) || (note != m_notes.end() && !isLive(row.state)))
      state = "queued again, " + state;
    if (note != m_notes.end()) state += ", " + placeText(note->second);
    const std::string metric = headlineMetric(row);
    m_table.addRow({shortRunId(row), row.name, state, progressText(row),
                    tellsItsTime(row) ? formatDuration(row.elapsed) : std::string(), leftText(row),
                    metric.empty() ? "" : metric + " " + shownNumber(row.last.at(metric))});
  }

  const CommandContext& m_context;
  const std::optional<RunCondition>& m_condition;
  const RunGrouping& m_grouping;
  std::optional<UnmetNames> m_unmet;
  GroupTable m_groups;
  JsonListText m_json;
  TextTable m_table;
  std::map<std::string, PlaceNote> m_notes;  // of jobs elsewhere
  std::set<std::string> m_again;             // runs that wait to go on
  std::set<std::string> m_known;
  std::vector<std::string> m_unread;
  bool m_seen = false, m_fits = false;
};

Result<CommandOutput> listRunsCommand(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto condition, wantedRuns(context));
  FATHOM_TRY(const RunGrouping grouping, RunGrouping::parse(context.options.text("group_by")));
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto index, CurveIndex::open(context.project));
  FATHOM_TRY(const auto waiting, QueueFolder(context.project).entries());
  RunList list(context, condition, grouping, waiting);
  RunListing listing(*library, index.get());
  const bool options =
      (condition && condition->needsOptions()) || grouping.kind() == RunGrouping::Kind::Options;
  FATHOM_CHECK(listing.visit(options ? RowParts::All : RowParts::WithoutOptions,
                             [&](const RunRow& row) { list.add(row); }));
  for (const QueueEntry& entry : waiting) list.add(entry);
  return list.finished();
}

}  // namespace

Command runsCommandEntry() {
  return {
      .id = "runs",
      .title = "List runs",
      .description = "Lists the runs of a project with state and results.",
      .group = "Run",
      .fields = {textField("where", "Condition",
                           "Runs that fit it alone: metrics (best.x, last.x), options, name, state, tags, "
                           "notes, updates, time, started, joined by and, or, not: 'valid.bleu > 30 and "
                           "layers >= 12'."),
                 textField("group_by", "Group by",
                           "One line for each group of runs: options (layers, task), or a pattern of names "
                           "(name:*_s#: * says the group, # is a number that tells its runs apart).")},
      .run = listRunsCommand};
}

}  // namespace fathom
