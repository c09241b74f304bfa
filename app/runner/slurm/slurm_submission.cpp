// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_submission.h"

#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

constexpr const char* kFacts = "/place.json";

std::string slurmFolder(const std::string& project) {
  return QueueFolder(project).path() + "/slurm";
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

void SlurmSubmission::finish(std::size_t task, std::size_t tasks) const {
  if (!folderExists(m_folder)) return;
  (void)writeFileAtomically(m_folder + "/" + std::to_string(task) + ".done", "\n").ok();
  for (std::size_t i = 0; i < tasks; ++i)
    if (!fileExists(m_folder + "/" + std::to_string(i) + ".done")) return;
  discard();
}

void SlurmSubmission::discard() const {
  std::error_code code;
  std::filesystem::remove_all(m_folder, code);
}

std::optional<SubmittedRun> submittedRun(const std::string& project, const std::string& place,
                                         const std::string& runPath) {
  std::optional<SubmittedRun> found;
  std::filesystem::file_time_type newest{};
  const auto folders = entriesIn(slurmFolder(project));
  if (!folders.ok()) return found;
  for (const auto& folder : *folders) {
    const auto facts = readJsonFile(folder.path().string() + kFacts);
    if (!facts.ok() || memberText(*facts, "place") != place) continue;
    std::error_code code;
    const auto written = std::filesystem::last_write_time(folder.path().string() + kFacts, code);
    const Json& runs = memberList(*facts, "runs");
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (memberText(runs[i], "run") != runPath || (found && written < newest)) continue;
      if (fileExists(folder.path().string() + "/" + std::to_string(i) + ".done")) continue;
      newest = written;
      found = SubmittedRun{folder.path().filename().string(), i, runs.size(),
                           static_cast<int>(memberInteger(runs[i], "attempts")), requestIn(runs[i])};
    }
  }
  return found;
}

}  // namespace fathom
