// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/probe/probe_entry.h"
#include "core/train/run_parts.h"

namespace fathom {

// What a probe looks at: `model` of the parts on one part of their data ("train", "validation", "test"), at
// most `examples` of it. The parts must outlive it; progress may be null. A part without examples gives a
// subject without batches.
ProbeSubject probeSubject(RunParts& parts, const OptionValues& options, const std::string& split,
                          std::int64_t examples, Progress* progress, const StopToken& stop);

// What a run recorded of its initialisation: that of its first attempt; null where there is none.
Json recordedInitialisation(const std::string& runPath);

}  // namespace fathom
