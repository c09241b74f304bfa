// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/training_fields.h"

#include "app/command.h"

namespace fathom {

std::vector<OptionField> trainingFields(const char* nameHelp) {
  return {textField("preset", "Preset", "Settings to start from; 'fathom describe' lists them."),
          pathField("config", "Configuration file", "Options from a config.json, on top of the preset."),
          listField("set", "Options", "key=value, on top of both; may be repeated."),
          textField("name", "Name", nameHelp)};
}

TrainingRequest trainingRequest(const OptionValues& options) {
  TrainingRequest request;
  request.preset = options.text("preset");
  request.configFile = options.text("config");
  request.assignments = options.texts("set");
  if (options.schema().find("name") != nullptr) request.name = options.text("name");
  return request;
}

}  // namespace fathom
