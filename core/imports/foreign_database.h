// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"

namespace SQLite {
class Database;
}  // namespace SQLite

namespace fathom {

// An SQLite database that another program may be writing, in any journal mode. It is read without a lock,
// without shared memory beside it, and never written to: what its owner does is not held up, and a lock of
// the owner's holds nobody up. Source: https://www.sqlite.org/fileformat2.html (header, hot journals, WAL).
class ForeignDatabase {
 public:
  explicit ForeignDatabase(std::string path) : m_path(std::move(path)) {}
  const std::string& path() const { return m_path; }
  // False while the files are as they were when it was read last.
  bool changed() const;
  enum class Outcome {
    Read,
    Waiting,  // half a file, or always being changed: to be asked again later
    Gone,
  };
  // Calls `body` with what was committed at one moment. Where the files changed under it, `body` is called
  // again: it drops what it took before. Data errors name the file; interrupted where `stop` says so.
  Result<Outcome> read(const StopToken& stop, const std::function<Status(SQLite::Database&)>& body);

 private:
  Result<Outcome> readOnce(const StopToken& stop, const std::function<Status(SQLite::Database&)>& body,
                           bool& torn) const;
  std::string m_path;
  std::string m_stamp;  // of the files that were read last
};

// Does a file begin as every SQLite database does?
bool isDatabaseHead(std::string_view head);
// The tables there are, in alphabetical order, and the columns of one; empty for a table that is none.
std::vector<std::string> tablesOf(SQLite::Database& database);
std::vector<std::string> columnsOfTable(SQLite::Database& database, const std::string& table);

}  // namespace fathom
