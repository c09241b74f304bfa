// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/training_run.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/text_list.h"
#include "core/nn/build_watch.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_lock.h"
#include "core/record/runs/run_verdict.h"
#include "core/tasks/run_metrics.h"
#include "core/train/dry/dry_run.h"
#include "core/train/loop/attempt_end.h"
#include "core/train/loop/opened_attempt.h"
#include "core/train/loop/rank_facts.h"
#include "core/train/loop/resume_point.h"
#include "core/train/loop/run_data.h"
#include "core/train/loop/training_loop.h"
#include "core/train/parallel/rank_devices.h"
#include "core/train/parallel/rank_lost.h"
#include "core/train/parallel/rank_share.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/exception_error.h"
#include "core/train/parts/provenance.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

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

// Who looks at a run beside its task. Borrowed, each may be null.
struct Onlookers {
  RunAnalyst* analyst = nullptr;
  PredictionJudge* judge = nullptr;
};

class RunAttempt {
 public:
  // `exchange`: of several ranks, else null; `own` is this one's place among them.
  RunAttempt(OpenedAttempt& attempt, const OptionValues& options, ResumePoint start, Onlookers onlookers,
             GradientExchange* exchange, const Ranks& own)
      : m_attempt(attempt),
        m_options(options),
        m_start(std::move(start)),
        m_onlookers(onlookers),
        m_own(own) {
    if (exchange != nullptr)
      m_ranks =
          std::make_unique<RankShare>(*exchange, attempt.control->stop(), parallelSettings(options).check);
  }

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
                       m_attempt.lock.get(), m_onlookers.analyst, m_onlookers.judge, m_ranks.get()},
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
    const torch::Device device = chooseDevice(m_options.text("device"), m_own).value();
    const int threads = prepareNumerics(device, m_options.integer("threads"));
    if (m_ranks) joinOn(device);
    m_device = device.str();
    m_context.runPath = m_attempt.folder.path();
    m_context.attempt = m_attempt.number;
    m_context.config = m_options.effective();
    m_context.environment = bitExactEnvironment(threads, m_device);
    if (m_ranks) m_context.environment["ranks"] = m_ranks->exchange().size();
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
    if (m_ranks) members["ranks"] = m_ranks->exchange().size();
    members["total_updates"] =
        length.unit == TrainingTime::Unit::Updates ? static_cast<std::int64_t>(length.amount) : -1;
    m_attempt.recorder->event("run_started", members);
    m_threads = threads;
    if (!exact)
      m_attempt.recorder->warn(
          Phrase::tr("resumed, not bit-exact: program, processor, threads or math libraries differ"));
  }

  void joinOn(const torch::Device& device) {
    GradientExchange& exchange = m_ranks->exchange();
    compareCards(exchange, cardName(device));
    exchange.useDevice(device);
    m_attempt.recorder->say(
        Phrase::tr("%1 ranks train together, by %2")(exchange.size(), exchange.way()).english());
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
    if (m_attempt.keptFiles) request.setup.artifacts = readArtifacts(m_context.runPath).value();
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
    if (m_ranks)
      compareFacts(m_ranks->exchange(), rankFacts(m_options, m_context.data,
                                                  m_context.environment.at("program").get<std::string>()));
    if (!m_start.checkpoint.empty()) checkSameData(m_start.loaded.data, m_context.data).value();
    if (!followFolder(m_attempt)) throw Failure(goneError(m_context.runPath));
    m_context.runPath = m_attempt.folder.path();
    if (m_ranks && !m_ranks->first()) {
      if (m_start.checkpoint.empty())
        initialiseParts(m_parts, m_options, false, preparation(progress)).value();
      return;
    }
    completeProvenance(m_attempt.folder, provenance).value();
    writeArtifacts(m_context.runPath, m_parts.task->keptFiles()).value();
    Json details;
    details["data"] = m_parts.task->statistics();
    details["parameters"] = m_parts.model->parameters().parameterCount();
    if (m_start.checkpoint.empty())
      details["initialisation"] = initialiseParts(m_parts, m_options, true, preparation(progress)).value();
    writeFileAtomically(m_attempt.folder.detailsPath(m_attempt.number), jsonText(details, 1) + "\n").value();
  }

  OpenedAttempt& m_attempt;
  const OptionValues& m_options;
  ResumePoint m_start;
  Onlookers m_onlookers;
  Ranks m_own;
  std::unique_ptr<RankShare> m_ranks;
  RunParts m_parts;
  CheckpointContext m_context;
  std::string m_device;
  int m_threads = 1;
  std::int64_t m_step = 0;
};

// Nobody has learnt anything there yet.
bool isUnused(const RunFolder& folder) {
  const int last = folder.lastAttempt();
  const auto outcome = folder.outcome(last);
  const bool unused = last == 0 || (outcome && outcome->state == RunState::Failed && outcome->step == 0);
  return unused && listCheckpoints(folder.path()).empty();
}

// The folder of a new run. One where nothing was learnt yet may be used by it, and keeps its identity.
Result<RunOpening> openingOf(const TrainRequest& request, RunIdentity identity) {
  RunOpening opening{RunFolder(request.runPath), std::move(identity),  request.watcher,
                     request.watchStandardInput, request.watchSignals, true,
                     request.againAndAgain};
  const Result<RunFolder> made = RunFolder::prepare(request.runPath);
  if (made.ok()) return opening;
  const Result<RunFolder> existing = RunFolder::open(request.runPath);
  if (!existing.ok()) return made.error();
  FATHOM_CHECK(checkpointsCanBeSeen(request.runPath));
  if (!isUnused(*existing)) return made.error();
  opening.fresh = false;
  FATHOM_TRY(opening.identity, existing->identity());
  return opening;
}

Ranks plannedRanks(const RankMeeting* meeting, const OptionValues& options) {
  return meeting == nullptr ? Ranks() : meeting->planned(parallelSettings(options));
}

// Rank 0 meets the others and tells them what they join. Null: there are none.
std::unique_ptr<GradientExchange> meetOthers(const OpenedAttempt& attempt, const OptionValues& options,
                                             const ResumePoint& start, RankMeeting* meeting) {
  const Ranks planned = plannedRanks(meeting, options);
  if (planned.alone()) return nullptr;
  checkShares(options.integer("training.accumulation"), planned.size).value();
  chooseDevice(options.text("device"), planned).value();
  const bool kept = !readArtifacts(attempt.folder.path()).value().empty();
  auto exchange = meeting->meet(parallelSettings(options), attempt.folder.attemptPath(attempt.number));
  exchange->fromFirst(jsonText(Json{{"run", absolutePath(attempt.folder.path())},
                                    {"attempt", attempt.number},
                                    {"checkpoint", start.name},
                                    {"kept_files", kept}}));
  return exchange;
}

// The others are told why this rank ends before they take it for lost.
template <typename Work>
auto orLeave(GradientExchange* exchange, Work&& work) {
  try {
    return work();
  } catch (const OtherRankFailed&) {
    throw;  // everybody hears of it from the other one
  } catch (const RankLost& lost) {
    if (exchange != nullptr) exchange->leave({lost.error(), true});
    throw;
  } catch (...) {
    if (exchange != nullptr) exchange->leave({currentExceptionError(), false});
    throw;
  }
}

RunReport runAttempt(OpenedAttempt& attempt, const RunOpening& opening, const Result<OptionValues>& options,
                     ResumePoint start, Onlookers onlookers, RankMeeting* meeting) {
  std::int64_t step = 0;
  try {
    openAttempt(attempt, opening);
    setDamagedAside(start, opening.folder.path(), *attempt.recorder);
    if (options.ok()) checkSameConfig(start, *options).value();
    step = start.checkpoint.empty() ? 0 : start.loaded.loop.clock.updates;
    const auto exchange = meetOthers(attempt, options.value(), start, meeting);
    RunAttempt run(attempt, *options, std::move(start), onlookers, exchange.get(),
                   plannedRanks(meeting, *options));
    try {
      const LoopResult result = orLeave(exchange.get(), [&] { return run.run(); });
      return finishAttempt(attempt, result, run.step());
    } catch (...) {
      step = std::max(step, run.step());
      throw;
    }
  } catch (const RankLost& lost) {
    return failAttempt(attempt, lost.error(), step, ExitCode::RankLost);
  } catch (...) {
    return failAttempt(attempt, currentExceptionError(), step);
  }
}

bool isOtherRank(const RankMeeting* meeting) {
  return meeting != nullptr && !meeting->ranks().first();
}

// What rank 0 has told is gone on with; nothing is written.
LoopResult runOtherRank(GradientExchange& exchange, const Ranks& own, const OptionValues& options,
                        bool watchSignals) {
  const Json told = parseJson(exchange.fromFirst({})).value();
  const RunFolder folder(told.at("run").get<std::string>());
  OpenedAttempt attempt{
      folder, told.at("attempt").get<int>(), told.at("kept_files").get<bool>(), false, nullptr, {}, nullptr,
      nullptr};
  attempt.control = ControlQueue::open({"", "", false, watchSignals, {}}).value();
  attempt.recorder = std::make_unique<RunRecorder>(nullptr, nullptr);
  const std::string checkpoint = told.at("checkpoint").get<std::string>();
  ResumePoint start = startingPoint(folder.path(), checkpoint.empty() ? "none" : checkpoint).value();
  return RunAttempt(attempt, options, std::move(start), {}, &exchange, own).run();
}

// The whole of a rank that is not the first. Rank 0 alone says that the run was stopped or has diverged: srun
// ends the whole step with the first code that is not 0, while rank 0 may still save.
RunReport joinRun(RankMeeting& meeting, const OptionValues& options, bool watchSignals) {
  const auto exchange = meeting.meet(parallelSettings(options), {});
  orLeave(exchange.get(), [&] { return runOtherRank(*exchange, meeting.ranks(), options, watchSignals); });
  return {};
}

bool hasFinished(const RunFolder& folder) {
  const auto outcome = folder.outcome(folder.lastAttempt());
  return outcome && outcome->state == RunState::Finished;
}

// What is asked for is what the folder holds. Files may lie elsewhere by now.
Status checkSameRun(const TrainRequest& request, const RunFolder& folder) {
  FATHOM_TRY(const RunIdentity identity, folder.identity());
  if (!request.uuid.empty() && request.uuid != identity.uuid)
    return aboutFile(folder.path(), dataError(Phrase::tr("%1 holds another run: %2, not %3")(
                                                  folder.path(), identity.uuid, request.uuid),
                                              Phrase::tr("give the run a folder of its own")));
  if (request.configFile.empty() && request.assignments.empty()) return {};
  const std::string file = folder.configPath(folder.lastAttempt());
  FATHOM_TRY(const RunConfig recorded, readRunConfig(file));
  FATHOM_TRY(const OptionValues before, recordedOptions(recorded.options, file));
  FATHOM_TRY(const OptionValues now, runOptions(request.config, request.configFile, request.assignments));
  const auto differences = configDifferences(withoutPaths(before), withoutPaths(now));
  if (differences.empty()) return {};
  return usageError(
      Phrase::tr("the run in %1 was begun with other options: %2")(folder.path(), joined(differences, "; ")),
      Phrase::tr("start a new run with the changed options"));
}

}  // namespace

ExitCode runExitCode(const Error& error) {
  return error.kind == ErrorKind::Usage ? ExitCode::BadInput : exitCodeFor(error);
}

RunReport trainRun(const TrainRequest& request) {
  try {
    const Result<OptionValues> options = runOptions(request.config, request.configFile, request.assignments);
    if (isOtherRank(request.meeting)) return joinRun(*request.meeting, options.value(), request.watchSignals);
    RunIdentity identity;
    identity.uuid = request.uuid.empty() ? makeUuid() : request.uuid;
    identity.name = request.config.name;
    identity.provenance = makeProvenance(0, "", {});
    if (options.ok()) identity.metrics = metricsOfTask(options->text("task"));
    const RunOpening opening = openingOf(request, std::move(identity)).value();
    RunConfig recorded = request.config;
    if (options.ok()) recorded.options = options->effective();
    OpenedAttempt attempt = holdRun(opening).value();
    if (const Status begun = beginAttempt(attempt, opening, runConfigToJson(recorded)); !begun.ok()) {
      if (opening.fresh) opening.folder.discard();
      throw Failure(begun.error());
    }
    return runAttempt(attempt, opening, options, {}, {request.analyst, request.judge}, request.meeting);
  } catch (const RankLost& lost) {
    return {ExitCode::RankLost, lost.error()};
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
    if (isOtherRank(request.meeting)) return joinRun(*request.meeting, options.value(), request.watchSignals);
    const RunOpening opening{
        folder, folder.identity().value(), request.watcher, request.watchStandardInput, request.watchSignals,
        false,  request.againAndAgain};
    OpenedAttempt attempt = holdRun(opening).value();
    ResumePoint start = startingPoint(request.runPath, request.checkpoint).value();
    if (options.ok()) checkSomethingLeft(folder, start, *options).value();
    beginAttempt(attempt, opening, runConfigToJson(config)).value();
    return runAttempt(attempt, opening, options, std::move(start), {request.analyst, request.judge},
                      request.meeting);
  } catch (const RankLost& lost) {
    return {ExitCode::RankLost, lost.error()};
  } catch (...) {
    const Error error = currentExceptionError();
    return {runExitCode(error), error};
  }
}

RunReport trainOrResumeRun(const TrainRequest& asked) {
  TrainRequest request = asked;
  request.againAndAgain = true;
  const RunFolder folder(request.runPath);
  // Without options of its own the command means those that the folder recorded, where it did.
  const bool bare = request.configFile.empty() && request.assignments.empty();
  const bool anew = !folder.exists() || (isUnused(folder) && !(bare && folder.lastAttempt() > 0));
  // The other ranks do as the first one will, which may have begun an attempt before they look.
  const bool joins = isOtherRank(request.meeting) && !bare && !hasFinished(folder);
  if (joins || anew) return trainRun(request);
  try {
    checkSameRun(request, folder).value();
    if (hasFinished(folder)) {
      if (request.watcher != nullptr)
        request.watcher->message(Phrase::tr("run %1 has finished")(folder.path()).english());
      return {};
    }
  } catch (...) {
    const Error error = currentExceptionError();
    return {runExitCode(error), error};
  }
  ResumeRequest resume;
  resume.runPath = request.runPath;
  resume.watcher = request.watcher;
  resume.analyst = request.analyst;
  resume.judge = request.judge;
  resume.watchStandardInput = request.watchStandardInput;
  resume.watchSignals = request.watchSignals;
  resume.meeting = request.meeting;
  resume.againAndAgain = true;
  return resumeRun(resume);
}

}  // namespace fathom
