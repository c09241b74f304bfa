// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/random_derivation.h"

#include <algorithm>

#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

std::size_t fieldCount(GrammarAction action) {
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
        return fieldCount(a) < fieldCount(b);
      });
      valid = {closes ? kReduce : *least};
    }
    const std::uint64_t draw = streamSeed(seed, "derivation", {state.steps()});
    actions.push_back(valid[draw % valid.size()]);
    state.apply(actions.back());
  }
  return actions;
}

}  // namespace fathom
