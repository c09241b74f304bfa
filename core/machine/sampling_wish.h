// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fathom {

// Whoever starts an engine where nobody else looks at its load asks it to do so by its environment: at hosts
// and as jobs of a Slurm. The runner looks at runs of its own machine.
inline constexpr const char* kSamplingVariable = "FATHOM_SAMPLE_LOAD";

// `neededBytes`: memory of the run as its dry run estimated it; 0 = not known.
std::string samplingWish(std::int64_t neededBytes);
// The estimated bytes that this process was told; nothing where it was not asked.
std::optional<std::int64_t> wishedSampling();

}  // namespace fathom
