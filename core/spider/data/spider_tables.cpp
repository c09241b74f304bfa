// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/spider_tables.h"

#include <optional>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_array.h"
#include "core/base/text/byte_order_mark.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxTablesBytes = std::size_t{256} << 20;

// The database an entry is of, where its text says so beyond doubt.
std::optional<std::string_view> databaseOf(std::string_view entry) {
  constexpr std::string_view kKey = "\"db_id\"", kSpace = " \t\r\n";
  const auto key = entry.find(kKey);
  if (key == std::string_view::npos || entry.find(kKey, key + 1) != std::string_view::npos) return {};
  const auto colon = entry.find_first_not_of(kSpace, key + kKey.size());
  if (colon == std::string_view::npos || entry[colon] != ':') return {};
  const auto open = entry.find_first_not_of(kSpace, colon + 1);
  if (open == std::string_view::npos || entry[open] != '"') return {};
  const auto close = entry.find_first_of("\"\\", open + 1);
  if (close == std::string_view::npos || entry[close] != '"') return {};
  return entry.substr(open + 1, close - open - 1);
}

Result<SpiderSchemas> schemasFrom(const std::vector<Json>& entries, const std::string& path) {
  SpiderSchemas schemas;
  for (const Json& entry : entries) {
    FATHOM_TRY(SpiderSchema schema, spiderSchemaFromJson(entry, path));
    const std::string id = schema.dbId;
    if (!schemas.emplace(id, std::move(schema)).second)
      return dataErrorAt(path, 0, Phrase::tr("database \"%1\" appears twice")(id));
  }
  return schemas;
}

Result<SpiderSchemas> parseWhere(std::string_view text, const std::string& path,
                                 const std::function<bool(std::string_view)>& wanted) {
  const std::string_view body = withoutByteOrderMark(text);
  const auto start = body.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && body[start] == '{')
    return dataErrorAt(path, 0, Phrase::tr("tables.json must hold a list of databases"));
  FATHOM_TRY(const std::vector<Json> entries, parseJsonArray(text, path, wanted));
  return schemasFrom(entries, path);
}

}  // namespace

Result<SpiderSchemas> parseSpiderTables(std::string_view text, const std::string& path) {
  return parseWhere(text, path, [](std::string_view) { return true; });
}

Result<SpiderSchemas> parseSpiderTablesOf(std::string_view text, const std::string& path,
                                          const SpiderDatabaseIds& ids, SpiderDatabaseIds* all) {
  FATHOM_TRY(SpiderSchemas schemas, parseWhere(text, path, [&](std::string_view entry) {
               const auto id = databaseOf(entry);
               if (id && all != nullptr) all->emplace(*id);
               return !id || ids.count(*id) > 0;
             }));
  if (all != nullptr)
    for (const auto& [id, schema] : schemas) all->insert(id);
  return schemas;
}

Result<SpiderSchemas> readSpiderTables(const std::string& path) {
  FATHOM_TRY(const std::string text, readFile(path, kMaxTablesBytes));
  return parseSpiderTables(text, path);
}

Result<SpiderSchemas> readSpiderTablesOf(const std::string& path, const SpiderDatabaseIds& ids,
                                         SpiderDatabaseIds* all) {
  FATHOM_TRY(const std::string text, readFile(path, kMaxTablesBytes));
  return parseSpiderTablesOf(text, path, ids, all);
}

}  // namespace fathom
