// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// Work ahead of a probe, and the option that makes it less.
struct ProbeWork {
  Phrase what;              // "10 draws of nets of up to 48 layers"
  double pieces = 1;        // all of it, of one state, in the size of the piece that is measured first
  std::string option;       // "draws"
  std::int64_t asked = 1;   // how many of it are looked at
  std::int64_t fewer = 1;   // a number that is offered; as many as asked: nothing is offered
  std::int64_t states = 1;  // checkpoints that are looked at, each as long
};

// "about 16 min for 10 draws of nets of up to 48 layers; with the option draws=3 about 5 min", from the
// seconds of the first piece. Empty where all takes less than half a minute: nobody would choose otherwise.
Phrase workEstimate(const ProbeWork& work, double pieceSeconds);

// About a tenth of `count`, with one digit that is not 0: 300 of 3,870; at least 1.
std::int64_t roundTenth(std::int64_t count);

}  // namespace fathom
