// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/prediction_judge.h"

#include <utility>

namespace fathom {

void addJudgement(PredictionJudge* judge, const RunParts& run, const OptionValues& options, DataSplit split,
                  Evaluation& evaluation, std::function<void(const Phrase&)> say,
                  std::function<void(const Phrase&)> warn, const StopToken& stop) {
  if (judge == nullptr || evaluation.predictions.empty()) return;
  for (TaskScore& score :
       judge->judge({run, options, split, evaluation, std::move(say), std::move(warn), stop})) {
    evaluation.values.emplace_back(score.id, score.value);
    evaluation.scores.push_back(std::move(score));
  }
}

}  // namespace fathom
