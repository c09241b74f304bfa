// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/nmt/leakage_split.h"
#include "core/tasks/nmt/parallel_reader.h"
#include "core/tasks/nmt/token_batching.h"
#include "core/text/bleu.h"
#include "core/text/sentencepiece_tokenizer.h"

namespace fathom {

enum class NmtVocabularyKind { Bpe, Unigram, Model, Words };

// The options of task nmt as one value.
struct NmtOptions {
  ParallelFiles train, validation, test;  // path "" = cut from train
  SplitSizes split;                       // only for parts without a file of their own
  std::uint64_t splitSeed = 1;
  NmtVocabularyKind vocabulary = NmtVocabularyKind::Bpe;
  SentencePieceTraining pieces;    // Bpe, Unigram
  std::string model, targetModel;  // Model: files
  std::int64_t minimumCount = 1;   // Words
  bool joined = true;
  TokenBatching batching;
  std::int64_t evaluationMaxTokens = 4096;
  BleuOptions bleu;
};

std::vector<OptionField> nmtOptionFields();
std::vector<OptionRule> nmtOptionRules();
// Usage error naming the key when a needed file is not named (`inputOnly`: none is needed).
Result<NmtOptions> nmtOptionsFrom(const OptionValues& values, bool inputOnly);

}  // namespace fathom
