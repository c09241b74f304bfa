// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareEvaluate(CLI::App& sub) {
  const auto said = std::make_shared<EvaluateVerb>();
  addRun(sub, said->run);
  addCheckpoint(sub, said->checkpoint);
  sub.add_option("--split", said->split, "validation or test")->check(CLI::IsMember({"validation", "test"}));
  written(sub.add_option("--keep", said->keep,
                         "Write the outputs to this JSON lines file; otherwise to the run's predictions/"));
  sub.add_flag("--no-set", said->noSet, "Store no outputs");
  written(sub.add_option("--submission", said->submission,
                         "New folder for the outputs in the files that the task's benchmark takes"));
  addSet(sub, said->assignments);
  return {[said] { return evaluateVerb(*said); }};
}

}  // namespace

EngineVerb evaluateLineEntry() {
  return {.name = "evaluate", .help = "Loss and scores of a checkpoint, as JSON", .declare = declareEvaluate};
}

}  // namespace fathom
