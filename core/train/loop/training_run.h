// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_config.h"
#include "core/train/loop/run_analyst.h"
#include "core/train/loop/run_recorder.h"
#include "core/train/parallel/rank_meeting.h"
#include "core/train/parts/prediction_judge.h"

namespace fathom {

struct TrainRequest {
  std::string runPath;
  RunConfig config;        // as read; `assignments` come on top
  std::string configFile;  // named in errors
  std::vector<std::string> assignments;
  std::string uuid;                  // of the new run, empty = made here
  RunWatcher* watcher = nullptr;     // borrowed, may be null
  RunAnalyst* analyst = nullptr;     // borrowed, may be null: the options analysis.* do nothing then
  PredictionJudge* judge = nullptr;  // borrowed, may be null: scores are the task's own
  bool watchStandardInput = true;    // commands come on stdin
  bool watchSignals = true;
  RankMeeting* meeting = nullptr;  // borrowed; null: the run is this process alone
  bool againAndAgain = false;      // see RunOpening
};

struct ResumeRequest {
  std::string runPath;
  // As chooseCheckpoint understands it; empty = the newest whose bytes are right, "none" = from the
  // beginning.
  std::string checkpoint;
  RunWatcher* watcher = nullptr;
  RunAnalyst* analyst = nullptr;
  PredictionJudge* judge = nullptr;
  bool watchStandardInput = true;
  bool watchSignals = true;
  RankMeeting* meeting = nullptr;  // borrowed; null: the run is this process alone
  bool againAndAgain = false;      // see RunOpening
};

struct RunReport {
  ExitCode code = ExitCode::Finished;
  Error error;  // when the run failed; an empty message otherwise
};

// A new run: folder, lock, attempt, events, outcome, whatever happens inside. An unusable configuration or
// data set still leaves a folder that says why; such a folder (no checkpoint, nothing learnt) may be used
// again. A rank that is not the first takes part in what rank 0 does, writes nothing, and leaves with 0 where
// the run is stopped or has diverged. Never throws.
RunReport trainRun(const TrainRequest& request);
// Goes on with an existing run in a new attempt; refuses changed options or data. A checkpoint that is not
// there or is damaged is refused before there is an attempt.
RunReport resumeRun(const ResumeRequest& request);
// One or the other, by what lies in the folder: for batch systems, which give the same command again whenever
// they have ended it. A run that has finished is left as it is, with code 0; one with another identity or
// other options is refused. Two attempts one after the other that SIGTERM stopped before their first update
// are the last: the limit of time is too short, which is a failure (code 30) and no stop.
RunReport trainOrResumeRun(const TrainRequest& request);

// The exit code of an error while a run is prepared or trained: wrong options are bad input here.
ExitCode runExitCode(const Error& error);

}  // namespace fathom
