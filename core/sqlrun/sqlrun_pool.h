// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/threads/stop_token.h"
#include "core/sqlrun/sqlrun_result.h"

namespace fathom {

struct SqlRunTask {
  std::string database;  // path of the original file; it is copied, never opened
  std::string sql;
};

// Queries of one database whose results are compared with that of the first.
struct SqlRunGroup {
  std::string database;
  std::vector<std::string> queries;
};

struct SqlRunPoolOptions {
  std::string program;  // fathom-sqlrun; empty: beside the running program, or $FATHOM_SQLRUN
  int workers = 2;
  SqlRunLimits limits;
};

// Parent side: private copies of databases, worker processes, deadlines (limit + 250 ms, then SIGKILL and a
// new worker). The folder of copies goes with the pool.
class SqlRunPool {
 public:
  // Error: no program, no temporary folder.
  static Result<std::unique_ptr<SqlRunPool>> start(const SqlRunPoolOptions& options);
  ~SqlRunPool();

  // Takes the result of query `query` (0: the first) of a group, which is forgotten afterwards; `first` is
  // the result of the first, which stays until the last. False: the rest of the group need not be run.
  using Taker = std::function<bool(std::size_t group, std::size_t query, const SqlRunResult& first,
                                   SqlRunResult& result)>;
  // Runs the groups at the same time and the queries of each one after the other; a query always has a
  // result. `take` is called on the pool's threads, `report(queries done)` on this one. Each thread holds two
  // results; of results above 4 MiB (as they are sent) only one thread at a time. Error: interrupted.
  Status runGroups(const std::vector<SqlRunGroup>& groups, const Taker& take, const StopToken& stop = {},
                   const std::function<void(std::size_t)>& report = {});
  // All results in the order of the tasks. Error: interrupted.
  Result<std::vector<SqlRunResult>> runAll(const std::vector<SqlRunTask>& tasks, const StopToken& stop = {});
  // Declarations of the database about its columns (see readSchemaFacts). Error: not a database.
  Result<Json> schemaFacts(const std::string& database);
  // Layers of the sandbox of the last worker, in words.
  std::string sandboxText() const;

 private:
  struct State;
  class GroupRun;
  explicit SqlRunPool(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

// Path of fathom-sqlrun, empty when it is nowhere.
std::string findSqlRunProgram();

}  // namespace fathom
