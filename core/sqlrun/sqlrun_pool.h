// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/stop_token.h"
#include "core/sqlrun/sqlrun_result.h"

namespace fathom {

struct SqlRunTask {
  std::string database;  // path of the original file; it is copied, never opened
  std::string sql;
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

  // Results in the order of the tasks; a task always has a result. `report(done)` is called on this thread.
  // Error: interrupted.
  Result<std::vector<SqlRunResult>> runAll(const std::vector<SqlRunTask>& tasks, const StopToken& stop = {},
                                           const std::function<void(std::size_t)>& report = {});
  // What the database declares about its columns (see readSchemaFacts). Error: not a database.
  Result<Json> schemaFacts(const std::string& database);
  // Layers of the sandbox of the last worker, in words.
  std::string sandboxText() const;

 private:
  struct State;
  explicit SqlRunPool(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

// Path of fathom-sqlrun, empty when it is nowhere.
std::string findSqlRunProgram();

}  // namespace fathom
