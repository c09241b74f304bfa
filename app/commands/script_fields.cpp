// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/script_fields.h"

#include "core/base/options/field_builder.h"

namespace fathom {

std::vector<OptionField> scriptFields() {
  return {listField("command", "Command", "The program and its arguments; all words behind -- are."),
          pathField("folder", "Folder", "Where the command is started; otherwise the current folder.")};
}

ScriptRequest scriptRequest(const OptionValues& options) {
  ScriptRequest request{options.texts("command")};
  request.folder = options.text("folder");
  request.assignments = options.texts("set");
  request.name = options.text("name");
  if (options.schema().find("group") != nullptr) request.group = options.text("group");
  return request;
}

}  // namespace fathom
