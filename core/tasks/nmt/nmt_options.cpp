// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/nmt_options.h"

#include "core/base/named_files.h"
#include "core/tasks/data_options.h"

namespace fathom {

namespace {

OptionField vocabularySizeField() {
  OptionField field;
  field.key = "data.vocabulary.size";
  field.type = OptionType::Integer;
  field.defaultValue = 8000;
  field.minimum = 8;
  field.maximum = 1000000;
  field.unit = "pieces";
  field.title = "Vocabulary size";
  field.help = "Number of pieces of the trained vocabulary, special symbols included.";
  field.group = "Vocabulary";
  return field;
}

OptionClause only(std::string key, std::vector<Json> values) {
  return {std::move(key), OptionClause::Test::In, std::move(values)};
}
OptionField under(OptionField field, OptionClause clause) {
  field.enabledWhen.push_back(std::move(clause));
  return field;
}

OptionField field(std::string group, std::string key, OptionType type, Json value, std::string title,
                  std::string help) {
  OptionField made;
  made.group = std::move(group);
  made.key = std::move(key);
  made.type = type;
  made.defaultValue = std::move(value);
  made.title = std::move(title);
  made.help = std::move(help);
  return made;
}

OptionField integer(std::string group, std::string key, std::int64_t value, double from, double to,
                    std::string unit, std::string title, std::string help) {
  OptionField made =
      field(std::move(group), std::move(key), OptionType::Integer, value, std::move(title), std::move(help));
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

OptionField withReference(OptionField made, std::string reference) {
  made.reference = std::move(reference);
  return made;
}

void addFileFields(std::vector<OptionField>& fields) {
  const auto add = [&](OptionField made) { fields.push_back(std::move(made)); };
  const OptionClause twoFiles = only("data.format", {"two_files"});
  const OptionClause table = only("data.format", {"tsv"});
  const auto target = [&](const std::string& part, const std::string& title) {
    OptionField made = field("Data", "data." + part + "_target", OptionType::Path, "", title,
                             "The target sentences, line by line beside data." + part + ".");
    made = under(std::move(made), twoFiles);
    if (part != "train") made.enabledWhen.push_back({"data." + part, OptionClause::Test::NotIn, {""}});
    add(std::move(made));
  };
  add(choice("Data", "data.format", {{"tsv", "One table with tabs"}, {"two_files", "Two parallel files"}},
             "Format", "How sentence pairs are stored."));
  add(trainFileField());
  target("train", "Training file, target");
  add(validationFileField());
  target("validation", "Validation file, target");
  add(testFileField());
  target("test", "Test file, target");
  add(field("Data", "data.header", OptionType::Flag, false, "Header line",
            "The first line of each file is a heading, not a pair."));
  add(under(integer("Data", "data.source_column", 1, 1, 1000, "", "Source column",
                    "Column of the source sentences, counted from 1."),
            table));
  add(under(integer("Data", "data.target_column", 2, 1, 1000, "", "Target column",
                    "Column of the target sentences, counted from 1."),
            table));
  add(field("Data", "data.source_language", OptionType::Text, "", "Source language",
            "Name shown in tables and figures, such as de."));
  add(field("Data", "data.target_language", OptionType::Text, "", "Target language",
            "Name shown in tables and figures, such as en."));
}

void addSplitFields(std::vector<OptionField>& fields) {
  const auto add = [&](OptionField made) { fields.push_back(std::move(made)); };
  add(badLinesField());
  add(maxLineBytesField());
  OptionField maxPairs = integer("Data", "data.max_pairs", 0, 0, 1e12, "pairs", "Use at most",
                                 "Only the first pairs of the training file; 0 = all of them.");
  maxPairs.disablingValue = 0;
  add(std::move(maxPairs));
  OptionField validation =
      integer("Data", "data.validation_size", 500, 0, 1e9, "pairs", "Validation pairs",
              "Kept apart from the training file when no validation file is named. Pairs that "
              "share a sentence stay on one side.");
  validation.aliases = {"data.valid_size"};
  add(under(std::move(validation), only("data.validation", {""})));
  add(under(integer("Data", "data.test_size", 500, 0, 1e9, "pairs", "Test pairs",
                    "Kept apart from the training file when no test file is named."),
            only("data.test", {""})));
  add(splitSeedField());
  add(withReference(
      integer("Data", "data.max_length", 1024, 2, 1 << 20, "tokens", "Longest sentence",
              "Training pairs with more tokens on either side (end mark included) are dropped and "
              "counted; in validation and test they are cut and counted."),
      "fairseq, max-source-positions"));
}

void addVocabularyFields(std::vector<OptionField>& fields) {
  const auto add = [&](OptionField made) { fields.push_back(std::move(made)); };
  const OptionClause trained = only("data.vocabulary.kind", {"bpe", "unigram"});
  const OptionClause given = only("data.vocabulary.kind", {"model"});
  add(choice("Vocabulary", "data.vocabulary.kind",
             {{"bpe", "Train SentencePiece, BPE"},
              {"unigram", "Train SentencePiece, unigram"},
              {"model", "A given SentencePiece model"},
              {"words", "Words between blanks"}},
             "Vocabulary",
             "How text becomes tokens. `words` is for text that is tokenised already (with @@ marks of "
             "subword-nmt, for "
             "example); its first score is tokenised BLEU."));
  add(under(vocabularySizeField(), trained));
  OptionField coverage =
      field("Vocabulary", "data.vocabulary.character_coverage", OptionType::Real, 1.0, "Character coverage",
            "Share of the characters of the text that get a piece; the rest is unknown.");
  coverage.minimum = 0.9;
  coverage.minimumExclusive = true;
  coverage.maximum = 1.0;
  add(under(std::move(coverage), trained));
  add(field("Vocabulary", "data.vocabulary.joined", OptionType::Flag, true,
            "One vocabulary for both languages", "Needed to share embeddings between encoder and decoder."));
  add(under(field("Vocabulary", "data.vocabulary.model", OptionType::Path, "", "SentencePiece model",
                  "A .model file; for the source side when the vocabulary is not joined."),
            given));
  OptionField targetModel = field("Vocabulary", "data.vocabulary.target_model", OptionType::Path, "",
                                  "SentencePiece model, target", "A .model file for the target side.");
  add(under(under(std::move(targetModel), given), only("data.vocabulary.joined", {false})));
  add(under(integer("Vocabulary", "data.vocabulary.minimum_count", 1, 1, 1e9, "", "Rarest word",
                    "Words that occur less often in the training text are unknown."),
            only("data.vocabulary.kind", {"words"})));
}

void addBatchFields(std::vector<OptionField>& fields) {
  const auto add = [&](OptionField made) { fields.push_back(std::move(made)); };
  add(withReference(
      integer("Batches", "batch.max_tokens", 4096, 2, 1e9, "tokens", "Tokens per batch",
              "A batch is full when rows × longest sentence (either side, padding counted) would exceed "
              "this."),
      "fairseq, max-tokens"));
  OptionField sentences = integer("Batches", "batch.max_sentences", 0, 0, 1e9, "pairs", "Pairs per batch",
                                  "A batch never has more pairs than this; 0 = no limit.");
  sentences.disablingValue = 0;
  add(std::move(sentences));
  add(integer("Batches", "batch.multiple", 8, 1, 4096, "pairs", "Multiple of",
              "Batch sizes are cut to a multiple of this when possible; 1 = never cut."));
  add(field("Batches", "batch.strict_max_tokens", OptionType::Flag, false, "Never exceed tokens per batch",
            "fairseq's rule lets a batch exceed the limit when a much longer pair follows a cut; this "
            "forbids it."));
  OptionField evaluation =
      integer("Batches", "batch.evaluation_max_tokens", 0, 0, 1e9, "tokens", "Tokens per batch, evaluation",
              "The same for validation, test and translation; 0 = as in training.");
  evaluation.disablingValue = 0;
  add(std::move(evaluation));
}

void addScoreFields(std::vector<OptionField>& fields) {
  fields.push_back(withReference(
      choice("Scores", "score.bleu.smoothing",
             {{"exp", "Exponential"}, {"floor", "Floor .1"}, {"add_k", "Add 1"}, {"none", "None"}},
             "BLEU smoothing", "What an n-gram order without a match counts; sacreBLEU's default is exp."),
      "sacreBLEU"));
  fields.push_back(field("Scores", "score.bleu.lower_case", OptionType::Flag, false, "BLEU ignores case",
                         "Both sides are lower-cased before scoring (named lc in the signature)."));
}

ParallelFiles filesOf(const OptionValues& values, const std::string& part) {
  ParallelFiles files;
  files.format =
      values.text("data.format") == "tsv" ? ParallelFiles::Format::Tsv : ParallelFiles::Format::TwoFiles;
  files.path = values.text("data." + part);
  files.targetPath = files.path.empty() ? "" : values.text("data." + part + "_target");
  files.header = values.flag("data.header");
  files.sourceColumn = values.integer("data.source_column");
  files.targetColumn = values.integer("data.target_column");
  files.skipBadLines = values.text("data.bad_lines") == "skip";
  files.maxLineBytes = values.integer("data.max_line_bytes");
  return files;
}

NmtVocabularyKind kindOf(const std::string& name) {
  if (name == "unigram") return NmtVocabularyKind::Unigram;
  if (name == "model") return NmtVocabularyKind::Model;
  return name == "words" ? NmtVocabularyKind::Words : NmtVocabularyKind::Bpe;
}

BleuOptions::Smoothing smoothingOf(const std::string& name) {
  if (name == "floor") return BleuOptions::Smoothing::Floor;
  if (name == "add_k") return BleuOptions::Smoothing::AddK;
  return name == "none" ? BleuOptions::Smoothing::None : BleuOptions::Smoothing::Exp;
}

}  // namespace

std::vector<OptionField> nmtOptionFields() {
  std::vector<OptionField> fields;
  addFileFields(fields);
  addSplitFields(fields);
  addVocabularyFields(fields);
  addBatchFields(fields);
  addScoreFields(fields);
  return fields;
}

std::vector<OptionRule> nmtOptionRules() {
  OptionRule sameColumn;
  sameColumn.when = {only("data.source_column", {Json{{"key", "data.target_column"}}})};
  sameColumn.reason = "source and target sentences cannot come from the same column";
  sameColumn.keys = {"data.source_column", "data.target_column"};
  OptionRule unjudged;
  unjudged.when = {only("data.validation_size", {0})};
  unjudged.reason = kNoValidation;
  unjudged.keys = {"data.validation_size"};
  return {sameColumn, unjudged};
}

Result<NmtOptions> nmtOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  NmtOptions options;
  options.train = filesOf(values, "train");
  options.train.maxPairs = values.integer("data.max_pairs");
  options.validation = filesOf(values, "validation");
  options.test = filesOf(values, "test");
  options.split.validation = options.validation.path.empty() ? values.integer("data.validation_size") : 0;
  options.split.test = options.test.path.empty() ? values.integer("data.test_size") : 0;
  options.splitSeed = static_cast<std::uint64_t>(values.integer("data.split_seed"));
  options.vocabulary = kindOf(values.text("data.vocabulary.kind"));
  options.pieces.model = options.vocabulary == NmtVocabularyKind::Unigram
                             ? SentencePieceTraining::Model::Unigram
                             : SentencePieceTraining::Model::Bpe;
  options.pieces.vocabularySize = values.integer("data.vocabulary.size");
  options.pieces.characterCoverage = values.real("data.vocabulary.character_coverage");
  options.model = values.text("data.vocabulary.model");
  options.targetModel = values.text("data.vocabulary.target_model");
  options.minimumCount = values.integer("data.vocabulary.minimum_count");
  options.joined = values.flag("data.vocabulary.joined");
  options.batching.maxTokens = values.integer("batch.max_tokens");
  options.batching.maxSentences = values.integer("batch.max_sentences");
  options.batching.multiple = values.integer("batch.multiple");
  options.batching.strictMaxTokens = values.flag("batch.strict_max_tokens");
  options.batching.maxLength = values.integer("data.max_length");
  const std::int64_t evaluation = values.integer("batch.evaluation_max_tokens");
  options.evaluationMaxTokens = evaluation > 0 ? evaluation : options.batching.maxTokens;
  options.bleu.smoothing = smoothingOf(values.text("score.bleu.smoothing"));
  options.bleu.lowerCase = values.flag("score.bleu.lower_case");
  return options;
}

}  // namespace fathom
