// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/commands/place_field.h"
#include "app/commands/training_fields.h"
#include "app/commands/waiting.h"
#include "app/requests/dry_run_request.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> train(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  TrainingRequest request = trainingRequest(context.options);
  request.project = context.project;
  FATHOM_TRY(const AskedPlace place, askedPlace(context.project, context.options));
  request.elsewhere = !place.here;
  FATHOM_TRY(const RunConfig config, trainingConfig(engine, request));
  if (context.options.flag("dry-run"))
    return dryRunOutput({config}, context.project, place.here ? "" : place.id, progress, stop);
  if (place.here) FATHOM_CHECK(checkRunsFit({config}, context.project, stop));
  QueueEntry entry = trainingEntry(context.project, config);
  entry.place = place.id;
  return queueAndMaybeWait(context, std::move(entry), context.options.flag("front"), progress, stop);
}

}  // namespace

Command trainCommandEntry() {
  return {.id = "train",
          .title = "Train",
          .description = "Puts a new run into the queue and sees to it that the queue is worked through.",
          .group = "Run",
          .fields = joinedFields(
              {trainingFields("Name of the run; otherwise the preset's."),
               {flagField("front", "Next in the queue", "Start it before everything that waits."),
                placeField(), waitField(), dryRunField()}}),
          .changesData = true,
          .run = train};
}

}  // namespace fathom
