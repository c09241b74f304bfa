// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_submission.h"

#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json_members.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

constexpr const char* kFacts = "/place.json";
constexpr const char* kOver = "/over";

std::string slurmFolder(const std::string& project) {
  return QueueFolder(project).path() + "/slurm";
}

std::string donePath(const std::string& folder, std::size_t task) {
  return folder + "/" + std::to_string(task) + ".done";
}

bool allDone(const std::string& folder, std::size_t tasks) {
  for (std::size_t i = 0; i < tasks; ++i)
    if (!fileExists(donePath(folder, i))) return false;
  return true;
}

// The submissions of a place with what stands in their files. Those that are being removed are none.
struct KeptSubmission {
  std::string folder, uuid;
  Json runs;
  bool over;
};
std::vector<KeptSubmission> keptSubmissions(const std::string& project, const std::string& place) {
  std::vector<KeptSubmission> kept;
  const auto folders = entriesIn(slurmFolder(project));
  if (!folders.ok()) return kept;
  for (const auto& entry : *folders) {
    const std::string folder = entry.path().string();
    if (isTemporaryName(entry.path().filename().string())) continue;
    const auto facts = readJsonFile(folder + kFacts);
    if (!facts.ok() || memberText(*facts, "place") != place) continue;
    Json runs = memberList(*facts, "runs");
    const bool over = fileExists(folder + kOver) || allDone(folder, runs.size());
    kept.push_back({folder, entry.path().filename().string(), std::move(runs), over});
  }
  return kept;
}

// Folders that a program was removing when it ended.
void removeAbandoned(const std::string& project) {
  for (const auto& entry : seenIn(slurmFolder(project))) {
    std::error_code stays;
    const std::string path = entry.path().string();
    if (isTemporaryName(entry.path().filename().string()) && isAbandonedTemporary(path))
      std::filesystem::remove_all(path, stays);
  }
}

JobRequest requestIn(const Json& json) {
  JobRequest request;
  request.runPath = memberText(json, "run");
  request.uuid = memberText(json, "uuid");
  request.configPath = memberText(json, "config");
  request.stderrPath = memberText(json, "messages");
  request.ranks = static_cast<int>(memberInteger(json, "ranks", 1));
  request.neededBytes = memberInteger(json, "needed_bytes");
  return request;
}

std::string firstLine(const std::string& file) {
  const auto text = readFile(file, 4096);
  std::string_view line;
  if (text.ok()) LinesOf(*text).next(line);
  return std::string(trimmed(line));
}

}  // namespace

SlurmSubmission::SlurmSubmission(std::string project, std::string uuid)
    : m_project(std::move(project)),
      m_uuid(std::move(uuid)),
      m_folder(slurmFolder(m_project) + "/" + m_uuid) {}

Status SlurmSubmission::write(const PlaceRecord& record, const std::vector<JobRequest>& requests,
                              const std::vector<int>& attempts) const {
  FATHOM_CHECK(makeOneFolder(slurmFolder(m_project)));
  FATHOM_CHECK(makeOneFolder(m_folder));
  Json runs = Json::array();
  for (std::size_t i = 0; i < requests.size(); ++i)
    runs.push_back({{"run", requests[i].runPath},
                    {"uuid", requests[i].uuid},
                    {"config", requests[i].configPath},
                    {"messages", requests[i].stderrPath},
                    {"ranks", requests[i].ranks},
                    {"needed_bytes", requests[i].neededBytes},
                    {"attempts", attempts[i]}});
  const Json facts = {{"format", 1}, {"place", record.id}, {"runs", std::move(runs)}};
  return writeFileAtomically(m_folder + kFacts, facts.dump(1) + "\n");
}

Status SlurmSubmission::writeScript(const std::string& script) const {
  return writeFileAtomically(scriptPath(), script);
}

bool SlurmSubmission::isStaged() const {
  return fileExists(scriptPath());
}

Status SlurmSubmission::keepJob(const std::string& job) const {
  return writeFileAtomically(m_folder + "/job", job + "\n");
}

std::string SlurmSubmission::job() const {
  return firstLine(m_folder + "/job");
}

std::optional<int> SlurmSubmission::exitCode(std::size_t task) const {
  return numberFrom<int>(firstLine(m_folder + "/" + std::to_string(task) + ".code"));
}

std::string SlurmSubmission::logPath(std::size_t task) const {
  return m_folder + "/" + std::to_string(task) + ".log";
}

bool SlurmSubmission::finish(std::size_t task, std::size_t tasks) const {
  if (!folderExists(m_folder)) return false;
  (void)writeFileAtomically(donePath(m_folder, task), "\n").ok();
  return allDone(m_folder, tasks);
}

void SlurmSubmission::markOver() const {
  if (folderExists(m_folder)) (void)writeFileAtomically(m_folder + kOver, "\n").ok();
}

// Its script, which is at its end, may write there now: under another name nobody finds it.
bool SlurmSubmission::remove() const {
  std::error_code code;
  const std::string aside = temporaryBeside(m_folder);
  std::filesystem::rename(m_folder, aside, code);
  if (code) return !folderExists(m_folder);
  std::filesystem::remove_all(aside, code);
  return !folderExists(aside);
}

std::optional<SubmittedRun> submittedRun(const std::string& project, const std::string& place,
                                         const std::string& runPath) {
  std::optional<SubmittedRun> found;
  std::filesystem::file_time_type newest{};
  for (const KeptSubmission& each : keptSubmissions(project, place)) {
    if (each.over) continue;
    std::error_code code;
    const auto written = std::filesystem::last_write_time(each.folder + kFacts, code);
    for (std::size_t i = 0; i < each.runs.size(); ++i) {
      if (memberText(each.runs[i], "run") != runPath || (found && written < newest)) continue;
      if (fileExists(donePath(each.folder, i))) continue;
      newest = written;
      found =
          SubmittedRun{each.uuid, i, each.runs.size(),
                       static_cast<int>(memberInteger(each.runs[i], "attempts")), requestIn(each.runs[i])};
    }
  }
  return found;
}

std::vector<std::string> overSubmissions(const std::string& project, const std::string& place) {
  removeAbandoned(project);
  std::vector<std::string> over;
  for (KeptSubmission& each : keptSubmissions(project, place))
    if (each.over) over.push_back(std::move(each.uuid));
  return over;
}

}  // namespace fathom
