// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_options.h"

#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/spider/linking/schema_linker.h"
#include "core/tasks/data_options.h"
#include "core/tasks/text_to_sql/example_linker.h"

namespace fathom {

namespace {

constexpr EnumWord<RelationSet> kRelationSets[] = {
    {RelationSet::DtFixup, "dt_fixup", "33 relations of DT-Fixup"},
    {RelationSet::RatSql, "rat_sql", "51 relations of RAT-SQL"},
    {RelationSet::None, "none", "None"}};
constexpr EnumWord<RowLayout> kRowLayouts[] = {
    {RowLayout::Fixed, "fixed", "With the vocabulary's own marks"},
    {RowLayout::Released, "released", "As DT-Fixup's code, with its faults"}};
constexpr EnumWord<EqualItems> kEqualItems[] = {{EqualItems::Once, "once", "Written once"},
                                                {EqualItems::All, "all", "Written each time"}};
constexpr EnumWord<SqlTextStyle> kSqlStyles[] = {
    {SqlTextStyle::Correct, "correct", "HAVING behind GROUP BY"},
    {SqlTextStyle::Released, "released", "As DT-Fixup's code: HAVING at the end"}};

// Option of the layers above the encoder: without relations in them none are read.
constexpr const char* kExtraAttention = "extra.attention";

// Whoever reads data alone, without a model, may ask for any.
RelationSet relationsFrom(const OptionValues& values) {
  const char* key = "spider.relations";
  const bool read = values.schema().find(kExtraAttention) == nullptr || values.active(key);
  return read ? valueOf(kRelationSets, values.text(key)) : RelationSet::None;
}

FieldBuilder most(const char* key, const char* title, const char* help, const char* unit,
                  std::int64_t value = 0) {
  return integerField(key, title, help, value).between(0, 1e9).unit(unit).off(0);
}

std::vector<OptionField> sqlFileFields() {
  return inGroup(
      "Data",
      {trainFileField(),
       pathField("spider.train_others", "More training data",
                 "train_others.json: examples of older data sets, added to the training file; empty = none.")
           .off(""),
       validationFileField(), testFileField(),
       pathField("spider.tables", "tables.json", "The schemas of all databases."),
       pathField("spider.databases", "Databases",
                 "Folder with <id>/<id>.sqlite: for execution and for links to values; empty = neither.")
           .off(""),
       most("spider.max_train", "Training examples",
            "At most so many of those that are kept, drawn at random, the same ones for every seed; 0 = all.",
            "examples"),
       most("spider.max_validation", "Validation examples",
            "At most so many validation examples, drawn at random; 0 = all. Scores of fewer are no scores of "
            "the data set.",
            "examples"),
       flagField("validation.execution", "Execution accuracy",
                 "After a scored validation gold and predictions are run in a sandbox, with gold's values in "
                 "the places of the prediction, and their results are compared. Changes no training.",
                 true)
           .reference("Spider's test-suite evaluation"),
       choiceField("spider.not_round_trip", "Gold that the grammar changes",
                   "Training examples whose SQL is another query when it is rebuilt from its actions (66 of "
                   "7,000); validation keeps them.",
                   {{"drop", "Left out"}, {"keep", "Kept"}})
           .reference("DT-Fixup App. C"),
       most("spider.max_length", "Longest training example",
            "Question tokens, columns and tables together; a longer training example is left out. 0 = no "
            "limit.",
            "tokens and items", 200),
       most("spider.max_items", "Small examples only",
            "As the longest training example, for quick runs: at most 50 keeps about half of Spider. 0 = no "
            "limit.",
            "tokens and items"),
       integerField("spider.max_pieces", "Longest row",
                    "Word pieces that the encoder takes. A training example with more is left out; one of "
                    "the validation counts as wrong.",
                    512)
           .between(16, 1 << 16)
           .unit("pieces")});
}

std::vector<OptionField> sqlInputFields() {
  const char* linking = "spider.linking";
  return inGroup(
      "Inputs",
      {choiceField(linking, "Schema linking",
                   "How words of the question are connected with names of tables and columns.",
                   exampleLinkings()),
       pathField(
           "spider.wordnet", "WordNet",
           "Folder of WordNet's files (Debian: wordnet-base); where it is absent, stems take its place.",
           kWordnetFolder)
           .when(linking, {"dt_fixup_like", "rat_sql_like"}),
       pathField("spider.concepts", "Concept tables",
                 "File of concept tables for quoted and capitalised words; empty = none.")
           .off("")
           .when(linking, {"dt_fixup_like", "stems"}),
       pathField("spider.values", "Database values",
                 "Prepared file of the texts in the databases (spider-link keeps it); empty = names alone "
                 "are linked.")
           .off("")
           .unless(linking, {"file", "none"}),
       pathField("spider.links", "File of links",
                 "Links made before or by another program, one question a line.")
           .when(linking, {"file"}),
       choiceField("spider.relations", "Relations", "Ids of the relations between words, columns and tables.",
                   choicesOf(kRelationSets))
           .unless(kExtraAttention, {"multi_head"})
           .reference("DT-Fixup App. C.1"),
       choiceField("spider.layout", "Rows", "How question and schema become one row of word pieces.",
                   choicesOf(kRowLayouts)),
       choiceField("spider.duplicates", "Items of equal text",
                   "Columns of one name and type share a place in the row, or have one each: then 82 "
                   "training rows of Spider do not fit 512 pieces.",
                   choicesOf(kEqualItems)),
       choiceField("spider.item_order", "Order of the items",
                   "In training rows. Features of a frozen encoder are kept between epochs only with the "
                   "fixed order.",
                   {{"shuffled", "Shuffled for every example and epoch"}, {"fixed", "As in the schema"}}),
       choiceField("spider.sql_style", "Printed SQL", "How predicted trees are written as SQL.",
                   choicesOf(kSqlStyles))});
}

std::vector<OptionField> sqlVocabularyFields() {
  return inGroup(
      "Vocabulary",
      {choiceField("spider.vocabulary.kind", "Kind of the encoder's vocabulary", "That of the encoder.",
                   {{"wordpiece", "BERT's word pieces"}, {"byte_bpe", "RoBERTa's byte-level BPE"}}),
       pathField("spider.vocabulary.file", "The encoder's vocabulary file",
                 "vocab.txt of BERT, or vocab.json of RoBERTa."),
       mergesFileField("spider.vocabulary", "The encoder's merges file"),
       lowerCaseField("spider.vocabulary", "The encoder reads lower case")});
}

std::vector<OptionField> sqlBatchFields() {
  return inGroup("Batches", {batchExamplesField(),
                             integerField("batch.evaluation_examples", "Questions per evaluation batch",
                                          "Of validation, test and free questions.", 64)
                                 .between(1, 1 << 16)
                                 .unit("examples")});
}

}  // namespace

std::vector<OptionField> textToSqlOptionFields() {
  return joinedFields({sqlFileFields(), sqlInputFields(), sqlVocabularyFields(), sqlBatchFields()});
}

// While no file is named at all, nobody has begun: a preset names none.
std::vector<OptionRule> textToSqlOptionRules() {
  using Test = OptionClause::Test;
  return {{.when = {{"data.train", Test::NotIn, {""}}, {"data.validation", Test::In, {""}}},
           .reason = "every run is validated, and on databases of its own: name dev.json",
           .keys = {"data.validation"}}};
}

Result<TextToSqlOptions> textToSqlOptionsFrom(const OptionValues& values, bool inputOnly) {
  TextToSqlOptions options;
  if (!inputOnly) {
    FATHOM_CHECK(checkFilesNamed(values));
    if (values.text("data.validation").empty()) {
      return aboutKey(
          "data.validation",
          usageError(Phrase::tr("data.validation names no file"),
                     Phrase::tr("name dev.json: Spider's parts share no database, none is cut from "
                                "the other")));
    }
  }
  options.train = values.text("data.train");
  options.others = values.text("spider.train_others");
  options.validation = values.text("data.validation");
  options.test = values.text("data.test");
  options.tables = values.text("spider.tables");
  options.databases = values.text("spider.databases");
  options.linking = values.text("spider.linking");
  options.values = values.text("spider.values");
  options.wordnet = values.text("spider.wordnet");
  options.concepts = values.text("spider.concepts");
  options.links = values.text("spider.links");
  options.relations = relationsFrom(values);
  options.row.layout = valueOf(kRowLayouts, values.text("spider.layout"));
  options.row.equal = valueOf(kEqualItems, values.text("spider.duplicates"));
  options.row.bytes = values.text("spider.vocabulary.kind") == "byte_bpe";
  options.shuffleItems = values.text("spider.item_order") == "shuffled";
  options.training.dropNotRoundTrip = values.text("spider.not_round_trip") == "drop";
  options.training.maxLength = static_cast<int>(values.integer("spider.max_length"));
  options.maxItems = values.integer("spider.max_items");
  options.maxPieces = values.integer("spider.max_pieces");
  options.trainExamples = values.integer("spider.max_train");
  options.validationExamples = values.integer("spider.max_validation");
  options.vocabularyFile = values.text("spider.vocabulary.file");
  options.mergesFile = values.text("spider.vocabulary.merges");
  options.lowerCase = values.flag("spider.vocabulary.lower_case");
  options.style = valueOf(kSqlStyles, values.text("spider.sql_style"));
  options.examples = values.integer("batch.examples");
  options.evaluationExamples = values.integer("batch.evaluation_examples");
  return options;
}

}  // namespace fathom
