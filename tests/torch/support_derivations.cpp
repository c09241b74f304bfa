// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_derivations.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>

#include "core/base/random_stream.h"

namespace fathom::fixtures {

namespace {

std::size_t fieldsOf(GrammarAction action) {
  if (action >= kReduce) return 0;
  return grammarProductions()[static_cast<std::size_t>(action)].fields.size();
}

}  // namespace

std::vector<GrammarAction> randomDerivation(std::uint64_t seed, int columns, int free) {
  std::vector<GrammarAction> actions;
  GrammarState state;
  while (!state.complete()) {
    std::vector<GrammarAction> valid = state.validActions(columns);
    if (state.steps() >= free && valid.front() < kSelectColumn) {
      // Reduce where it is allowed, else the production with the fewest fields.
      const bool closes = valid.back() == kReduce;
      const auto least = std::min_element(valid.begin(), valid.end(), [](GrammarAction a, GrammarAction b) {
        return fieldsOf(a) < fieldsOf(b);
      });
      valid = {closes ? kReduce : *least};
    }
    const std::uint64_t draw = streamSeed(seed, "derivation", {state.steps()});
    actions.push_back(valid[draw % valid.size()]);
    state.apply(actions.back());
  }
  return actions;
}

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
