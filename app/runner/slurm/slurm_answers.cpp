// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_answers.h"

#include <algorithm>
#include <cctype>

#include "core/base/text/lines_of.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr std::size_t kColumns = 8;
constexpr std::size_t kMostWords = 400;

struct StateWord {
  std::string_view word;
  JobStatus::Kind kind;
  JobEnd end = JobEnd::Own;
  bool stuck = false;
};

using Kind = JobStatus::Kind;
constexpr StateWord kStates[] = {
    {"PENDING", Kind::Waiting},
    {"CONFIGURING", Kind::Waiting},
    {"REQUEUED", Kind::Waiting},
    {"REQUEUE_FED", Kind::Waiting},
    {"REQUEUE_HOLD", Kind::Waiting, JobEnd::Own, true},
    {"SPECIAL_EXIT", Kind::Waiting, JobEnd::Own, true},
    {"RESV_DEL_HOLD", Kind::Waiting, JobEnd::Own, true},
    {"RUNNING", Kind::Running},
    {"COMPLETING", Kind::Running},
    {"SIGNALING", Kind::Running},
    {"RESIZING", Kind::Running},
    {"STAGE_OUT", Kind::Running},
    {"SUSPENDED", Kind::Running},
    {"STOPPED", Kind::Running},
    {"COMPLETED", Kind::Ended},
    {"FAILED", Kind::Ended},
    {"TIMEOUT", Kind::Ended, JobEnd::TimeLimit},
    {"DEADLINE", Kind::Ended, JobEnd::TimeLimit},
    {"OUT_OF_MEMORY", Kind::Ended, JobEnd::Memory},
    {"NODE_FAIL", Kind::Ended, JobEnd::Node},
    {"BOOT_FAIL", Kind::Ended, JobEnd::Node},
    {"PREEMPTED", Kind::Ended, JobEnd::Preempted},
    {"CANCELLED", Kind::Ended, JobEnd::Cancelled},
    {"REVOKED", Kind::Ended, JobEnd::Cancelled},
};

// Reasons that do not pass by waiting; a person or an administrator has to do something.
constexpr std::string_view kStuckReasons[] = {
    "PartitionConfig",   "PartitionNodeLimit", "PartitionTimeLimit", "PartitionDown",
    "JobHeldUser",       "JobHeldAdmin",       "BadConstraints",     "InvalidAccount",
    "InvalidQOS",        "QOSNotAllowed",      "AccountNotAllowed",  "DependencyNeverSatisfied",
    "JobHoldMaxRequeue", "ReservationDeleted", "PartitionInactive"};

// "launch failed requeued held" is one of several.
bool isStuck(std::string_view reason) {
  if (reason.ends_with(" held")) return true;
  if (std::find(std::begin(kStuckReasons), std::end(kStuckReasons), reason) != std::end(kStuckReasons))
    return true;
  const bool limit = reason.starts_with("Assoc") || reason.starts_with("QOS");
  return limit && reason.find("PerJob") != std::string_view::npos;
}

Phrase waitingReason(const SlurmRow& row) {
  if (row.reason == "None" || row.reason.empty()) return {};
  const bool known = !row.start.empty() && row.start != "N/A";
  if (row.reason == "BeginTime" && known) return Phrase::tr("BeginTime, begins at %1")(row.start);
  return row.reason;
}

bool says(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) ==
                    std::tolower(static_cast<unsigned char>(b));
           }) != text.end();
  });
}

bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// The words of sbatch, in several lines of which the reason is not always the last, without its name before
// each.
std::string allWords(std::string_view err) {
  std::string all;
  LinesOf lines(err);
  for (std::string_view line; lines.next(line);) {
    std::string words(trimmed(line));
    for (const std::string_view start : {"sbatch: error: ", "sbatch: "})
      if (words.starts_with(start)) words.erase(0, start.size());
    if (!words.empty()) all += (all.empty() ? "" : "; ") + words;
  }
  return all.substr(0, kMostWords);
}

}  // namespace

std::vector<SlurmRow> slurmRows(std::string_view text) {
  std::vector<SlurmRow> rows;
  LinesOf lines(text);
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::vector<std::string> cells;
    while (cells.size() + 1 < kColumns && rest.find('|') != std::string_view::npos)
      cells.emplace_back(trimmed(takeUntil(rest, '|')));
    cells.emplace_back(trimmed(rest));  // a comment may hold the sign
    if (cells.size() != kColumns || !isNumber(cells[0])) continue;
    rows.push_back({cells[0], isNumber(cells[1]) ? cells[1] : std::string(), cells[2], cells[3], cells[4],
                    cells[5], cells[6], cells[7]});
  }
  return rows;
}

JobStatus slurmStatus(const SlurmRow& row) {
  JobStatus status;
  status.job = row.id();
  const std::string_view word = std::string_view(row.state).substr(0, row.state.find_first_of(" +"));
  const auto* known = std::find_if(std::begin(kStates), std::end(kStates),
                                   [&](const StateWord& each) { return each.word == word; });
  if (known == std::end(kStates)) {
    status.kind = JobStatus::Kind::Unknown;
    status.reason = row.state;
    return status;
  }
  status.kind = known->kind;
  status.end = known->end;
  status.stuck = known->stuck || (known->kind == Kind::Waiting && isStuck(row.reason));
  if (known->kind == Kind::Waiting)
    status.reason = word == "PENDING" ? waitingReason(row) : Phrase(row.state);
  if (word == "SUSPENDED" || word == "STOPPED") status.reason = row.state;
  if (known->kind == Kind::Ended && known->end != JobEnd::Own) status.reason = row.state;
  if (word == "COMPLETED") status.exitCode = 0;
  return status;
}

SlurmAnswer slurmAnswer(int exitCode, bool timedOut, std::string_view out, std::string_view err) {
  using Answer = SlurmAnswer::Kind;
  // A federation says "17;cluster".
  const std::string_view number = trimmed(out.substr(0, out.find_first_of(";\r\n")));
  if (exitCode == 0 && isNumber(number)) return {Answer::Taken, std::string(number)};
  std::string words = allWords(err);
  if (timedOut) return {Answer::Unclear, Phrase::tr("sbatch does not answer")};
  if (exitCode == 0)
    return {Answer::Unclear, words.empty() ? Phrase(Phrase::tr("sbatch gave no number")) : Phrase(words)};
  if (says(err, {"timed out", "zero bytes", "unable to contact", "connection refused", "connect failure",
                 "connection reset", "unexpected message", "not connected", "broken pipe", "no route to host",
                 "communication", "message send", "message receive"}))
    return {Answer::Unclear, words};
  if (says(err, {"submitjob", "job submit limit", "max submit", "maxsubmit", "MaxJobCount",
                 "Invalid job array specification"}))
    return {Answer::TooMany, words};
  if (says(err, {"temporarily", "resource limit", "try again", "SlurmctldHost", "in an unavailable state"}))
    return {Answer::Later, words};
  return {Answer::Refused,
          words.empty() ? Phrase::tr("sbatch left with code %1")(exitCode) : Phrase(std::move(words))};
}

std::string memoryLine(std::string_view log) {
  LinesOf lines(log);
  for (std::string_view line; lines.next(line);)
    if (says(line, {"exceeded memory limit", "exceeded job memory", "oom-kill", "oom_kill", "out of memory",
                    "out-of-memory handler"}))
      return std::string(trimmed(line).substr(0, kMostWords));
  return {};
}

// In this order: a sentence about an account may name its partition, one about a partition its time.
std::string blamedResource(std::string_view words) {
  constexpr std::pair<std::string_view, std::string_view> kBlamed[] = {
      {"account", "account"},       {"qos", "qos"},
      {"generic resource", "gres"}, {"gres", "gres"},
      {"time limit", "time"},       {"--time", "time"},
      {"TimeLimit", "time"},        {"memory", "memory"},
      {"feature", "constraint"},    {"invalid partition", "partition"},
      {"more processors", "cpus"},  {"cpu count", "cpus"},
      {"node count", "nodes"},      {"partition", "partition"}};
  for (const auto& [word, resource] : kBlamed)
    if (says(words, {word})) return std::string(resource);
  return {};
}

}  // namespace fathom
