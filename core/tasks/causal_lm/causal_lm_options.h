// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/data_options.h"
#include "core/tasks/task.h"

namespace fathom {

enum class CausalDocuments { BlankLine, WikiText, Line };
enum class CausalVocabularyKind { Bpe, Unigram, Model, ByteBpe, Tokenizer };

struct CausalLmOptions : DataFiles {
  CausalDocuments documents = CausalDocuments::BlankLine;
  double validationShare = 0, testShare = 0;  // 0 where a file is named
  CausalVocabularyKind vocabulary = CausalVocabularyKind::Bpe;
  std::string vocabularyFile, mergesFile;
  std::int64_t vocabularySize = 8000;
  std::int64_t maxLength = 128, sequences = 32;
};

std::vector<OptionField> causalLmOptionFields();
std::vector<OptionRule> causalLmOptionRules();
Result<CausalLmOptions> causalLmOptionsFrom(const OptionValues& values, const TaskSetup& setup);

}  // namespace fathom
