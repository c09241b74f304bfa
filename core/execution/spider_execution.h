// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/judgement/spider_error_category.h"
#include "core/sqlrun/result_comparison.h"
#include "core/sqlrun/sqlrun_pool.h"
#include "core/sqlrun/suite_preparation.h"

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

// One run of gold and of a prediction.
struct ExecutionVerdict {
  enum class Kind { Right, Wrong, Undecided, GoldError, PredictionError };
  Kind kind = Kind::Wrong;
  SqlVerdict verdict = SqlVerdict::Ok;  // of the query that failed
  std::string message;
  std::size_t goldRows = 0, predictedRows = 0;
  std::string executed;  // what ran as the prediction
  bool right() const { return kind == Kind::Right; }
  std::string name() const;  // "right", "wrong", "undecided", "gold error", or the verdict of the prediction
};

// The verdict of the rule that was asked for, which is the official one, and what stands beside it.
struct ExecutionOutcome : ExecutionVerdict {
  ExecutionOutcome() = default;
  explicit ExecutionOutcome(ExecutionVerdict one)
      : ExecutionVerdict(one), asPredicted(one), asWritten(one), evident(std::move(one)) {}
  bool placeholders = false;  // the prediction has places instead of values and was not plugged
  std::string pluggedSql;     // the variant that gave gold's result, when it was one
  // Right by the test suite's rule, but not with DISTINCT as it is written.
  bool distinctIgnored = false;
  ExecutionVerdict asPredicted;  // by the same rule, without gold's values
  ExecutionVerdict asWritten;    // both queries as they are written (value_plugin.h)
  // The same with gold's values where they were needed: what a category may be told, never a query that the
  // test suite's preparation has altered.
  ExecutionVerdict evident;
  ExecutionEvidence evidence() const;
};

// {"right": 12, "wrong": 3, "timeout": 1, …}: of the verdict that was asked for.
Json executionCounts(const std::vector<ExecutionOutcome>& outcomes);
// The same of every verdict there is, by its name: "as_predicted", "with_gold_values" (where they were put
// in), "as_written".
struct ExecutionCount {
  std::string id;
  Phrase title;
  std::map<std::string, int> counts;  // by ExecutionVerdict::name
};
std::vector<ExecutionCount> allExecutionCounts(const std::vector<ExecutionOutcome>& outcomes,
                                               bool withGoldValues);
Json allExecutionJson(const std::vector<ExecutionOutcome>& outcomes, bool withGoldValues);

// A test suite's databases lie beside <db_id>.sqlite: every file of the folder whose name holds ".sqlite".
// Only the first is executed.
struct SuiteDatabases {
  std::size_t executed = 0, there = 0;
  // "1 of 79 databases …"; empty where there are no others.
  Phrase note() const;
};
SuiteDatabases suiteDatabases(const std::string& folder, const std::set<std::string>& databases);

std::string databasePath(const std::string& folder, const std::string& dbId);

// One outcome per pair. Gold is run once for all pairs of a database that have it; results are compared as
// they come and then forgotten, so that memory does not grow with the pairs. Error: interrupted.
Result<std::vector<ExecutionOutcome>> executePairs(SqlRunPool& pool, const std::vector<SpiderPair>& pairs,
                                                   const SpiderSchemas& schemas,
                                                   const ExecutionOptions& options, Progress& progress,
                                                   const StopToken& stop = {});

// Compares two results that are there already.
ExecutionVerdict compareResults(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted, ExecutionRule rule);

// The two queries of a pair as they are written, and what their results say (the detail view).
SpiderPair pairAsWritten(const SpiderPair& pair, const SpiderSchema& schema);
ExecutionOutcome writtenOutcome(const SpiderPair& pair, const SpiderSchema& schema, const SqlRunResult& gold,
                                const SqlRunResult& predicted);

// Declarations of databases (keys, NOT NULL), and faults of those that cannot be read, in words.
struct DatabaseFacts {
  std::map<std::string, Json> declared;  // by db_id, as applySchemaFacts takes it
  std::vector<std::string> notes;
};
DatabaseFacts readDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                const std::vector<SpiderPair>& pairs);
// Adds them to the schemas, so that rules whose precondition it is can decide.
void applyDatabaseFacts(const DatabaseFacts& facts, SpiderSchemas& schemas);
// Both; the notes.
std::vector<std::string> addDatabaseFacts(SqlRunPool& pool, const std::string& folder,
                                          const std::vector<SpiderPair>& pairs, SpiderSchemas& schemas);

}  // namespace fathom
