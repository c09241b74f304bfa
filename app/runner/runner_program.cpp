// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/runner_program.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "app/runner/child_process.h"
#include "app/runner/engine_description.h"
#include "app/runner/runner.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {
constexpr const char* kErrorLine = "\nfathom: ";  // how a command in the shell ends that failed
}  // namespace

Status ensureRunner(const std::string& project) {
  const auto started = startRunner(project);
  return started ? Status() : Status(started.error());
}

namespace {

Result<ChildSpec> queueProgram(const QueueFolder& queue, const std::string& project) {
  ChildSpec spec;
  FATHOM_TRY(spec.program, fathomProgram());
  spec.arguments = {"run-queue", "--project", project};
  spec.stderrPath = queue.path() + "/runner.log";
  FATHOM_CHECK(makeOneFolder(queue.path()));
  return spec;
}

}  // namespace

Status startQueueProgram(const std::string& project) {
  FATHOM_TRY(const ChildSpec spec, queueProgram(QueueFolder(project), project));
  FATHOM_TRY(const int pid, startDetached(spec));
  (void)pid;
  return {};
}

Result<RunnerStart> startRunner(const std::string& project, RunnerKin kin) {
  const QueueFolder queue(project);
  RunnerStart start;
  if (queue.runnerPid() != 0) return start;
  FATHOM_TRY(const ChildSpec spec, queueProgram(queue, project));
  start.logBytes = fileBytes(spec.stderrPath);
  FATHOM_TRY(const int pid, kin == RunnerKin::Child ? startChild(spec) : startDetached(spec));
  start.process = processWithId(pid);
  return start;
}

std::optional<std::string> runnerComplaint(const std::string& project, const RunnerStart& start) {
  if (processLives(start.process)) return std::nullopt;
  const auto log = readFile(QueueFolder(project).path() + "/runner.log", std::size_t{1} << 26);
  if (!log || log->size() <= start.logBytes) return std::string();
  const std::string words = "\n" + log->substr(start.logBytes);
  const std::size_t at = words.rfind(kErrorLine);
  if (at == std::string::npos) return std::string();
  const std::size_t begin = at + std::strlen(kErrorLine);
  return words.substr(begin, words.find_last_not_of('\n') + 1 - begin);
}

Status markAborted(const std::string& project, const std::string& uuid) {
  const std::string folder = QueueFolder(project).path() + "/aborted";
  FATHOM_CHECK(makeOneFolder(QueueFolder(project).path()));
  FATHOM_CHECK(makeOneFolder(folder));
  return writeFileAtomically(folder + "/" + uuid, isoTimeNow() + "\n");
}

bool isMarkedAborted(const std::string& project, const std::string& uuid) {
  return access((QueueFolder(project).path() + "/aborted/" + uuid).c_str(), F_OK) == 0;
}

void clearAborted(const std::string& project, const std::string& uuid) {
  unlink((QueueFolder(project).path() + "/aborted/" + uuid).c_str());
}

Result<RunnerOptions> runnerOptions(const std::string& project, const StopToken& stop) {
  RunnerOptions options;
  options.project = project;
  DescribeOptions ask;
  ask.refresh = true;  // the devices of now, not of the day the engine was built
  FATHOM_TRY(const EngineDescription engine, describeEngine(ask, stop));
  options.enginePath = engine.path;
  for (const EngineDevice& device : engine.devices) {
    if (device.available) options.devices.push_back(device.id);
  }
  options.knowsThreads = engine.options.find("threads") && engine.options.find("device");
  if (const char* seconds = std::getenv("FATHOM_RESTART_SECONDS"))
    options.restartSeconds = std::atof(seconds);
  return options;
}

}  // namespace fathom
