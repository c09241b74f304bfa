// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/field_builder.h"

#include <iterator>

namespace fathom {

FieldBuilder flagField(std::string key, std::string title, std::string help, bool value) {
  return {OptionType::Flag, std::move(key), std::move(title), std::move(help), value};
}
FieldBuilder integerField(std::string key, std::string title, std::string help, std::int64_t value) {
  return {OptionType::Integer, std::move(key), std::move(title), std::move(help), value};
}
FieldBuilder realField(std::string key, std::string title, std::string help, double value) {
  return {OptionType::Real, std::move(key), std::move(title), std::move(help), value};
}
FieldBuilder textField(std::string key, std::string title, std::string help, std::string value) {
  return {OptionType::Text, std::move(key), std::move(title), std::move(help), std::move(value)};
}
FieldBuilder pathField(std::string key, std::string title, std::string help, std::string value) {
  return {OptionType::Path, std::move(key), std::move(title), std::move(help), std::move(value)};
}
FieldBuilder timeField(std::string key, std::string title, std::string help, std::string value) {
  return FieldBuilder(OptionType::Time, std::move(key), std::move(title), std::move(help), std::move(value))
      .off("never");
}
FieldBuilder listField(std::string key, std::string title, std::string help, Json value) {
  return {OptionType::TextList, std::move(key), std::move(title), std::move(help), std::move(value)};
}
FieldBuilder choiceField(std::string key, std::string title, std::string help,
                         std::vector<OptionChoice> choices) {
  std::string first = choices.at(0).id;
  return FieldBuilder(OptionType::Choice, std::move(key), std::move(title), std::move(help), std::move(first))
      .choices(std::move(choices));
}

std::vector<OptionField> inGroup(const std::string& group, std::vector<OptionField> fields) {
  for (OptionField& field : fields) field.group = group;
  return fields;
}

std::vector<OptionField> fromPaper(const std::string& reference, std::vector<OptionField> fields) {
  for (OptionField& field : fields)
    if (field.reference.empty()) field.reference = reference;
  return fields;
}

std::vector<OptionField> joinedFields(std::vector<std::vector<OptionField>> parts) {
  std::vector<OptionField> fields;
  for (std::vector<OptionField>& part : parts) addFields(fields, std::move(part));
  return fields;
}

void addFields(std::vector<OptionField>& fields, std::vector<OptionField> more) {
  fields.insert(fields.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace fathom
