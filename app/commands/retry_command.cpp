// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/commands/run_control_commands.h"
#include "app/commands/waiting.h"
#include "app/run_control.h"
#include "app/training_request.h"
#include "core/base/named_files.h"
#include "core/record/import/imported_run.h"
#include "core/record/moved_files.h"
#include "core/record/run_folder.h"

namespace fathom {

namespace {

// The queue gave the run its device and threads; which of them somebody asked for is not recorded.
void sayPlacement(const CommandContext& context, const Json& options) {
  std::string left;
  for (const char* key : {"device", "threads"}) {
    const auto& given = context.options.texts("set");
    const bool set = std::any_of(given.begin(), given.end(), [&](const std::string& assignment) {
      return assignment.rfind(std::string(key) + "=", 0) == 0;
    });
    if (set || !options.contains(key)) continue;
    const Json& value = options[key];
    left += (left.empty() ? "" : " ") + std::string(key) + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (!left.empty()) context.say("the queue chooses anew instead of " + left + "; --set keeps them");
}

Result<CommandOutput> retryRun(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const ControlTarget target, findControlTarget(*library, context.options.text("run")));
  const RunFolder folder(target.path);
  if (const auto identity = folder.identity(); identity.ok()) {
    if (const std::string origin = importOrigin(identity->provenance); !origin.empty())
      return usageError(
          "run " + target.uuid + " was imported (" + origin + "): its options are another program's",
          "start from a preset: fathom train --project DIR --preset ID");
  }
  FATHOM_TRY(const Json json, folder.config(folder.lastAttempt()));
  FATHOM_TRY(RunConfig config, runConfigFromJson(json, target.path));
  sayPlacement(context, config.options);
  forgetPlacement(config.options);
  findMovedFiles(config.options, target.path, context.project);
  OptionValues values(engine.options);
  FATHOM_CHECK(values.merge(config.options, "run " + target.uuid, true));
  for (const std::string& assignment : context.options.texts("set")) FATHOM_CHECK(values.setText(assignment));
  FATHOM_CHECK(checkFilesNamed(values));
  FATHOM_CHECK(checkTrainingValues(engine, values));
  for (const std::string& key : values.unknownKeys())
    context.say("option '" + key + "' is no longer known: left out");
  config.options = Json::object();
  for (const OptionField& field : engine.options.fields())
    config.options[field.key] = values.value(field.key);
  if (!context.options.text("name").empty()) config.name = context.options.text("name");
  return queueAndMaybeWait(context, trainingEntry(context.project, config), false, progress, stop);
}

}  // namespace

Command retryCommandEntry() {
  Command command = runControlCommand(
      "retry", QT_TRANSLATE_NOOP("Command", "Retry"),
      QT_TRANSLATE_NOOP("Command",
                        "Starts a new run with the configuration of another, changed by --set. Device and "
                        "threads are the queue's choice unless --set names them."));
  command.fields = {
      textField("run", QT_TRANSLATE_NOOP("Command", "Run"),
                QT_TRANSLATE_NOOP("Command", "UUID, its beginning, name or path of the run.")),
      listField("set", QT_TRANSLATE_NOOP("Command", "Options"),
                QT_TRANSLATE_NOOP("Command", "key=value, on top of the run's; may be repeated.")),
      textField("name", QT_TRANSLATE_NOOP("Command", "Name"),
                QT_TRANSLATE_NOOP("Command", "Name of the new run; otherwise the old one's.")),
      flagField("wait", QT_TRANSLATE_NOOP("Command", "Wait"),
                QT_TRANSLATE_NOOP("Command",
                                  "Show progress until the run ends and return the engine's exit code."))};
  command.required = {"run"};
  command.positional = "run";
  command.run = retryRun;
  return command;
}

}  // namespace fathom
