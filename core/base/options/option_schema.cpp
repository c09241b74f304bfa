// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/errors/word_table.h"
#include "core/base/json/json_members.h"
#include "core/base/options/option_field.h"
#include "core/base/text/edit_distance.h"

namespace fathom {

namespace {

constexpr EnumWord<OptionType> kOptionTypes[] = {
    {OptionType::Flag, "flag"},          {OptionType::Integer, "integer"},
    {OptionType::Real, "real"},          {OptionType::Text, "text"},
    {OptionType::Path, "path"},          {OptionType::Choice, "choice"},
    {OptionType::Time, "time"},          {OptionType::IntegerList, "integer_list"},
    {OptionType::RealList, "real_list"}, {OptionType::TextList, "text_list"}};

constexpr EnumWord<OptionClause::Test> kClauseTests[] = {{OptionClause::Test::In, "in"},
                                                         {OptionClause::Test::NotIn, "not_in"},
                                                         {OptionClause::Test::AtLeast, "at_least"},
                                                         {OptionClause::Test::AtMost, "at_most"},
                                                         {OptionClause::Test::Multiple, "multiple"},
                                                         {OptionClause::Test::NotMultiple, "not_multiple"}};

Json predicateToJson(const OptionPredicate& predicate) {
  Json result = Json::array();
  for (const OptionClause& clause : predicate) {
    Json item;
    item["key"] = clause.key;
    item["test"] = wordOf(kClauseTests, clause.test);
    item["values"] = clause.values;
    result.push_back(std::move(item));
  }
  return result;
}

OptionPredicate predicateFromJson(const Json& json) {
  OptionPredicate predicate;
  for (const Json& item : json) {
    OptionClause clause;
    clause.key = item.at("key").get<std::string>();
    clause.test = findWord(kClauseTests, item.at("test").get<std::string>()).value_or(clause.test);
    for (const Json& value : item.at("values")) clause.values.push_back(value);
    predicate.push_back(std::move(clause));
  }
  return predicate;
}

Json fieldToJson(const OptionField& field) {
  Json json;
  json["key"] = field.key;
  json["type"] = optionTypeName(field.type);
  json["default"] = field.defaultValue;
  json["title"] = field.title;
  json["help"] = field.help;
  json["group"] = field.group;
  if (!field.unit.empty()) json["unit"] = field.unit;
  if (!field.reference.empty()) json["reference"] = field.reference;
  if (field.minimum) json["minimum"] = *field.minimum;
  if (field.maximum) json["maximum"] = *field.maximum;
  if (field.minimumExclusive) json["minimum_exclusive"] = true;
  if (field.maximumExclusive) json["maximum_exclusive"] = true;
  for (const OptionChoice& choice : field.choices) {
    json["choices"].push_back({{"id", choice.id}, {"title", choice.title}});
  }
  if (field.disablingValue) json["disabling_value"] = *field.disablingValue;
  if (!field.aliases.empty()) json["aliases"] = field.aliases;
  if (!field.enabledWhen.empty()) json["enabled_when"] = predicateToJson(field.enabledWhen);
  return json;
}

OptionField fieldFromJson(const Json& json) {
  OptionField field;
  field.key = json.at("key").get<std::string>();
  field.type = findWord(kOptionTypes, json.at("type").get<std::string>()).value_or(field.type);
  field.defaultValue = json.at("default");
  field.title = json.value("title", "");
  field.help = json.value("help", "");
  field.group = json.value("group", "");
  field.unit = json.value("unit", "");
  field.reference = json.value("reference", "");
  if (json.contains("minimum")) field.minimum = json["minimum"].get<double>();
  if (json.contains("maximum")) field.maximum = json["maximum"].get<double>();
  field.minimumExclusive = json.value("minimum_exclusive", false);
  field.maximumExclusive = json.value("maximum_exclusive", false);
  for (const Json& choice : memberList(json, "choices"))
    field.choices.push_back({choice.at("id"), choice.value("title", "")});
  if (json.contains("disabling_value")) field.disablingValue = json["disabling_value"];
  if (json.contains("aliases")) field.aliases = json["aliases"].get<std::vector<std::string>>();
  if (json.contains("enabled_when")) field.enabledWhen = predicateFromJson(json["enabled_when"]);
  return field;
}

}  // namespace

const char* optionTypeName(OptionType type) {
  return wordOf(kOptionTypes, type);
}

OptionSchema::OptionSchema(std::vector<OptionField> fields, std::vector<OptionRule> rules)
    : m_fields(std::move(fields)), m_rules(std::move(rules)) {
  for (std::size_t i = 0; i < m_fields.size(); ++i) {
    if (!m_index.emplace(m_fields[i].key, i).second) {
      throw Failure(internalError("option '" + m_fields[i].key + "' is declared twice"));
    }
    for (const std::string& alias : m_fields[i].aliases) m_index.emplace(alias, i);
  }
}

const OptionField* OptionSchema::find(std::string_view keyOrAlias) const {
  const auto found = m_index.find(keyOrAlias);
  return found == m_index.end() ? nullptr : &m_fields[found->second];
}

std::string OptionSchema::nearestKey(std::string_view key) const {
  std::vector<std::string> keys;
  for (const OptionField& field : m_fields) keys.push_back(field.key);
  return nearestSpelling(key, keys);
}

Json OptionSchema::toJson() const {
  Json json;
  json["fields"] = Json::array();
  json["rules"] = Json::array();
  for (const OptionField& field : m_fields) json["fields"].push_back(fieldToJson(field));
  for (const OptionRule& rule : m_rules) {
    json["rules"].push_back(
        {{"when", predicateToJson(rule.when)}, {"reason", rule.reason}, {"keys", rule.keys}});
  }
  return json;
}

Result<OptionSchema> OptionSchema::fromJson(const Json& json) {
  try {
    std::vector<OptionField> fields;
    std::vector<OptionRule> rules;
    for (const Json& field : json.at("fields")) fields.push_back(fieldFromJson(field));
    for (const Json& rule : json.at("rules")) {
      rules.push_back({predicateFromJson(rule.at("when")), rule.at("reason").get<std::string>(),
                       rule.at("keys").get<std::vector<std::string>>()});
    }
    return OptionSchema(std::move(fields), std::move(rules));
  } catch (const nlohmann::json::exception& e) {
    return dataError(Phrase::tr("the option description is malformed: %1")(e.what()));
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace fathom
