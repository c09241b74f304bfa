// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_options.h"

#include "core/base/named_files.h"
#include "core/spider/linking/schema_linker.h"
#include "core/tasks/data_options.h"
#include "core/tasks/text_to_sql/example_linker.h"

namespace fathom {

namespace {

OptionField sqlField(std::string group, std::string key, OptionType type, Json value, std::string title,
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

OptionField sqlNumber(std::string group, std::string key, std::int64_t value, double from, double to,
                      std::string unit, std::string title, std::string help) {
  OptionField made = sqlField(std::move(group), std::move(key), OptionType::Integer, value, std::move(title),
                              std::move(help));
  made.minimum = from;
  made.maximum = to;
  made.unit = std::move(unit);
  return made;
}

OptionField sqlChoice(std::string group, std::string key, std::vector<OptionChoice> choices,
                      std::string title, std::string help) {
  OptionField made = sqlField(std::move(group), std::move(key), OptionType::Choice, choices.front().id,
                              std::move(title), std::move(help));
  made.choices = std::move(choices);
  return made;
}

OptionField without(OptionField made, Json disabling) {
  made.disablingValue = std::move(disabling);
  return made;
}

void addSqlFileFields(std::vector<OptionField>& fields) {
  fields.push_back(trainFileField());
  fields.push_back(without(sqlField("Data", "spider.train_others", OptionType::Path, "", "More training data",
                                    "train_others.json: examples of older data sets, added to the training "
                                    "file; empty = none."),
                           ""));
  fields.push_back(validationFileField());
  fields.push_back(testFileField());
  fields.push_back(sqlField("Data", "spider.tables", OptionType::Path, "", "tables.json",
                            "The schemas of all databases."));
  fields.push_back(without(sqlField("Data", "spider.databases", OptionType::Path, "", "Databases",
                                    "Folder with <id>/<id>.sqlite: for execution and for links to values; "
                                    "empty = neither."),
                           ""));
  fields.push_back(without(sqlNumber("Data", "spider.max_train", 0, 0, 1e9, "examples", "Training examples",
                                     "At most so many of those that are kept, drawn at random, the same ones "
                                     "for every seed; 0 = all."),
                           0));
  fields.push_back(
      without(sqlNumber("Data", "spider.max_validation", 0, 0, 1e9, "examples", "Validation examples",
                        "At most so many validation examples, drawn at random; 0 = all. Scores of fewer are "
                        "no scores of the data set."),
              0));
}

void addFilterFields(std::vector<OptionField>& fields) {
  fields.push_back(sqlChoice("Data", "spider.not_round_trip", {{"drop", "Left out"}, {"keep", "Kept"}},
                             "Gold that the grammar changes",
                             "Training examples whose SQL is another query when it is rebuilt from its "
                             "actions (66 of 7,000); validation keeps them."));
  fields.back().reference = "DT-Fixup App. C";
  fields.push_back(without(
      sqlNumber("Data", "spider.max_length", 200, 0, 1e6, "tokens and items", "Longest training example",
                "Question tokens, columns and tables together; a longer training example is left out. "
                "0 = no limit."),
      0));
  fields.push_back(without(
      sqlNumber("Data", "spider.max_items", 0, 0, 1e6, "tokens and items", "Small examples only",
                "As the longest training example, for quick runs: at most 50 keeps about half of Spider. "
                "0 = no limit."),
      0));
  fields.push_back(sqlNumber("Data", "spider.max_pieces", 512, 16, 1 << 16, "pieces", "Longest row",
                             "Word pieces that the encoder takes. A training example with more is left out; "
                             "one of the validation counts as wrong."));
}

void addInputFields(std::vector<OptionField>& fields) {
  fields.push_back(sqlChoice("Inputs", "spider.linking", exampleLinkings(), "Schema linking",
                             "How words of the question are connected with names of tables and columns."));
  OptionField wordnet = sqlField("Inputs", "spider.wordnet", OptionType::Path, kWordnetFolder, "WordNet",
                                 "Folder of WordNet's files (Debian: wordnet-base); where it is absent, "
                                 "stems take its place.");
  wordnet.enabledWhen.push_back({"spider.linking", OptionClause::Test::In, {"dt_fixup_like"}});
  fields.push_back(std::move(wordnet));
  OptionField concepts = without(sqlField("Inputs", "spider.concepts", OptionType::Path, "", "Concept tables",
                                          "File of concept tables for quoted and capitalised words "
                                          "(docs/schema_linking.md); empty = none."),
                                 "");
  concepts.enabledWhen.push_back({"spider.linking", OptionClause::Test::In, {"dt_fixup_like"}});
  fields.push_back(std::move(concepts));
  OptionField values = without(sqlField("Inputs", "spider.values", OptionType::Path, "", "Database values",
                                        "Prepared file of the texts in the databases (spider-link keeps "
                                        "it); empty = names alone are linked."),
                               "");
  values.enabledWhen.push_back({"spider.linking", OptionClause::Test::NotIn, {"file", "none"}});
  fields.push_back(std::move(values));
  OptionField links = sqlField("Inputs", "spider.links", OptionType::Path, "", "File of links",
                               "Links made before or by another program, one question a line.");
  links.enabledWhen.push_back({"spider.linking", OptionClause::Test::In, {"file"}});
  fields.push_back(std::move(links));
  fields.push_back(sqlChoice(
      "Inputs", "spider.relations",
      {{"dt_fixup", "33 relations of DT-Fixup"}, {"rat_sql", "51 relations of RAT-SQL"}, {"none", "None"}},
      "Relations", "Ids of the relations between words, columns and tables."));
  fields.back().reference = "DT-Fixup App. C.1";
  fields.push_back(sqlChoice(
      "Inputs", "spider.layout",
      {{"fixed", "With the vocabulary's own marks"}, {"released", "As DT-Fixup's code, with its faults"}},
      "Rows", "How question and schema become one row of word pieces."));
  fields.push_back(sqlChoice("Inputs", "spider.duplicates",
                             {{"once", "Written once"}, {"all", "Written each time"}}, "Items of equal text",
                             "Columns of one name and type share a place in the row, or have one each: then "
                             "82 training rows of Spider do not fit 512 pieces."));
  fields.push_back(
      sqlChoice("Inputs", "spider.item_order",
                {{"shuffled", "Shuffled for every example and epoch"}, {"fixed", "As in the schema"}},
                "Order of the items",
                "In training rows. Features of a frozen encoder are kept between epochs only "
                "with the fixed order."));
  fields.push_back(sqlChoice(
      "Inputs", "spider.sql_style",
      {{"correct", "HAVING behind GROUP BY"}, {"released", "As DT-Fixup's code: HAVING at the end"}},
      "Printed SQL", "How predicted trees are written as SQL."));
}

void addSqlVocabularyFields(std::vector<OptionField>& fields) {
  fields.push_back(sqlChoice("Vocabulary", "spider.vocabulary.kind",
                             {{"wordpiece", "BERT's word pieces"}, {"byte_bpe", "RoBERTa's byte-level BPE"}},
                             "Kind of vocabulary", "That of the encoder."));
  fields.push_back(sqlField("Vocabulary", "spider.vocabulary.file", OptionType::Path, "", "Vocabulary file",
                            "vocab.txt of BERT, or vocab.json of RoBERTa."));
  OptionField merges = without(sqlField("Vocabulary", "spider.vocabulary.merges", OptionType::Path, "",
                                        "Merges file", "merges.txt; empty = beside the vocabulary file."),
                               "");
  merges.enabledWhen.push_back({"spider.vocabulary.kind", OptionClause::Test::In, {"byte_bpe"}});
  fields.push_back(std::move(merges));
  OptionField lower = sqlField("Vocabulary", "spider.vocabulary.lower_case", OptionType::Flag, true,
                               "Lower case", "The vocabulary is of lower-case text without accents.");
  lower.enabledWhen.push_back({"spider.vocabulary.kind", OptionClause::Test::In, {"wordpiece"}});
  fields.push_back(std::move(lower));
  fields.push_back(sqlNumber("Batches", "batch.examples", 16, 1, 1 << 16, "examples", "Examples per batch",
                             "Every training batch has this many examples, the last of an epoch perhaps "
                             "fewer."));
  fields.push_back(sqlNumber("Batches", "batch.evaluation_examples", 64, 1, 1 << 16, "examples",
                             "Examples per evaluation batch", "Of validation, test and free questions."));
}

}  // namespace

std::vector<OptionField> textToSqlOptionFields() {
  std::vector<OptionField> fields;
  addSqlFileFields(fields);
  addFilterFields(fields);
  addInputFields(fields);
  addSqlVocabularyFields(fields);
  return fields;
}

std::vector<OptionRule> textToSqlOptionRules() {
  return {};
}

Result<TextToSqlOptions> textToSqlOptionsFrom(const OptionValues& values, bool inputOnly) {
  TextToSqlOptions options;
  if (!inputOnly) {
    FATHOM_CHECK(checkFilesNamed(values));
    if (values.text("data.validation").empty()) {
      Error error = usageError(
          Phrase::tr("data.validation names no file"),
          Phrase::tr("name dev.json: Spider's parts share no database, none is cut from the other"));
      error.key = "data.validation";
      return error;
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
  const std::string relations = values.text("spider.relations");
  for (const RelationSet set : {RelationSet::None, RelationSet::DtFixup, RelationSet::RatSql})
    if (relations == relationSetName(set)) options.relations = set;
  options.row.layout = values.text("spider.layout") == "released" ? RowLayout::Released : RowLayout::Fixed;
  options.row.equal = values.text("spider.duplicates") == "all" ? EqualItems::All : EqualItems::Once;
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
  options.style =
      values.text("spider.sql_style") == "released" ? SqlTextStyle::Released : SqlTextStyle::Correct;
  options.examples = values.integer("batch.examples");
  options.evaluationExamples = values.integer("batch.evaluation_examples");
  return options;
}

}  // namespace fathom
