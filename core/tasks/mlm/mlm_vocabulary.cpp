// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_vocabulary.h"

#include <optional>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/kept_files.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/wordpiece_tokenizer.h"

namespace fathom {

namespace {

constexpr std::string_view kWordStart = "\xe2\x96\x81";  // SentencePiece's mark
constexpr std::string_view kByteBlank = "\xc4\xa0";      // how byte-level BPE writes a blank

Result<std::string> trainedModel(const MlmOptions& options, const TextColumn& text, const TaskSetup& setup) {
  SentencePieceTraining training;
  training.model = options.vocabulary == MlmVocabularyKind::Bpe ? SentencePieceTraining::Model::Bpe
                                                                : SentencePieceTraining::Model::Unigram;
  training.vocabularySize = options.vocabularySize;
  training.maxSentenceBytes = options.maxLineBytes;
  std::int64_t row = 0;
  const SentenceSource next = [&](std::string_view& sentence) {
    if (row >= text.size()) return false;
    sentence = text[row++];
    return true;
  };
  FATHOM_TRY(auto model, trainSentencePiece(training, next, setup.stop));
  return std::move(model.bytes);
}

Result<std::string> vocabularyBytes(const MlmOptions& options, const std::string& name,
                                    const TextColumn* text, const TaskSetup& setup) {
  if (options.vocabulary == MlmVocabularyKind::WordPiece || options.vocabulary == MlmVocabularyKind::Model)
    return keptFile(name, options.vocabularyFile, setup);
  return keptOr(name, setup, [&] { return trainedModel(options, *text, setup); });
}

Result<MlmVocabulary> wordPieces(const MlmOptions& options, const std::string& bytes,
                                 const std::string& name) {
  WordPieceOptions wanted;
  wanted.lowerCase = options.lowerCase;
  wanted.variant = options.variant;
  FATHOM_TRY(WordPieceTokenizer made, WordPieceTokenizer::fromText(bytes, name, wanted));
  if (made.mask() < 0)
    return dataError(Phrase::tr("%1: the vocabulary has no [MASK]")(name),
                     Phrase::tr("a vocab.txt of BERT is expected"));
  MlmVocabulary vocabulary;
  vocabulary.notes = made.notes();
  vocabulary.size = made.vocabularySize();
  vocabulary.mask = made.mask();
  for (std::int64_t id = 0; id < vocabulary.size; ++id)
    vocabulary.continues.push_back(made.continuesWord(id));
  vocabulary.tokenizer = std::make_shared<const WordPieceTokenizer>(std::move(made));
  return vocabulary;
}

Result<MlmVocabulary> sentencePieces(const std::string& bytes, const std::string& name) {
  FATHOM_TRY(const auto made, SentencePieceTokenizer::fromBytes(bytes, name, true));
  MlmVocabulary vocabulary;
  vocabulary.mask = made->vocabularySize();
  vocabulary.size = vocabulary.mask + 1;
  for (std::int64_t id = 0; id < vocabulary.mask; ++id)
    vocabulary.continues.push_back(!made->piece(id).starts_with(kWordStart));
  vocabulary.continues.push_back(false);
  vocabulary.tokenizer = made;
  return vocabulary;
}

Result<MlmVocabulary> bytePieces(const MlmOptions& options, const TaskSetup& setup) {
  ByteBpeOptions wanted;
  wanted.addPrefixSpace = true;
  MlmVocabulary vocabulary;
  FATHOM_TRY(ByteBpeTokenizer made,
             keptByteBpe(options.vocabularyFile, options.mergesFile, wanted,
                         {"<s>", "</s>", "<pad>", "<unk>", "<mask>"}, setup, vocabulary.artifacts));
  vocabulary.size = made.vocabularySize();
  vocabulary.mask = made.mask();
  vocabulary.maskText = "<mask>";
  vocabulary.separators = 2;
  for (std::int64_t id = 0; id < vocabulary.size; ++id)
    vocabulary.continues.push_back(!made.piece(id).starts_with(kByteBlank));
  vocabulary.tokenizer = std::make_shared<const ByteBpeTokenizer>(std::move(made));
  return vocabulary;
}

Result<MlmVocabulary> textOrModel(const MlmOptions& options, const TextColumn* text, const TaskSetup& setup) {
  const bool words = options.vocabulary == MlmVocabularyKind::WordPiece;
  const std::string name = words ? "vocabulary.txt" : "vocabulary.model";
  // Errors and notes name the file that a person named, where one was read.
  const bool given =
      (words || options.vocabulary == MlmVocabularyKind::Model) && !setup.artifacts.contains(name);
  const std::string& file = given ? options.vocabularyFile : name;
  FATHOM_TRY(std::string bytes, vocabularyBytes(options, name, text, setup));
  FATHOM_TRY(MlmVocabulary vocabulary,
             words ? wordPieces(options, bytes, file) : sentencePieces(bytes, file));
  vocabulary.artifacts[name] = std::move(bytes);
  return vocabulary;
}

// As the tokenizer's files beside a vocabulary say; nothing where it stands alone.
Result<std::optional<MlmVocabulary>> besidePieces(const MlmOptions& options, const TaskSetup& setup) {
  if (options.vocabulary == MlmVocabularyKind::Bpe || options.vocabulary == MlmVocabularyKind::Unigram ||
      options.vocabulary == MlmVocabularyKind::Model)
    return std::optional<MlmVocabulary>();
  const bool words = options.vocabulary == MlmVocabularyKind::WordPiece;
  const VocabularyChoice choice{options.vocabularyFile, options.mergesFile, !words || options.lowerCase,
                                "mlm.vocabulary.lower_case", true};
  FATHOM_TRY(const auto beside, tokenizerBeside(choice, setup));
  if (!beside && options.vocabulary == MlmVocabularyKind::Tokenizer)
    return dataErrorAt(options.vocabularyFile, 0, Phrase::tr("a file named tokenizer.json is expected"));
  if (!beside) return std::optional<MlmVocabulary>();
  const PipelineTokenizer& own = *beside->pipeline;
  if (own.mask() < 0)
    return dataErrorAt(options.vocabularyFile, 0, Phrase::tr("the vocabulary has no token for masked words"));
  MlmVocabulary vocabulary;
  if (beside->plainWordPiece) {  // the same ids, sooner, and in the variants
    MlmOptions told = options;
    told.lowerCase = beside->lowerCase;
    FATHOM_TRY(vocabulary, wordPieces(told, beside->plainFiles.at("vocab.txt"), options.vocabularyFile));
  } else {
    if (words && options.variant != WordPieceVariant::HfFast)
      return aboutKey(
          "mlm.vocabulary.variant",
          usageError(Phrase::tr("the tokenizer's files beside %1 have settings of their own, which "
                                "only hf_fast knows")(options.vocabularyFile)));
    vocabulary.size = own.vocabularySize();
    vocabulary.mask = own.mask();
    vocabulary.maskText = own.roles().mask;
    vocabulary.separators = own.pairs() == PairLayout::Roberta ? 2 : 1;
    for (std::int64_t id = 0; id < vocabulary.size; ++id)
      vocabulary.continues.push_back(own.continuesWord(id));
    vocabulary.tokenizer = beside->pipeline;
  }
  vocabulary.notes = beside->notes;
  vocabulary.artifacts = tokenizerArtifacts(*beside);
  return std::optional<MlmVocabulary>(std::move(vocabulary));
}

}  // namespace

Result<MlmVocabulary> makeMlmVocabulary(const MlmOptions& options, const TextColumn* text,
                                        const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin(Phrase::tr("preparing the vocabulary").english, "", -1);
  const bool bytes = options.vocabulary == MlmVocabularyKind::ByteBpe;
  FATHOM_TRY(auto beside, besidePieces(options, setup));
  if (!beside) {
    FATHOM_TRY(beside, bytes ? bytePieces(options, setup) : textOrModel(options, text, setup));
  }
  MlmVocabulary vocabulary = std::move(*beside);
  const SpecialIds special = vocabulary.tokenizer->special();
  vocabulary.cls = special.bos;
  vocabulary.sep = special.eos;
  vocabulary.pad = special.pad;
  vocabulary.unk = special.unk;
  return vocabulary;
}

}  // namespace fathom
