// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// Rules by which the next token of a text is drawn (docs/decoding.md §4).
struct TokenSampling {
  double temperature = 1;  // logits are divided by it; 0: the likeliest token
  std::int64_t topK = 0;   // only so many of the likeliest; 0: all
  double topP = 1;         // only the likeliest whose shares reach this together
  std::int64_t seed = 1;   // the draws of a text are a function of it and of the text's number
  std::int64_t most = 50;  // new tokens
};

// Options "<prefix>.temperature" and so on.
std::vector<OptionField> tokenSamplingFields(const std::string& prefix);
TokenSampling tokenSampling(const OptionValues& options, const std::string& prefix);

struct DrawnToken {
  std::int64_t token = 0;
  double logP = 0;  // under the model itself: of its softmax over all tokens
};
// `logits` of all tokens; `uniform` in [0, 1).
DrawnToken drawToken(std::span<const double> logits, const TokenSampling& sampling, double uniform);

}  // namespace fathom
