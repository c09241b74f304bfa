// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/phrase.h"

namespace fathom {

// When a source of another program grew, as far as anybody saw it.
struct SourceGrowth {
  double grew = 0;   // seconds since 1970, 0 = never
  double every = 0;  // seconds from one growth to the next, as it usually is; 0 = not known yet
  // "last grew 12 s ago, this source writes every 15 s"; empty where it never grew.
  Phrase phrase(double now) const;
  bool operator==(const SourceGrowth&) const = default;
};

}  // namespace fathom
