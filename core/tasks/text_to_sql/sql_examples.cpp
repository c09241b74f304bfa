// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/sql_examples.h"
#include "core/base/files/path_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/hash.h"
#include "core/base/numbers/random_stream.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/linking_report.h"
#include "core/spider/linking/question_tokens.h"
#include "core/spider/sql_limits.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/part_phase.h"

namespace fathom {

namespace {

constexpr std::size_t kNamedExamples = 500;  // that the statistics list one by one

// Why an example is in no batch: a fate, or one of the task's own reasons.
struct LeftOut {
  std::int64_t index = 0;
  std::string reason, why;
};

Result<DataHash> hashOfFile(const std::string& role, const std::string& file) {
  FATHOM_TRY(const std::string sha256, sha256OfFile(file));
  return DataHash{role, file, sha256, static_cast<std::int64_t>(fileBytes(file))};
}

Status readFiles(const std::string& name, const std::vector<std::string>& files, SpiderDataset& dataset,
                 std::vector<DataHash>& hashes) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    FATHOM_TRY(SpiderDataset read, readSpiderDataset(files[i]));
    FATHOM_TRY(DataHash hash, hashOfFile(i == 0 ? name : name + ".others", files[i]));
    hashes.push_back(std::move(hash));
    for (SpiderExample& example : read.examples) {
      if (example.questionTokens.empty()) example.questionTokens = wordsOfText(example.question);
      dataset.examples.push_back(std::move(example));
    }
  }
  return {};
}

// At most `most` of the indices, the same ones for every seed; of fewer a part of those of more.
std::vector<std::int64_t> drawn(const std::vector<std::int64_t>& indices, std::int64_t most,
                                const std::string& part) {
  const auto count = static_cast<std::int64_t>(indices.size());
  if (most <= 0 || most >= count) return indices;
  std::vector<std::int64_t> chosen;
  const auto order = RandomStream(streamSeed(1, "spider.subset." + part)).permutation(count);
  for (std::int64_t i = 0; i < most; ++i)
    chosen.push_back(indices[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Links and measures what the filter keeps.
class PartMaker {
 public:
  PartMaker(DataSplit split, const SqlPreparation& with, SqlPart& part)
      : m_split(split), m_with(with), m_part(part) {}

  Status make() {
    Progress* progress = m_with.setup.progress;
    const std::size_t count = m_part.source.size();
    if (progress != nullptr)
      progress->begin(
          partPhase(dataSplitName(m_split), Phrase::tr("linking train questions"),
                    Phrase::tr("linking validation questions"), Phrase::tr("linking test questions")),
          "questions", static_cast<double>(count));
    m_part.questions.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      FATHOM_CHECK(add(i));
      if ((i & 0x3F) != 0) continue;
      if (m_with.setup.stop.stopRequested()) return interruptedError();
      if (progress != nullptr) progress->report(static_cast<double>(i));
    }
    const bool train = m_split == DataSplit::Train;
    m_part.kept = drawn(m_part.kept,
                        train                              ? m_with.options.trainExamples
                        : m_split == DataSplit::Validation ? m_with.options.validationExamples
                                                           : 0,
                        dataSplitName(m_split));
    return {};
  }

  Json leftOutJson() const {
    Json list = Json::array();
    for (const LeftOut& one : m_leftOut) {
      if (list.size() == kNamedExamples) break;
      const SpiderExample& example = m_part.source[static_cast<std::size_t>(one.index)];
      list.push_back({{"example", one.index},
                      {"database", clippedText(example.dbId, 200)},
                      {"reason", one.reason},
                      {"why", clippedText(one.why, 400)},
                      {"question", clippedText(example.question, 200)}});
    }
    return list;
  }
  std::map<std::string, std::int64_t> reasons() const {
    std::map<std::string, std::int64_t> counts;
    for (const LeftOut& one : m_leftOut) ++counts[one.reason];
    return counts;
  }

 private:
  Status add(std::size_t i) {
    const GoldExample& gold = m_part.gold[i];
    const auto index = static_cast<std::int64_t>(i);
    const auto leaveOut = [&](std::string reason, std::string why) {
      m_leftOut.push_back({index, std::move(reason), std::move(why)});
      return Status();
    };
    if (gold.fate != ExampleFate::Kept) return leaveOut(exampleFateName(gold.fate), gold.why);
    const std::int64_t most = m_split == DataSplit::Train ? m_with.options.maxItems : 0;
    if (most > 0 && gold.length > most)
      return leaveOut("over_max_items", std::to_string(gold.length) +
                                            " question tokens and items, the limit is " +
                                            std::to_string(most) + " (spider.max_items)");
    auto question = prepareQuestion(m_part.source[i], m_with);
    if (!question) {
      Error error = question.error();
      error.message =
          std::string(dataSplitName(m_split)) + " example " + std::to_string(i) + ": " + error.message;
      return error;
    }
    m_part.questions[i] = std::move(*question);
    const std::int64_t pieces = m_part.questions[i].pieces;
    if (pieces <= m_with.options.maxPieces) {
      m_part.kept.push_back(index);
      return {};
    }
    if (m_split != DataSplit::Train) m_part.tooWide.push_back(index);
    return leaveOut("row_too_long", std::to_string(pieces) + " word pieces, the limit is " +
                                        std::to_string(m_with.options.maxPieces) + " (spider.max_pieces)");
  }

  DataSplit m_split;
  const SqlPreparation& m_with;
  SqlPart& m_part;
  std::vector<LeftOut> m_leftOut;
};

std::int64_t maskedColumns(const std::vector<GrammarAction>& actions) {
  return std::count_if(actions.begin(), actions.end(), [](GrammarAction a) { return a >= kSelectColumn; });
}

// Percent of gold's columns and tables by the best link that a word has with them.
void countGoldItems(const SqlQuestion& question, const GoldExample& gold, const SpiderSchema& schema,
                    LinkingShares& shares) {
  std::set<int> columns, tables;
  for (const GrammarAction action : gold.actions) {
    if (action < kSelectColumn) continue;
    const ExpandedColumn column = expandedColumnAt(schema, action - kSelectColumn);
    if (column.column > 0) columns.insert(action - kSelectColumn);
    if (column.table >= 0) tables.insert(column.table);
  }
  for (const int column : columns)
    ++shares.goldColumns[static_cast<std::size_t>(foundBy(question.links, false, column))];
  for (const int table : tables)
    ++shares.goldTables[static_cast<std::size_t>(foundBy(question.links, true, table))];
}

Json sharesOf(const std::array<std::int64_t, kFoundBy>& counts) {
  Json json = Json::object();
  for (std::size_t kind = 0; kind < kFoundBy; ++kind)
    json[foundByName(kind)] = LinkingShares::share(counts, kind);
  return json;
}

Json partStatisticsJson(const SqlPart& part, const SqlDatabases& databases) {
  std::vector<std::int32_t> words, columns, tables, elements, pieces, actions;
  std::int64_t corrected = 0, changed = 0, pointed = 0;
  std::map<std::int64_t, std::int64_t> byDatabase;
  LinkingShares shares;
  for (const std::int64_t index : part.kept) {
    const SqlQuestion& question = part.questions[static_cast<std::size_t>(index)];
    const GoldExample& gold = part.gold[static_cast<std::size_t>(index)];
    const SchemaItems& items = databases.at(question.database).items;
    words.push_back(question.words.size());
    columns.push_back(items.columnCount());
    tables.push_back(items.tableCount());
    elements.push_back(question.words.size() + items.itemCount());
    pieces.push_back(static_cast<std::int32_t>(question.pieces));
    actions.push_back(static_cast<std::int32_t>(gold.actions.size()));
    corrected += gold.corrected ? 1 : 0;
    changed += gold.roundTrip ? 0 : 1;
    pointed += maskedColumns(gold.actions);
    ++byDatabase[question.database];
    countGoldItems(question, gold, *databases.at(question.database).schema, shares);
  }
  const auto lengths = [](const std::vector<std::int32_t>& of) {
    return lengthStatisticsJson(lengthStatistics(of));
  };
  return {{"databases", byDatabase.size()},
          {"corrected_gold", corrected},
          {"changed_by_round_trip", changed},
          {"column_actions", pointed},
          {"gold_columns", sharesOf(shares.goldColumns)},
          {"gold_tables", sharesOf(shares.goldTables)},
          {"words", lengths(words)},
          {"columns", lengths(columns)},
          {"tables", lengths(tables)},
          {"elements", lengths(elements)},
          {"pieces", lengths(pieces)},
          {"actions", lengths(actions)}};
}

}  // namespace

Result<SqlQuestion> prepareQuestion(const SpiderExample& example, const SqlPreparation& with,
                                    const SchemaLinks* given) {
  SqlQuestion question;
  question.database = with.databases.find(example.dbId);
  const SqlDatabase& database = with.databases.at(question.database);
  question.words = with.rows.wordPieces(questionWords(example.questionTokens));
  question.pieces = with.rows.rowLength(question.words, database.pieces);
  if (given != nullptr) {
    question.links = *given;
  } else {
    FATHOM_TRY(question.links, with.linker.links(example, *database.schema));
  }
  const SchemaLinks& links = question.links;
  if (links.tokens != question.words.size() || links.columns != database.items.columnCount() ||
      links.tables != database.items.tableCount())
    return aboutFile(
        with.options.linking == "file" ? with.options.links : std::string(),
        dataError(Phrase::tr("links of %1 tokens, %2 columns and %3 tables for a question of %4, %5 and %6")(
                      links.tokens, links.columns, links.tables, question.words.size(),
                      database.items.columnCount(), database.items.tableCount()),
                  Phrase::tr("they were made of other data: make them again (spider.linking)")));
  return question;
}

Result<SqlPart> readSqlPart(DataSplit split, const std::vector<std::string>& files,
                            const SqlPreparation& with, std::vector<DataHash>& hashes) {
  SqlPart part;
  if (files.empty()) return part;
  const std::string name = dataSplitName(split);
  if (with.setup.progress != nullptr)
    with.setup.progress->begin(
        partPhase(name, Phrase::tr("reading train examples"), Phrase::tr("reading validation examples"),
                  Phrase::tr("reading test examples")),
        "", -1);
  SpiderDataset dataset;
  FATHOM_CHECK(readFiles(name, files, dataset, hashes));
  const bool train = split == DataSplit::Train;
  FATHOM_TRY(
      FilteredSpider filtered,
      filterSpider(dataset, with.databases.schemas(),
                   train ? with.options.training : SpiderFilterRules::evaluation(), 1, with.setup.stop));
  part.source = std::move(dataset.examples);
  part.gold = std::move(filtered.examples);
  PartMaker maker(split, with, part);
  FATHOM_CHECK(maker.make());
  part.statistics = partStatisticsJson(part, with.databases);
  part.statistics["records"] = part.source.size();
  part.statistics["examples"] = part.kept.size();
  Json reasons = Json::object();
  for (const LeftOutReason& reason : leftOutReasons())
    reasons[reason.id] = 0;  // what did not occur is said, too
  for (const auto& [reason, count] : maker.reasons()) reasons[reason] = count;
  part.statistics["left_out"] = reasons;
  part.statistics["left_out_examples"] = maker.leftOutJson();
  if (!part.kept.empty()) return part;
  Phrase hint = Phrase::tr("tables.json must be that of the data set");
  if (part.source.empty()) hint = Phrase::tr("name a data set of Spider");
  return dataErrorAt(files.front(), 0,
                     Phrase::tr("none of %1 examples can be used: %2")(part.source.size(), reasons.dump()),
                     hint);
}

IgnorantLoss ignorantLoss(const SqlPart& part, const SqlDatabases& databases) {
  std::map<std::pair<int, int>, std::map<GrammarAction, double>> seen;  // (parent's production, type)
  IgnorantLoss loss;
  for (const std::int64_t index : part.kept) {
    const auto at = static_cast<std::size_t>(index);
    const int columns = databases.at(part.questions[at].database).items.columnCount();
    GrammarState state;
    for (const GrammarAction action : part.gold[at].actions) {
      if (action >= kSelectColumn)
        loss.columns += std::log(columns);
      else
        seen[{state.parentProduction(), state.frontier().type}][action] += 1;
      state.apply(action);
    }
  }
  for (const auto& [where, counts] : seen) {
    double total = 0;
    for (const auto& [action, count] : counts) total += count;
    for (const auto& [action, count] : counts) loss.rules -= count * std::log(count / total);
  }
  const auto examples = static_cast<double>(std::max<std::size_t>(part.kept.size(), 1));
  return {loss.rules / examples, loss.columns / examples};
}

const std::vector<LeftOutReason>& leftOutReasons() {
  static const std::vector<LeftOutReason> kReasons = {
      {"unknown_database", "Left out: unknown database"},
      {"empty_question", "Left out: empty question"},
      {"known_bad", "Left out: known bad"},
      {"parse_failure", "Left out: gold does not parse"},
      {"not_expressible", "Left out: outside the grammar"},
      {"not_round_trip", "Left out: changed by the round trip"},
      {"too_long", "Left out: too long"},
      {"over_max_items", "Left out: more than the small examples"},
      {"row_too_long", "Left out: row longer than the encoder takes"}};
  return kReasons;
}

}  // namespace fathom
