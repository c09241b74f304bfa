// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/resume_point.h"

#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_config.h"

namespace fathom {

Result<ResumePoint> startingPoint(const std::string& runPath, const std::string& checkpoint) {
  ResumePoint start;
  if (checkpoint == "none") return start;
  if (!checkpoint.empty()) {
    FATHOM_TRY(const CheckpointManifest chosen, chooseCheckpoint(runPath, checkpoint));
    start.name = chosen.name;
    start.checkpoint = chosen.path;
  } else {
    FATHOM_CHECK(checkpointsCanBeSeen(runPath));
    const auto newest = newestGoodCheckpoint(runPath, &start.damaged);
    if (!newest) return start;
    start.name = newest->name;
    start.checkpoint = newest->path;
  }
  FATHOM_TRY(start.loaded, readCheckpointState(start.checkpoint));
  return start;
}

Status checkSomethingLeft(const RunFolder& folder, const ResumePoint& start, const OptionValues& options) {
  const auto outcome = folder.outcome(folder.lastAttempt());
  const bool concluded = outcome && (outcome->state == RunState::Finished || outcome->cause == kNotLearning);
  const TrainingTime length = options.time("training.length");
  if (!concluded || start.checkpoint.empty() || !start.loaded.loop.clock.reached(length)) return {};
  const std::string all = length.unit == TrainingTime::Unit::Updates
                              ? "all its " + std::to_string(start.loaded.loop.clock.updates) + " updates"
                              : "its whole length of " + length.text();
  return usageError(
      Phrase::tr("run %1 has done %2; there is nothing to resume")(folder.path(), all),
      Phrase::tr("name an earlier checkpoint, or train a new run with a longer training.length"));
}

Phrase restartWords(const std::optional<RunOutcome>& before, const ResumePoint& start) {
  if (!before || !isFailure(before->state)) return {};
  const bool memory = before->cause == "oom";
  Phrase end = Phrase::tr("failed");
  if (before->state == RunState::Lost) {
    end = Phrase::tr("cut off while nobody watched");
  } else if (memory) {
    end = Phrase::tr("out of memory");
  } else if (before->exitCode > 128) {
    end = before->state == RunState::Crashed ? Phrase::tr("crashed (signal %1)")(before->exitCode - 128)
                                             : Phrase::tr("killed (signal %1)")(before->exitCode - 128);
  } else if (before->cause == "device_fault") {
    end = Phrase::tr("the device failed");
  } else if (before->cause == "rank_lost") {
    end = Phrase::tr("a rank was lost");
  }
  if (start.checkpoint.empty()) return Phrase::tr("%1 · restarted from 0: no checkpoint yet")(std::move(end));
  return Phrase::tr("%1 · restarted from update %2")(std::move(end), start.loaded.loop.clock.updates);
}

void setDamagedAside(const ResumePoint& start, const std::string& runPath, RunRecorder& recorder) {
  if (const Status aside = setCheckpointsAside(runPath, start.damaged); !aside.ok()) {
    recorder.warn(aside.error().phrase());
    return;
  }
  for (const std::string& name : start.damaged)
    recorder.warn(Phrase::tr("checkpoint %1 is damaged and was set aside as %2")(name, name + ".damaged"),
                  "checkpoint_damaged", Json::object({{"checkpoint", name}}));
}

Json withoutPaths(const OptionValues& options) {
  Json values = options.effective();
  for (const OptionField& field : options.schema().fields())
    if (field.type == OptionType::Path) values.erase(field.key);
  return values;
}

Status checkSameConfig(const ResumePoint& start, const OptionValues& options) {
  if (start.checkpoint.empty()) return {};
  const auto differences = configDifferences(start.loaded.config, withoutPaths(options));
  if (differences.empty()) return {};
  return usageError(
      Phrase::tr("the options of the run differ from those of its checkpoint: %1")(joined(differences, "; ")),
      Phrase::tr("start a new run with the changed options"));
}

}  // namespace fathom
