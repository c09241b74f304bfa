// SPDX-License-Identifier: Apache-2.0
#include "core/spider/spider_schema.h"

#include <algorithm>

namespace fathom {

std::string asciiLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

int SpiderSchema::tableIndex(std::string_view key) const {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].key == key) return static_cast<int>(i);
  }
  return -1;
}

int SpiderSchema::columnIndex(int table, std::string_view key) const {
  if (table < 0) return -1;
  for (const int column : tables[static_cast<std::size_t>(table)].columns) {
    if (columns[static_cast<std::size_t>(column)].key == key) return column;
  }
  return -1;
}

std::string SpiderSchema::columnText(int column) const {
  if (column < 0 || column >= static_cast<int>(columns.size())) return "?";
  const auto& entry = columns[static_cast<std::size_t>(column)];
  if (entry.table < 0) return "*";
  return tables[static_cast<std::size_t>(entry.table)].originalName + "." + entry.originalName;
}

bool SpiderSchema::isPrimaryKey(int column) const {
  if (column <= 0 || !columns[static_cast<std::size_t>(column)].primary) return false;
  const int table = columns[static_cast<std::size_t>(column)].table;
  return std::count_if(primaryKeys.begin(), primaryKeys.end(),
                       [&](int key) { return columns[static_cast<std::size_t>(key)].table == table; }) == 1;
}

namespace {

// Its name is made of the names of two others ("singer_in_concert"), or it has no key column of its own: what
// tables.json calls its key refers to another table.
bool joinsOthers(const SpiderSchema& schema, int table) {
  const std::string& name = schema.tables[static_cast<std::size_t>(table)].key;
  std::size_t inside = 0;
  for (const auto& other : schema.tables)
    inside += other.key.size() > 2 && other.key != name && name.find(other.key) != std::string::npos;
  const auto foreign = [&](int column) {
    return std::any_of(schema.foreignKeys.begin(), schema.foreignKeys.end(),
                       [&](const auto& key) { return key.first == column; });
  };
  const auto& columns = schema.tables[static_cast<std::size_t>(table)].columns;
  const bool ownKey = std::any_of(columns.begin(), columns.end(), [&](int column) {
    return schema.columns[static_cast<std::size_t>(column)].primary && !foreign(column);
  });
  return inside >= 2 || !ownKey;
}

}  // namespace

bool SpiderSchema::isKey(int column) const {
  if (column <= 0) return false;
  const auto& entry = columns[static_cast<std::size_t>(column)];
  if (factsKnown) return entry.unique && entry.notNull;
  return isPrimaryKey(column) && !joinsOthers(*this, entry.table);
}

namespace {

// Reads the members of one tables.json entry, with errors that name the database and the key.
class SchemaReader {
 public:
  SchemaReader(const Json& entry, const std::string& path) : m_entry(entry), m_path(path) {}

  Result<SpiderSchema> read() {
    if (!m_entry.is_object())
      return dataErrorAt(m_path, 0, Phrase::tr("an entry of tables.json is not an object"));
    const auto id = m_entry.find("db_id");
    if (id == m_entry.end() || !id->is_string())
      return dataErrorAt(m_path, 0, Phrase::tr("an entry has no \"db_id\""));
    m_schema.dbId = id->get<std::string>();
    FATHOM_CHECK(readTables());
    FATHOM_CHECK(readColumns());
    FATHOM_CHECK(readPrimaryKeys());
    FATHOM_CHECK(readForeignKeys());
    for (const int key : m_schema.primaryKeys) {
      auto& column = m_schema.columns[static_cast<std::size_t>(key)];
      column.notNull = m_schema.isPrimaryKey(key);
      column.unique = m_schema.isKey(key);
    }
    buildKeyGroups(m_schema);
    return std::move(m_schema);
  }

 private:
  Error fault(const Phrase& message) const {
    return dataErrorAt(m_path, 0, Phrase::tr("database \"%1\": %2")(m_schema.dbId, message));
  }

  Result<const Json*> array(const char* key) const {
    const auto found = m_entry.find(key);
    if (found == m_entry.end()) return fault(Phrase::tr("\"%1\" is missing")(key));
    if (!found->is_array()) return fault(Phrase::tr("\"%1\" is not a list")(key));
    return &*found;
  }

  Status readTables() {
    FATHOM_TRY(const Json* originals, array("table_names_original"));
    const auto names = m_entry.find("table_names");
    for (std::size_t i = 0; i < originals->size(); ++i) {
      const Json& original = (*originals)[i];
      if (!original.is_string()) return fault(Phrase::tr("table_names_original[%1] is not a text")(i));
      SpiderTable table;
      table.originalName = original.get<std::string>();
      table.key = asciiLower(table.originalName);
      table.name = table.originalName;
      if (names != m_entry.end() && names->is_array() && i < names->size() && (*names)[i].is_string()) {
        table.name = (*names)[i].get<std::string>();
      }
      m_schema.tables.push_back(std::move(table));
    }
    return {};
  }

  Status readColumns() {
    FATHOM_TRY(const Json* originals, array("column_names_original"));
    const auto names = m_entry.find("column_names");
    const auto types = m_entry.find("column_types");
    const auto nameOf = [&](std::size_t i) -> std::string {
      if (names == m_entry.end() || !names->is_array() || i >= names->size()) return {};
      const Json& pair = (*names)[i];
      return pair.is_array() && pair.size() == 2 && pair[1].is_string() ? pair[1].get<std::string>() : "";
    };
    for (std::size_t i = 0; i < originals->size(); ++i) {
      const Json& pair = (*originals)[i];
      const std::string where = "column_names_original[" + std::to_string(i) + "]";
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() || !pair[1].is_string()) {
        return fault(Phrase::tr("%1 is not [table index, name]")(where));
      }
      SpiderColumn column;
      column.table = pair[0].get<int>();
      column.originalName = pair[1].get<std::string>();
      if (column.table < -1 || column.table >= static_cast<int>(m_schema.tables.size())) {
        return fault(Phrase::tr("%1 (\"%2\") names table %3, but there are %4")(
            where, column.originalName, column.table, m_schema.tables.size()));
      }
      if ((i == 0) != (column.table == -1))
        return fault(Phrase::tr("%1: only entry 0 is [-1, \"*\"]")(where));
      column.key = asciiLower(column.originalName);
      column.name = nameOf(i).empty() ? column.originalName : nameOf(i);
      if (types != m_entry.end() && types->is_array() && i < types->size() && (*types)[i].is_string()) {
        column.type = (*types)[i].get<std::string>();
      }
      if (column.table >= 0) {
        m_schema.tables[static_cast<std::size_t>(column.table)].columns.push_back(static_cast<int>(i));
      }
      m_schema.columns.push_back(std::move(column));
    }
    if (m_schema.columns.empty()) return fault(Phrase::tr("\"column_names_original\" is empty"));
    return {};
  }

  Result<int> columnId(const Json& value, const std::string& where) const {
    if (!value.is_number_integer()) return fault(Phrase::tr("%1 is not a column number")(where));
    const auto id = value.get<std::int64_t>();
    if (id < 0 || id >= static_cast<std::int64_t>(m_schema.columns.size())) {
      return fault(Phrase::tr("%1 is column %2, but there are %3")(where, id, m_schema.columns.size()));
    }
    return static_cast<int>(id);
  }

  Status readPrimaryKeys() {
    FATHOM_TRY(const Json* keys, array("primary_keys"));
    std::size_t position = 0;
    for (const Json& key : *keys) {
      const std::string where = "primary_keys[" + std::to_string(position++) + "]";
      if (key.is_array()) {  // composite keys of later releases
        for (const Json& part : key) {
          FATHOM_TRY(const int id, columnId(part, where));
          m_schema.primaryKeys.push_back(id);
        }
      } else {
        FATHOM_TRY(const int id, columnId(key, where));
        m_schema.primaryKeys.push_back(id);
      }
    }
    for (const int key : m_schema.primaryKeys) m_schema.columns[static_cast<std::size_t>(key)].primary = true;
    return {};
  }

  // [from, to], or of several columns at once [[from, ...], [to, ...]]: every pair of them is kept.
  Status readForeignKeys() {
    FATHOM_TRY(const Json* keys, array("foreign_keys"));
    for (std::size_t i = 0; i < keys->size(); ++i) {
      const std::string where = "foreign_keys[" + std::to_string(i) + "]";
      const Json& key = (*keys)[i];
      if (!key.is_array() || key.size() != 2) return fault(Phrase::tr("%1 is not a pair of columns")(where));
      const Json from = key[0].is_array() ? key[0] : Json::array({key[0]});
      const Json to = key[1].is_array() ? key[1] : Json::array({key[1]});
      if (from.size() != to.size() || from.empty()) {
        return fault(Phrase::tr("%1 joins %2 columns with %3")(where, from.size(), to.size()));
      }
      for (std::size_t c = 0; c < from.size(); ++c) {
        FATHOM_TRY(const int left, columnId(from[c], where));
        FATHOM_TRY(const int right, columnId(to[c], where));
        m_schema.foreignKeys.emplace_back(left, right);
      }
    }
    return {};
  }

  const Json& m_entry;
  const std::string& m_path;
  SpiderSchema m_schema;
};

}  // namespace

void buildKeyGroups(SpiderSchema& schema) {
  std::vector<std::vector<int>> groups;
  const auto contains = [](const std::vector<int>& group, int id) {
    return std::find(group.begin(), group.end(), id) != group.end();
  };
  for (const auto& key : schema.foreignKeys) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return contains(g, key.first) || contains(g, key.second);
    });
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->push_back(key.first);
    group->push_back(key.second);
  }
  schema.keyGroup.resize(schema.columns.size());
  for (std::size_t i = 0; i < schema.keyGroup.size(); ++i) schema.keyGroup[i] = static_cast<int>(i);
  for (const auto& group : groups) {
    const int lowest = *std::min_element(group.begin(), group.end());
    for (const int id : group) schema.keyGroup[static_cast<std::size_t>(id)] = lowest;
  }
}

Result<SpiderSchema> spiderSchemaFromJson(const Json& entry, const std::string& path) {
  return SchemaReader(entry, path).read();
}

const SpiderSchema* findSchema(const SpiderSchemas& schemas, std::string_view dbId) {
  const auto found = schemas.find(dbId);
  return found == schemas.end() ? nullptr : &found->second;
}

void applySchemaFacts(SpiderSchema& schema, const Json& facts) {
  const auto tables = facts.find("tables");
  if (tables == facts.end() || !tables->is_array()) return;
  schema.factsKnown = true;
  for (const Json& table : *tables) {
    if (!table.is_object() || !table.contains("name") || !table.contains("columns")) continue;
    const int index = schema.tableIndex(asciiLower(table.value("name", "")));
    if (index >= 0) schema.tables[static_cast<std::size_t>(index)].empty = table.value("empty", false);
    for (const Json& column : table["columns"]) {
      const int id = schema.columnIndex(index, asciiLower(column.value("name", "")));
      if (id < 0) continue;
      auto& target = schema.columns[static_cast<std::size_t>(id)];
      target.notNull = column.value("notnull", false);
      target.unique = column.value("unique", false);
    }
  }
}

}  // namespace fathom
