// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_derivations.h"

#include <ATen/CPUGeneratorImpl.h>

#include "core/base/numbers/random_stream.h"

namespace fathom::fixtures {

torch::Tensor randomRows(std::uint64_t seed, std::int64_t rows, std::int64_t width, torch::ScalarType type) {
  return at::empty({rows, width}, torch::kFloat64)
      .normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(seed))
      .to(type);
}

RandomDecoder::RandomDecoder(std::uint64_t seed, const GrammarDecoderSetup& setup, torch::ScalarType type,
                             double scale)
    : store(torch::TensorOptions(type)), decoder(store, setup) {
  const at::NoGradGuard noGrad;
  for (const Parameter& parameter : store.parameters()) {
    torch::Tensor value = store.value(parameter);
    value.copy_(randomRows(streamSeed(seed, parameter.info.name), value.numel(), 1).view(value.sizes()) *
                scale);
  }
}

}  // namespace fathom::fixtures
