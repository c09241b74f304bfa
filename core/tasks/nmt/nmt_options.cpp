// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/nmt_options.h"

#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/tasks/data_options.h"

namespace fathom {

namespace {

constexpr EnumWord<ParallelFiles::Format> kPairFormats[] = {
    {ParallelFiles::Format::Tsv, "tsv", "One table with tabs"},
    {ParallelFiles::Format::TwoFiles, "two_files", "Two parallel files"}};
constexpr EnumWord<NmtVocabularyKind> kNmtVocabularies[] = {
    {NmtVocabularyKind::Bpe, "bpe", "Train SentencePiece, BPE"},
    {NmtVocabularyKind::Unigram, "unigram", "Train SentencePiece, unigram"},
    {NmtVocabularyKind::Model, "model", "A given SentencePiece model"},
    {NmtVocabularyKind::Words, "words", "Words between blanks"}};

std::vector<OptionField> fileFields() {
  const auto target = [](const std::string& part, const std::string& title) {
    return pathField("data." + part + "_target", title,
                     "The target sentences, line by line beside data." + part + ".")
        .when("data.format", {"two_files"});
  };
  const auto column = [](const char* side, const char* title, std::int64_t usual) {
    return integerField(std::string("data.") + side + "_column", title,
                        std::string("Column of the ") + side + " sentences, counted from 1.", usual)
        .between(1, 1000)
        .when("data.format", {"tsv"});
  };
  return {
      choiceField("data.format", "Format", "How sentence pairs are stored.", choicesOf(kPairFormats)),
      trainFileField(),
      target("train", "Training file, target"),
      validationFileField(),
      target("validation", "Validation file, target").unless("data.validation", {""}),
      testFileField(),
      target("test", "Test file, target").unless("data.test", {""}),
      flagField("data.header", "Header line", "The first line of each file is a heading, not a pair."),
      column("source", "Source column", 1),
      column("target", "Target column", 2),
      textField("data.source_language", "Source language", "Name shown in tables and figures, such as de."),
      textField("data.target_language", "Target language", "Name shown in tables and figures, such as en.")};
}

std::vector<OptionField> splitFields() {
  return {
      badLinesField(),
      maxLineBytesField(),
      integerField("data.max_pairs", "Use at most",
                   "Only the first pairs of the training file; 0 = all of them.", 0)
          .between(0, 1e12)
          .unit("pairs")
          .off(0),
      integerField("data.validation_size", "Validation pairs",
                   "Kept apart from the training file when no validation file is named. Pairs that share a "
                   "sentence stay on one side.",
                   500)
          .between(0, 1e9)
          .unit("pairs")
          .alias("data.valid_size")
          .when("data.validation", {""}),
      integerField("data.test_size", "Test pairs",
                   "Kept apart from the training file when no test file is named.", 500)
          .between(0, 1e9)
          .unit("pairs")
          .when("data.test", {""}),
      splitSeedField(),
      integerField("data.max_length", "Longest sentence",
                   "Training pairs with more tokens on either side (end mark included) are dropped and "
                   "counted; in validation and test they are cut and counted.",
                   1024)
          .between(2, 1 << 20)
          .unit("tokens")
          .reference("fairseq, max-source-positions")};
}

std::vector<OptionField> pieceFields() {
  const char* kind = "data.vocabulary.kind";
  return {
      choiceField(kind, "Vocabulary",
                  "How text becomes tokens. `words` is for text that is tokenised already (with @@ marks of "
                  "subword-nmt, for example); its first score is tokenised BLEU.",
                  choicesOf(kNmtVocabularies)),
      integerField("data.vocabulary.size", "Vocabulary size",
                   "Number of pieces of the trained vocabulary, special symbols included.", 8000)
          .between(8, 1000000)
          .unit("pieces")
          .when(kind, {"bpe", "unigram"}),
      realField("data.vocabulary.character_coverage", "Character coverage",
                "Share of the characters of the text that get a piece; the rest is unknown.", 1.0)
          .above(0.9)
          .atMost(1)
          .when(kind, {"bpe", "unigram"}),
      flagField("data.vocabulary.joined", "One vocabulary for both languages",
                "Needed to share embeddings between encoder and decoder.", true),
      pathField("data.vocabulary.model", "SentencePiece model",
                "A .model file; for the source side when the vocabulary is not joined.")
          .when(kind, {"model"}),
      pathField("data.vocabulary.target_model", "SentencePiece model, target",
                "A .model file for the target side.")
          .when(kind, {"model"})
          .when("data.vocabulary.joined", {false}),
      integerField("data.vocabulary.minimum_count", "Rarest word",
                   "Words that occur less often in the training text are unknown.", 1)
          .between(1, 1e9)
          .when(kind, {"words"})};
}

std::vector<OptionField> batchFields() {
  return {
      integerField("batch.max_tokens", "Tokens per batch",
                   "A batch is full when rows × longest sentence (either side, padding counted) would "
                   "exceed this.",
                   4096)
          .between(2, 1e9)
          .unit("tokens")
          .reference("fairseq, max-tokens"),
      integerField("batch.max_sentences", "Pairs per batch",
                   "A batch never has more pairs than this; 0 = no limit.", 0)
          .between(0, 1e9)
          .unit("pairs")
          .off(0),
      integerField("batch.multiple", "Multiple of",
                   "Batch sizes are cut to a multiple of this when possible; 1 = never cut.", 8)
          .between(1, 4096)
          .unit("pairs"),
      flagField("batch.strict_max_tokens", "Never exceed tokens per batch",
                "fairseq's rule lets a batch exceed the limit when a much longer pair follows a cut; this "
                "forbids it."),
      integerField("batch.evaluation_max_tokens", "Tokens per batch, evaluation",
                   "The same for validation, test and translation; 0 = as in training.", 0)
          .between(0, 1e9)
          .unit("tokens")
          .off(0)};
}

std::vector<OptionField> scoreFields() {
  return {choiceField("score.bleu.smoothing", "BLEU smoothing",
                      "What an n-gram order without a match counts; sacreBLEU's default is exp.",
                      choicesOf(kBleuSmoothings))
              .reference("sacreBLEU"),
          flagField("score.bleu.lower_case", "BLEU ignores case",
                    "Both sides are lower-cased before scoring (named lc in the signature).")};
}

ParallelFiles filesOf(const OptionValues& values, const std::string& part) {
  ParallelFiles files;
  files.format = valueOf(kPairFormats, values.text("data.format"));
  files.path = values.text("data." + part);
  files.targetPath = files.path.empty() ? "" : values.text("data." + part + "_target");
  files.header = values.flag("data.header");
  files.sourceColumn = values.integer("data.source_column");
  files.targetColumn = values.integer("data.target_column");
  files.skipBadLines = values.text("data.bad_lines") == "skip";
  files.maxLineBytes = values.integer("data.max_line_bytes");
  return files;
}

}  // namespace

std::vector<OptionField> nmtOptionFields() {
  return joinedFields({inGroup("Data", fileFields()), inGroup("Data", splitFields()),
                       inGroup("Vocabulary", pieceFields()), inGroup("Batches", batchFields()),
                       inGroup("Scores", scoreFields())});
}

std::vector<OptionRule> nmtOptionRules() {
  return {{.when = {{"data.source_column", OptionClause::Test::In, {Json{{"key", "data.target_column"}}}}},
           .reason = "source and target sentences cannot come from the same column",
           .keys = {"data.source_column", "data.target_column"}},
          {.when = {{"data.validation_size", OptionClause::Test::In, {0}}},
           .reason = kNoValidation,
           .keys = {"data.validation_size"}}};
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
  options.vocabulary = valueOf(kNmtVocabularies, values.text("data.vocabulary.kind"));
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
  options.bleu.smoothing = valueOf(kBleuSmoothings, values.text("score.bleu.smoothing"));
  options.bleu.lowerCase = values.flag("score.bleu.lower_case");
  return options;
}

}  // namespace fathom
