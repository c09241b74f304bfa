// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/waiting.h"
#include "app/runner.h"
#include "app/training_request.h"
#include "core/library/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> train(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  TrainingRequest request;
  request.preset = context.options.text("preset");
  request.configFile = context.options.text("config");
  request.assignments = context.options.texts("set");
  request.name = context.options.text("name");
  FATHOM_TRY(const RunConfig config, trainingConfig(engine, request));
  FATHOM_TRY(const QueueEntry entry,
             enqueueTraining(context.project, config, {}, context.options.flag("front")));
  return startAndMaybeWait(context, entry, context.options.flag("wait"), progress, stop);
}

}  // namespace

Command trainCommandEntry() {
  Command command;
  command.id = "train";
  command.title = QT_TRANSLATE_NOOP("Command", "Train");
  command.description = QT_TRANSLATE_NOOP(
      "Command", "Puts a new run into the queue and sees to it that the queue is worked through.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.changesData = true;
  command.fields = {
      textField("preset", QT_TRANSLATE_NOOP("Command", "Preset"),
                QT_TRANSLATE_NOOP("Command", "Settings to start from; 'fathom describe' lists them.")),
      pathField("config", QT_TRANSLATE_NOOP("Command", "Configuration file"),
                QT_TRANSLATE_NOOP("Command", "Options from a config.json, on top of the preset.")),
      listField("set", QT_TRANSLATE_NOOP("Command", "Options"),
                QT_TRANSLATE_NOOP("Command", "key=value, on top of both; may be repeated.")),
      textField("name", QT_TRANSLATE_NOOP("Command", "Name"),
                QT_TRANSLATE_NOOP("Command", "Name of the run; otherwise the preset's.")),
      flagField("front", QT_TRANSLATE_NOOP("Command", "Next in the queue"),
                QT_TRANSLATE_NOOP("Command", "Start it before everything that waits.")),
      flagField("wait", QT_TRANSLATE_NOOP("Command", "Wait"),
                QT_TRANSLATE_NOOP("Command",
                                  "Show progress until the run ends and return the engine's exit code."))};
  command.run = train;
  return command;
}

}  // namespace fathom
