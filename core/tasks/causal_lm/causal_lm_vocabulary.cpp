// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/causal_lm/causal_lm_vocabulary.h"

#include <optional>
#include <utility>

#include "core/base/errors/phrase.h"
#include "core/base/text/lines_of.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/kept_files.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentencepiece_tokenizer.h"

namespace fathom {

namespace {

constexpr const char* kEndOfText = "<|endoftext|>";
constexpr const char* kCausalModelFile = "vocabulary.model";

// SentencePiece reads sentences: a document is cut into its lines.
Result<std::string> trainedOn(const CausalLmOptions& options, const TextColumn& text,
                              const TaskSetup& setup) {
  SentencePieceTraining training;
  training.model = options.vocabulary == CausalVocabularyKind::Bpe ? SentencePieceTraining::Model::Bpe
                                                                   : SentencePieceTraining::Model::Unigram;
  training.vocabularySize = options.vocabularySize;
  training.maxSentenceBytes = options.maxLineBytes;
  std::int64_t row = 0;
  std::string_view rest;
  const SentenceSource next = [&](std::string_view& sentence) {
    while (rest.empty()) {
      if (row >= text.size()) return false;
      rest = text[row++];
    }
    if (!takeWholeLine(rest, sentence)) sentence = std::exchange(rest, {});
    return true;
  };
  FATHOM_TRY(auto model, trainSentencePiece(training, next, setup.stop));
  return std::move(model.bytes);
}

Result<CausalVocabulary> causalPieces(const CausalLmOptions& options, const TextColumn* text,
                                      const TaskSetup& setup) {
  std::string bytes;
  if (options.vocabulary == CausalVocabularyKind::Model) {
    FATHOM_TRY(bytes, keptFile(kCausalModelFile, options.vocabularyFile, setup));
  } else {
    FATHOM_TRY(bytes, keptOr(kCausalModelFile, setup, [&] { return trainedOn(options, *text, setup); }));
  }
  CausalVocabulary vocabulary;
  const bool named = options.vocabulary == CausalVocabularyKind::Model && !options.vocabularyFile.empty();
  FATHOM_TRY(vocabulary.tokenizer, SentencePieceTokenizer::fromBytes(
                                       bytes, named ? options.vocabularyFile : kCausalModelFile, true));
  vocabulary.artifacts[kCausalModelFile] = std::move(bytes);
  return vocabulary;
}

// tokenizer.json, or plain byte-level BPE.
Result<CausalVocabulary> bytesOrTokenizer(const CausalLmOptions& options, const TaskSetup& setup) {
  CausalVocabulary vocabulary;
  const VocabularyChoice choice{
      .file = options.vocabularyFile, .merges = options.mergesFile, .form = TextForm::Running};
  FATHOM_TRY(auto beside, tokenizerBeside(choice, setup));
  if (beside) {
    vocabulary.notes = beside->notes;
    vocabulary.artifacts = tokenizerArtifacts(*beside);
    vocabulary.byteLevel = beside->pipeline->byteLevel();
    vocabulary.mark = beside->pipeline->find(kEndOfText);
    vocabulary.tokenizer = beside->pipeline;
    return vocabulary;
  }
  if (options.vocabulary == CausalVocabularyKind::Tokenizer)
    return dataErrorAt(options.vocabularyFile, 0, Phrase::tr("a file named tokenizer.json is expected"));
  FATHOM_TRY(ByteBpeTokenizer bytes,
             keptByteBpe(options.vocabularyFile, options.mergesFile, {}, {}, setup, vocabulary.artifacts));
  vocabulary.mark = bytes.find(kEndOfText);
  vocabulary.byteLevel = true;
  vocabulary.tokenizer = std::make_shared<const ByteBpeTokenizer>(std::move(bytes));
  return vocabulary;
}

}  // namespace

Result<CausalVocabulary> makeCausalVocabulary(const CausalLmOptions& options, const TextColumn* text,
                                              const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin(Phrase::tr("preparing the vocabulary").english, "", -1);
  const bool files = options.vocabulary == CausalVocabularyKind::ByteBpe ||
                     options.vocabulary == CausalVocabularyKind::Tokenizer;
  CausalVocabulary vocabulary;
  vocabulary.mark = -1;
  if (files) {
    FATHOM_TRY(vocabulary, bytesOrTokenizer(options, setup));
  } else {
    FATHOM_TRY(vocabulary, causalPieces(options, text, setup));
    vocabulary.mark = vocabulary.tokenizer->special().eos;
  }
  const SpecialIds special = vocabulary.tokenizer->special();
  if (vocabulary.mark < 0) vocabulary.mark = special.eos;
  if (vocabulary.mark < 0)
    return dataErrorAt(options.vocabularyFile, 0,
                       Phrase::tr("the vocabulary has no mark for the end of a text"),
                       Phrase::tr("<|endoftext|> or an end mark in special_tokens_map.json is expected"));
  vocabulary.pad = special.pad < 0 ? vocabulary.mark : special.pad;
  vocabulary.size = vocabulary.tokenizer->vocabularySize();
  return vocabulary;
}

}  // namespace fathom
