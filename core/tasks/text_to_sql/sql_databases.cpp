// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/sql_databases.h"

#include "core/base/text/edit_distance.h"

namespace fathom {

Result<SqlDatabases> SqlDatabases::make(std::string_view tablesJson, const std::string& path,
                                        const RowBuilder& rows, RelationSet relations) {
  SqlDatabases made;
  FATHOM_TRY(made.m_schemas, parseSpiderTables(tablesJson, path));
  if (made.m_schemas.empty()) return dataErrorAt(path, 0, Phrase::tr("there is no database in it"));
  for (const auto& [id, schema] : made.m_schemas) {
    SchemaItems items = schemaItems(schema);
    ItemPieces pieces = rows.itemPieces(items);
    SchemaRelations known(graphOf(items), relations);
    made.m_index[id] = made.size();
    made.m_all.push_back({&schema, std::move(items), std::move(pieces), std::move(known)});
  }
  return made;
}

std::int64_t SqlDatabases::find(std::string_view id) const {
  const auto found = m_index.find(id);
  return found == m_index.end() ? -1 : found->second;
}

Phrase SqlDatabases::hintFor(std::string_view id) const {
  std::vector<std::string> ids;
  for (const auto& [known, index] : m_index) ids.push_back(known);
  const std::string nearest = nearestSpelling(id, ids);
  if (!nearest.empty()) return Phrase::tr("did you mean \"%1\"?")(nearest);
  return Phrase::tr("%1 databases are known, \"%2\" among them")(ids.size(), ids.front());
}

}  // namespace fathom
