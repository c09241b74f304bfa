// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareExtraLayers(CLI::App& sub) {
  const auto said = std::make_shared<ExtraLayersVerb>();
  sub.add_option("--features", said->features,
                 "Safetensors file: parts [rows, length, width], padding, relations")
      ->required();
  written(sub.add_option("--out", said->out, "Folder to create"))->required();
  sub.add_option("--config", said->config, "Configuration or preset file");
  sub.add_option("--weights", said->weights, "Weights of an earlier call; otherwise the initialisation");
  addSet(sub, said->assignments);
  return {[said] { return extraLayersVerb(*said); }};
}

}  // namespace

EngineVerb extraLayersLineEntry() {
  return {.name = "extra-layers",
          .help = "Applies extra layers to given features",
          .declare = declareExtraLayers};
}

}  // namespace fathom
