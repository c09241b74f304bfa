// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareAverage(CLI::App& sub) {
  const auto said = std::make_shared<AverageVerb>();
  addRun(sub, said->run);
  sub.add_option("--last", said->last, "How many")->check(wholeNumber(1));
  sub.add_option("--upper-update", said->upperUpdate, "Newest update to take")->check(wholeNumber(0));
  sub.add_flag("--epoch-ends", said->epochEnds, "Only checkpoints written at the end of an epoch");
  written(sub.add_option("--out", said->out, "Folder to write"));
  return {[said] { return averageVerb(*said); }};
}

}  // namespace

EngineVerb averageLineEntry() {
  return {.name = "average", .help = "Averages checkpoints of a run", .declare = declareAverage};
}

}  // namespace fathom
