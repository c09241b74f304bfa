// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/spider/inputs/encoder_row.h"
#include "core/spider/inputs/schema_relations.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// A schema and what inputs need of it, made once.
struct SqlDatabase {
  const SpiderSchema* schema = nullptr;
  SchemaItems items;
  ItemPieces pieces;
  SchemaRelations relations;
};

// Every database of a tables.json, numbered in the order of their ids. Moving it keeps every address.
class SqlDatabases {
 public:
  SqlDatabases(const SqlDatabases&) = delete;
  SqlDatabases& operator=(const SqlDatabases&) = delete;
  SqlDatabases(SqlDatabases&&) noexcept = default;
  SqlDatabases& operator=(SqlDatabases&&) noexcept = default;
  // `path` names the file in errors.
  static Result<SqlDatabases> make(std::string_view tablesJson, const std::string& path,
                                   const RowBuilder& rows, RelationSet relations);

  std::int64_t size() const { return static_cast<std::int64_t>(m_all.size()); }
  const SqlDatabase& at(std::int64_t database) const { return m_all[static_cast<std::size_t>(database)]; }
  std::int64_t find(std::string_view id) const;  // -1: unknown
  // "did you mean" of an unknown id, or how many there are.
  Phrase hintFor(std::string_view id) const;
  const SpiderSchemas& schemas() const { return m_schemas; }

 private:
  SqlDatabases() = default;
  SpiderSchemas m_schemas;
  std::vector<SqlDatabase> m_all;
  std::map<std::string, std::int64_t, std::less<>> m_index;
};

}  // namespace fathom
