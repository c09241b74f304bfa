// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runner/engine_description.h"

namespace fathom::test {

// A few options like the engine's own, and what the presets of the sample set.
EngineDescription sampleEngine();

}  // namespace fathom::test
