// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"

namespace fathom {

namespace {

OptionField field(OptionType type, const char* key, const char* title, const char* help, Json value) {
  OptionField result;
  result.key = key;
  result.type = type;
  result.title = title;
  result.help = help;
  result.defaultValue = std::move(value);
  return result;
}

}  // namespace

const Command* findCommand(std::string_view id) {
  for (const Command& command : commandEntries()) {
    if (command.id == id) return &command;
  }
  return nullptr;
}

Json commandToJson(const Command& command) {
  Json json;
  json["id"] = command.id;
  json["title"] = command.title;
  json["description"] = command.description;
  json["group"] = command.group;
  json["needs_project"] = command.needsProject;
  json["changes_data"] = command.changesData;
  json["in_menu"] = command.inMenu;
  json["fields"] = OptionSchema(command.fields, {}).toJson()["fields"];
  json["required"] = command.required;
  json["positional"] = command.positional;
  return json;
}

OptionField textField(const char* key, const char* title, const char* help, const char* value) {
  return field(OptionType::Text, key, title, help, value);
}

OptionField pathField(const char* key, const char* title, const char* help, const char* value) {
  return field(OptionType::Path, key, title, help, value);
}

OptionField flagField(const char* key, const char* title, const char* help) {
  return field(OptionType::Flag, key, title, help, false);
}

OptionField integerField(const char* key, const char* title, const char* help, std::int64_t value,
                         double minimum, double maximum) {
  OptionField result = field(OptionType::Integer, key, title, help, value);
  result.minimum = minimum;
  result.maximum = maximum;
  return result;
}

OptionField listField(const char* key, const char* title, const char* help) {
  return field(OptionType::TextList, key, title, help, Json::array());
}

}  // namespace fathom
