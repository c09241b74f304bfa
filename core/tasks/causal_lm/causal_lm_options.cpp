// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/causal_lm/causal_lm_options.h"

#include "core/base/errors/word_table.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/tasks/encoder_vocabulary.h"

namespace fathom {

namespace {

constexpr EnumWord<CausalDocuments> kCausalDocuments[] = {
    {CausalDocuments::BlankLine, "blank_line", "An empty line ends a document"},
    {CausalDocuments::WikiText, "wikitext", "A WikiText title begins one"},
    {CausalDocuments::Line, "line", "Every line is one"}};
constexpr EnumWord<CausalVocabularyKind> kCausalVocabularies[] = {
    {CausalVocabularyKind::Bpe, "bpe", "Train SentencePiece, BPE"},
    {CausalVocabularyKind::Unigram, "unigram", "Train SentencePiece, unigram"},
    {CausalVocabularyKind::Model, "model", "A given SentencePiece model"},
    {CausalVocabularyKind::ByteBpe, "byte_bpe", "Byte-level BPE, a given vocab.json (GPT-2)"},
    {CausalVocabularyKind::Tokenizer, "tokenizer", "A given tokenizer.json of Hugging Face"}};

std::vector<OptionField> causalVocabularyFields() {
  const char* kind = "causal_lm.vocabulary.kind";
  return {
      choiceField(kind, "Vocabulary of the text", "How text becomes tokens.", choicesOf(kCausalVocabularies)),
      pathField("causal_lm.vocabulary.file", "File of the text's vocabulary",
                "GPT-2's vocab.json, a SentencePiece model or a tokenizer.json, with the tokenizer's other "
                "files beside it; empty takes the one beside the weights that the model starts from.")
          .when(kind, {"model", "byte_bpe", "tokenizer"}),
      mergesFileField("causal_lm.vocabulary", "Merges of the text's vocabulary"),
      integerField("causal_lm.vocabulary.size", "Size of the text's vocabulary",
                   "Pieces of the trained vocabulary.", 8000)
          .between(8, 1000000)
          .unit("pieces")
          .when(kind, {"bpe", "unigram"})};
}

std::vector<OptionField> causalTextFields() {
  const auto share = [](const char* key, const char* title, const char* help, const char* file) {
    return realField(key, title, help, .05).between(0, .9).when(file, {""});
  };
  return {
      choiceField(
          "causal_lm.documents", "Documents of the text",
          "Where a document ends: a mark stands between two. A place sees earlier documents of its block, "
          "too.",
          choicesOf(kCausalDocuments)),
      share("causal_lm.validation_share", "Share for validation",
            "Share of the documents kept apart when no validation file is named.", "data.validation"),
      share("causal_lm.test_share", "Share for testing",
            "Share of the documents kept apart when no test file is named.", "data.test")};
}

}  // namespace

std::vector<OptionField> causalLmOptionFields() {
  return joinedFields(
      {{trainFileField(), validationFileField(), testFileField(), badLinesField(), maxLineBytesField(),
        splitSeedField()},
       inGroup("Data", causalTextFields()),
       inGroup("Vocabulary", causalVocabularyFields()),
       inGroup("Batches",
               {integerField("causal_lm.max_length", "Tokens of a block",
                             "The text is cut into blocks of so many tokens; a place sees those of its block "
                             "alone.",
                             128)
                    .between(2, 1 << 16)
                    .unit("tokens"),
                integerField("causal_lm.sequences", "Blocks per batch",
                             "Every batch has this many blocks, the last one perhaps fewer.", 32)
                    .between(1, 1 << 20)
                    .unit("examples")})});
}

std::vector<OptionRule> causalLmOptionRules() {
  return {{.when = {{"causal_lm.validation_share", OptionClause::Test::In, {0}}},
           .reason = kNoValidation,
           .keys = {"causal_lm.validation_share"}}};
}

Result<CausalLmOptions> causalLmOptionsFrom(const OptionValues& values, const TaskSetup& setup) {
  if (!setup.inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  CausalLmOptions options;
  static_cast<DataFiles&>(options) = dataFiles(values);
  options.documents = valueOf(kCausalDocuments, values.text("causal_lm.documents"));
  options.validationShare = options.validation.empty() ? values.real("causal_lm.validation_share") : 0;
  options.testShare = options.test.empty() ? values.real("causal_lm.test_share") : 0;
  options.vocabulary = valueOf(kCausalVocabularies, values.text("causal_lm.vocabulary.kind"));
  if (values.active("causal_lm.vocabulary.file")) {
    FATHOM_TRY(options.vocabularyFile, encoderVocabularyFile(values, "causal_lm.vocabulary", setup));
  }
  options.mergesFile = values.text("causal_lm.vocabulary.merges");
  options.vocabularySize = values.integer("causal_lm.vocabulary.size");
  options.maxLength = values.integer("causal_lm.max_length");
  options.sequences = values.integer("causal_lm.sequences");
  return options;
}

}  // namespace fathom
