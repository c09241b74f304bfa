// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/sqlrun_connection.h"

#include <algorithm>
#include <array>

#include "core/sqlrun/schema_facts.h"

namespace fathom {

namespace {

constexpr int kProgressSteps = 1000;
using Clock = std::chrono::steady_clock;

// The only functions a query may call.
bool allowedFunction(std::string_view name) {
  static constexpr std::array<std::string_view, 48> kNames = {"avg",          "count",
                                                              "max",          "min",
                                                              "sum",          "total",
                                                              "group_concat", "abs",
                                                              "round",        "length",
                                                              "lower",        "upper",
                                                              "substr",       "substring",
                                                              "trim",         "ltrim",
                                                              "rtrim",        "replace",
                                                              "instr",        "like",
                                                              "glob",         "coalesce",
                                                              "ifnull",       "nullif",
                                                              "iif",          "cast",
                                                              "date",         "time",
                                                              "datetime",     "julianday",
                                                              "strftime",     "typeof",
                                                              "row_number",   "rank",
                                                              "dense_rank",   "ntile",
                                                              "lag",          "lead",
                                                              "first_value",  "last_value",
                                                              "nth_value",    "percent_rank",
                                                              "cume_dist",    "current_date",
                                                              "current_time", "current_timestamp",
                                                              "unicode",      "sign"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string actionName(int action, const char* a, const char* b) {
  static const std::pair<int, const char*> kNames[] = {{SQLITE_ATTACH, "ATTACH"},
                                                       {SQLITE_DETACH, "DETACH"},
                                                       {SQLITE_PRAGMA, "PRAGMA"},
                                                       {SQLITE_INSERT, "INSERT"},
                                                       {SQLITE_UPDATE, "UPDATE"},
                                                       {SQLITE_DELETE, "DELETE"},
                                                       {SQLITE_TRANSACTION, "transaction"},
                                                       {SQLITE_SAVEPOINT, "SAVEPOINT"},
                                                       {SQLITE_FUNCTION, "function"},
                                                       {SQLITE_READ, "reading"},
                                                       {SQLITE_CREATE_VTABLE, "virtual table"},
                                                       {SQLITE_ANALYZE, "ANALYZE"},
                                                       {SQLITE_REINDEX, "REINDEX"},
                                                       {SQLITE_CREATE_TABLE, "CREATE TABLE"},
                                                       {SQLITE_DROP_TABLE, "DROP TABLE"}};
  std::string text = "action " + std::to_string(action);
  for (const auto& [code, name] : kNames) {
    if (code == action) text = name;
  }
  if (action == SQLITE_FUNCTION && b) return text + " " + b;
  return a && *a ? text + " " + a : text;
}

std::string openAddress(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
      address += code;
    } else {
      address += c;
    }
  }
  return address + "?mode=ro&immutable=1";
}

void setLimits(sqlite3* database) {
  const std::pair<int, int> limits[] = {{SQLITE_LIMIT_LENGTH, 8000000},
                                        {SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(kMaxSqlBytes)},
                                        {SQLITE_LIMIT_COLUMN, 2000},
                                        {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                        {SQLITE_LIMIT_COMPOUND_SELECT, 50},
                                        {SQLITE_LIMIT_VDBE_OP, 250000},
                                        {SQLITE_LIMIT_FUNCTION_ARG, 16},
                                        {SQLITE_LIMIT_ATTACHED, 0},
                                        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                        {SQLITE_LIMIT_VARIABLE_NUMBER, 0},
                                        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                        {SQLITE_LIMIT_WORKER_THREADS, 0}};
  for (const auto& [which, value] : limits) sqlite3_limit(database, which, value);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
}

// Keeps valid UTF-8 and drops other bytes, as the official script's decoding does.
std::string validText(std::string_view bytes, bool& dropped) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool good = length > 0 && i + length <= bytes.size();
    for (std::size_t k = 1; good && k < length; ++k)
      good = (static_cast<unsigned char>(bytes[i + k]) & 0xC0) == 0x80;
    if (good && length >= 3) {
      const auto second = static_cast<unsigned char>(bytes[i + 1]);
      good = !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second > 0x9F) &&
             !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
    }
    if (good) {
      out.append(bytes.substr(i, length));
      i += length;
    } else {
      dropped = true;
      ++i;
    }
  }
  return out;
}

// True if SQL says nothing: blanks, semicolons and comments, the last of which may be open, as SQLite takes
// it.
bool saysNothing(std::string_view sql) {
  std::size_t at = 0;
  while (at < sql.size()) {
    const std::string_view two = sql.substr(at, 2);
    if (std::string_view(" \t\r\n\f;").find(sql[at]) != std::string_view::npos) {
      ++at;
    } else if (two == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (two == "/*") {
      const std::size_t end = sql.find("*/", at + 2);
      at = end == std::string_view::npos ? sql.size() : end + 2;
    } else {
      return false;
    }
  }
  return true;
}

SqlCell cellAt(sqlite3_stmt* statement, int column, bool& dropped) {
  SqlCell cell;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      cell.kind = SqlCell::Kind::Integer;
      cell.integer = sqlite3_column_int64(statement, column);
      break;
    case SQLITE_FLOAT:
      cell.kind = SqlCell::Kind::Real;
      cell.real = sqlite3_column_double(statement, column);
      break;
    case SQLITE_NULL:
      break;
    default: {
      const bool text = sqlite3_column_type(statement, column) == SQLITE_TEXT;
      cell.kind = text ? SqlCell::Kind::Text : SqlCell::Kind::Blob;
      const void* data = text ? static_cast<const void*>(sqlite3_column_text(statement, column))
                              : sqlite3_column_blob(statement, column);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      const std::string_view bytes(data ? static_cast<const char*>(data) : "", data ? size : 0);
      cell.text = text ? validText(bytes, dropped) : std::string(bytes);
    }
  }
  return cell;
}

}  // namespace

Result<std::unique_ptr<SqlRunConnection>> SqlRunConnection::open(const std::string& path) {
  std::unique_ptr<SqlRunConnection> connection(new SqlRunConnection());
  sqlite3_hard_heap_limit64(std::int64_t{192} << 20);
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(openAddress(path).c_str(), &connection->m_database, flags, nullptr) != SQLITE_OK) {
    return dataErrorAt(path, 0,
                       connection->m_database ? Phrase::words(sqlite3_errmsg(connection->m_database))
                                              : Phrase::tr("cannot be opened"));
  }
  FATHOM_CHECK(connection->configure());
  return connection;
}

SqlRunConnection::~SqlRunConnection() {
  sqlite3_close_v2(m_database);
}

Status SqlRunConnection::configure() {
  setLimits(m_database);
  const char* pragmas =
      "PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA "
      "cache_size=-8192;";
  char* message = nullptr;
  if (sqlite3_exec(m_database, pragmas, nullptr, nullptr, &message) != SQLITE_OK) {
    const Phrase text = message ? Phrase::words(message) : Phrase::tr("cannot be configured");
    sqlite3_free(message);
    return dataError(text);
  }
  // Reading facts binds parameters; queries may not.
  sqlite3_limit(m_database, SQLITE_LIMIT_VARIABLE_NUMBER, 10);
  FATHOM_TRY(m_facts, readSchemaFacts(m_database));
  sqlite3_limit(m_database, SQLITE_LIMIT_VARIABLE_NUMBER, 0);
  sqlite3_set_authorizer(m_database, &SqlRunConnection::authorize, this);
  sqlite3_progress_handler(m_database, kProgressSteps, &SqlRunConnection::progress, this);
  return {};
}

int SqlRunConnection::authorize(void* self, int action, const char* a, const char* b, const char*,
                                const char*) {
  auto* connection = static_cast<SqlRunConnection*>(self);
  if (action == SQLITE_SELECT || action == SQLITE_RECURSIVE) return SQLITE_OK;
  if (action == SQLITE_READ && a) {
    const std::string_view table(a);
    if (!table.starts_with("sqlite_") && !table.starts_with("pragma_") && table != "dbstat") return SQLITE_OK;
  }
  if (action == SQLITE_FUNCTION && b && allowedFunction(b)) return SQLITE_OK;
  connection->m_denied = actionName(action, a, b);
  return SQLITE_DENY;
}

int SqlRunConnection::progress(void* self) {
  auto* connection = static_cast<SqlRunConnection*>(self);
  ++connection->m_operations;
  connection->m_timedOut = Clock::now() >= connection->m_deadline;
  return connection->m_timedOut;
}

void SqlRunConnection::fail(int code, SqlRunResult& result) const {
  result.rows.clear();
  const int primary = code & 0xFF;
  result.message = sqlite3_errmsg(m_database);
  if (m_timedOut) {
    result.verdict = SqlVerdict::Timeout;
  } else if (primary == SQLITE_AUTH || !m_denied.empty()) {
    result.verdict = SqlVerdict::Denied;
    result.message = m_denied + " is not allowed";
  } else if (primary == SQLITE_NOMEM) {
    result.verdict = SqlVerdict::Memory;
  } else if (primary == SQLITE_TOOBIG) {
    result.verdict = SqlVerdict::TooLarge;
  } else if (primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT || primary == SQLITE_CANTOPEN) {
    result.verdict = SqlVerdict::NoDatabase;
  } else {
    result.verdict = SqlVerdict::SqlError;
  }
}

void SqlRunConnection::collect(sqlite3_stmt* statement, const SqlRunLimits& limits, SqlRunResult& result) {
  const int columns = sqlite3_column_count(statement);
  for (int i = 0; i < columns; ++i) {
    const char* name = sqlite3_column_name(statement, i);
    result.columns.emplace_back(validText(name ? name : "", result.invalidUtf8));
  }
  std::int64_t bytes = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    std::vector<SqlCell> row;
    for (int i = 0; i < columns; ++i) {
      row.push_back(cellAt(statement, i, result.invalidUtf8));
      bytes += static_cast<std::int64_t>(row.back().text.size()) + 9;
    }
    result.rows.push_back(std::move(row));
    if (static_cast<std::int64_t>(result.rows.size()) > limits.rows || bytes > limits.bytes) {
      result.rows.clear();
      result.verdict = SqlVerdict::TooLarge;
      result.message =
          "more than " + std::to_string(limits.rows) + " rows or " + std::to_string(limits.bytes) + " bytes";
      return;
    }
  }
  if (code != SQLITE_DONE) fail(code, result);
}

SqlRunResult SqlRunConnection::run(const SqlRunRequest& request) {
  if (auto refused = refusedForLength(request.sql)) return std::move(*refused);
  const auto started = Clock::now();
  SqlRunResult result;
  m_denied.clear();
  m_timedOut = false;
  m_operations = 0;
  m_deadline = started + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(request.limits.seconds));
  sqlite3_stmt* statement = nullptr;
  const char* tail = nullptr;
  if (request.sql.find('\0') != std::string::npos) {
    result.verdict = SqlVerdict::SqlError;
    result.message = "a NUL byte in the query";
    return result;
  }
  // Semicolons and comments in front are statements of their own to SQLite, which say nothing.
  const char* next = request.sql.c_str();
  const char* const end = next + request.sql.size();
  int code = SQLITE_OK;
  do {
    code = sqlite3_prepare_v3(m_database, next, static_cast<int>(end - next) + 1, 0, &statement, &tail);
    if (code != SQLITE_OK || statement || !tail || tail == next) break;
    next = tail;
  } while (next < end);
  const std::string_view rest = tail ? std::string_view(tail) : std::string_view();
  if (code != SQLITE_OK) {
    fail(code, result);
  } else if (!statement) {
    result.verdict = SqlVerdict::SqlError;
    result.message = "the query is empty";
  } else if (!saysNothing(rest)) {
    result.verdict = SqlVerdict::MultipleStatements;
    result.message = "something follows the first statement";
  } else if (!sqlite3_stmt_readonly(statement) || sqlite3_stmt_isexplain(statement) > 0) {
    result.verdict = SqlVerdict::NotAQuery;
    result.message = "the statement is no query";
  } else {
    collect(statement, request.limits, result);
  }
  sqlite3_finalize(statement);
  result.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  result.operations = m_operations;
  return result;
}

Status prepareDatabase(const std::string& path) {
  sqlite3* database = nullptr;
  sqlite3_hard_heap_limit64(std::int64_t{192} << 20);
  const int code =
      sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::string fault = code == SQLITE_OK ? "" : sqlite3_errmsg(database);
  if (fault.empty()) {
    setLimits(database);
    std::string verdict;
    const auto first = [](void* out, int count, char** values, char**) {
      auto* text = static_cast<std::string*>(out);
      if (count > 0 && values[0] && text->empty()) *text = values[0];
      return 0;
    };
    const auto check = [&](const char* sql) {
      verdict.clear();
      return sqlite3_exec(database, sql, first, &verdict, nullptr) == SQLITE_OK;
    };
    const bool sound =
        check("PRAGMA trusted_schema=0; PRAGMA cell_size_check=1; PRAGMA temp_store=MEMORY;") &&
        check("PRAGMA quick_check(1)") && verdict == "ok";
    if (!sound) fault = verdict.empty() ? sqlite3_errmsg(database) : verdict;
    if (sound && !check("PRAGMA journal_mode=DELETE")) fault = sqlite3_errmsg(database);
  }
  sqlite3_close_v2(database);
  return fault.empty() ? Status() : Status(dataErrorAt(path, 0, Phrase::words(fault)));
}

}  // namespace fathom
