// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/commands/training_fields.h"
#include "app/requests/trainability_request.h"

namespace fathom {

namespace {

Result<CommandOutput> trainability(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  TrainingRequest request = trainingRequest(context.options);
  request.needsData = false;  // the engine takes the made data instead
  FATHOM_TRY(const RunConfig config, trainingConfig(engine, request));
  CommandOutput output;
  FATHOM_TRY(output.json, checkTrainability(config, progress, stop));
  output.text = trainabilityText(output.json);
  return output;
}

}  // namespace

Command trainabilityCommandEntry() {
  std::vector<OptionField> fields = trainingFields("");
  fields.pop_back();  // nothing is made that could have a name
  return {
      .id = "trainability",
      .title = "Check trainability",
      .description =
          "Looks at a model before its first update and says whether it will learn, why not, and what would "
          "help.",
      .group = "Run",
      .fields = fields,
      .needsProject = false,
      .run = trainability};
}

}  // namespace fathom
