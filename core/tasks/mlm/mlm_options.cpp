// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_options.h"

#include "core/base/named_files.h"
#include "core/tasks/data_options.h"

namespace fathom {

namespace {

OptionField field(std::string group, std::string key, OptionType type, Json value, std::string title,
                  std::string help) {
  OptionField made;
  made.group = std::move(group);
  made.key = std::move(key);
  made.type = type;
  made.defaultValue = std::move(value);
  made.title = std::move(title);
  made.help = std::move(help);
  made.reference = "BERT, create_pretraining_data";
  return made;
}

OptionField number(std::string group, std::string key, OptionType type, Json value, double from, double to,
                   std::string unit, std::string title, std::string help) {
  OptionField made =
      field(std::move(group), std::move(key), type, std::move(value), std::move(title), std::move(help));
  made.minimum = from;
  made.maximum = to;
  made.unit = std::move(unit);
  return made;
}

OptionField choice(std::string group, std::string key, std::vector<OptionChoice> choices, std::string title,
                   std::string help) {
  OptionField made = field(std::move(group), std::move(key), OptionType::Choice, choices.front().id,
                           std::move(title), std::move(help));
  made.choices = std::move(choices);
  return made;
}

OptionField under(OptionField made, std::string key, std::vector<Json> values) {
  made.enabledWhen.push_back({std::move(key), OptionClause::Test::In, std::move(values)});
  return made;
}

void addTextFields(std::vector<OptionField>& fields) {
  fields.push_back(trainFileField());
  fields.push_back(validationFileField());
  fields.push_back(testFileField());
  fields.push_back(badLinesField());
  fields.push_back(maxLineBytesField());
  fields.push_back(splitSeedField());
  fields.push_back(
      choice("Data", "mlm.documents",
             {{"blank_line", "An empty line ends a document"}, {"wikitext", "A WikiText title begins one"}},
             "Documents", "Where a document ends: the second sentence of a pair may come from another one."));
  fields.push_back(choice("Data", "mlm.sentences",
                          {{"line", "One a line"}, {"full_stop", "Cut behind . ! and ?"}}, "Sentences",
                          "What a segment is made of; WikiText has whole paragraphs on a line."));
  fields.push_back(
      under(number("Data", "mlm.validation_share", OptionType::Real, .05, 0, .9, "", "Validation share",
                   "Share of the documents kept apart when no validation file is named."),
            "data.validation", {""}));
  fields.push_back(under(number("Data", "mlm.test_share", OptionType::Real, .05, 0, .9, "", "Test share",
                                "Share of the documents kept apart when no test file is named."),
                         "data.test", {""}));
}

void addVocabularyFields(std::vector<OptionField>& fields) {
  const char* kind = "mlm.vocabulary.kind";
  fields.push_back(choice("Vocabulary", kind,
                          {{"wordpiece", "WordPiece, a given vocab.txt"},
                           {"bpe", "Train SentencePiece, BPE"},
                           {"unigram", "Train SentencePiece, unigram"},
                           {"model", "A given SentencePiece model"},
                           {"byte_bpe", "Byte-level BPE, a given vocab.json (RoBERTa)"}},
                          "Masked-word vocabulary", "How text becomes tokens."));
  fields.push_back(
      under(field("Vocabulary", "mlm.vocabulary.file", OptionType::Path, "", "Vocabulary file",
                  "BERT's vocab.txt (one token a line), RoBERTa's vocab.json, or a SentencePiece model."),
            kind, {"wordpiece", "model", "byte_bpe"}));
  OptionField merges = field("Vocabulary", "mlm.vocabulary.merges", OptionType::Path, "", "Merges file",
                             "RoBERTa's merges.txt; empty takes the one beside the vocabulary file.");
  merges.disablingValue = "";
  fields.push_back(under(std::move(merges), kind, {"byte_bpe"}));
  fields.push_back(
      under(field("Vocabulary", "mlm.vocabulary.lower_case", OptionType::Flag, true, "Lower case",
                  "Text is lower-cased and loses its accents, as for an uncased vocabulary."),
            kind, {"wordpiece"}));
  fields.push_back(under(
      choice("Vocabulary", "mlm.vocabulary.variant",
             {{"hf_fast", "transformers, fast"}, {"hf_slow", "transformers, Python"}, {"google", "Google"}},
             "WordPiece variant", "They differ in rare characters and in words over 100 characters."),
      kind, {"wordpiece"}));
  fields.push_back(under(number("Vocabulary", "mlm.vocabulary.size", OptionType::Integer, 8000, 8, 1000000,
                                "pieces", "Masked-word vocabulary size",
                                "Pieces of the trained vocabulary; the mask symbol comes on top."),
                         kind, {"bpe", "unigram"}));
}

void addExampleFields(std::vector<OptionField>& fields) {
  fields.push_back(number("Batches", "mlm.max_length", OptionType::Integer, 128, 5, 1 << 16, "tokens",
                          "Longest example",
                          "Tokens of an example, special ones included; RealFormer takes 512."));
  fields.push_back(number("Batches", "mlm.max_predictions", OptionType::Integer, 20, 1, 1 << 16, "tokens",
                          "Most masked tokens",
                          "No example has more masked positions than this; 15 % of 512 are 77."));
  fields.push_back(number("Batches", "mlm.masked_share", OptionType::Real, .15, .001, .9, "", "Masked share",
                          "Share of the positions of an example that are predicted."));
  fields.push_back(number("Batches", "mlm.short_share", OptionType::Real, .1, 0, 1, "", "Short examples",
                          "Share of the examples that aim at a random shorter length."));
  fields.push_back(number("Batches", "mlm.duplicates", OptionType::Integer, 10, 1, 10000, "", "Duplicates",
                          "How often each document is turned into examples, each time masked anew."));
  fields.push_back(field("Batches", "mlm.whole_words", OptionType::Flag, false, "Mask whole words",
                         "All pieces of a word are masked together."));
  fields.push_back(number("Batches", "mlm.random_next", OptionType::Real, .5, 0, .9, "",
                          "Random next sentences",
                          "Share of the pairs whose second part comes from another place; 0, as RoBERTa: it "
                          "always follows, and there is no next-sentence head."));
  fields.push_back(number("Batches", "batch.sequences", OptionType::Integer, 32, 1, 1 << 20, "examples",
                          "Examples per batch",
                          "Every batch has this many examples, the last one perhaps fewer."));
}

}  // namespace

std::vector<OptionField> mlmOptionFields() {
  std::vector<OptionField> fields;
  addTextFields(fields);
  addVocabularyFields(fields);
  addExampleFields(fields);
  return fields;
}

std::vector<OptionRule> mlmOptionRules() {
  OptionRule unjudged;
  unjudged.when = {{"mlm.validation_share", OptionClause::Test::In, {0}}};
  unjudged.reason = kNoValidation;
  unjudged.keys = {"mlm.validation_share"};
  return {unjudged};
}

Result<MlmOptions> mlmOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  MlmOptions options;
  options.train = values.text("data.train");
  options.validation = values.text("data.validation");
  options.test = values.text("data.test");
  options.skipBadLines = values.text("data.bad_lines") == "skip";
  options.maxLineBytes = values.integer("data.max_line_bytes");
  options.splitSeed = static_cast<std::uint64_t>(values.integer("data.split_seed"));
  options.documents =
      values.text("mlm.documents") == "wikitext" ? MlmDocuments::WikiText : MlmDocuments::BlankLine;
  options.sentences = values.text("mlm.sentences") == "line" ? MlmSentences::Line : MlmSentences::FullStop;
  options.validationShare = options.validation.empty() ? values.real("mlm.validation_share") : 0;
  options.testShare = options.test.empty() ? values.real("mlm.test_share") : 0;
  const std::string kind = values.text("mlm.vocabulary.kind");
  options.vocabulary = kind == "wordpiece" ? MlmVocabularyKind::WordPiece
                       : kind == "bpe"     ? MlmVocabularyKind::Bpe
                       : kind == "unigram" ? MlmVocabularyKind::Unigram
                       : kind == "model"   ? MlmVocabularyKind::Model
                                           : MlmVocabularyKind::ByteBpe;
  options.vocabularyFile = values.text("mlm.vocabulary.file");
  options.mergesFile = values.text("mlm.vocabulary.merges");
  options.vocabularySize = values.integer("mlm.vocabulary.size");
  options.lowerCase = values.flag("mlm.vocabulary.lower_case");
  for (const WordPieceVariant variant :
       {WordPieceVariant::HfFast, WordPieceVariant::HfSlow, WordPieceVariant::Google})
    if (values.text("mlm.vocabulary.variant") == wordPieceVariantName(variant)) options.variant = variant;
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
