// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_task.h"

#include <algorithm>
#include <numeric>

#include "core/base/phrase.h"
#include "core/base/random_stream.h"
#include "core/spider/grammar/search_details.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/question_tokens.h"
#include "core/tasks/text_to_sql/text_to_sql_batches.h"
#include "core/tasks/text_to_sql/text_to_sql_sample.h"
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

// Under the names of the options.
Json sqlEncoderOptions(const Json& vocabulary) {
  Json options = {{"task", "text_to_sql"}};
  for (const char* name : {"kind", "file", "merges", "lower_case"})
    if (vocabulary.contains(name)) options[std::string("spider.vocabulary.") + name] = vocabulary[name];
  return options;
}

// One line of free input; `line` counts from 1.
Result<SpiderExample> typedExample(const std::string& text, std::int64_t line,
                                   const SqlDatabases& databases) {
  const auto fault = [&](Phrase what, Phrase hint) {
    Error error = dataError(Phrase::tr("line %1: %2")(line, what), hint);
    error.line = line;
    return error;
  };
  const std::size_t tab = text.find('\t');
  if (tab == std::string::npos)
    return fault(Phrase::tr("there is no TAB"), Phrase::tr("a line is: db_id TAB question"));
  SpiderExample example;
  example.dbId = text.substr(0, tab);
  example.question = text.substr(tab + 1);
  if (databases.find(example.dbId) < 0)
    return fault(Phrase::tr("database \"%1\" is unknown")(example.dbId), databases.hintFor(example.dbId));
  example.questionTokens = wordsOfText(example.question);
  if (example.questionTokens.empty())
    return fault(Phrase::tr("the question is empty"), Phrase::tr("a line is: db_id TAB question"));
  return example;
}

}  // namespace

TaskEntry textToSqlTaskEntry() {
  TaskEntry entry;
  entry.id = "text_to_sql";
  entry.title = "Text-to-SQL";
  entry.paper = "DT-Fixup §4.1, App. C; RAT-SQL";
  entry.fields = textToSqlOptionFields();
  entry.rules = textToSqlOptionRules();
  entry.metrics = textToSqlMetrics();
  entry.create = TextToSqlTask::create;
  entry.texts = {{"question", "Question", TextField::Role::Input},
                 {"sql", "SQL", TextField::Role::Reference},
                 {"database", "Database", TextField::Role::Other}};
  entry.statistics = sqlStatistics();
  entry.data = {"data.train", "data.validation", ""};
  entry.batch = {{"batch.examples", ""}};
  entry.sample = {textToSqlSampleFiles, writeTextToSqlSample};
  entry.inputExample = "town_library\tHow many readers are there?";
  entry.review = {"sql",
                  {{"gold.validation", "data.validation"},
                   {"gold.test", "data.test"},
                   {"tables", "spider.tables"},
                   {"databases", "spider.databases"},
                   {"execution", "validation.execution"}}};
  entry.encoderOptions = sqlEncoderOptions;
  return entry;
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
    if (!named.empty()) m_statistics[dataSplitName(split)] = m_parts[at].statistics;
  }
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
  std::vector<std::vector<ExampleId>> batches;
  for (const ExampleId example : examples) {
    if (batches.empty() || static_cast<std::int64_t>(batches.back().size()) == batchSize(split))
      batches.emplace_back();
    batches.back().push_back(example);
  }
  return batches;
}

HostBatch TextToSqlTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<std::int64_t> records;
  for (const ExampleId example : examples) {
    if (!std::binary_search(part(split).kept.begin(), part(split).kept.end(), example.value))
      throw Failure(internalError("example " + std::to_string(example.value) + " of " + dataSplitName(split) +
                                  " is left out"));
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
          {"lower_case", m_options.lowerCase && !m_options.row.bytes ? 1 : 0},
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

std::map<std::string, std::vector<std::string>> TextToSqlTask::pieces(const HostBatch& batch,
                                                                      std::int64_t row) const {
  const auto r = static_cast<std::size_t>(row);
  const auto ids = rowOf(batch.array("tokens"), row);
  std::map<std::string, std::vector<std::string>> result;
  for (const std::int64_t id : ids) result["encoder"].push_back(m_vocabulary.tokenizer->piece(id));
  auto& extra = result["extra"];
  const HostRagged& words = batch.ragged("word_spans");
  const auto ends = words.offsets.values<std::int64_t>();
  const auto spans = words.values.values<std::int64_t>();
  for (std::int64_t word = ends[r]; word < ends[r + 1]; ++word) {
    const auto begin = static_cast<std::size_t>(spans[static_cast<std::size_t>(2 * word)]),
               end = static_cast<std::size_t>(spans[static_cast<std::size_t>(2 * word + 1)]);
    extra.push_back(m_vocabulary.tokenizer->decode(ids.subspan(begin, end - begin)));
  }
  const SchemaItems& items = m_databases->at(batch.array("databases").values<std::int64_t>()[r]).items;
  for (const auto& column : items.columns)
    extra.push_back(
        column.table < 0 ? "*" : items.tables[static_cast<std::size_t>(column.table)] + "." + column.name);
  extra.insert(extra.end(), items.tables.begin(), items.tables.end());
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.rows()); ++i)
    longest = std::max(longest, batch.array("words").values<std::int64_t>()[i] +
                                    batch.array("columns").values<std::int64_t>()[i] +
                                    batch.array("tables").values<std::int64_t>()[i]);
  extra.resize(static_cast<std::size_t>(longest));
  return result;
}

bool TextToSqlTask::mayReturn(std::int64_t database, const std::vector<GrammarAction>& actions) const {
  const SpiderSchema& schema = *m_databases->at(database).schema;
  const auto tree = treeFromActions(actions, expandedCount(schema));
  return tree.ok() && treeIsValid(*tree, schema);
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

Result<std::vector<HostBatch>> TextToSqlTask::batchesFromText(std::span<const std::string> lines,
                                                              TextFindings* findings) const {
  const TaskSetup setup;
  const SqlPreparation with{m_options, *m_databases, m_rows, *m_linking.linker, setup};
  TextFindings found;
  found.lengthKey = "spider.max_pieces";
  std::vector<SqlQuestion> questions;
  std::vector<std::vector<std::string>> tokens;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = static_cast<std::int64_t>(i);
    FATHOM_TRY(SpiderExample example, typedExample(lines[i], line + 1, *m_databases));
    FATHOM_TRY(SqlQuestion question, prepareQuestion(example, with));
    if (question.pieces > m_options.maxPieces) {
      ++found.leftOut;
      continue;
    }
    questions.push_back(std::move(question));
    tokens.push_back(std::move(example.questionTokens));
    numbers.push_back(line);
  }
  std::vector<HostBatch> batches;
  const auto size = static_cast<std::size_t>(m_options.evaluationExamples);
  for (std::size_t begin = 0; begin < questions.size(); begin += size) {
    std::vector<SqlRow> rows;
    for (std::size_t i = begin; i < std::min(begin + size, questions.size()); ++i)
      rows.push_back({ExampleId{numbers[i]}, &questions[i], nullptr, {}, &tokens[i]});
    batches.push_back(makeSqlBatch(rows, *m_databases, m_rows));
  }
  if (findings != nullptr) *findings = std::move(found);
  return batches;
}

}  // namespace fathom
