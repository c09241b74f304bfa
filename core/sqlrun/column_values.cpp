// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/column_values.h"

#include <atomic>
#include <filesystem>

#include "core/base/errors/phrase.h"
#include "core/base/files/hash.h"

namespace fathom {

namespace {

std::string quotedName(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}

std::size_t characterCount(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::string firstCharacters(const std::string& text, std::int64_t most) {
  std::size_t at = 0;
  for (std::int64_t seen = 0; at < text.size(); ++at) {
    seen += (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (seen > most) break;
  }
  return text.substr(0, at);
}

// The columns of all databases, each with the query that reads it.
class ValueReading {
 public:
  ValueReading(const SqlRunPoolOptions& options, const std::vector<std::string>& databases,
               const ValueLimits& limits)
      : m_options(options), m_databases(databases), m_limits(limits), m_bytes(databases.size()) {
    m_options.limits = {limits.seconds, limits.values + 1, 4 * limits.bytes};
    m_out.resize(databases.size());
  }

  Result<std::vector<Json>> run(Progress& progress, const StopToken& stop) {
    FATHOM_TRY(const auto pool, SqlRunPool::start(m_options));
    progress.begin(Phrase::tr("opening databases").english, Phrase::tr("databases").english,
                   static_cast<double>(m_databases.size()));
    for (std::size_t i = 0; i < m_databases.size(); ++i) {
      if (stop.stopRequested()) return interruptedError();
      open(*pool, i);
      progress.report(static_cast<double>(i + 1));
    }
    progress.begin(Phrase::tr("reading values").english, Phrase::tr("columns").english,
                   static_cast<double>(m_columns.size()));
    FATHOM_CHECK(pool->runGroups(
        m_groups,
        [this](std::size_t group, std::size_t, const SqlRunResult&, SqlRunResult& result) {
          take(m_columns[group], result);
          return true;
        },
        stop, [&](std::size_t done) { progress.report(static_cast<double>(done)); }));
    progress.finish();
    for (auto& column : m_columns) m_out[column.database]["columns"].push_back(std::move(column.json));
    return std::move(m_out);
  }

 private:
  struct Column {
    std::size_t database = 0;
    Json json;
  };

  void open(SqlRunPool& pool, std::size_t database) {
    const std::string& path = m_databases[database];
    Json& out = m_out[database];
    out["database"] = std::filesystem::path(path).stem().string();
    const auto hash = sha256OfFile(path);
    const auto facts = hash ? pool.schemaFacts(path) : Result<Json>(hash.error());
    if (!facts) {
      out["error"] = facts.error().message;
      return;
    }
    out["sha256"] = *hash;
    out["columns"] = Json::array();
    std::size_t count = 0;
    for (const Json& table : facts->at("tables")) {
      const std::string name = table.at("name").get<std::string>();
      if (name.starts_with("sqlite_")) continue;
      for (const Json& column : table.at("columns")) {
        if (++count <= m_limits.columns) add(database, name, column.at("name").get<std::string>());
      }
    }
    if (count > m_limits.columns)
      out["cut"] = std::to_string(count - m_limits.columns) + " of " + std::to_string(count) + " columns";
  }

  void add(std::size_t database, const std::string& table, const std::string& column) {
    const std::string name = quotedName(column);
    m_groups.push_back(
        {m_databases[database],
         {"SELECT DISTINCT lower(substr(" + name + ", 1, " + std::to_string(m_limits.characters + 1) +
          ")) FROM " + quotedName(table) + " WHERE typeof(" + name + ") = 'text' LIMIT " +
          std::to_string(m_limits.values + 1)}});
    m_columns.push_back({database, {{"table", table}, {"column", column}, {"values", Json::array()}}});
  }

  // On a thread of the pool; every column has its own.
  void take(Column& column, const SqlRunResult& result) {
    if (!result.ok()) {
      column.json["cut"] = "all values: " + std::string(sqlVerdictName(result.verdict)) +
                           (result.message.empty() ? "" : ", " + result.message);
      return;
    }
    Json& values = column.json["values"];
    std::size_t shortened = 0;
    std::string why;
    for (const auto& row : result.rows) {
      std::string text = row.front().text;
      if (characterCount(text) > static_cast<std::size_t>(m_limits.characters)) {
        text = firstCharacters(text, m_limits.characters);
        ++shortened;
      }
      if (values.size() >= static_cast<std::size_t>(m_limits.values))
        why = "values after the first " + std::to_string(m_limits.values);
      if (m_bytes[column.database].fetch_add(static_cast<std::int64_t>(text.size()) + 3) > m_limits.bytes)
        why = "values after " + std::to_string(m_limits.bytes) + " bytes of the database";
      if (!why.empty()) break;
      values.push_back(std::move(text));
    }
    if (shortened > 0) {
      why += (why.empty() ? "" : "; ") + std::string("characters after the first ") +
             std::to_string(m_limits.characters) + " of " + std::to_string(shortened) + " values";
    }
    if (!why.empty()) column.json["cut"] = why;
  }

  SqlRunPoolOptions m_options;
  const std::vector<std::string>& m_databases;
  const ValueLimits& m_limits;
  std::vector<std::atomic<std::int64_t>> m_bytes;  // per database
  std::vector<Json> m_out;                         // per database
  std::vector<SqlRunGroup> m_groups;
  std::vector<Column> m_columns;  // one per group
};

}  // namespace

Result<std::vector<Json>> readColumnValues(const SqlRunPoolOptions& options,
                                           const std::vector<std::string>& databases,
                                           const ValueLimits& limits, Progress& progress,
                                           const StopToken& stop) {
  return ValueReading(options, databases, limits).run(progress, stop);
}

std::string valuesFileText(const std::vector<Json>& databases) {
  std::string text = Json{{"format", 1}, {"kind", "database values"}}.dump() + '\n';
  for (const Json& database : databases) text += database.dump() + '\n';
  return text;
}

}  // namespace fathom
