// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/concept_tables.h"

#include "core/base/json/json.h"
#include "core/spider/data/spider_dataset.h"

namespace fathom {

namespace {

Result<ConceptTables::Table> conceptTable(const Json& root, const char* key, const std::string& path) {
  ConceptTables::Table table;
  const auto found = root.find(key);
  if (found == root.end() || !found->is_object())
    return dataErrorAt(path, 0, Phrase::tr("no object \"%1\"")(key));
  for (const auto& [phrase, names] : found->items()) {
    for (const Json& name : names) {
      if (!names.is_array() || !name.is_string())
        return dataErrorAt(path, 0, Phrase::tr("%1: what \"%2\" is, is no list of names")(key, phrase));
      table[phrase].push_back(name.get<std::string>());
    }
  }
  return table;
}

Json namedAlone(const ConceptTables::Table& table, const std::set<std::string>& names) {
  Json kept = Json::object();
  for (const auto& [phrase, all] : table) {
    for (const std::string& name : all)
      if (names.contains(name)) kept[phrase].push_back(name);
  }
  return kept;
}

}  // namespace

std::string conceptTablesText(const ConceptTables& tables, const std::set<std::string>& names) {
  return Json{{"is_a", namedAlone(tables.isA, names)}, {"related_to", namedAlone(tables.relatedTo, names)}}
      .dump();
}

Result<ConceptTables> readConceptTables(const std::string& path) {
  FATHOM_TRY(const std::string text, readMaybeGzip(path));
  return parseConceptTables(text, path);
}

Result<ConceptTables> parseConceptTables(std::string_view text, const std::string& path) {
  FATHOM_TRY(const Json root, parseJson(text, path, {.maxBytes = std::size_t{512} << 20}));
  if (!root.is_object())
    return dataErrorAt(path, 0, Phrase::tr("an object with \"is_a\" and \"related_to\" expected"));
  ConceptTables tables;
  FATHOM_TRY(tables.isA, conceptTable(root, "is_a", path));
  FATHOM_TRY(tables.relatedTo, conceptTable(root, "related_to", path));
  return tables;
}

}  // namespace fathom
