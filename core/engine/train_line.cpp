// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareTrain(CLI::App& sub) {
  const auto said = std::make_shared<TrainVerb>();
  sub.add_option("--config", said->config, "Configuration or preset file");
  written(sub.add_option("--run", said->run, "Folder to create for the run"));
  sub.add_option("--uuid", said->uuid, "Identity of the run");
  sub.add_flag("--or-resume", said->orResume,
               "Go on with the run where the folder holds it: the same command begins and continues");
  addEvents(sub, said->eventsToStdout);
  sub.add_option("--dump", said->dump, "Print the configuration instead of training")
      ->check(CLI::IsMember({"minimal", "effective"}));
  addSet(sub, said->assignments);
  return {[said] {
    if (said->run.empty() && said->dump.empty())
      return wrongUsage(usageError(Phrase::tr("train needs --run DIR")));
    return trainVerb(*said);
  }};
}

}  // namespace

EngineVerb trainLineEntry() {
  return {.name = "train", .help = "Trains a new run", .declare = declareTrain};
}

}  // namespace fathom
