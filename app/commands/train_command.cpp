// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/commands/training_fields.h"
#include "app/commands/waiting.h"
#include "core/library/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> train(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  TrainingRequest request = trainingRequest(context.options);
  request.project = context.project;
  FATHOM_TRY(const RunConfig config, trainingConfig(engine, request));
  return queueAndMaybeWait(context, trainingEntry(context.project, config), context.options.flag("front"),
                           progress, stop);
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
  command.fields = trainingFields(QT_TRANSLATE_NOOP("Command", "Name of the run; otherwise the preset's."));
  command.fields.push_back(flagField("front", QT_TRANSLATE_NOOP("Command", "Next in the queue"),
                                     QT_TRANSLATE_NOOP("Command", "Start it before everything that waits.")));
  command.fields.push_back(flagField(
      "wait", QT_TRANSLATE_NOOP("Command", "Wait"),
      QT_TRANSLATE_NOOP("Command", "Show progress until the run ends and return the engine's exit code.")));
  command.run = train;
  return command;
}

}  // namespace fathom
