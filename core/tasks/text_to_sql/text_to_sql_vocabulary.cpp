// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_vocabulary.h"

#include "core/base/errors/error_key.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/kept_files.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

Result<TextToSqlVocabulary> makeTextToSqlVocabulary(const TextToSqlOptions& options, const TaskSetup& setup) {
  TextToSqlVocabulary vocabulary;
  auto& kept = vocabulary.artifacts;
  const VocabularyChoice choice{options.vocabularyFile, options.mergesFile,
                                options.row.bytes || options.lowerCase, "spider.vocabulary.lower_case"};
  FATHOM_TRY(const auto beside, tokenizerBeside(choice, setup));
  if (beside) {
    const bool bytes = beside->pipeline->byteLevel();
    if (bytes != options.row.bytes || (!bytes && beside->pipeline->model() != "WordPiece"))
      return aboutKey("spider.vocabulary.kind",
                      usageError(Phrase::tr("the tokenizer's files beside %1 are of another kind")(
                          options.vocabularyFile)));
    kept = tokenizerArtifacts(*beside);
    vocabulary.lowerCase = beside->lowerCase;
    vocabulary.tokenizer = beside->pipeline;
    if (!beside->plainWordPiece) return vocabulary;
    WordPieceOptions told;
    told.lowerCase = beside->lowerCase;
    FATHOM_TRY(WordPieceTokenizer made, WordPieceTokenizer::fromText(beside->plainFiles.at("vocab.txt"),
                                                                     options.vocabularyFile, told));
    vocabulary.tokenizer = std::make_shared<const WordPieceTokenizer>(std::move(made));
    return vocabulary;
  }
  vocabulary.lowerCase = options.lowerCase && !options.row.bytes;
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
