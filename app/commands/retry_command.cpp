// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/commands/place_field.h"
#include "app/commands/run_control_commands.h"
#include "app/commands/waiting.h"
#include "app/requests/dry_run_request.h"
#include "app/runs/run_control.h"
#include "app/runs/training_request.h"
#include "core/analysis/training/run_grid.h"

namespace fathom {

namespace {

// The queue gave the run its device and threads; which of them somebody asked for is not recorded.
void sayPlacement(const CommandContext& context, const Json& placement) {
  std::string left;
  for (const auto& [key, value] : placement.items()) {
    const auto& given = context.options.texts("set");
    const bool set = std::any_of(given.begin(), given.end(), [&start = key](const std::string& assignment) {
      return assignment.rfind(start + "=", 0) == 0;
    });
    if (!set) left += (left.empty() ? "" : " ") + key + "=" + axisValueText(value);
  }
  if (!left.empty()) context.say("the queue chooses anew instead of " + left + "; --set keeps them");
}

Result<CommandOutput> retryRun(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const ControlTarget target, findControlTarget(*library, context.options.text("run")));
  FATHOM_TRY(const AskedPlace place, askedPlace(context.project, context.options));
  FATHOM_TRY(const auto script, retriedScript(context.project, target, context.options.texts("set"),
                                              context.options.text("name")));
  if (script) {
    FATHOM_CHECK(checkStartsScripts(place));
    return queueAndMaybeWait(context, *script, false, progress, stop);
  }
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(RetryConfig retry,
             retryConfig(engine, context.project, target, context.options.texts("set"), !place.here));
  sayPlacement(context, retry.placement);
  for (const std::string& key : retry.unknownKeys)
    context.say("option '" + key + "' is no longer known: left out");
  if (!context.options.text("name").empty()) retry.config.name = context.options.text("name");
  if (place.here) FATHOM_CHECK(checkRunsFit({retry.config}, context.project, stop));
  QueueEntry entry = trainingEntry(context.project, retry.config);
  entry.place = place.id;
  return queueAndMaybeWait(context, std::move(entry), false, progress, stop);
}

}  // namespace

Command retryCommandEntry() {
  return {
      .id = "retry",
      .title = "Retry",
      .description =
          "Starts a new run with the configuration of another, changed by --set. Device and threads are "
          "the queue's choice unless --set names them.",
      .group = "Run",
      .fields = {runField(), listField("set", "Options", "key=value, on top of the run's; may be repeated."),
                 textField("name", "Name", "Name of the new run; otherwise the old one's."), placeField(),
                 waitField()},
      .required = {"run"},
      .positional = "run",
      .changesData = true,
      .run = retryRun};
}

}  // namespace fathom
