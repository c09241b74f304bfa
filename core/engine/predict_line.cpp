// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/task_help.h"

namespace fathom {

namespace {

VerbAction declarePredict(CLI::App& sub) {
  const auto said = std::make_shared<PredictVerb>();
  sub.alias("translate");
  sub.footer(inputFormsHelp("One line an example; by the task of the run:") + sub.get_parent()->get_footer());
  addRun(sub, said->run);
  addCheckpoint(sub, said->checkpoint);
  sub.add_option("--input", said->input, "UTF-8 text file, or gzip of one; otherwise stdin");
  written(sub.add_option("--output", said->output, "File to write; otherwise stdout"));
  sub.add_flag("--no-set", said->noSet, "Store no outputs with the run");
  addSet(sub, said->assignments);
  return {[said] { return predictVerb(*said); }};
}

}  // namespace

EngineVerb predictLineEntry() {
  return {.name = "predict",
          .help = "Prints what a trained model answers to each line, whatever its task",
          .declare = declarePredict};
}

}  // namespace fathom
