// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_options.h"

#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/tasks/encoder_vocabulary.h"

namespace fathom {

namespace {

constexpr EnumWord<MlmDocuments> kDocumentEnds[] = {
    {MlmDocuments::BlankLine, "blank_line", "An empty line ends a document"},
    {MlmDocuments::WikiText, "wikitext", "A WikiText title begins one"}};
constexpr EnumWord<MlmSentences> kSentenceEnds[] = {
    {MlmSentences::Line, "line", "One a line"},
    {MlmSentences::FullStop, "full_stop", "Cut behind . ! and ?"}};
constexpr EnumWord<MlmVocabularyKind> kMlmVocabularies[] = {
    {MlmVocabularyKind::WordPiece, "wordpiece", "WordPiece, a given vocab.txt"},
    {MlmVocabularyKind::Bpe, "bpe", "Train SentencePiece, BPE"},
    {MlmVocabularyKind::Unigram, "unigram", "Train SentencePiece, unigram"},
    {MlmVocabularyKind::Model, "model", "A given SentencePiece model"},
    {MlmVocabularyKind::ByteBpe, "byte_bpe", "Byte-level BPE, a given vocab.json (RoBERTa)"},
    {MlmVocabularyKind::Tokenizer, "tokenizer", "A given tokenizer.json of Hugging Face"}};

std::vector<OptionField> textFields() {
  const auto share = [](const char* key, const char* title, const char* help, const char* file) {
    return realField(key, title, help, .05).between(0, .9).when(file, {""});
  };
  return {choiceField("mlm.documents", "Documents",
                      "Where a document ends: the second sentence of a pair may come from another one.",
                      choicesOf(kDocumentEnds)),
          choiceField("mlm.sentences", "Sentences",
                      "What a segment is made of; WikiText has whole paragraphs on a line.",
                      choicesOf(kSentenceEnds)),
          share("mlm.validation_share", "Validation share",
                "Share of the documents kept apart when no validation file is named.", "data.validation"),
          share("mlm.test_share", "Test share",
                "Share of the documents kept apart when no test file is named.", "data.test")};
}

std::vector<OptionField> vocabularyFields() {
  const char* kind = "mlm.vocabulary.kind";
  return {
      choiceField(kind, "Masked-word vocabulary", "How text becomes tokens.", choicesOf(kMlmVocabularies)),
      pathField("mlm.vocabulary.file", "Vocabulary file",
                "BERT's vocab.txt (one token a line), RoBERTa's vocab.json, a SentencePiece model or a "
                "tokenizer.json, with the tokenizer's other files beside it; empty takes the one beside the "
                "weights that the model starts from.")
          .when(kind, {"wordpiece", "model", "byte_bpe", "tokenizer"}),
      mergesFileField("mlm.vocabulary", "Merges file"),
      lowerCaseField("mlm.vocabulary", "Lower case"),
      choiceField("mlm.vocabulary.variant", "WordPiece variant",
                  "They differ in rare characters and in words over 100 characters.",
                  choicesOf(kWordPieceVariants))
          .when(kind, {"wordpiece"}),
      integerField("mlm.vocabulary.size", "Masked-word vocabulary size",
                   "Pieces of the trained vocabulary; the mask symbol comes on top.", 8000)
          .between(8, 1000000)
          .unit("pieces")
          .when(kind, {"bpe", "unigram"})};
}

std::vector<OptionField> exampleFields() {
  return {integerField("mlm.max_length", "Longest example",
                       "Tokens of an example, special ones included; RealFormer takes 512.", 128)
              .between(5, 1 << 16)
              .unit("tokens"),
          integerField("mlm.max_predictions", "Most masked tokens",
                       "No example has more masked positions than this; 15 % of 512 are 77.", 20)
              .between(1, 1 << 16)
              .unit("tokens"),
          realField("mlm.masked_share", "Masked share",
                    "Share of the positions of an example that are predicted.", .15)
              .between(.001, .9),
          realField("mlm.short_share", "Short examples",
                    "Share of the examples that aim at a random shorter length.", .1)
              .between(0, 1),
          integerField("mlm.duplicates", "Duplicates",
                       "How often each document is turned into examples, each time masked anew.", 10)
              .between(1, 10000),
          flagField("mlm.whole_words", "Mask whole words", "All pieces of a word are masked together."),
          realField("mlm.random_next", "Random next sentences",
                    "Share of the pairs whose second part comes from another place; 0, as RoBERTa: it always "
                    "follows, and there is no next-sentence head.",
                    .5)
              .between(0, .9),
          integerField("batch.sequences", "Examples per batch",
                       "Every batch has this many examples, the last one perhaps fewer.", 32)
              .between(1, 1 << 20)
              .unit("examples")};
}

}  // namespace

std::vector<OptionField> mlmOptionFields() {
  return joinedFields(
      {{trainFileField(), validationFileField(), testFileField(), badLinesField(), maxLineBytesField(),
        splitSeedField()},
       fromPaper("BERT, create_pretraining_data",
                 joinedFields({inGroup("Data", textFields()), inGroup("Vocabulary", vocabularyFields()),
                               inGroup("Batches", exampleFields())}))});
}

std::vector<OptionRule> mlmOptionRules() {
  return {{.when = {{"mlm.validation_share", OptionClause::Test::In, {0}}},
           .reason = kNoValidation,
           .keys = {"mlm.validation_share"}}};
}

Result<MlmOptions> mlmOptionsFrom(const OptionValues& values, const TaskSetup& setup) {
  if (!setup.inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  MlmOptions options;
  static_cast<DataFiles&>(options) = dataFiles(values);
  options.documents = valueOf(kDocumentEnds, values.text("mlm.documents"));
  options.sentences = valueOf(kSentenceEnds, values.text("mlm.sentences"));
  options.validationShare = options.validation.empty() ? values.real("mlm.validation_share") : 0;
  options.testShare = options.test.empty() ? values.real("mlm.test_share") : 0;
  options.vocabulary = valueOf(kMlmVocabularies, values.text("mlm.vocabulary.kind"));
  if (values.active("mlm.vocabulary.file")) {
    FATHOM_TRY(options.vocabularyFile, encoderVocabularyFile(values, "mlm.vocabulary", setup));
  }
  options.mergesFile = values.text("mlm.vocabulary.merges");
  options.vocabularySize = values.integer("mlm.vocabulary.size");
  options.lowerCase = values.flag("mlm.vocabulary.lower_case");
  options.variant = valueOf(kWordPieceVariants, values.text("mlm.vocabulary.variant"));
  options.examples.maxLength = values.integer("mlm.max_length");
  options.examples.maxPredictions = values.integer("mlm.max_predictions");
  options.examples.maskedShare = values.real("mlm.masked_share");
  options.examples.shortShare = values.real("mlm.short_share");
  options.examples.duplicates = values.integer("mlm.duplicates");
  options.examples.randomNext = values.real("mlm.random_next");
  options.examples.wholeWords = values.flag("mlm.whole_words");
  options.sequences = values.integer("batch.sequences");
  return options;
}

}  // namespace fathom
