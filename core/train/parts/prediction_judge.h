// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/stop_token.h"
#include "core/objectives/objective.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

// Predictions that were scored, as somebody may judge them. Everything is borrowed for the call.
struct JudgeRequest {
  const RunParts& run;
  const OptionValues& options;
  DataSplit split = DataSplit::Validation;
  const Evaluation& evaluation;
  std::function<void(const Phrase&)> say;   // what was left out because it was not asked for
  std::function<void(const Phrase&)> warn;  // what was asked for and cannot be done
  StopToken stop;
};

// Scores that a task cannot give by itself, because they take programs that neither it nor training knows
// (the engine's: executed SQL).
class PredictionJudge {
 public:
  virtual ~PredictionJudge() = default;
  // Further scores, none where there are none for the task. Throws Failure(interrupted) when stopped; nothing
  // else ends a run.
  virtual std::vector<TaskScore> judge(const JudgeRequest& request) = 0;
};

// Asks the judge (null: nothing happens) and adds its scores to those of the evaluation.
void addJudgement(PredictionJudge* judge, const RunParts& run, const OptionValues& options, DataSplit split,
                  Evaluation& evaluation, std::function<void(const Phrase&)> say,
                  std::function<void(const Phrase&)> warn, const StopToken& stop);

}  // namespace fathom
