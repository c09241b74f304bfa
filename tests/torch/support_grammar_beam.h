// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/spider/grammar/grammar_search.h"
#include "tests/torch/support_derivations.h"
#include "tests/torch/support_sql_case.h"

namespace fathom::fixtures {

// Sizes of an example that a search looks at.
struct SearchedSchema {
  std::int64_t memory = 0;  // tokens and items
  int columns = 0;
};
// Of `count` examples of Spider's dev set, from all over it. Empty where the data are absent.
std::vector<SearchedSchema> devExamples(std::size_t count);

GrammarDecoderSetup searchedDecoder();
// Random memories.
DecoderMemory searchedMemory(const GrammarDecoder& decoder, const std::vector<SearchedSchema>& schemas,
                             std::uint64_t seed);
// Batches of the examples with a random decoder, hypothesis by hypothesis against searchGrammar(). Empty
// where all agree and something was completed.
std::string searchDifference(std::uint64_t seed, const std::vector<SearchedSchema>& examples,
                             const GrammarSearchOptions& options, std::size_t batch);

}  // namespace fathom::fixtures
