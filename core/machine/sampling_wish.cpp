// SPDX-License-Identifier: Apache-2.0
#include "core/machine/sampling_wish.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text/number_text.h"

namespace fathom {

std::string samplingWish(std::int64_t neededBytes) {
  return std::to_string(std::max<std::int64_t>(neededBytes, 0));
}

std::optional<std::int64_t> wishedSampling() {
  const char* text = std::getenv(kSamplingVariable);
  return text != nullptr ? numberFrom<std::int64_t>(text) : std::nullopt;
}

}  // namespace fathom
