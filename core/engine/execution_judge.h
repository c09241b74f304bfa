// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/execution/spider_execution.h"
#include "core/train/parts/prediction_judge.h"

namespace fathom {

// "execution": the share of predicted queries whose result on their database is that of gold, by the test
// suite's rule with gold's literals in the places of a prediction without values (docs/spider_evaluation.md
// §8). Queries run in fathom-sqlrun. For tasks whose reviews are of SQL and name an
// option "execution"; where it cannot be, one sentence says why, once. Keeps the sandbox between calls.
class ExecutionJudge final : public PredictionJudge {
 public:
  ExecutionJudge();
  ~ExecutionJudge() override;
  std::vector<TaskScore> judge(const JudgeRequest& request) override;

 private:
  Result<std::vector<ExecutionOutcome>> execute(const JudgeRequest& request, const std::string& databases);
  void tellOnce(const std::function<void(const Phrase&)>& tell, const Phrase& why);
  std::unique_ptr<SqlRunPool> m_pool;
  SpiderSchemas m_schemas;
  std::set<std::string> m_told;
};

}  // namespace fathom
