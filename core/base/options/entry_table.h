// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/base/text/text_list.h"

namespace fathom {

// Questions to a list of entries that have an id and a title (`<plural>.list`, cmake/FathomList.cmake).

// Null if there is no such entry.
template <typename Entries>
auto findEntry(const Entries& entries, std::string_view id) -> decltype(&*std::begin(entries)) {
  for (const auto& entry : entries)
    if (entry.id == id) return &entry;
  return nullptr;
}

// "a, b, c", for messages.
template <typename Entries>
std::string knownIds(const Entries& entries) {
  return joined(entries, ", ", [](const auto& entry) { return entry.id; });
}

template <typename Entries>
std::vector<OptionChoice> entryChoices(const Entries& entries) {
  std::vector<OptionChoice> choices;
  for (const auto& entry : entries) choices.push_back({entry.id, entry.title});
  return choices;
}

// Fields of an entry that declares none. Fields of a stack have its name as prefix: "encoder".
inline std::vector<OptionField> noOptionFields() {
  return {};
}
inline std::vector<OptionField> noStackFields(const std::string&) {
  return {};
}
inline std::vector<OptionRule> noOptionRules() {
  return {};
}

// The fields of all entries, each active only while option `key` names an entry that declares it; what
// several declare is there once. `fieldsOf(entry)`; `id`: the member that option `key` takes as a value.
template <typename Entry, typename FieldsOf>
std::vector<OptionField> entryFields(const std::vector<Entry>& entries, const std::string& key,
                                     const FieldsOf& fieldsOf, std::string Entry::*id = &Entry::id) {
  std::vector<OptionField> fields;
  std::map<std::string, std::vector<Json>, std::less<>> users;
  for (const Entry& entry : entries) {
    for (const OptionField& field : fieldsOf(entry)) {
      std::vector<Json>& ids = users[field.key];
      if (ids.empty()) fields.push_back(field);
      ids.emplace_back(entry.*id);
    }
  }
  for (OptionField& field : fields)
    field.enabledWhen.push_back({key, OptionClause::Test::In, std::move(users[field.key])});
  return fields;
}

// Their rules, each judged only under its entry.
template <typename Entry, typename RulesOf>
std::vector<OptionRule> entryRules(const std::vector<Entry>& entries, const std::string& key,
                                   const RulesOf& rulesOf, std::string Entry::*id = &Entry::id) {
  std::vector<OptionRule> rules;
  for (const Entry& entry : entries) {
    for (OptionRule rule : rulesOf(entry)) {
      rule.when.push_back({key, OptionClause::Test::In, {Json(entry.*id)}});
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace fathom
