// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/errors/phrase.h"
#include "views/selection/selection.h"

namespace fathom {

// Selection strings of figures of probes: "run:<uuid>/dec.cross", to which marks add their layer and head.
// `stack` and `kind` as the engine names them; kind may be empty.
std::string probeSelection(const std::string& run, const std::string& stack, const std::string& kind);
// The stack that such a selection names, as the engine calls it: "decoder".
std::string stackOfSelection(const Selection& selection);
// "L2/H5": one head; "L2/S7": the sub-layer with that number in its stack; all 0-based.
std::string headPart(int layer, int head);
Phrase headWords(int layer, int head);  // "layer 3, head 6"
// Head that a selection names, 0-based; usage error where it names none.
struct ChosenHead {
  int layer = 0, head = 0;
  std::optional<int> query;  // its query token
  std::string run;           // "" = none
};
Result<ChosenHead> chosenHead(const std::string& selection);
// `name` as in parameter names, "decoder.layers.2.cross_attention".
std::string sublayerPart(const std::string& name, int sublayer);

}  // namespace fathom
