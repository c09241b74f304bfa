// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/runner.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> runQueue(const CommandContext& context, Progress&, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(RunnerOptions options, runnerOptions(context.project, stop));
  options.log = [&context](const std::string& line) { context.say(isoTimeNow() + "  " + line); };
  Runner runner(std::move(options));
  FATHOM_TRY(const auto status, runner.run(stop));
  CommandOutput output;
  output.json["other_runner"] = !status.has_value();
  output.json["ended"] = status ? status->ended : 0;
  output.json["not_finished"] = status ? status->notFinished : 0;
  output.json["left_running"] = status ? status->active.size() : 0;
  output.json["put_aside"] = Json::array();
  if (!status) {
    output.text = "another runner of this machine works on the queue of this project\n";
  } else {
    output.text = std::to_string(status->ended) + " runs ended, " + std::to_string(status->notFinished) +
                  " of them not finished\n";
    for (const Error& error : status->putAside) {
      output.json["put_aside"].push_back(error.text());
      output.text += "put aside in queue/aside: " + error.text() + "\n";
    }
  }
  return output;
}

}  // namespace

Command runQueueCommandEntry() {
  return {.id = "run-queue",
          .title = "Run the queue",
          .description =
              "Works through the project's queue and ends when it is empty; window and 'train' start it by "
              "themselves.",
          .group = "Run",
          .changesData = true,
          .run = runQueue};
}

}  // namespace fathom
