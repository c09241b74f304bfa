// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/training_run.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/nn/build_watch.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_lock.h"
#include "core/record/runs/run_verdict.h"
#include "core/tasks/run_metrics.h"
#include "core/train/dry/dry_run.h"
#include "core/train/loop/resume_point.h"
#include "core/train/loop/training_loop.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/exception_error.h"
#include "core/train/parts/provenance.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

// Common part of both ways into a run.
struct Opening {
  RunFolder folder;
  RunIdentity identity;
  RunWatcher* watcher;
  bool watchStandardInput, watchSignals;
  bool fresh;  // no run yet: it becomes one with its first attempt
};

// Lock, attempt, events and control of one attempt.
struct Attempt {
  RunFolder folder;
  int number = 0;
  std::unique_ptr<RunLock> lock;
  ControlSocket socket;
  std::unique_ptr<ControlQueue> control;
  std::unique_ptr<RunRecorder> recorder;
};

// The run is ours alone; nothing is written yet.
Result<Attempt> holdRun(const Opening& opening) {
  Attempt attempt{opening.folder, 0, nullptr, {}, nullptr, nullptr};
  attempt.socket = chooseControlSocket(opening.identity.uuid, opening.folder.path());
  FATHOM_TRY(attempt.lock, RunLock::acquire(opening.folder.path(), attempt.socket.path));
  return attempt;
}

// From here on everything that goes wrong is the outcome of this attempt. A new run is listed with it, or not
// at all: whatever stops us before leaves nothing that looks like a run.
Status beginAttempt(Attempt& attempt, const Opening& opening, const Json& config) {
  if (opening.fresh) FATHOM_CHECK(opening.folder.clear());
  opening.folder.sweep();
  sweepCheckpoints(opening.folder.path());
  removeDeadSockets(opening.identity.uuid);
  FATHOM_TRY(attempt.number, opening.folder.beginAttempt(config));
  if (opening.fresh) FATHOM_CHECK(opening.folder.describe(opening.identity));
  return {};
}

// Throws what stops it.
void openAttempt(Attempt& attempt, const Opening& opening) {
  const std::string events = opening.folder.eventsPath(attempt.number);
  auto log = EventLog::create(events).value();
  attempt.recorder = std::make_unique<RunRecorder>(std::move(log), opening.watcher);
  if (opening.watcher != nullptr) {
    opening.watcher->attempt(events);
    opening.watcher->metrics(opening.identity.metrics);
  }
  attempt.control = ControlQueue::open({attempt.socket.path, opening.identity.uuid,
                                        opening.watchStandardInput, opening.watchSignals,
                                        [&lock = *attempt.lock] { return lock.folder().value_or(""); }})
                        .value();
  // Long work outside the loop is ended, too, where there is no run any more.
  attempt.recorder->setWatch([&lock = *attempt.lock, stop = attempt.control->stop()] {
    if (!lock.folder()) stop.requestAbort();
  });
  for (const std::string& note : {attempt.socket.note, attempt.control->note()}) {
    if (!note.empty()) attempt.recorder->warn(note, "control_socket");
  }
}

// Data hashes are known only after the data are read: they join run.json then, once.
Status completeProvenance(const RunFolder& folder, const Json& provenance) {
  const std::string path = folder.identityPath();
  FATHOM_TRY(Json json, readJsonFile(path));
  if (json.contains("provenance") && !json["provenance"].value("data", Json::array()).empty()) return {};
  json["provenance"] = provenance;
  return writeFileAtomically(path, jsonText(json, 2) + "\n");
}

Status checkSameData(const Json& before, const Json& now) {
  for (const Json& hash : now) {
    for (const Json& old : before) {
      if (old.at("role") != hash.at("role") || old.at("sha256") == hash.at("sha256")) continue;
      return aboutFile(hash.at("path").get<std::string>(),
                       dataError(Phrase::tr("the data of the run have changed: role %1, %2")(
                                     hash.at("role").get<std::string>(), hash.at("path").get<std::string>()),
                                 Phrase::tr("restore the file, or start a new run")));
    }
  }
  return {};
}

// Every run is validated at its end at the latest: better refused now than after the training.
Status checkParts(const Task& task, const TaskEntry& entry) {
  if (task.batchCount(DataSplit::Train) == 0) {
    return aboutKey(entry.data.train, dataError(Phrase::tr("the train part is empty"),
                                                Phrase::tr("name a file with more text")));
  }
  if (task.batchCount(DataSplit::Validation) > 0) return {};
  return aboutKey(entry.data.validation,
                  dataError(Phrase::tr("the validation part is empty"),
                            Phrase::tr("name a file, or keep a part of the training data for it")));
}

// Turns to where the folder lies now; false when it is gone.
bool followFolder(Attempt& attempt) {
  const auto now = attempt.lock->folder();
  if (now && *now != absolutePath(attempt.folder.path())) attempt.folder = RunFolder(*now);
  return now.has_value();
}

// Who looks at a run beside its task. Borrowed, each may be null.
struct Onlookers {
  RunAnalyst* analyst = nullptr;
  PredictionJudge* judge = nullptr;
};

class RunAttempt {
 public:
  RunAttempt(Attempt& attempt, const OptionValues& options, ResumePoint start, Onlookers onlookers)
      : m_attempt(attempt), m_options(options), m_start(std::move(start)), m_onlookers(onlookers) {}

  LoopResult run() {
    announce();
    prepare();
    const auto optimizer = makeRunOptimizer();
    LoopState state;
    if (!m_start.checkpoint.empty()) {
      loadCheckpoint(m_start.checkpoint, *m_parts.model, optimizer.get()).value();
      state = m_start.loaded.loop;
      Progress progress = m_attempt.recorder->progress();
      m_parts.objective->prepare(*m_parts.model, *m_parts.task, preparation(progress));
    }
    TrainingLoop loop({m_parts, *optimizer, m_options, *m_attempt.recorder, *m_attempt.control, m_context,
                       *m_attempt.lock, m_onlookers.analyst, m_onlookers.judge},
                      std::move(state));
    LoopResult result = run(loop);
    m_step = loop.state().clock.updates;
    return result;
  }
  std::int64_t step() const { return m_step; }

 private:
  LoopResult run(TrainingLoop& loop) {
    Error error;
    try {
      return loop.run();
    } catch (...) {
      error = currentExceptionError();
      const bool memory = error.kind == ErrorKind::Resource && error.resource == ResourceKind::DeviceMemory;
      if (!memory) throw;
    }
    throw Failure(withWhatFits(error, m_options, *m_parts.task, m_parts.device));
  }

  std::unique_ptr<Optimizer> makeRunOptimizer() {
    Progress progress = m_attempt.recorder->progress();
    const auto elements = static_cast<double>(m_parts.model->parameters().parameterCount());
    const BuildWatch watch(&progress, m_attempt.control->stop(), Phrase::tr("building the optimiser").english,
                           2 * elements);
    return makeOptimizer(m_options, m_parts.model->parameters()).value();
  }

  void announce() {
    m_attempt.recorder->setPatience(static_cast<double>(m_options.integer("checkpoint.disk_patience")),
                                    m_attempt.control->stop());
    const torch::Device device = chooseDevice(m_options.text("device")).value();
    const int threads = prepareNumerics(device, m_options.integer("threads"));
    m_device = device.str();
    m_context.runPath = m_attempt.folder.path();
    m_context.attempt = m_attempt.number;
    m_context.config = m_options.effective();
    m_context.environment = bitExactEnvironment(threads, m_device);
    m_context.resumedFrom = m_start.checkpoint;
    const bool fresh = m_start.checkpoint.empty();
    const bool exact = fresh || m_start.loaded.environment == m_context.environment;
    const TrainingTime length = m_options.time("training.length");
    Json members;
    members["attempt"] = m_attempt.number;
    members["resumed_from"] = m_start.name;
    members["bit_exact"] = exact;
    const Phrase restarted = restartWords(m_attempt.folder.outcome(m_attempt.number - 1), m_start);
    if (!restarted.empty()) writePhrase(members, "message", restarted);
    members["device"] = m_device;
    members["threads"] = threads;
    members["total_updates"] =
        length.unit == TrainingTime::Unit::Updates ? static_cast<std::int64_t>(length.amount) : -1;
    m_attempt.recorder->event("run_started", members);
    m_threads = threads;
    if (!exact)
      m_attempt.recorder->warn(
          Phrase::tr("resumed, not bit-exact: program, processor, threads or math libraries differ"));
  }

  PrepareRequest preparation(Progress& progress) {
    PrepareRequest request;
    request.cachePath = sharedCachePath(m_context.runPath);
    request.make = true;
    request.progress = &progress;
    request.say = [this](const Phrase& what) { m_attempt.recorder->say(what.english()); };
    request.stop = m_attempt.control->stop();
    return request;
  }

  // Tells a task's findings on its data beyond numbers (Task::statistics): examples that are left out, and
  // missing things that it goes on without.
  void say(const Json& statistics) {
    if (!statistics.is_object()) return;
    for (const Json& note : statistics.value("notes", Json::array()))
      m_attempt.recorder->say(note.get<std::string>());
    for (const Json& fault : statistics.value("warnings", Json::array()))
      m_attempt.recorder->warn(Phrase::words(fault.get<std::string>()), "data_note");
  }

  void prepare() {
    Progress progress = m_attempt.recorder->progress();
    RunPartsRequest request;
    request.device = m_device;
    request.setup.seed = static_cast<std::uint64_t>(m_options.integer("seed"));
    request.setup.artifacts = readArtifacts(m_context.runPath).value();
    request.setup.progress = &progress;
    request.setup.stop = m_attempt.control->stop();
    request.beforeBuilding = [this](const Task& task, const torch::Device& device) {
      return checkRoomFor(m_options, task, device, m_attempt.control->stop());
    };
    m_parts = makeRunParts(m_options, request).value();
    checkParts(*m_parts.task, *m_parts.entry).value();
    // Before anything that takes long: its groups may fit nothing.
    optimizerParameters(m_options, m_parts.model->parameters()).value();
    say(m_parts.task->statistics());
    if (const std::int64_t rows = m_parts.task->tokenRows(); rows > 0) {
      const std::int64_t pieces = m_parts.task->sizes().at("vocabulary");
      m_attempt.recorder->say(
          Phrase::tr("The token table of the weights has %1 rows, the vocabulary %2 pieces: "
                     "%3 rows are kept and used by nobody.")(rows, pieces, rows - pieces)
              .english());
    }
    const Json provenance = makeProvenance(m_threads, m_device, m_parts.task->dataHashes());
    m_context.data = provenance.at("data");
    if (!m_start.checkpoint.empty()) checkSameData(m_start.loaded.data, m_context.data).value();
    if (!followFolder(m_attempt)) throw Failure(goneError(m_context.runPath));
    m_context.runPath = m_attempt.folder.path();
    completeProvenance(m_attempt.folder, provenance).value();
    writeArtifacts(m_context.runPath, m_parts.task->keptFiles()).value();
    Json details;
    details["data"] = m_parts.task->statistics();
    details["parameters"] = m_parts.model->parameters().parameterCount();
    if (m_start.checkpoint.empty())
      details["initialisation"] = initialiseParts(m_parts, m_options, true, preparation(progress)).value();
    writeFileAtomically(m_attempt.folder.detailsPath(m_attempt.number), jsonText(details, 1) + "\n").value();
  }

  Attempt& m_attempt;
  const OptionValues& m_options;
  ResumePoint m_start;
  Onlookers m_onlookers;
  RunParts m_parts;
  CheckpointContext m_context;
  std::string m_device;
  int m_threads = 1;
  std::int64_t m_step = 0;
};

std::string newestCheckpointName(const Attempt& attempt) {
  const auto checkpoints = listCheckpoints(attempt.folder.path());
  return checkpoints.empty() ? std::string() : checkpoints.back().name;
}

// Once the file is there the run has ended so for everybody: that its folder could not be flushed (EIO) is
// told, and tried once more with a new file, but does not make the run a failed one.
Status writeLastOutcome(Attempt& attempt, const RunOutcome& outcome) {
  Status status = attempt.folder.writeOutcome(attempt.number, outcome);
  if (!status.ok() && attempt.folder.holdsOutcome(attempt.number, outcome))
    status = attempt.folder.writeOutcome(attempt.number, outcome);
  if (status.ok() || !attempt.folder.holdsOutcome(attempt.number, outcome)) return status;
  attempt.recorder->say("warning: " + status.error().text() +
                        "; the outcome of the run is there, but a power cut might take it back");
  return {};
}

RunReport finish(Attempt& attempt, const LoopResult& result, std::int64_t step) {
  if (!followFolder(attempt)) throw Failure(goneError(attempt.folder.path()));
  RunOutcome outcome;
  outcome.state = result.state;
  outcome.step = step;
  outcome.lastFiniteStep = step;
  outcome.lastGoodCheckpoint =
      result.lastCheckpoint.empty() ? newestCheckpointName(attempt) : result.lastCheckpoint;
  outcome.finishedAt = isoTimeNow();
  for (const auto& [name, value] : result.scores) outcome.scores[name] = jsonReal(value);
  RunReport report;
  if (result.state == RunState::Diverged) {
    outcome.cause = result.divergence->cause;
    outcome.lastFiniteStep = result.divergence->lastFiniteStep;
    outcome.firstModule = result.firstModule;
    outcome.message = result.divergence->message;
    outcome.details = result.divergence->details;
    report.code = ExitCode::Diverged;
    report.error = numericError(Phrase(outcome.message));
  } else if (result.state == RunState::Stopped) {
    report.code = ExitCode::Stopped;
    attempt.control->lookIntoFolder();
    outcome.askedBy = attempt.control->asker();
  }
  outcome.exitCode = static_cast<int>(report.code);
  if (result.state != RunState::Diverged) {
    Json members;
    members["step"] = step;
    members["stopped"] = result.state == RunState::Stopped;
    members["m"] = outcome.scores;
    members["prefetch_wait_p99"] = result.prefetchWaitP99;
    if (result.graphs.recorded > 0)
      members["graphs"] = {{"recorded", result.graphs.recorded}, {"launched", result.graphs.launched}};
    if (result.analysisSeconds > 0) members["analysis_seconds"] = result.analysisSeconds;
    attempt.recorder->event("run_finished", members);
  }
  attempt.recorder->untilWritten("the end of the event log", [&] { return attempt.recorder->sync(); });
  attempt.recorder->untilWritten("the outcome of the run",
                                 [&] { return writeLastOutcome(attempt, outcome); });
  return report;
}

std::string causeOf(ExitCode code, const Error& error) {
  switch (code) {
    case ExitCode::OutOfMemory:
    case ExitCode::DeviceMemory:
      return "oom";
    case ExitCode::Disk:
      return "disk";
    case ExitCode::DeviceFault:
      return "device_fault";
    case ExitCode::BadInput:
      // An option by itself, or several that do not fit each other; what is wrong with a file names it.
      return error.kind == ErrorKind::Usage || (!error.key.empty() && error.file.empty()) ? "config" : "data";
    default:
      return "unknown";
  }
}

// A failure is written down as far as the disk allows; the report is right in any case.
RunReport fail(Attempt& attempt, Error error, std::int64_t step) {
  if (!followFolder(attempt)) error = goneError(attempt.folder.path());
  RunReport report{runExitCode(error), error};
  RunOutcome outcome;
  const bool aborted = error.kind == ErrorKind::Interrupted;
  outcome.state = aborted ? RunState::Stopped : RunState::Failed;
  outcome.cause = aborted ? std::string(kAbortedCause) : causeOf(report.code, error);
  outcome.step = outcome.lastFiniteStep = step;
  outcome.message = error.phrase();
  if (attempt.control) attempt.control->lookIntoFolder();
  if (aborted && attempt.control) outcome.askedBy = attempt.control->asker();
  outcome.exitCode = static_cast<int>(report.code);
  outcome.finishedAt = isoTimeNow();
  outcome.lastGoodCheckpoint = newestCheckpointName(attempt);
  try {
    Json members;
    members["kind"] = errorKindName(error.kind);
    members["cause"] = outcome.cause;
    writePhrase(members, "message", outcome.message);
    members["exit_code"] = outcome.exitCode;
    if (attempt.recorder) attempt.recorder->event("run_failed", members);
    attempt.folder.writeOutcome(attempt.number, outcome).value();
  } catch (const Failure& failure) {
    if (attempt.recorder)
      attempt.recorder->say("the outcome could not be written: " + failure.error().text());
  }
  return report;
}

// The folder of a new run. One where nothing was learnt yet may be used by it, and keeps its identity.
Result<Opening> openingOf(const TrainRequest& request, RunIdentity identity) {
  Opening opening{RunFolder(request.runPath), std::move(identity),  request.watcher,
                  request.watchStandardInput, request.watchSignals, true};
  const Result<RunFolder> made = RunFolder::prepare(request.runPath);
  if (made.ok()) return opening;
  const Result<RunFolder> existing = RunFolder::open(request.runPath);
  if (!existing.ok()) return made.error();
  const int last = existing->lastAttempt();
  const auto outcome = existing->outcome(last);
  const bool unused = last == 0 || (outcome && outcome->state == RunState::Failed && outcome->step == 0);
  FATHOM_CHECK(checkpointsCanBeSeen(request.runPath));
  if (!unused || !listCheckpoints(request.runPath).empty()) return made.error();
  opening.fresh = false;
  FATHOM_TRY(opening.identity, existing->identity());
  return opening;
}

RunReport runAttempt(Attempt& attempt, const Opening& opening, const Result<OptionValues>& options,
                     ResumePoint start, Onlookers onlookers) {
  std::int64_t step = 0;
  try {
    openAttempt(attempt, opening);
    setDamagedAside(start, opening.folder.path(), *attempt.recorder);
    if (options.ok()) checkSameConfig(start, *options).value();
    step = start.checkpoint.empty() ? 0 : start.loaded.loop.clock.updates;
    RunAttempt run(attempt, options.value(), std::move(start), onlookers);
    try {
      const LoopResult result = run.run();
      return finish(attempt, result, run.step());
    } catch (...) {
      step = std::max(step, run.step());
      throw;
    }
  } catch (...) {
    return fail(attempt, currentExceptionError(), step);
  }
}

}  // namespace

ExitCode runExitCode(const Error& error) {
  return error.kind == ErrorKind::Usage ? ExitCode::BadInput : exitCodeFor(error);
}

RunReport trainRun(const TrainRequest& request) {
  try {
    const Result<OptionValues> options = runOptions(request.config, request.configFile, request.assignments);
    RunIdentity identity;
    identity.uuid = request.uuid.empty() ? makeUuid() : request.uuid;
    identity.name = request.config.name;
    identity.provenance = makeProvenance(0, "", {});
    if (options.ok()) identity.metrics = metricsOfTask(options->text("task"));
    const Opening opening = openingOf(request, std::move(identity)).value();
    RunConfig recorded = request.config;
    if (options.ok()) recorded.options = options->effective();
    Attempt attempt = holdRun(opening).value();
    if (const Status begun = beginAttempt(attempt, opening, runConfigToJson(recorded)); !begun.ok()) {
      if (opening.fresh) opening.folder.discard();
      throw Failure(begun.error());
    }
    return runAttempt(attempt, opening, options, {}, {request.analyst, request.judge});
  } catch (...) {
    const Error error = currentExceptionError();
    return {runExitCode(error), error};
  }
}

RunReport resumeRun(const ResumeRequest& request) {
  try {
    const RunFolder folder = RunFolder::open(request.runPath).value();
    const int last = folder.lastAttempt();
    if (last == 0) {
      throw Failure(dataErrorAt(request.runPath, 0,
                                Phrase::tr("the run was cut off before its first attempt"),
                                Phrase::tr("start it anew: train it again with the same folder")));
    }
    const std::string file = folder.configPath(last);
    RunConfig config = readRunConfig(file).value();
    findMovedFiles(config.options, request.runPath);
    const Result<OptionValues> options = recordedOptions(config.options, file);
    const Opening opening{
        folder, folder.identity().value(), request.watcher, request.watchStandardInput, request.watchSignals,
        false};
    Attempt attempt = holdRun(opening).value();
    ResumePoint start = startingPoint(request.runPath, request.checkpoint).value();
    if (options.ok()) checkSomethingLeft(folder, start, *options).value();
    beginAttempt(attempt, opening, runConfigToJson(config)).value();
    return runAttempt(attempt, opening, options, std::move(start), {request.analyst, request.judge});
  } catch (...) {
    const Error error = currentExceptionError();
    return {runExitCode(error), error};
  }
}

}  // namespace fathom
