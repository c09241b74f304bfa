// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <string>

#include "core/base/json/json.h"
#include "core/sqlrun/sqlrun_result.h"

namespace fathom {

// One read-only connection to a private copy, with authorizer and limits (docs/reliability.md §6). One
// thread.
class SqlRunConnection {
 public:
  // `path` must be a copy made by prepareDatabase: it is opened immutable. Error: not a database.
  static Result<std::unique_ptr<SqlRunConnection>> open(const std::string& path);
  ~SqlRunConnection();
  SqlRunConnection(const SqlRunConnection&) = delete;
  SqlRunConnection& operator=(const SqlRunConnection&) = delete;

  // Never throws; every refusal is a verdict.
  SqlRunResult run(const SqlRunRequest& request);
  const Json& schemaFacts() const { return m_facts; }

 private:
  SqlRunConnection() = default;
  Status configure();
  void collect(sqlite3_stmt* statement, const SqlRunLimits& limits, SqlRunResult& result);
  void fail(int code, SqlRunResult& result) const;
  static int authorize(void* self, int action, const char* a, const char* b, const char* c, const char* d);
  static int progress(void* self);

  sqlite3* m_database = nullptr;
  Json m_facts;
  std::string m_denied;  // what the authorizer refused last
  std::chrono::steady_clock::time_point m_deadline;
  bool m_timedOut = false;
  std::int64_t m_operations = 0;
};

// Makes a foreign copy safe to open immutable: quick_check, rollback journal, WAL folded in. Runs inside the
// sandbox of `fathom-sqlrun --prepare`.
Status prepareDatabase(const std::string& path);

}  // namespace fathom
