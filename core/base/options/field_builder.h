// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/word_table.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Declares an option in one expression, the same way everywhere: what it is, then what else there is to say.
//
//   integerField("model.heads", "Heads h", "Attention heads; the width must be a multiple.", 8).between(1,
//   1024)
class FieldBuilder {
 public:
  FieldBuilder(OptionType type, std::string key, std::string title, std::string help, Json value) {
    m_field.type = type;
    m_field.key = std::move(key);
    m_field.title = std::move(title);
    m_field.help = std::move(help);
    m_field.defaultValue = std::move(value);
  }
  FieldBuilder& usually(Json value) { return m_field.defaultValue = std::move(value), *this; }
  FieldBuilder& unit(std::string text) { return m_field.unit = std::move(text), *this; }
  FieldBuilder& reference(std::string text) { return m_field.reference = std::move(text), *this; }
  FieldBuilder& group(std::string text) { return m_field.group = std::move(text), *this; }
  FieldBuilder& atLeast(double value) { return m_field.minimum = value, *this; }
  FieldBuilder& atMost(double value) { return m_field.maximum = value, *this; }
  FieldBuilder& between(double least, double most) { return atLeast(least).atMost(most); }
  FieldBuilder& above(double value) { return m_field.minimumExclusive = true, atLeast(value); }
  FieldBuilder& below(double value) { return m_field.maximumExclusive = true, atMost(value); }
  FieldBuilder& choices(std::vector<OptionChoice> values) {
    return m_field.choices = std::move(values), *this;
  }
  FieldBuilder& off(Json value) { return m_field.disablingValue = std::move(value), *this; }
  FieldBuilder& alias(std::string key) { return m_field.aliases.push_back(std::move(key)), *this; }
  // Active only while option `key` has one of `values`; several calls: all must hold.
  FieldBuilder& when(std::string key, std::vector<Json> values) {
    return onlyWhile({std::move(key), OptionClause::Test::In, std::move(values)});
  }
  // Active only while it has none of them.
  FieldBuilder& unless(std::string key, std::vector<Json> values) {
    return onlyWhile({std::move(key), OptionClause::Test::NotIn, std::move(values)});
  }
  FieldBuilder& onlyWhile(OptionClause clause) {
    return m_field.enabledWhen.push_back(std::move(clause)), *this;
  }
  operator OptionField() const { return m_field; }  // NOLINT: meant to convert

 private:
  OptionField m_field;
};

FieldBuilder flagField(std::string key, std::string title, std::string help, bool value = false);
FieldBuilder integerField(std::string key, std::string title, std::string help, std::int64_t value);
FieldBuilder realField(std::string key, std::string title, std::string help, double value);
FieldBuilder textField(std::string key, std::string title, std::string help, std::string value = "");
FieldBuilder pathField(std::string key, std::string title, std::string help, std::string value = "");
// A training time such as "500u"; "never" turns it off.
FieldBuilder timeField(std::string key, std::string title, std::string help, std::string value);
FieldBuilder listField(std::string key, std::string title, std::string help, Json value = Json::array());
// The first of the choices is the default.
FieldBuilder choiceField(std::string key, std::string title, std::string help,
                         std::vector<OptionChoice> choices);

// The choices of an option whose values are the words of an enumeration.
template <typename Enum, std::size_t N>
std::vector<OptionChoice> choicesOf(const EnumWord<Enum> (&table)[N]) {
  std::vector<OptionChoice> choices;
  for (const EnumWord<Enum>& each : table) choices.push_back({each.word, each.title});
  return choices;
}

// Sets on many fields what they have in common.
std::vector<OptionField> inGroup(const std::string& group, std::vector<OptionField> fields);
// `reference` for those that name none.
std::vector<OptionField> fromPaper(const std::string& reference, std::vector<OptionField> fields);
std::vector<OptionField> joinedFields(std::vector<std::vector<OptionField>> parts);
void addFields(std::vector<OptionField>& fields, std::vector<OptionField> more);

}  // namespace fathom
