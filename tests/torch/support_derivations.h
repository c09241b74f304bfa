// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/nn/sql_sp/grammar_decoder.h"
#include "core/spider/grammar/random_derivation.h"

namespace fathom::fixtures {

// A decoder with its own store, filled from the seed.
struct RandomDecoder {
  ParameterStore store;
  GrammarDecoder decoder;
  RandomDecoder(std::uint64_t seed, const GrammarDecoderSetup& setup,
                torch::ScalarType type = torch::kFloat64, double scale = 0.5);
};
torch::Tensor randomRows(std::uint64_t seed, std::int64_t rows, std::int64_t width,
                         torch::ScalarType type = torch::kFloat64);

}  // namespace fathom::fixtures
