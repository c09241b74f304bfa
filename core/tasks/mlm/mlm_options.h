// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/data_options.h"
#include "core/tasks/task.h"
#include "core/text/basic_splitter.h"

namespace fathom {

enum class MlmDocuments { BlankLine, WikiText };
enum class MlmSentences { Line, FullStop };
enum class MlmVocabularyKind { WordPiece, Bpe, Unigram, Model, ByteBpe, Tokenizer };

// Settings by which examples are made of documents (docs/masked_language_model.md §2, §3).
struct MlmExampleOptions {
  std::int64_t maxLength = 128;      // tokens, special ones included
  std::int64_t maxPredictions = 20;  // masked positions of an example
  double maskedShare = .15;
  double shortShare = .1;        // of the examples that aim at a random shorter length
  std::int64_t duplicates = 10;  // every document is used this often, masked anew
  bool wholeWords = false;
  double randomNext = .5;  // of the pairs; 0 = the second part always follows the first (RoBERTa)
};

struct MlmOptions : DataFiles {
  MlmDocuments documents = MlmDocuments::BlankLine;
  MlmSentences sentences = MlmSentences::Line;
  double validationShare = .05, testShare = .05;  // of the documents, where no file is named
  MlmVocabularyKind vocabulary = MlmVocabularyKind::WordPiece;
  std::string vocabularyFile, mergesFile;  // merges: byte-level BPE, "" = merges.txt beside the vocabulary
  std::int64_t vocabularySize = 8000;
  bool lowerCase = true;
  WordPieceVariant variant = WordPieceVariant::HfFast;
  MlmExampleOptions examples;
  std::int64_t sequences = 32;  // per batch
};

std::vector<OptionField> mlmOptionFields();
std::vector<OptionRule> mlmOptionRules();
Result<MlmOptions> mlmOptionsFrom(const OptionValues& values, const TaskSetup& setup);

}  // namespace fathom
