// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_task.h"
#include "core/tasks/example_lists.h"
#include "core/tasks/kept_files.h"

#include <algorithm>
#include <numeric>

#include "core/base/errors/error_words.h"
#include "core/base/errors/phrase.h"
#include "core/base/numbers/random_stream.h"
#include "core/spider/grammar/search_details.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/question_tokens.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/tasks/text_to_sql/text_to_sql_batches.h"
#include "core/tasks/text_to_sql/text_to_sql_pieces.h"
#include "core/tasks/text_to_sql/text_to_sql_score.h"

namespace fathom {

namespace {

constexpr std::array<DataSplit, 3> kSqlSplits = {DataSplit::Train, DataSplit::Validation, DataSplit::Test};

std::vector<StatisticField> sqlStatistics() {
  using Kind = StatisticField::Kind;
  std::vector<StatisticField> fields = {{Kind::Number, "records", "Records"},
                                        {Kind::Number, "examples", "Examples used"},
                                        {Kind::Number, "databases", "Databases"}};
  for (const LeftOutReason& reason : leftOutReasons())
    fields.push_back({Kind::Number, std::string("left_out.") + reason.id, reason.title});
  const std::vector<StatisticField> more = {
      {Kind::Number, "corrected_gold", "Corrected gold queries"},
      {Kind::Number, "changed_by_round_trip", "Changed by the round trip, kept"},
      {Kind::Number, "gold_columns.exact", "Gold columns found by name", 1, 1, "%"},
      {Kind::Number, "gold_columns.value", "Gold columns found by value", 1, 1, "%"},
      {Kind::Number, "gold_columns.partial", "Gold columns found in part", 1, 1, "%"},
      {Kind::Number, "gold_columns.none", "Gold columns not found", 1, 1, "%"},
      {Kind::Number, "gold_tables.exact", "Gold tables found by name", 1, 1, "%"},
      {Kind::Number, "gold_tables.partial", "Gold tables found in part", 1, 1, "%"},
      {Kind::Number, "gold_tables.none", "Gold tables not found", 1, 1, "%"},
      {Kind::Number, "words.mean", "Mean question length (tokens)", 1, 1},
      {Kind::Number, "columns.mean", "Mean number of columns", 1, 1},
      {Kind::Number, "elements.mean", "Mean length in the stack", 1, 1},
      {Kind::Number, "elements.longest", "Longest in the stack"},
      {Kind::Number, "pieces.mean", "Mean row (word pieces)", 1, 1},
      {Kind::Number, "pieces.longest", "Longest row"},
      {Kind::Number, "actions.mean", "Mean number of actions", 1, 1},
      {Kind::Number, "actions.longest", "Most actions"},
      {Kind::Lengths, "words", "Question lengths"},
      {Kind::Lengths, "elements", "Lengths in the stack"},
      {Kind::Lengths, "pieces", "Rows of word pieces"},
      {Kind::Lengths, "actions", "Actions"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

// One sentence about what a part leaves out, or none.
std::string leftOutNote(const std::string& part, const Json& statistics) {
  std::string reasons;
  std::int64_t count = 0;
  for (const auto& [reason, left] : statistics.at("left_out").items()) {
    if (left == 0) continue;
    count += left.get<std::int64_t>();
    reasons += (reasons.empty() ? "" : ", ") + left.dump() + " " + reason;
  }
  if (count == 0) return {};
  const auto named = static_cast<std::int64_t>(statistics.at("left_out_examples").size());
  return part + ": " + std::to_string(count) + " of " + statistics.at("records").dump() +
         " examples are left out (" + reasons + "); details.json names " +
         (named == count ? "them" : "the first " + std::to_string(named)) + " under left_out_examples";
}

// Under the names of the options.
Json sqlEncoderOptions(const Json& vocabulary) {
  Json options = {{"task", "text_to_sql"}};
  for (const char* name : {"kind", "file", "merges", "lower_case"})
    if (vocabulary.contains(name)) options[std::string("spider.vocabulary.") + name] = vocabulary[name];
  return options;
}

// The id of the reason, for an example that is in no batch.
std::string whyLeftOut(const SqlPart& part, std::size_t record) {
  const GoldExample& gold = part.gold[record];
  if (gold.fate != ExampleFate::Kept) return exampleFateName(gold.fate);
  return part.questions[record].database < 0 ? "over_max_items" : "row_too_long";
}

// One line of free input. The question is cut into words, and its database looked for, by whoever asks.
Result<AskedQuestion> typedQuestion(const std::string& text) {
  const std::size_t tab = text.find('\t');
  if (tab == std::string::npos)
    return dataError(Phrase::tr("there is no TAB"), Phrase::tr("a line is: db_id TAB question"));
  FATHOM_CHECK(checkCells(text, 2, 0));
  AskedQuestion asked;
  asked.database = text.substr(0, tab);
  asked.question = text.substr(tab + 1);
  return asked;
}

Error unknownDatabase(const std::string& id, const SqlDatabases& databases) {
  const Phrase hint = databases.hintFor(id);
  return dataError(Phrase::tr("database \"%1\" is unknown")(id), hint);
}

// The names of what links are about.
Json itemNames(const SchemaItems& items) {
  Json tables = Json::array(), columns = Json::array();
  for (const std::string& table : items.tables) tables.push_back(table);
  for (const SchemaItems::Column& column : items.columns)
    columns.push_back(column.table < 0
                          ? column.name
                          : items.tables[static_cast<std::size_t>(column.table)] + "." + column.name);
  return {{"tables", std::move(tables)}, {"columns", std::move(columns)}};
}

}  // namespace

TaskEntry textToSqlTaskEntry() {
  return {.id = "text_to_sql",
          .title = "Text-to-SQL",
          .paper = "DT-Fixup §4.1, App. C; RAT-SQL",
          .fields = textToSqlOptionFields(),
          .rules = textToSqlOptionRules(),
          .metrics = textToSqlMetrics(),
          .create = TextToSqlTask::create,
          .texts = {{"question", "Question", TextField::Role::Input},
                    {"sql", "SQL", TextField::Role::Reference},
                    {"database", "Database", TextField::Role::Other}},
          .statistics = sqlStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "spider.max_length"}},
          .madeData = {madeTextToSqlFiles, writeMadeTextToSql},
          .inputExample = "town_library\tHow many readers are there?",
          .inputForm = "db_id TAB question",
          .review = {.kind = "sql",
                     .files = {{"gold.validation", "data.validation"},
                               {"gold.test", "data.test"},
                               {"tables", "spider.tables"},
                               {"databases", "spider.databases"},
                               {"execution", "validation.execution"}},
                     .ofValidations = true},
          .encoderOptions = sqlEncoderOptions};
}

Result<std::unique_ptr<Task>> TextToSqlTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(TextToSqlOptions options, textToSqlOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextToSqlVocabulary vocabulary, makeTextToSqlVocabulary(options, setup));
  FATHOM_TRY(std::string tables, keptFile("tables.json", options.tables, setup));
  const RowBuilder rows(vocabulary.tokenizer, options.row);
  FATHOM_TRY(SqlDatabases read, SqlDatabases::make(tables, options.tables, rows, options.relations));
  auto databases = std::make_unique<const SqlDatabases>(std::move(read));
  FATHOM_TRY(OpenedExampleLinker linking, openExampleLinker(options, databases->schemas(), setup));
  std::unique_ptr<TextToSqlTask> task(new TextToSqlTask(std::move(options), setup.seed, std::move(vocabulary),
                                                        std::move(tables), std::move(databases),
                                                        std::move(linking)));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

TextToSqlTask::TextToSqlTask(TextToSqlOptions options, std::uint64_t seed, TextToSqlVocabulary vocabulary,
                             std::string tables, std::unique_ptr<const SqlDatabases> databases,
                             OpenedExampleLinker linking)
    : m_options(std::move(options)),
      m_seed(seed),
      m_vocabulary(std::move(vocabulary)),
      m_tables(std::move(tables)),
      m_rows(m_vocabulary.tokenizer, m_options.row),
      m_databases(std::move(databases)),
      m_linking(std::move(linking)) {}

Status TextToSqlTask::read(const TaskSetup& setup) {
  const SqlPreparation with{m_options, *m_databases, m_rows, *m_linking.linker, setup};
  const std::array<std::vector<std::string>, 3> files = {
      std::vector<std::string>{m_options.train, m_options.others}, {m_options.validation}, {m_options.test}};
  for (const DataSplit split : kSqlSplits) {
    const auto at = static_cast<std::size_t>(split);
    std::vector<std::string> named = files[at];
    std::erase(named, std::string());
    FATHOM_TRY(m_parts[at], readSqlPart(split, named, with, m_hashes));
    if (named.empty()) continue;
    m_statistics[dataSplitName(split)] = m_parts[at].statistics;
    if (std::string note = leftOutNote(dataSplitName(split), m_parts[at].statistics); !note.empty())
      m_statistics["notes"].push_back(std::move(note));
  }
  constexpr std::size_t kMostWarnings = 20;
  if (!m_linking.note.empty()) m_statistics["warnings"].push_back(m_linking.note.english());
  for (std::size_t i = 0; i < std::min(m_linking.valueNotes.size(), kMostWarnings); ++i)
    m_statistics["warnings"].push_back(m_linking.valueNotes[i]);
  m_ignorant = ignorantLoss(part(DataSplit::Train), *m_databases);
  m_statistics["linking"] = {
      {"asked", m_options.linking}, {"used", m_linking.used}, {"note", m_linking.note.english()}};
  m_statistics["ignorant_nll"] = {
      {"rules", m_ignorant.rules}, {"columns", m_ignorant.columns}, {"example", m_ignorant.total()}};
  return {};
}

std::int64_t TextToSqlTask::exampleCount(DataSplit split) const {
  return static_cast<std::int64_t>(part(split).source.size());
}

std::int64_t TextToSqlTask::batchSize(DataSplit split) const {
  return split == DataSplit::Train ? m_options.examples : m_options.evaluationExamples;
}

std::int64_t TextToSqlTask::batchCount(DataSplit split) const {
  const auto kept = static_cast<std::int64_t>(part(split).kept.size());
  return (kept + batchSize(split) - 1) / batchSize(split);
}

std::int64_t TextToSqlTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  const auto kept = static_cast<std::int64_t>(part(split).kept.size());
  return std::clamp<std::int64_t>(kept - batch * batchSize(split), 0, batchSize(split));
}

std::vector<std::int64_t> TextToSqlTask::recordsOf(DataSplit split, std::int64_t epoch,
                                                   std::int64_t batch) const {
  if (batch < 0 || batch >= batchCount(split))
    throw Failure(
        internalError("batch " + std::to_string(batch) + " of " + std::to_string(batchCount(split))));
  const auto& kept = part(split).kept;
  std::vector<std::int64_t> records;
  const std::int64_t begin = batch * batchSize(split), end = begin + batchTargetUnits(split, batch);
  std::vector<std::int64_t> order;
  if (split == DataSplit::Train)
    order = RandomStream(streamSeed(m_seed, "spider.examples", {epoch}))
                .permutation(static_cast<std::int64_t>(kept.size()));
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t at = order.empty() ? i : order[static_cast<std::size_t>(i)];
    records.push_back(kept[static_cast<std::size_t>(at)]);
  }
  return records;
}

HostBatch TextToSqlTask::batchOfRecords(DataSplit split, const std::vector<std::int64_t>& records) const {
  std::vector<SqlRow> rows;
  for (const std::int64_t record : records) {
    const auto at = static_cast<std::size_t>(record);
    rows.push_back({ExampleId{record},
                    &part(split).questions[at],
                    &part(split).gold[at].actions,
                    {},
                    &part(split).source[at].questionTokens});
  }
  return makeSqlBatch(rows, *m_databases, m_rows);
}

HostBatch TextToSqlTask::makeBatch(DataSplit split, std::int64_t batch) const {
  return batchOfRecords(split, recordsOf(split, 0, batch));
}

HostBatch TextToSqlTask::makeTrainBatch(std::int64_t epoch, std::int64_t batch) const {
  const SqlPart& train = part(DataSplit::Train);
  std::vector<SqlRow> rows;
  for (const std::int64_t record : recordsOf(DataSplit::Train, epoch, batch)) {
    const auto at = static_cast<std::size_t>(record);
    SqlRow row{ExampleId{record}, &train.questions[at], &train.gold[at].actions, {}, nullptr};
    if (m_options.shuffleItems)
      row.order = RandomStream(streamSeed(m_seed, "spider.items", {epoch, record}))
                      .permutation(m_databases->at(row.question->database).items.itemCount());
    rows.push_back(std::move(row));
  }
  return makeSqlBatch(rows, *m_databases, m_rows);
}

std::vector<std::int64_t> TextToSqlTask::epochOrder(std::uint64_t, std::int64_t) const {
  std::vector<std::int64_t> order(static_cast<std::size_t>(batchCount(DataSplit::Train)));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<ExampleId> TextToSqlTask::batchedExamples(DataSplit split) const {
  std::vector<ExampleId> examples;
  for (const std::int64_t record : part(split).kept) examples.emplace_back(record);
  return examples;
}

std::vector<std::vector<ExampleId>> TextToSqlTask::planExamples(
    DataSplit split, const std::vector<ExampleId>& examples) const {
  return batchesOf(examples, batchSize(split));
}

// Any example that was linked and fits can be looked at, drawn into the smaller part of the run or not.
HostBatch TextToSqlTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  const SqlPart& from = part(split);
  std::vector<std::int64_t> records;
  for (const ExampleId example : examples) {
    const auto at = static_cast<std::size_t>(example.value);
    if (from.questions.at(at).database < 0 || from.questions[at].pieces > m_options.maxPieces) {
      const auto next = std::upper_bound(from.kept.begin(), from.kept.end(), example.value);
      const std::int64_t used = next == from.kept.end() ? from.kept.back() : *next;
      throw Failure(usageError(Phrase::tr("example %1 of the part %2 is left out (%3)")(
                                   example.value, dataSplitName(split), whyLeftOut(from, at)),
                               Phrase::tr("one that is used: %1")(used)));
    }
    records.push_back(example.value);
  }
  return batchOfRecords(split, records);
}

std::map<std::string, std::int64_t> TextToSqlTask::sizes() const {
  std::int64_t longest = 0, elements = 0, actions = 0;
  for (const SqlPart& one : m_parts) {
    for (const std::int64_t record : one.kept) {
      const SqlQuestion& question = one.questions[static_cast<std::size_t>(record)];
      const auto steps = static_cast<std::int64_t>(one.gold[static_cast<std::size_t>(record)].actions.size());
      longest = std::max(longest, question.pieces);
      elements = std::max<std::int64_t>(
          elements, question.words.size() + m_databases->at(question.database).items.itemCount());
      actions = std::max(actions, steps);
    }
  }
  return {{"vocabulary", m_vocabulary.tokenizer->vocabularySize()},
          {"pad_id", m_rows.pad()},
          {"cls_id", m_rows.cls()},
          {"sep_id", m_rows.sep()},
          {"unk_id", m_vocabulary.tokenizer->special().unk},
          {"segments", 2},
          {"lower_case", m_vocabulary.lowerCase ? 1 : 0},
          {"byte_level", m_options.row.bytes ? 1 : 0},
          {"longest", longest},
          {"longest_elements", elements},
          {"longest_actions", actions},
          {"relation_types", relationTypes(m_options.relations)},
          {"rules", kGrammarRules + 1},
          {"types", kGrammarTypes},
          {"databases", m_databases->size()}};
}

std::map<std::string, std::string> TextToSqlTask::artifacts() const {
  auto kept = m_vocabulary.artifacts;
  kept.insert(m_linking.artifacts.begin(), m_linking.artifacts.end());
  kept["tables.json"] = m_tables;
  return kept;
}

ExampleTexts TextToSqlTask::exampleTexts(DataSplit split, ExampleId example) const {
  if (example.value < 0 || example.value >= exampleCount(split))
    throw Failure(internalError("example " + std::to_string(example.value) + " of " +
                                std::to_string(exampleCount(split))));
  const SpiderExample& one = part(split).source[static_cast<std::size_t>(example.value)];
  return {{"question", one.question}, {"sql", one.query}, {"database", one.dbId}};
}

TokenRows TextToSqlTask::pieces(const HostBatch& batch, std::int64_t row) const {
  return sqlTokenRows(batch, row, *m_databases, *m_vocabulary.tokenizer);
}

void TextToSqlTask::complete(std::vector<Prediction>& predictions) const {
  const auto schemaOf = [this](std::int64_t database) {
    const bool known = database >= 0 && database < m_databases->size();
    return known ? m_databases->at(database).schema : nullptr;
  };
  for (Prediction& prediction : predictions) {
    prediction.text = kNoSql;
    if (!prediction.details.is_null())
      prediction.details = explainedSearch(prediction.details, schemaOf, m_options.style);
    const SpiderSchema* schema = prediction.ids.size() < 2 ? nullptr : schemaOf(prediction.ids[0]);
    if (schema == nullptr) continue;
    const auto sql =
        sqlOfActions({prediction.ids.begin() + 1, prediction.ids.end()}, *schema, m_options.style);
    if (sql.ok()) prediction.text = *sql;
  }
}

Result<std::vector<TaskScore>> TextToSqlTask::score(DataSplit split,
                                                    const std::vector<Prediction>& predictions) const {
  return scoreSqlPredictions(part(split), *m_databases, predictions);
}

Result<SqlQuestion> TextToSqlTask::prepared(const AskedQuestion& asked) const {
  if (m_databases->find(asked.database) < 0) return unknownDatabase(asked.database, *m_databases);
  SpiderExample example;
  example.dbId = asked.database;
  example.question = asked.question;
  example.questionTokens = asked.tokens.empty() ? wordsOfText(asked.question) : asked.tokens;
  if (example.questionTokens.empty())
    return dataError(Phrase::tr("the question is empty"), Phrase::tr("a line is: db_id TAB question"));
  const TaskSetup setup;
  const SqlPreparation with{m_options, *m_databases, m_rows, *m_linking.linker, setup};
  FATHOM_TRY(SqlQuestion question, prepareQuestion(example, with, asked.links ? &*asked.links : nullptr));
  question.tokens = std::move(example.questionTokens);
  return question;
}

std::vector<HostBatch> TextToSqlTask::batchesOfFree(const std::vector<SqlQuestion>& questions,
                                                    TextFindings& findings) const {
  findings.lengthKey = "spider.max_pieces";
  std::vector<SqlRow> rows;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].pieces > m_options.maxPieces) {
      ++findings.leftOut;
    } else {
      rows.push_back(
          {ExampleId{static_cast<std::int64_t>(i)}, &questions[i], nullptr, {}, &questions[i].tokens});
    }
  }
  std::vector<HostBatch> batches;
  const auto size = static_cast<std::size_t>(m_options.evaluationExamples);
  for (std::size_t begin = 0; begin < rows.size(); begin += size) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(size, rows.size() - begin));
    batches.push_back(makeSqlBatch({first, last}, *m_databases, m_rows));
  }
  return batches;
}

Result<std::vector<HostBatch>> TextToSqlTask::batchesFromText(std::span<const std::string> lines,
                                                              TextFindings* findings) const {
  std::vector<SqlQuestion> questions;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto asked = typedQuestion(lines[i]);
    auto question = asked.ok() ? prepared(*asked) : asked.error();
    if (!question.ok()) {
      Error error = question.error();
      error.line = static_cast<std::int64_t>(i) + 1;
      return error;
    }
    questions.push_back(std::move(*question));
  }
  TextFindings found;
  std::vector<HostBatch> batches = batchesOfFree(questions, found);
  if (findings != nullptr) *findings = std::move(found);
  return batches;
}

Result<AskedQuestion> TextToSqlTask::askedOf(const Json& item) const {
  if (item.is_string()) return typedQuestion(item.get<std::string>());
  const auto named = item.find("database");
  if (named != item.end() && named->is_string() && m_databases->find(named->get<std::string>()) < 0)
    return unknownDatabase(named->get<std::string>(), *m_databases);
  return askedQuestionFrom(item, m_databases->schemas());
}

Result<RequestBatches> TextToSqlTask::batchesFromRequests(std::span<const Json> items) const {
  RequestBatches made;
  std::vector<SqlQuestion> questions;
  for (const Json& item : items) {
    auto asked = askedOf(item);
    auto question = asked.ok() ? prepared(*asked) : asked.error();
    if (!question.ok())
      return withMessage(question.error(),
                         Phrase::tr("item %1: %2")(questions.size(), question.error().messagePhrase()));
    if (asked->tokens.empty()) asked->tokens = questionWords(wordsOfText(asked->question));
    asked->links = question->links;
    made.inputs.push_back(askedQuestionJson(*asked));
    made.inputs.back()["items"] = itemNames(m_databases->at(question->database).items);
    questions.push_back(std::move(*question));
  }
  made.batches = batchesOfFree(questions, made.findings);
  return made;
}

}  // namespace fathom
