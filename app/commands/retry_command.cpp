// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "app/commands/waiting.h"
#include "app/run_control.h"
#include "app/training_request.h"
#include "core/record/imported_run.h"
#include "core/record/moved_files.h"
#include "core/record/run_folder.h"

namespace fathom {

namespace {

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
  forgetPlacement(config.options);
  findMovedFiles(config.options, target.path, context.project);
  OptionValues values(engine.options);
  FATHOM_CHECK(values.merge(config.options, "run " + target.uuid, true));
  for (const std::string& assignment : context.options.texts("set")) FATHOM_CHECK(values.setText(assignment));
  FATHOM_CHECK(checkDataNamed(values));
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
      QT_TRANSLATE_NOOP("Command", "Starts a new run with the configuration of another, changed by --set."));
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
