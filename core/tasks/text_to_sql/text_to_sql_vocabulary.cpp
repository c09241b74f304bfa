// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_vocabulary.h"

#include "core/tasks/kept_files.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

Result<TextToSqlVocabulary> makeTextToSqlVocabulary(const TextToSqlOptions& options, const TaskSetup& setup) {
  TextToSqlVocabulary vocabulary;
  auto& kept = vocabulary.artifacts;
  if (options.row.bytes) {
    FATHOM_TRY(ByteBpeTokenizer made, keptByteBpe(options.vocabularyFile, options.mergesFile, {},
                                                  {"<s>", "</s>", "<pad>", "<unk>"}, setup, kept));
    vocabulary.tokenizer = std::make_shared<const ByteBpeTokenizer>(std::move(made));
    return vocabulary;
  }
  FATHOM_TRY(kept["vocabulary.txt"], keptFile("vocabulary.txt", options.vocabularyFile, setup));
  WordPieceOptions wanted;
  wanted.lowerCase = options.lowerCase;
  FATHOM_TRY(WordPieceTokenizer made,
             WordPieceTokenizer::fromText(kept["vocabulary.txt"], options.vocabularyFile, wanted));
  vocabulary.tokenizer = std::make_shared<const WordPieceTokenizer>(std::move(made));
  return vocabulary;
}

}  // namespace fathom
