// SPDX-License-Identifier: GPL-3.0-or-later
// The start of a run at a host: all that it needs is brought first.
#include <cstdlib>

#include "app/runner/ssh/ssh_board.h"
#include "app/runner/ssh/staged_run.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/machine/sampling_wish.h"

namespace fathom {

namespace {

Json textList(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

}  // namespace

Json engineRequest(const PlaceRecord& record, const char* verb) {
  return {{"verb", verb},
          {"engine", record.resources.text("engine")},
          {"libraries", record.resources.text("libraries")},
          {"before", textList(record.before)}};
}

Status checkHostEngine(const PlaceRecord& record, const Json& facts) {
  const std::string path = memberText(facts, "path"), version = memberText(facts, "version"),
                    host = record.resources.text("host");
  const Phrase bring = Phrase::tr("bring this one with: fathom prepare-place %1 --project DIR")(record.id);
  if (version == FATHOM_VERSION) return {};
  if (!version.empty())
    return unavailableError(Phrase::tr("%1: the engine on host %2 is version %3, this is %4")(
                                record.id, host, version, std::string(FATHOM_VERSION)),
                            bring);
  if (!memberFlag(facts, "there", false))
    return unavailableError(Phrase::tr("%1: host %2 has no engine at %3")(record.id, host, path), bring);
  return unavailableError(
      Phrase::tr("%1: the engine on host %2 does not start: %3")(record.id, host, memberText(facts, "words")),
      Phrase::tr("look at the place with: fathom check-place %1 --project DIR")(record.id));
}

Status checkHostRoot(const PlaceRecord& record, const Json& facts) {
  const std::string host = memberText(facts, "host"), root = memberText(facts, "root");
  const Phrase otherRoot = Phrase::tr("choose another folder there (add-place --root)");
  if (const std::string fault = memberText(facts, "writable"); !fault.empty())
    return unavailableError(
        Phrase::tr("%1: the folder of runs on host %2 cannot be written: %3")(record.id, host, fault),
        otherRoot);
  if (!memberFlag(facts, "locks", true))
    return unavailableError(
        Phrase::tr("%1: the file system of %2 on host %3 keeps no locks")(record.id, root, host), otherRoot);
  return {};
}

// Looked at anew: somebody may have made room.
Status SshBoard::checkRoot() {
  if (!m_rootFault) return {};
  FATHOM_TRY(const Json facts, ask({{"verb", "hello"}}));
  FATHOM_CHECK(checkHostRoot(m_record, facts));
  m_rootFault.reset();
  return {};
}

Status SshBoard::askEngine() {
  if (m_engineKnown) return {};
  FATHOM_TRY(const Json facts, ask(engineRequest(m_record, "engine")));
  FATHOM_CHECK(checkHostEngine(m_record, facts));
  m_engineKnown = true;
  return {};
}

Status SshBoard::begin(Task& task) {
  FATHOM_CHECK(checkRoot());
  FATHOM_CHECK(askEngine());
  std::string config;
  FATHOM_TRY(const Json request, startRequest(task, config));
  task.start.token = request.at("token").get<std::string>();
  if (task.killing) return interruptedError();
  FATHOM_CHECK(writeSshStart(m_project, task.start));
  task.sent = true;
  const auto answer = ask(request, config);
  // Only a refusal of the host is certain: after anything else the start may have been heard.
  if (!answer.ok() && !m_channel->isLost() && !m_stop.stopRequested()) {
    task.sent = false;
    removeSshStart(m_project, task.start.request.uuid);
  }
  if (!answer.ok()) return answer.error();
  this->note(task, true);
  tell(task, {.kind = JobStatus::Kind::Running, .job = m_host});
  for (const Shared& each : tasks())
    if (each.get() == &task) return follow({each});
  return {};
}

Result<Json> SshBoard::startRequest(Task& task, std::string& config) {
  const JobRequest& job = task.start.request;
  const PlacedBytes told = [&](const std::string& file, std::uint64_t done, std::uint64_t of) {
    const std::string name = file.substr(file.rfind('/') + 1);
    tell(task, {.kind = JobStatus::Kind::Waiting,
                .reason = Phrase::tr("sending %1: %2 %")(name, of > 0 ? 100 * done / of : 100)});
    // It may take hours: the others' wishes do not wait, and neither does who calls this one off.
    if (task.killing) return Status(interruptedError());
    return carryWishes();
  };
  PlacedPaths placed;
  FATHOM_TRY(StagedRun staged, stageRun(*m_channel, job, placed, told, m_stop));
  config = std::move(staged.config);
  Json request = engineRequest(m_record, "start");
  request["token"] = task.start.token.empty() ? makeUuid() : task.start.token;
  request["run"] = runPathAtHost(job);
  request["uuid"] = job.uuid;
  request["arguments"] = {"train", "--or-resume", "--config", "%CONFIG%",
                          "--run", "%RUN%",       "--uuid",   job.uuid};
  request["nice"] = job.nice;
  request["files"] = std::move(staged.files);
  request["environment"] = {{"CUBLAS_WORKSPACE_CONFIG", ":4096:8"},
                            {kSamplingVariable, samplingWish(job.neededBytes)}};
  if (const auto threads = m_record.resources.integer("threads"); threads > 0)
    request["environment"]["OMP_NUM_THREADS"] = std::to_string(threads);
  return request;
}

}  // namespace fathom
