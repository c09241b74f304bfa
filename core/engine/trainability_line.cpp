// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareTrainability(CLI::App& sub) {
  const auto said = std::make_shared<TrainabilityVerb>();
  sub.add_option("--config", said->config, "Configuration or preset file");
  sub.add_flag("--json", said->json, "JSON instead of words");
  sub.add_flag("--progress-lines", said->progressLines, "Progress as JSON lines on stdout");
  addSet(sub, said->assignments);
  return {[said] { return trainabilityVerb(*said); }, [said] { return said->progressLines; }};
}

}  // namespace

EngineVerb trainabilityLineEntry() {
  return {.name = "trainability",
          .help = "Whether a configuration will learn, before it is trained",
          .declare = declareTrainability};
}

}  // namespace fathom
