// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/waiting.h"

#include <algorithm>

#include "app/runner/queue_start.h"
#include "app/runner/run_watch.h"
#include "app/runs/run_json.h"
#include "core/base/errors/error_words.h"
#include "core/base/text/shell_word.h"
#include "core/base/threads/error_boundary.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

constexpr int kInterrupted = 130;

std::string outcomeText(const QueueEntry& entry, const RunOutcome& outcome) {
  std::string text = "run " + entry.uuid + ": " + runStateName(outcome.state);
  if (!outcome.cause.empty()) text += " (" + outcome.cause + ")";
  text += " after " + std::to_string(outcome.step) + " updates";
  for (const auto& [name, value] : outcome.scores.items()) {
    if (const auto number = realFromJson(value)) text += ", " + name + " " + shownNumber(*number);
  }
  if (!outcome.message.empty()) text += "\n" + outcome.message.english();
  return text + "\n";
}

// Whoever hears of an error takes the run for gone, and it would start when the queue is worked through
// again.
Error saidStillQueued(const CommandContext& context, const QueueEntry& entry, const Error& error) {
  const auto entries = QueueFolder(context.project).entries();
  const bool gone =
      entries.ok() && std::none_of(entries->begin(), entries->end(),
                                   [&](const QueueEntry& each) { return each.uuid == entry.uuid; });
  if (gone) return error;
  Phrase hint = error.hintPhrase();
  hint.append(Phrase::tr("run %1 is still queued; take it out with: fathom stop --project %2 %1")(
                  entry.uuid, shellWord(context.project)),
              hint.empty() ? "" : "; ");
  return withHint(error, hint);
}

}  // namespace

OptionField waitField() {
  return flagField("wait", "Wait", "Show progress until the run ends and return the engine's exit code.");
}

Result<CommandOutput> queueAndMaybeWait(const CommandContext& context, QueueEntry run, bool atFront,
                                        Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const QueuedRuns queued, queueRuns(context.project, {std::move(run)}, atFront));
  const QueueEntry& entry = queued.entries.front();
  if (queued.paused) context.say("the queue is paused: the run starts when somebody lets it go on");
  CommandOutput output;
  output.json["run"] = {
      {"uuid", entry.uuid}, {"name", entry.config.value("name", "")}, {"path", entry.runPath}};
  output.json["state"] = runStateName(RunState::Queued);
  output.text = "queued run " + entry.uuid + "\n";
  if (!context.options.flag("wait")) return output;
  context.say("run " + entry.uuid + " is in the queue");
  const Result<WaitResult> waited = resultOrError<WaitResult>(
      [&] { return waitForRun(context.project, entry, progress, context.note, stop); });
  if (!waited) return saidStillQueued(context, entry, waited.error());
  const WaitResult& result = *waited;
  if (result.interrupted) {
    output.json["state"] = runStateName(RunState::Running);
    output.text = "run " + entry.uuid + " goes on; stop it with: fathom stop --project " +
                  shellWord(context.project) + " " + entry.uuid + "\n";
    output.exitCode = kInterrupted;
    return output;
  }
  output.json["state"] = runStateName(result.outcome.state);
  output.json["exit_code"] = result.outcome.exitCode;
  output.json["outcome"] = outcomeToJson(result.outcome);
  output.text = outcomeText(entry, result.outcome);
  output.exitCode = result.outcome.exitCode < 0 ? 1 : result.outcome.exitCode;
  return output;
}

}  // namespace fathom
