// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/training_fields.h"

#include "app/command.h"
#include "app/requests/dry_run_request.h"
#include "core/analysis/training/dry_run_report.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

std::vector<OptionField> trainingFields(const char* nameHelp) {
  return {textField("preset", "Preset", "Settings to start from; 'fathom describe' lists them."),
          pathField("config", "Configuration file", "Options from a config.json, on top of the preset."),
          pathField("data", "Data set",
                    "Folder or file of a data set that is known by its files (fathom data); it chooses the "
                    "preset where none is named."),
          listField("set", "Options", "key=value, on top of both; may be repeated."),
          textField("name", "Name", nameHelp)};
}

TrainingRequest trainingRequest(const OptionValues& options) {
  TrainingRequest request;
  request.preset = options.text("preset");
  request.configFile = options.text("config");
  request.data = options.text("data");
  request.assignments = options.texts("set");
  if (options.schema().find("name") != nullptr) request.name = options.text("name");
  return request;
}

OptionField dryRunField() {
  return flagField("dry-run", "Only what it needs",
                   "Memory, time and disk against what there is, and what would fit; nothing is queued. The "
                   "exit code is 40 "
                   "for lack of memory, 50 for lack of disk.");
}

Result<CommandOutput> dryRunOutput(const std::vector<RunConfig>& configs, const std::string& project,
                                   const std::string& place, Progress& progress, const StopToken& stop) {
  DryRunQuestion question;
  question.configs = configs;
  question.disk = project;
  question.project = project;
  question.place = place;
  CommandOutput output;
  FATHOM_TRY(output.json, askDryRun(question, progress, stop));
  output.text = dryRunText(output.json);
  const Error refusal = dryRunRefusal(output.json);
  if (!refusal.message.empty()) output.exitCode = static_cast<int>(exitCodeFor(refusal));
  return output;
}

}  // namespace fathom
