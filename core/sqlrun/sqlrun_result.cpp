// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/sqlrun_result.h"

#include <cstring>

#include "core/base/errors/phrase.h"
#include "core/base/errors/word_table.h"
#include "core/base/text/number_text.h"

namespace fathom {

namespace {

class Writer {
 public:
  template <typename T>
  void number(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    m_out.append(bytes, sizeof(T));
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    m_out.append(value);
  }
  std::string take() { return std::move(m_out); }

 private:
  std::string m_out;
};

// Every read checks what is left; after a failure all reads give zero.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : m_bytes(bytes) {}
  template <typename T>
  T number() {
    T value{};
    if (m_bytes.size() < sizeof(T)) {
      m_ok = false;
      m_bytes = {};
      return value;
    }
    std::memcpy(&value, m_bytes.data(), sizeof(T));
    m_bytes.remove_prefix(sizeof(T));
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (size > m_bytes.size()) {
      m_ok = false;
      m_bytes = {};
      return {};
    }
    std::string value(m_bytes.substr(0, size));
    m_bytes.remove_prefix(size);
    return value;
  }
  // A count of things of at least `least` bytes each.
  std::size_t count(std::size_t least) {
    const auto value = number<std::uint32_t>();
    if (value * least > m_bytes.size()) m_ok = false;
    return m_ok ? value : 0;
  }
  bool ok() const { return m_ok; }

 private:
  std::string_view m_bytes;
  bool m_ok = true;
};

void writeCell(Writer& out, const SqlCell& cell) {
  out.number(static_cast<std::uint8_t>(cell.kind));
  if (cell.kind == SqlCell::Kind::Integer) out.number(cell.integer);
  if (cell.kind == SqlCell::Kind::Real) out.number(cell.real);
  if (cell.kind == SqlCell::Kind::Text || cell.kind == SqlCell::Kind::Blob) out.text(cell.text);
}

SqlCell readCell(Reader& in) {
  SqlCell cell;
  cell.kind = static_cast<SqlCell::Kind>(std::min<std::uint8_t>(in.number<std::uint8_t>(), 4));
  if (cell.kind == SqlCell::Kind::Integer) cell.integer = in.number<std::int64_t>();
  if (cell.kind == SqlCell::Kind::Real) cell.real = in.number<double>();
  if (cell.kind == SqlCell::Kind::Text || cell.kind == SqlCell::Kind::Blob) cell.text = in.text();
  return cell;
}

bool equalsReal(const SqlCell& integer, double real) {
  const auto exact = exactReal(integer.integer);
  return exact && *exact == real;
}
bool isNumber(const SqlCell& cell) {
  return cell.kind == SqlCell::Kind::Integer || cell.kind == SqlCell::Kind::Real;
}

}  // namespace

std::optional<double> exactReal(std::int64_t integer) {
  constexpr double kTooLarge = 9223372036854775808.0;  // 2^63
  const auto real = static_cast<double>(integer);
  if (real >= kTooLarge || static_cast<std::int64_t>(real) != integer) return std::nullopt;
  return real;
}

bool operator==(const SqlCell& a, const SqlCell& b) {
  if (isNumber(a) && isNumber(b)) {
    const bool whole = a.kind == SqlCell::Kind::Integer;
    if (a.kind == b.kind) return whole ? a.integer == b.integer : a.real == b.real;
    return whole ? equalsReal(a, b.real) : equalsReal(b, a.real);
  }
  return a.kind == b.kind && a.text == b.text;
}

std::string cellText(const SqlCell& cell) {
  switch (cell.kind) {
    case SqlCell::Kind::Null:
      return "NULL";
    case SqlCell::Kind::Integer:
      return std::to_string(cell.integer);
    case SqlCell::Kind::Real:
      return shortestText(cell.real);
    case SqlCell::Kind::Text:
      return cell.text;
    case SqlCell::Kind::Blob:
      return "blob of " + std::to_string(cell.text.size()) + " bytes";
  }
  return {};
}

const char* sqlVerdictName(SqlVerdict verdict) {
  static constexpr EnumWord<SqlVerdict> kVerdicts[] = {
      {SqlVerdict::Ok, "ok"},
      {SqlVerdict::SqlError, Phrase::tr("sql error").english},
      {SqlVerdict::Timeout, Phrase::tr("timeout").english},
      {SqlVerdict::TooLarge, Phrase::tr("too large").english},
      {SqlVerdict::Memory, Phrase::tr("memory").english},
      {SqlVerdict::Denied, Phrase::tr("denied").english},
      {SqlVerdict::NotAQuery, Phrase::tr("not a query").english},
      {SqlVerdict::MultipleStatements, Phrase::tr("multiple statements").english},
      {SqlVerdict::Crashed, Phrase::tr("crashed").english},
      {SqlVerdict::NoDatabase, Phrase::tr("no database").english}};
  return wordOf(kVerdicts, verdict);
}

std::optional<SqlRunResult> refusedForLength(std::string_view sql) {
  if (sql.size() <= kMaxSqlBytes) return {};
  SqlRunResult result;
  result.verdict = SqlVerdict::TooLarge;
  result.message = "the query has " + std::to_string(sql.size()) + " bytes, at most " +
                   std::to_string(kMaxSqlBytes) + " are executed";
  return result;
}

std::string encodeRequest(const SqlRunRequest& request) {
  Writer out;
  out.text(request.sql);
  out.number(request.limits.seconds);
  out.number(request.limits.rows);
  out.number(request.limits.bytes);
  return out.take();
}

Result<SqlRunRequest> decodeRequest(std::string_view bytes) {
  Reader in(bytes);
  SqlRunRequest request;
  request.sql = in.text();
  request.limits.seconds = in.number<double>();
  request.limits.rows = in.number<std::int64_t>();
  request.limits.bytes = in.number<std::int64_t>();
  if (!in.ok()) return dataError(Phrase::tr("a request of %1 bytes is cut off")(bytes.size()));
  return request;
}

std::string encodeResult(const SqlRunResult& result) {
  Writer out;
  out.number(static_cast<std::uint8_t>(result.verdict));
  out.number(static_cast<std::uint8_t>(result.invalidUtf8));
  out.number(result.seconds);
  out.number(result.operations);
  out.text(result.message);
  out.number(static_cast<std::uint32_t>(result.columns.size()));
  for (const auto& column : result.columns) out.text(column);
  out.number(static_cast<std::uint32_t>(result.rows.size()));
  for (const auto& row : result.rows) {
    for (const auto& cell : row) writeCell(out, cell);
  }
  return out.take();
}

Result<SqlRunResult> decodeResult(std::string_view bytes) {
  Reader in(bytes);
  SqlRunResult result;
  const auto verdict = in.number<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(SqlVerdict::NoDatabase))
    return dataError(Phrase::tr("the worker sent verdict %1")(verdict));
  result.verdict = static_cast<SqlVerdict>(verdict);
  result.invalidUtf8 = in.number<std::uint8_t>() != 0;
  result.seconds = in.number<double>();
  result.operations = in.number<std::int64_t>();
  result.message = in.text();
  const std::size_t columns = in.count(4);
  for (std::size_t i = 0; i < columns; ++i) result.columns.push_back(in.text());
  const std::size_t rows = in.count(columns);
  for (std::size_t r = 0; r < rows && in.ok(); ++r) {
    std::vector<SqlCell> row;
    for (std::size_t c = 0; c < columns; ++c) row.push_back(readCell(in));
    result.rows.push_back(std::move(row));
  }
  if (!in.ok()) return dataError(Phrase::tr("the worker's answer of %1 bytes is cut off")(bytes.size()));
  return result;
}

}  // namespace fathom
