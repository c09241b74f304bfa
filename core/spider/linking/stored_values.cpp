// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/stored_values.h"

#include "core/base/files/atomic_file.h"
#include "core/base/text/lines_of.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxValuesFile = std::size_t{1} << 30;
constexpr std::string_view kDatabaseStart = "{\"database\":\"";

// Lines of a prepared file, one after the other.
class StoredValuesReader {
 public:
  StoredValuesReader(std::string_view text, const std::string& path, const SpiderDatabaseIds& ids)
      : m_text(text), m_path(path), m_ids(ids) {}

  Result<StoredValues> read() {
    LinesOf lines(m_text);
    for (std::string_view line; lines.next(line);) {
      m_line = lines.number();
      if (m_line > 1 && (line.empty() || isOfAnother(line))) continue;
      const auto json = parseJson(line, m_path);
      if (!json) return fault(json.error().messagePhrase());
      FATHOM_CHECK(m_line == 1 ? readHead(*json) : readDatabase(*json));
    }
    if (m_line == 0) return fault(Phrase::tr("the file is empty"));
    return std::move(m_values);
  }

 private:
  Error fault(const Phrase& message) const {
    return dataErrorAt(m_path, m_line, message, Phrase::tr("make it anew with fathom-sqlrun --values"));
  }

  // Our own files begin every line with the name, so that most of a large file need not be parsed.
  bool isOfAnother(std::string_view line) const {
    if (!line.starts_with(kDatabaseStart)) return false;
    const std::string_view name =
        line.substr(kDatabaseStart.size(), line.find('"', kDatabaseStart.size()) - kDatabaseStart.size());
    return name.find('\\') == std::string_view::npos && !m_ids.contains(name);
  }

  Status readHead(const Json& head) const {
    const auto kind = head.is_object() ? head.find("kind") : head.end();
    if (!head.is_object() || kind == head.end() || *kind != "database values" ||
        head.value("format", Json()) != 1)
      return fault(Phrase::tr("no prepared file of database values: the first line is to be %1")(
          "{\"format\":1,\"kind\":\"database values\"}"));
    return {};
  }

  static std::string textIn(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  }

  Status readDatabase(const Json& json) {
    if (!json.is_object() || textIn(json, "database").empty())
      return fault(Phrase::tr("no text \"%1\"")("database"));
    const std::string id = textIn(json, "database");
    if (!m_ids.contains(id)) return {};
    StoredDatabase database;
    database.sha256 = textIn(json, "sha256");
    database.fault = textIn(json, "error");
    database.cut = textIn(json, "cut");
    const auto columns = json.find("columns");
    if (database.fault.empty() && (columns == json.end() || !columns->is_array()))
      return fault(Phrase::tr("database \"%1\" has no list \"columns\"")(id));
    for (std::size_t i = 0; columns != json.end() && i < columns->size(); ++i) {
      FATHOM_TRY(auto column, readColumn((*columns)[i], Phrase::tr("database \"%1\", columns[%2]")(id, i)));
      database.columns.push_back(std::move(column));
    }
    if (!m_values.emplace(id, std::move(database)).second)
      return fault(Phrase::tr("database \"%1\" is there a second time")(id));
    return {};
  }

  Result<StoredColumn> readColumn(const Json& json, const Phrase& where) const {
    StoredColumn column;
    if (!json.is_object()) return fault(Phrase::tr("%1 is no object")(where));
    column.table = asciiLower(textIn(json, "table"));
    column.column = asciiLower(textIn(json, "column"));
    column.cut = textIn(json, "cut");
    const auto values = json.find("values");
    if (column.table.empty() || values == json.end() || !values->is_array())
      return fault(Phrase::tr("%1 lacks \"table\" or the list \"values\"")(where));
    column.values.reserve(values->size());
    for (const Json& value : *values) {
      if (!value.is_string())
        return fault(Phrase::tr("%1: %2 is no text")(where, value.dump().substr(0, 40)));
      column.values.push_back(value.get<std::string>());
    }
    return column;
  }

  std::string_view m_text;
  const std::string& m_path;
  const SpiderDatabaseIds& m_ids;
  std::int64_t m_line = 0;
  StoredValues m_values;
};

}  // namespace

Result<StoredValues> parseStoredValues(std::string_view text, const std::string& path,
                                       const SpiderDatabaseIds& ids) {
  return StoredValuesReader(text, path, ids).read();
}

Result<StoredValues> readStoredValues(const std::string& path, const SpiderDatabaseIds& ids) {
  FATHOM_TRY(const std::string text, readFile(path, kMaxValuesFile));
  return parseStoredValues(text, path, ids);
}

std::vector<std::string> storedValueNotes(const StoredValues& values, const SpiderDatabaseIds& ids) {
  std::vector<std::string> notes, missing;
  for (const auto& id : ids)
    if (!values.contains(id)) missing.emplace_back(id);
  if (!missing.empty())
    notes.push_back(std::to_string(missing.size()) + " of " + std::to_string(ids.size()) +
                    " databases have no prepared values and are linked without (first: " + missing.front() +
                    ")");
  for (const auto& [id, database] : values) {
    if (!database.fault.empty())
      notes.push_back("database " + id + " is linked without values: " + database.fault);
    if (!database.cut.empty()) notes.push_back("database " + id + ": no values of " + database.cut);
    std::size_t cut = 0;
    std::string first;
    for (const auto& column : database.columns) {
      if (column.cut.empty()) continue;
      if (cut++ == 0) first = column.table + "." + column.column + ": " + column.cut;
    }
    if (cut > 0)
      notes.push_back("database " + id + ": values left out in " + std::to_string(cut) + " of " +
                      std::to_string(database.columns.size()) + " columns, first " + first);
  }
  return notes;
}

}  // namespace fathom
