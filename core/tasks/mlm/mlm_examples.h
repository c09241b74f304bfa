// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/numbers/random_stream.h"
#include "core/tasks/mlm/mlm_options.h"
#include "core/tasks/mlm/mlm_vocabulary.h"
#include "core/tasks/task.h"
#include "core/tasks/token_column.h"

namespace fathom {

// Documents as tokens; a sentence without a token is left out, a document without a sentence too.
struct MlmDocumentTokens {
  TokenColumn sentences;
  std::vector<std::int64_t> begins;  // [documents + 1]
  std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }
  std::int64_t sentenceCount(std::int64_t document) const {
    const auto i = static_cast<std::size_t>(document);
    return begins[i + 1] - begins[i];
  }
};

struct MlmExample {
  std::vector<std::int32_t> tokens;     // [CLS] A [SEP] B [SEP], masked
  std::int32_t firstLength = 0;         // [CLS] A [SEP]: segment 0, the rest is segment 1
  std::vector<std::int32_t> positions;  // ascending
  std::vector<std::int32_t> labels;     // what stood there
  bool randomNext = false;              // B comes from another place
};

// All examples of a document (docs/masked_language_model.md §2): A is a random number of the sentences that
// fill the length, B the rest of them or, half of the time (options.randomNext), sentences from a random
// place of another document. With randomNext = 0 a lone sentence is an example without B: [CLS] A [SEP].
std::vector<MlmExample> examplesOfDocument(const MlmDocumentTokens& documents, std::int64_t document,
                                           const MlmVocabulary& vocabulary, const MlmExampleOptions& options,
                                           RandomStream& random);

// Masks tokens in place: min(maxPredictions, max(1, round half to even(share · length))) positions; of these
// 80 % become [MASK], 10 % a random entry of the vocabulary, 10 % stay. [CLS] and [SEP] are no candidates.
void maskTokens(MlmExample& example, const MlmVocabulary& vocabulary, const MlmExampleOptions& options,
                RandomStream& random);

// The examples of all duplicates, shuffled. Depends on documents, options and seed only. Interrupted when
// asked to stop.
Result<std::vector<MlmExample>> makeMlmExamples(const MlmDocumentTokens& documents,
                                                const MlmVocabulary& vocabulary,
                                                const MlmExampleOptions& options, std::uint64_t seed,
                                                const TaskSetup& setup);

}  // namespace fathom
