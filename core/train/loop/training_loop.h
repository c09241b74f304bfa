// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/optim/lr_schedule.h"
#include "core/record/runs/run_folder.h"
#include "core/train/graphs/update_graphs.h"
#include "core/train/loop/analysis_schedule.h"
#include "core/train/loop/batch_prefetcher.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/divergence_detector.h"
#include "core/train/loop/run_recorder.h"
#include "core/train/loop/update_step.h"
#include "core/train/parts/mixed_precision.h"
#include "core/train/parts/prediction_judge.h"
#include "core/train/parts/run_parts.h"
#include "core/train/state/checkpoint.h"
#include "core/train/state/planned_updates.h"

namespace fathom {

class RankShare;
class RunLock;

// End of a loop.
struct LoopResult {
  RunState state = RunState::Finished;  // Finished, Stopped or Diverged
  std::optional<Divergence> divergence;
  std::string firstModule;
  std::string lastCheckpoint;
  NamedValues scores;          // of the last validation: "valid.nll", ...
  double analysisSeconds = 0;  // spent on analyses of this attempt
  UpdateGraphs::Counts graphs;
  double prefetchWaitP99 = 0;  // share of an update's time spent waiting for batches, 99th percentile
};

// Updates, validations, checkpoints, divergence, wishes from outside: what every run does, whatever it
// trains. It names no task and no model. One thread; throws Failure.
class TrainingLoop {
 public:
  struct Parts {
    RunParts& run;
    Optimizer& optimizer;
    const OptionValues& options;
    RunRecorder& recorder;
    ControlQueue& control;
    CheckpointContext checkpoint;
    const RunLock* lock;               // of the run's folder; null: rank 0 has it
    RunAnalyst* analyst = nullptr;     // borrowed, may be null
    PredictionJudge* judge = nullptr;  // borrowed, may be null
    RankShare* ranks = nullptr;        // borrowed, null: the run is this process alone
  };
  TrainingLoop(Parts parts, LoopState start);

  LoopResult run();
  const LoopState& state() const { return m_state; }

 private:
  struct Update {
    std::vector<DeviceBatch> batches;  // of this rank
    std::vector<std::int64_t> places;  // of those, in the update
    StepContext context;
    bool endsEpoch = false;
    DataPosition after;
    double wait = 0;
  };
  // An update of a device whose numbers nobody has read yet; clock and position as if it counted.
  struct Launched {
    Update update;
    UpdateStep::Launched numbers;
    TrainingClock before, after;
    double rate = 0, started = 0, lossScale = 0;
    std::optional<LossScaler> scalerBefore;
  };
  Update takeUpdate();
  Update nextUpdate();  // from the data; on a device its arrays are on their way there
  void lookAhead();     // the data of the update after this one
  // One update and what is due after it; where it ends the run, `judged` is the update that did.
  std::optional<Divergence> update(Update& judged);
  std::optional<Divergence> updateLate(Update& judged);
  // Forward and backward passes of this rank.
  void addBatches(const Update& update);
  LossTerms forward(const DeviceBatch& batch, const StepContext& context) const;
  void launch(Update update);
  bool nothingDue();  // after the newest launched update
  // Reads the oldest launched update.
  std::optional<Divergence> settle(Update& judged);
  std::optional<Divergence> settleAll(Update& judged);
  std::optional<Divergence> leaveOut(Launched overflowed, double seconds);
  // std::nullopt, or why the run ends here.
  std::optional<Divergence> doUpdate(const Update& update);
  // After an overflow in float16: the update is left out and not counted.
  std::optional<Divergence> skipUpdate(const Update& update, LossScaler::Verdict verdict, double seconds);
  // `report` says when and at which rate.
  void record(StepReport report, const Update& update, double norm, double seconds);
  StepReport reportOf(const Update& update, const TrainingClock& after, double rate) const;
  double epochsTrained() const;
  void finishEpoch();
  void validate(bool scored);
  // The decision after a validation how the run goes on.
  struct Verdict {
    double nll = 0;
    std::optional<double> score;  // what decides which checkpoint is best, lower is better
  };
  // All ranks share out the batches and go on with rank 0's verdict.
  Verdict takeValidation(bool scored);
  Evaluation evaluate(bool scored);
  // Scores, records and keeps the evaluation.
  Verdict conclude(Evaluation& evaluation, bool scored);
  void heed(const Verdict& verdict);
  void noteBest(double score);
  void showSamples(const Evaluation& evaluation);
  // Leaves a prediction set of every scored validation, for tasks whose predictions are reviewed.
  void keepForReview(const std::vector<Prediction>& predictions);
  void afterUpdate(const TrainingClock& before);
  // A folder that was moved is gone on with where it lies now; throws when it is gone.
  void followFolder();
  Status trySave();
  // Name of the checkpoint of the state as it is now, "" = not saved.
  std::string savedHere() const;
  void save();      // or note that it is owed: the disk is full
  void saveLast();  // waits for space
  bool due(const TrainingTime& interval, const TrainingClock& before) const;
  // Writes the run's folder: rank 0, or the only process.
  bool writes() const;
  // Wishes to stop that are heeded now.
  const StopToken& stopWish() const;
  // Every rank goes on when rank 0 has done what it alone has to do (RankShare::behindFirst).
  void behindFirst(const std::function<void()>& work);
  std::string firstBadModule(const Update& update);
  bool finished() const { return m_state.clock.reached(m_settings.length); }
  void end(LoopResult& result);
  void recordDivergence(LoopResult& result, const Update* update);

  Parts m_parts;
  TrainSettings m_settings;
  LoopState m_state;
  DivergenceDetector m_detector;
  UpdateStep m_update;
  std::optional<torch::ScalarType> m_mixed;
  std::optional<LossScaler> m_scaler;
  LrScheduleSettings m_schedule;
  std::unique_ptr<BatchPrefetcher> m_prefetcher;
  AnalysisSchedule m_analyses;
  UpdateGraphs m_graphs;
  std::int64_t m_plannedUpdates = -1;  // of the whole run; -1: only the data will tell (target tokens)
  bool m_outOfPatience = false;
  std::optional<double> m_scoreHere;  // of the state as it is now, lower is better
  std::int64_t m_savedStep = -1;
  std::string m_lastCheckpoint;
  std::optional<double> m_retrySaveAt;  // monotonic seconds; set while a checkpoint is owed
  std::vector<float> m_waits;
  // Updates of a device that the host has asked for and not read, at most two.
  std::deque<Launched> m_inFlight;
  std::optional<Update> m_ahead;
  std::exception_ptr m_aheadFailure;
  double m_settledAt = 0;  // monotonic seconds
  bool m_wished = false;   // a checkpoint
  Progress m_progress;     // of the updates
  Progress m_aside;        // of what is done between them
};

}  // namespace fathom
