// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/spider/linking/asked_question.h"
#include "core/tasks/linked_examples.h"
#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/example_linker.h"
#include "core/tasks/text_to_sql/sql_databases.h"
#include "core/tasks/text_to_sql/sql_examples.h"
#include "core/tasks/text_to_sql/text_to_sql_options.h"
#include "core/tasks/text_to_sql/text_to_sql_vocabulary.h"

namespace fathom {

// Task "text_to_sql" (docs/text_to_sql.md). Row r of a batch has W words (question tokens), C expanded
// columns, K tables with the extra one, I = K + C items in the order tables, extra table, columns, and
// n = W + C + K elements in the order words, columns, tables. Dense, i64:
//   tokens, segments, positions  [B, T]  word pieces; padding has the pad id, segment 0, positions go on
//   lengths                      [B]     pieces of the row
//   databases                    [B]     number of the database
//   words, columns, tables       [B]     W, C, K
// Ragged, a row each, i64 but for the relations:
//   word_spans           [W, 2]  pieces [begin, end) of each word; empty: the word has no piece
//   item_spans           [I, 2]  of each item, however the items were listed
//   item_order           [I]     order[place] = item in the row of pieces
//   column_table         [C]     table of each column in [0, K); K - 1 for the global star
//   question             [bytes] u8, its tokens joined by line ends
//   relations            [n n]   u8, row by row (query, key); absent with spider.relations=none
//   actions              [A]     gold: 0..44 rule, 45 Reduce, 1000 + c column c; absent without gold
//   action_parents       [A]     step that made the owner of the field an action fills, 0 at the root
//   action_parent_rules  [A]     that owner's rule, -1 at the root
//   action_types         [A]     type of the field
// targetUnits = B. sizes(): vocabulary, pad_id, cls_id, sep_id, unk_id, segments (2), lower_case, byte_level,
// longest (pieces), longest_elements (n), longest_actions, relation_types, rules (46), types (16), databases.
// A prediction's ids: number of the database, then its actions; nothing where the search found nothing. Its
// details: the final beam (core/spider/grammar/search_details.h), from its numbers to names by complete().
// statistics(): beside the parts "notes", what each leaves out, and "warnings", what was missing and is gone
// on without (WordNet, values of a database): sentences for the log of a run. Scores in per cent:
// "exact_match" first, by level ("exact_match_easy", …), "internal_match", "sketch_match".
//
// An example is known by its record in the file of its part, left out or not. Training batches are drawn
// anew for each epoch: makeBatch gives those of epoch 0 with the items in their own order, makeTrainBatch
// those of any epoch, and epochOrder keeps their order, so that the short one comes last.
class TextToSqlTask : public Task, public LinkedExamples {
 public:
  static Result<std::unique_ptr<Task>> create(const OptionValues& values, const TaskSetup& setup);

  std::int64_t exampleCount(DataSplit split) const override;
  std::int64_t batchCount(DataSplit split) const override;
  std::int64_t batchTargetUnits(DataSplit split, std::int64_t batch) const override;
  HostBatch makeBatch(DataSplit split, std::int64_t batch) const override;
  HostBatch makeTrainBatch(std::int64_t epoch, std::int64_t batch) const override;
  std::vector<ExampleId> batchedExamples(DataSplit split) const override;
  std::vector<std::vector<ExampleId>> planExamples(DataSplit split,
                                                   const std::vector<ExampleId>& examples) const override;
  HostBatch makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const override;
  std::vector<std::int64_t> epochOrder(std::uint64_t seed, std::int64_t epoch) const override;
  std::map<std::string, std::int64_t> sizes() const override;
  // Entropy of a model that ignores its input, per example (docs/text_to_sql.md §7).
  double targetUnigramEntropy() const override { return m_ignorant.total(); }
  std::vector<DataHash> dataHashes() const override { return m_hashes; }
  Json statistics() const override { return m_statistics; }
  std::map<std::string, std::string> artifacts() const override;
  ExampleTexts exampleTexts(DataSplit split, ExampleId example) const override;
  TokenRows pieces(const HostBatch& batch, std::int64_t row) const override;
  void complete(std::vector<Prediction>& predictions) const override;
  Result<std::vector<TaskScore>> score(DataSplit split,
                                       const std::vector<Prediction>& predictions) const override;
  // Lines "db_id TAB question". Errors have the line's number (from 1) and name the nearest database.
  Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                 TextFindings* findings) const override;
  // Such lines, and objects of core/spider/linking/asked_question.h; inputs are such objects, complete, with
  // "items": {"tables", "columns"} (names as people read them, columns with their table).
  Result<RequestBatches> batchesFromRequests(std::span<const Json> items) const override;

  Result<ExampleLinks> exampleLinks(DataSplit split, ExampleId example) const override;
  Result<std::string> linkFileWith(const std::vector<LinkChange>& changes, Progress& progress,
                                   const StopToken& stop) const override;
  Json optionsForLinkFile(const std::string& file) const override;

 private:
  TextToSqlTask(TextToSqlOptions options, std::uint64_t seed, TextToSqlVocabulary vocabulary,
                std::string tables, std::unique_ptr<const SqlDatabases> databases,
                OpenedExampleLinker linking);
  Status read(const TaskSetup& setup);
  const SqlPart& part(DataSplit split) const { return m_parts[static_cast<std::size_t>(split)]; }
  std::int64_t batchSize(DataSplit split) const;
  // Records of a batch; of training in the order of an epoch.
  std::vector<std::int64_t> recordsOf(DataSplit split, std::int64_t epoch, std::int64_t batch) const;
  HostBatch batchOfRecords(DataSplit split, const std::vector<std::int64_t>& records) const;
  Result<AskedQuestion> askedOf(const Json& item) const;
  Result<SqlQuestion> prepared(const AskedQuestion& asked) const;
  // Batches of those whose row is not too wide; example ids are places in `questions`.
  std::vector<HostBatch> batchesOfFree(const std::vector<SqlQuestion>& questions,
                                       TextFindings& findings) const;
  Result<LinkedQuestion> linked(const SpiderExample& example) const;

  TextToSqlOptions m_options;
  std::uint64_t m_seed;
  TextToSqlVocabulary m_vocabulary;
  std::string m_tables;  // bytes of tables.json
  RowBuilder m_rows;
  std::unique_ptr<const SqlDatabases> m_databases;
  OpenedExampleLinker m_linking;   // looks into the databases' schemas
  std::array<SqlPart, 3> m_parts;  // by DataSplit
  std::vector<DataHash> m_hashes;
  Json m_statistics = Json::object();
  IgnorantLoss m_ignorant;
};

}  // namespace fathom
