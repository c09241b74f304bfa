// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

struct SqlCell {
  enum class Kind : std::uint8_t { Null, Integer, Real, Text, Blob };
  Kind kind = Kind::Null;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;  // also blobs
};
// The real that has exactly this value, where there is one.
std::optional<double> exactReal(std::int64_t integer);
// As Python compares: 1 equals 1.0 (by exact value: 2^53 + 1 is no real), NULL equals NULL, a text never
// equals a number or a blob.
bool operator==(const SqlCell& a, const SqlCell& b);
std::string cellText(const SqlCell& cell);  // for people; NULL is "NULL"

enum class SqlVerdict : std::uint8_t {
  Ok,
  SqlError,   // SQLite's message
  Timeout,    // the deadline, kept by SQLite's progress handler or by the parent's kill
  TooLarge,   // row, byte or column cap
  Memory,     // SQLite's heap limit
  Denied,     // the authorizer said no; message names the action
  NotAQuery,  // would change something, or EXPLAIN
  MultipleStatements,
  Crashed,    // the worker died; message names the signal
  NoDatabase  // missing or damaged database
};
const char* sqlVerdictName(SqlVerdict verdict);  // "ok", "sql error", "timeout", …; Phrase::known

struct SqlRunResult {
  SqlVerdict verdict = SqlVerdict::Ok;
  std::string message;
  std::vector<std::string> columns;
  std::vector<std::vector<SqlCell>> rows;
  double seconds = 0;
  std::int64_t operations = 0;  // virtual machine steps, in thousands
  bool invalidUtf8 = false;     // bytes were dropped
  bool ok() const { return verdict == SqlVerdict::Ok; }
};

struct SqlRunLimits {
  double seconds = 1;
  std::int64_t rows = 100000;
  std::int64_t bytes = std::int64_t{32} << 20;
};

// The messages between parent and worker: 4-byte length, then the bytes below. Sizes and counts are checked.
struct SqlRunRequest {
  std::string sql;
  SqlRunLimits limits;
};
std::string encodeRequest(const SqlRunRequest& request);
Result<SqlRunRequest> decodeRequest(std::string_view bytes);
std::string encodeResult(const SqlRunResult& result);
Result<SqlRunResult> decodeResult(std::string_view bytes);

// The longest query that is executed, here and by SQLite's own limit.
constexpr std::size_t kMaxSqlBytes = 100000;
// Why a longer one is not: nothing of it is sent or looked at.
std::optional<SqlRunResult> refusedForLength(std::string_view sql);

constexpr std::uint32_t kMaxRequestBytes = 4u << 20;
constexpr std::uint32_t kMaxResultBytes = 160u << 20;

}  // namespace fathom
