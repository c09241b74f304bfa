// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/judgement/spider_error_category.h"
#include "core/sqlrun/result_comparison.h"
#include "core/sqlrun/sqlrun_pool.h"

namespace fathom {

// Runs gold and predicted SQL in the sandbox and compares what comes out.

enum class ExecutionRule {
  TestSuite,  // bags of rows under any order of columns (docs/spider_evaluation.md §8)
  Official    // the old rule by select items, row order counts
};

struct ExecutionOptions {
  std::string databases;  // folder with <db_id>/<db_id>.sqlite
  ExecutionRule rule = ExecutionRule::TestSuite;
  // A prediction that is not right as it stands is run with gold's literals in its places (rule F12).
  bool plugValues = false;
  // The test suite deletes DISTINCT from both queries before it runs them; with this they run as written.
  bool keepDistinct = false;
  // Variants of one prediction with gold's literals run no longer than this together; 0: all of them.
  double plugSeconds = 0;
};

struct ExecutionOutcome {
  enum class Kind { Right, Wrong, Undecided, GoldError, PredictionError };
  Kind kind = Kind::Wrong;
  SqlVerdict verdict = SqlVerdict::Ok;  // of the query that failed
  std::string message;
  std::size_t goldRows = 0, predictedRows = 0;
  bool placeholders = false;  // the prediction has places instead of values and was not plugged
  std::string pluggedSql;     // the variant that gave gold's result, when it was one
  // Right by the test suite's rule, but not with DISTINCT as it is written.
  bool distinctIgnored = false;
  // SQLite refuses the prediction as it is written, too (not only as the test suite prepares it).
  bool refused = false;
  bool right() const { return kind == Kind::Right; }
  std::string name() const;  // "right", "wrong", "undecided", "gold error", or the verdict of the prediction
  ExecutionEvidence evidence() const;
};

// {"right": 12, "wrong": 3, "timeout": 1, …}
Json executionCounts(const std::vector<ExecutionOutcome>& outcomes);

std::string databasePath(const std::string& folder, const std::string& dbId);

// One outcome per pair. Gold is run once for all pairs of a database that have it; results are compared as
// they come and then forgotten, so that memory does not grow with the pairs. Error: interrupted.
Result<std::vector<ExecutionOutcome>> executePairs(SqlRunPool& pool, const std::vector<SpiderPair>& pairs,
                                                   const SpiderSchemas& schemas,
                                                   const ExecutionOptions& options, Progress& progress,
                                                   const StopToken& stop = {});

// Compares two results that are there already (the detail view).
ExecutionOutcome compareResults(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted, ExecutionRule rule);

// Adds what the databases declare (keys, NOT NULL) to the schemas of these pairs, so that rules whose
// precondition it is can decide. Returns what is wrong with databases, in words.
std::vector<std::string> addDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                          const std::vector<SpiderPair>& pairs, SpiderSchemas& schemas);

}  // namespace fathom
