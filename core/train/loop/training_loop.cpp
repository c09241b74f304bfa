// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/training_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/decoding_keys.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/run_lock.h"
#include "core/train/loop/non_finite_search.h"
#include "core/train/loop/steady_seconds.h"
#include "core/train/loop/validation_report.h"
#include "core/train/loop/validation_share.h"
#include "core/train/parts/range_mark.h"
#include "core/train/state/stored_predictions.h"

namespace fathom {

namespace {

constexpr double kSaveRetrySeconds = 30;

double percentile99(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

Json toJson(const NamedValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

}  // namespace

TrainingLoop::TrainingLoop(Parts parts, LoopState start)
    : m_parts(std::move(parts)),
      m_settings(trainSettings(m_parts.options)),
      m_state(std::move(start)),
      m_detector(m_settings.divergence, m_parts.run.task->targetUnigramEntropy(),
                 m_parts.run.objective->ignorantNll()),
      m_update(m_parts.optimizer, m_settings.normalisation, clipRule(m_parts.options),
               m_parts.options.real("clip.norm"), m_settings.accumulation),
      m_mixed(mixedFormat(m_settings.precision)),
      m_scaler(lossScaler(m_parts.options)),
      m_analyses({m_parts.analyst, m_parts.run, m_parts.optimizer, m_parts.options, m_parts.recorder,
                  m_parts.checkpoint, m_parts.control.stop()}),
      m_graphs(
          {*m_parts.run.objective, m_update, m_parts.run.device, m_parts.optimizer.onDevice(),
           [this](const DeviceBatch& batch, const StepContext& context) { return forward(batch, context); },
           [this](const Phrase& what) { m_parts.recorder.warn(what, "graphs_off"); },
           [this](const Phrase& what) { m_parts.recorder.say(what.english()); }},
          m_settings.graphs, m_scaler.has_value()),
      m_plannedUpdates(plannedUpdatesOf(*m_parts.run.task, m_settings)) {
  if (!m_state.detector.empty()) m_detector.load(m_state.detector);
  if (m_scaler && !m_state.lossScaler.empty()) restoreLossScaler(*m_scaler, m_state.lossScaler);
  m_outOfPatience = m_settings.patience > 0 && m_state.sinceBest >= m_settings.patience;
  m_schedule = lrScheduleSettings(m_parts.options, m_plannedUpdates).value();
  m_parts.optimizer.planSchedules(m_parts.options, m_plannedUpdates).value();
  if (m_parts.ranks != nullptr)
    m_update.share(*m_parts.ranks, mostBatchesOfUpdate(m_settings.accumulation, m_settings.leftOver));
  m_progress = m_parts.recorder.updates(static_cast<double>(m_state.clock.updates));
  m_aside = m_parts.recorder.progress();
}

LoopResult TrainingLoop::run() {
  LoopResult result;
  m_savedStep = m_state.clock.updates > 0 ? m_state.clock.updates : -1;
  const DataCursor cursor(*m_parts.run.task, m_settings.seed, m_settings.accumulation, m_state.position,
                          m_settings.leftOver);
  const RankShare* ranks = m_parts.ranks;
  m_prefetcher = std::make_unique<BatchPrefetcher>(
      *m_parts.run.task, cursor, static_cast<std::size_t>(m_settings.prefetch),
      ranks == nullptr ? BatchPrefetcher::Ours()
                       : [ranks](std::int64_t place) { return ranks->mine(place); });
  m_graphs.begin();
  behindFirst([this] { m_analyses.begin(m_state); });
  if (m_parts.ranks != nullptr) m_parts.ranks->compareWeights(m_state.clock.updates);
  const StopToken& stop = stopWish();
  Update judged;
  if (!m_state.pendingValidation.empty()) validate(m_state.pendingValidation == "score");
  m_progress.begin(Phrase::tr("training").english, Phrase::tr("updates").english,
                   static_cast<double>(m_plannedUpdates));
  m_progress.report(static_cast<double>(m_state.clock.updates));
  while (!finished() && !m_outOfPatience) {
    if (stop.abortRequested()) throw Failure(interruptedError(Phrase::tr("aborted on request")));
    if (stop.stopRequested()) {
      result.state = RunState::Stopped;
      break;
    }
    followFolder();
    result.divergence = update(judged);
    if (result.divergence) {
      recordDivergence(result, &judged);
      return result;
    }
  }
  if (result.divergence = settleAll(judged); result.divergence) {
    recordDivergence(result, &judged);
    return result;
  }
  end(result);
  if (result.state == RunState::Finished) m_progress.finish();
  return result;
}

std::optional<Divergence> TrainingLoop::update(Update& judged) {
  if (m_parts.optimizer.onDevice()) return updateLate(judged);
  const TrainingClock before = m_state.clock;
  judged = takeUpdate();
  const std::optional<Divergence> divergence = doUpdate(judged);
  if (!divergence) afterUpdate(before);
  return divergence;
}

TrainingLoop::Update TrainingLoop::takeUpdate() {
  if (m_aheadFailure) std::rethrow_exception(std::exchange(m_aheadFailure, nullptr));
  Update update = m_ahead ? std::move(*std::exchange(m_ahead, std::nullopt)) : nextUpdate();
  update.context = {.seed = m_settings.seed, .update = m_state.clock.updates, .training = true};
  return update;
}

TrainingLoop::Update TrainingLoop::nextUpdate() {
  Update update;
  while (true) {
    TrainingBatch next = m_prefetcher->next();
    update.wait += m_prefetcher->lastWait();
    if (next.ours) {
      update.batches.push_back(toDevice(next.batch, m_parts.run.device, /*ahead=*/true));
      update.places.push_back(next.plan.place);
    }
    if (!next.plan.lastOfUpdate) continue;
    update.endsEpoch = next.plan.lastOfEpoch;
    update.after = next.plan.after;
    return update;
  }
}

std::optional<Divergence> TrainingLoop::doUpdate(const Update& update) {
  const RangeMark mark("update " + std::to_string(m_state.clock.updates + 1));
  const double started = secondsNow();
  const double rate = learningRate(m_schedule, m_state.clock.updates);
  m_update.begin();
  if (m_scaler) m_update.setLossScale(m_scaler->scale());
  addBatches(update);
  const double norm = m_update.gradientNorm();
  if (m_scaler) {
    const LossScaler::Verdict verdict = m_scaler->finishIteration(!std::isfinite(norm));
    if (verdict != LossScaler::Verdict::Step)
      return skipUpdate(update, verdict, secondsNow() - started + update.wait);
  }
  const UpdateSums& sums = m_update.sums();
  const std::optional<Divergence> divergence =
      m_detector.checkUpdate(m_state.clock.updates + 1, sums.means().front().second, norm);
  const bool applied = !divergence || divergence->cause == "loss_above";
  if (applied) m_update.apply(rate);
  m_state.clock.updates += 1;
  m_state.clock.targetTokens += static_cast<std::int64_t>(sums.units);
  const double seconds = secondsNow() - started + update.wait;
  m_state.seconds += seconds;
  m_state.epochLoss += sums.loss;
  m_state.epochUnits += sums.units;
  m_scoreHere.reset();
  m_state.position = update.after;
  StepReport report = reportOf(update, m_state.clock, rate);
  if (m_scaler) report.values.emplace_back("loss_scale", m_scaler->scale());
  record(std::move(report), update, norm, seconds);
  if (update.endsEpoch && !divergence) finishEpoch();
  return divergence;
}

void TrainingLoop::addBatches(const Update& update) {
  if (m_parts.ranks == nullptr) return m_graphs.pass(update.batches, update.context);
  StepContext context = update.context;
  for (std::size_t i = 0; i < update.batches.size(); ++i) {
    context.microBatch = update.places[i];
    m_update.add(forward(update.batches[i], context), update.places[i], i + 1 == update.batches.size());
  }
}

LossTerms TrainingLoop::forward(const DeviceBatch& batch, const StepContext& context) const {
  const MixedScope mixed(m_parts.run.device, m_mixed);
  return m_parts.run.objective->forward(*m_parts.run.model, batch, context);
}

std::optional<Divergence> TrainingLoop::skipUpdate(const Update& update, LossScaler::Verdict verdict,
                                                   double seconds) {
  constexpr std::int64_t kMostSkipped =
      256;  // in a row: the floor of the scale keeps a diverged run from aborting
  m_state.seconds += seconds;
  m_state.position = update.after;
  if (verdict == LossScaler::Verdict::Abort || m_scaler->skippedInARow() > kMostSkipped) {
    Divergence divergence;
    divergence.cause = "nonfinite_grad";
    divergence.step = m_state.clock.updates + 1;
    divergence.lastFiniteStep = m_detector.lastFiniteStep();
    divergence.message =
        Phrase::tr("gradients overflow in float16 at the lowest loss scale, %1 updates in a row")(
            m_scaler->skippedInARow());
    divergence.details = {{"step", divergence.step}, {"skipped", m_scaler->skippedInARow()}};
    return divergence;
  }
  if (update.endsEpoch) finishEpoch();
  return std::nullopt;
}

StepReport TrainingLoop::reportOf(const Update& update, const TrainingClock& after, double rate) const {
  StepReport report;
  report.step = after.updates;
  report.epoch = epochsRead(update.after, m_parts.run.task->batchCount(DataSplit::Train));
  report.tokens = after.targetTokens;
  report.learningRate = rate;
  return report;
}

void TrainingLoop::record(StepReport report, const Update& update, double norm, double seconds) {
  const UpdateSums& sums = m_update.sums();
  NamedValues values = m_parts.run.objective->trainingValues(sums.loss, sums.units, sums.means());
  values.emplace_back("grad_norm", norm);
  values.insert(values.end(), report.values.begin(), report.values.end());
  report.values = std::move(values);
  report.values.emplace_back("tokens_per_s", sums.units / seconds);
  m_parts.recorder.step(report);
  m_waits.push_back(static_cast<float>(update.wait / seconds));
  m_progress.report(static_cast<double>(report.step));
}

// The same clock for every scalar: curves against epochs start at 0 and lie over each other.
double TrainingLoop::epochsTrained() const {
  return epochsRead(m_state.position, m_parts.run.task->batchCount(DataSplit::Train));
}

void TrainingLoop::finishEpoch() {
  ++m_state.clock.epochs;
  Json members;
  members["epoch"] = m_state.clock.epochs;
  members["step"] = m_state.clock.updates;
  if (m_state.epochUnits > 0) members["m"] = {{"epoch.loss", m_state.epochLoss / m_state.epochUnits}};
  m_parts.recorder.event("epoch", members);
  m_state.epochLoss = m_state.epochUnits = 0;
}

// A pure function of the clocks, so a resumed run fires at the same updates.
bool TrainingLoop::due(const TrainingTime& interval, const TrainingClock& before) const {
  if (interval.never()) return false;
  const double was = std::floor(before.count(interval.unit) / interval.amount);
  return std::floor(m_state.clock.count(interval.unit) / interval.amount) > was;
}

void TrainingLoop::afterUpdate(const TrainingClock& before) {
  const bool last = finished();
  const bool scoring = m_settings.scoreFrom.never() || m_state.clock.reached(m_settings.scoreFrom);
  const bool scored = last || (scoring && due(m_settings.scoreInterval, before));
  if (m_state.clock.updates == before.updates && m_state.clock.epochs == before.epochs) return;  // skipped
  const bool judged = m_state.clock.updates == m_settings.divergence.notLearningAfter;
  if (m_parts.ranks != nullptr && m_parts.ranks->comparesAt(m_state.clock.updates))
    m_parts.ranks->compareWeights(m_state.clock.updates);
  if (scored || judged || due(m_settings.validationInterval, before)) validate(scored);
  const bool owed = m_retrySaveAt && secondsNow() >= *m_retrySaveAt;
  const bool wished = m_parts.control.takeCheckpointWish() || std::exchange(m_wished, false);
  const bool dueSave = due(m_settings.checkpointInterval, before);
  const bool endedEpoch = m_state.clock.epochs > before.epochs;
  const bool analysed = !last && due(m_settings.analysisInterval, before);
  const bool felt = due(m_settings.logitInterval, before);
  const auto look = [&] {
    if (!last && (owed || wished || dueSave)) save();
    m_analyses.afterUpdate(m_state, analysed, endedEpoch, savedHere());
    if (felt) m_analyses.pulse(m_state, epochsTrained());
  };
  if (analysed || felt || endedEpoch || dueSave) return behindFirst(look);
  look();
}

bool TrainingLoop::writes() const {
  return m_parts.ranks == nullptr || m_parts.ranks->first();
}

const StopToken& TrainingLoop::stopWish() const {
  return m_parts.ranks == nullptr ? m_parts.control.stop() : m_parts.ranks->stop();
}

void TrainingLoop::behindFirst(const std::function<void()>& work) {
  m_parts.ranks == nullptr ? work() : m_parts.ranks->behindFirst(work);
}

void TrainingLoop::followFolder() {
  if (m_parts.lock == nullptr) return;
  std::string& path = m_parts.checkpoint.runPath;
  const std::optional<std::string> now = m_parts.lock->folder();
  if (!now) throw Failure(goneError(path));
  if (*now == absolutePath(path)) return;
  m_parts.recorder.warn(Phrase::tr("the folder of the run was moved to %1; it goes on there")(*now), "moved");
  path = *now;
}

std::string TrainingLoop::savedHere() const {
  return m_savedStep == m_state.clock.updates ? m_lastCheckpoint : std::string();
}

// A stop during a validation leaves it to the next attempt: the state is that of the finished update.
void TrainingLoop::validate(bool scored) {
  m_state.pendingValidation = scored ? "score" : "loss";
  try {
    heed(takeValidation(scored));
    m_state.pendingValidation.clear();
  } catch (const Failure& failure) {
    const StopToken& stop = stopWish();
    if (failure.error().kind != ErrorKind::Interrupted || stop.abortRequested()) throw;
  }
}

TrainingLoop::Verdict TrainingLoop::takeValidation(bool scored) {
  const AveragedWeights averaged(m_parts.optimizer);
  Evaluation evaluation = evaluate(scored);
  if (m_parts.ranks == nullptr) return conclude(evaluation, scored);
  const std::vector<double> said = m_parts.ranks->byFirst([&] {
    const Verdict verdict = conclude(evaluation, scored);
    return std::vector<double>{verdict.nll, verdict.score ? 1.0 : 0.0, verdict.score.value_or(0)};
  });
  return {said[0], said[1] > 0 ? std::optional(said[2]) : std::nullopt};
}

Evaluation TrainingLoop::evaluate(bool scored) {
  std::optional<ValidationShare> share;
  EvaluationRequest request;
  request.seed = m_settings.seed;
  request.predictions = scored;
  request.decoding = kValidationDecoding;
  request.stop = m_parts.control.stop();
  request.progress = &m_aside;
  if (m_parts.ranks != nullptr) {
    request.share = &share.emplace(*m_parts.ranks);
    request.stop = m_parts.ranks->heard();
  }
  return m_parts.run.objective->evaluate(*m_parts.run.model, *m_parts.run.task, request);
}

TrainingLoop::Verdict TrainingLoop::conclude(Evaluation& evaluation, bool scored) {
  if (scored && m_parts.judge != nullptr) m_aside.begin(Phrase::tr("scoring").english, "", -1);
  addJudgement(
      m_parts.judge, m_parts.run, m_parts.options, DataSplit::Validation, evaluation,
      [this](const Phrase& what) { m_parts.recorder.say(what.english()); },
      [this](const Phrase& what) { m_parts.recorder.warn(what, "not_judged"); }, m_parts.control.stop());
  Json members;
  members["step"] = m_state.clock.updates;
  members["epoch"] = epochsTrained();
  members["tokens"] = m_state.clock.targetTokens;
  NamedValues values;
  for (const auto& [name, value] : evaluation.values) values.emplace_back("valid." + name, value);
  members["m"] = toJson(values);
  m_parts.recorder.event("validation", members);
  std::string text = "update " + std::to_string(m_state.clock.updates) + ":";
  for (const auto& [name, value] : values) text += " " + name + formatted(" %.4g", value);
  m_parts.recorder.say(text);
  m_state.lastValidation = std::move(values);
  showSamples(evaluation);
  keepForReview(evaluation.predictions);
  return {evaluation.nll, deciding(evaluation, m_parts.options, m_settings.bestBy)};
}

void TrainingLoop::heed(const Verdict& verdict) {
  m_state.lastValidationStep = m_state.clock.updates;
  if (m_detector.checkValidation(m_state.clock.updates, verdict.nll)) {
    Json details = m_detector.notLearning()->details;
    details["goes_on"] = true;
    m_parts.recorder.warn(
        Phrase::tr("%1; the run goes on to its end")(Phrase(m_detector.notLearning()->message)),
        "no_learning", details);
  }
  if (verdict.score) noteBest(*verdict.score);
}

void TrainingLoop::noteBest(double score) {
  m_scoreHere = score;
  if (!m_state.best || score < m_state.best->score) {
    m_state.best = BestSoFar{score, m_state.clock.updates};
    m_state.sinceBest = 0;
  } else {
    ++m_state.sinceBest;
  }
  m_outOfPatience = m_settings.patience > 0 && m_state.sinceBest >= m_settings.patience;
}

void TrainingLoop::showSamples(const Evaluation& evaluation) {
  Json items = sampleItems(*m_parts.run.task, m_settings.samples, evaluation);
  if (items.empty()) return;
  Json members;
  members["step"] = m_state.clock.updates;
  members["fields"] = roleFields(m_parts.run.entry->texts);
  members["items"] = std::move(items);
  m_parts.recorder.event("sample", members);
}

// The run goes on without them where the disk is full.
void TrainingLoop::keepForReview(const std::vector<Prediction>& predictions) {
  if (predictions.empty() || !m_parts.run.entry->review.ofValidations) return;
  PredictionSet set =
      predictionSetOf(m_parts.checkpoint.runPath, *m_parts.run.entry, m_parts.options, kValidationDecoding);
  set.checkpoint = checkpointName(m_parts.checkpoint.attempt, m_state.clock.updates);
  const auto kept = keepPredictions(m_parts.checkpoint.runPath, std::move(set), *m_parts.run.task,
                                    DataSplit::Validation, predictions);
  if (!kept.ok())
    m_parts.recorder.warn(
        Phrase::tr("the outputs of the validation are not stored with the run: %1")(kept.error().phrase()),
        "predictions_not_stored");
}

Status TrainingLoop::trySave() {
  if (!writes() || m_savedStep == m_state.clock.updates) return {};
  followFolder();
  m_aside.begin(Phrase::tr("saving").english, "", -1);
  FATHOM_CHECK(m_parts.recorder.sync());
  m_state.detector = m_detector.state();
  if (m_scaler) m_state.lossScaler = lossScalerToJson(*m_scaler);
  FATHOM_TRY(const CheckpointManifest manifest,
             saveCheckpoint(m_parts.checkpoint, m_state, *m_parts.run.model, m_parts.optimizer, m_scoreHere,
                            m_analyses.keep(m_state)));
  m_retrySaveAt.reset();
  m_savedStep = m_state.clock.updates;
  m_lastCheckpoint = manifest.name;
  Json members;
  members["step"] = m_state.clock.updates;
  members["name"] = manifest.name;
  members["bytes"] = manifest.bytes();
  members["best"] = m_scoreHere && m_state.best && m_state.best->step == m_state.clock.updates;
  m_parts.recorder.event("checkpoint", members);
  const RetentionPolicy policy{static_cast<int>(m_settings.keepLast), static_cast<int>(m_settings.keepBest),
                               m_settings.keepEvery};
  const auto removed = applyRetention(m_parts.checkpoint.runPath, policy);
  return removed.ok() ? Status() : Status(removed.error());
}

void TrainingLoop::save() {
  const Status status = trySave();
  if (status.ok()) return;
  if (!isDiskError(status.error())) throw Failure(status.error());
  if (!m_retrySaveAt)
    m_parts.recorder.warn(Phrase::tr("the checkpoint of update %1 is skipped, the next is tried soon: %2")(
                              m_state.clock.updates, status.error().phrase()),
                          "checkpoint_skipped",
                          {{"step", m_state.clock.updates}, {"error", status.error().text()}});
  m_retrySaveAt = secondsNow() + kSaveRetrySeconds;
}

void TrainingLoop::saveLast() {
  m_parts.recorder.untilWritten("the checkpoint of update " + std::to_string(m_state.clock.updates),
                                [this] { return trySave(); });
}

void TrainingLoop::end(LoopResult& result) {
  if (result.state == RunState::Finished && m_state.lastValidationStep != m_state.clock.updates)
    validate(true);
  if (!m_state.pendingValidation.empty()) result.state = RunState::Stopped;
  saveLast();
  if (result.state == RunState::Finished) m_analyses.end(m_state, savedHere());
  result.analysisSeconds = m_analyses.seconds();
  result.scores = m_state.lastValidation;
  result.lastCheckpoint = m_lastCheckpoint;
  result.graphs = m_graphs.counts();
  result.prefetchWaitP99 = percentile99(m_waits);
  if (result.state == RunState::Finished && m_detector.notLearning()) {
    result.divergence = m_detector.notLearning();
    recordDivergence(result, nullptr);
  }
}

// Found by the rank that had the micro-batch.
std::string TrainingLoop::firstBadModule(const Update& update) {
  std::string found = firstNonFiniteModule(*m_parts.run.model, *m_parts.run.objective, update.batches,
                                           update.places, update.context);
  if (m_parts.ranks == nullptr) return found;
  for (const std::string& module : m_parts.ranks->collect(found))
    if (!module.empty()) return module;
  return {};
}

void TrainingLoop::recordDivergence(LoopResult& result, const Update* update) {
  result.state = RunState::Diverged;
  const Divergence& found = *result.divergence;
  if (update != nullptr && found.cause != "loss_above") result.firstModule = firstBadModule(*update);
  result.scores = m_state.lastValidation;
  result.lastCheckpoint = m_lastCheckpoint;
  result.prefetchWaitP99 = percentile99(m_waits);
  Json members;
  members["cause"] = found.cause;
  members["step"] = found.step;
  members["last_finite_step"] = found.lastFiniteStep;
  members["first_module"] = result.firstModule;
  writePhrase(members, "message", found.message);
  members["details"] = found.details;
  m_parts.recorder.event("diverged", members);
}

}  // namespace fathom
