// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/tasks/text_to_sql/made_text_to_sql.h"
#include "core/tasks/text_to_sql/sql_databases.h"
#include "core/tasks/text_to_sql/text_to_sql_task.h"
#include "core/text/wordpiece_tokenizer.h"

// The generated Text-to-SQL data and tasks on it, for the tests of the task.
namespace fathom::sql_task {

using Changes = std::map<std::string, Json>;
using Texts = std::vector<std::string>;

// The generated data, written once.
class Sample {
 public:
  Sample() : m_made(writeMadeTextToSql(folder(), 1, MadeDataSize::Check).value()) {}
  std::string folder() const { return m_place.path().toStdString(); }
  OptionValues options(const Changes& changes = {}) const {
    OptionValues values{OptionSchema(textToSqlOptionFields(), textToSqlOptionRules())};
    for (const auto& [key, value] : m_made.options.items()) values.set(key, value).value();
    values.set("spider.linking", "stems").value();  // WordNet takes a second to read
    for (const auto& [key, value] : changes) values.set(key, value).value();
    return values;
  }
  // A file of records beside the others.
  std::string write(const std::string& name, const Json& records) const {
    writeFileAtomically(folder() + "/" + name, records.dump()).value();
    return folder() + "/" + name;
  }

 private:
  QTemporaryDir m_place;
  MadeData m_made;
};
inline const Sample& sample() {
  static const Sample kSample;
  return kSample;
}

inline std::unique_ptr<TextToSqlTask> sqlTask(const OptionValues& options, const TaskSetup& setup = {}) {
  auto made = TextToSqlTask::create(options, setup).value();
  return std::unique_ptr<TextToSqlTask>(dynamic_cast<TextToSqlTask*>(made.release()));
}
inline std::unique_ptr<TextToSqlTask> sampleTask(const Changes& changes = {}) {
  return sqlTask(sample().options(changes));
}

inline RowBuilder rowBuilderOf(const TextToSqlTask& task) {
  return RowBuilder(
      std::make_shared<const WordPieceTokenizer>(
          WordPieceTokenizer::fromText(task.artifacts().at("vocabulary.txt"), "vocabulary.txt").value()),
      {});
}
// Those of the file, numbered as in the task on it.
inline SqlDatabases databasesOf(const TextToSqlTask& task,
                                const std::string& tables = sample().options().text("spider.tables")) {
  return SqlDatabases::make(readFile(tables).value(), tables, rowBuilderOf(task), RelationSet::DtFixup)
      .value();
}

inline std::vector<std::int64_t> rowOfRagged(const HostRagged& ragged, std::int64_t row) {
  const auto offsets = ragged.offsets.values<std::int64_t>();
  const std::int64_t width = ragged.values.shape().size() > 1 ? ragged.values.size(1) : 1;
  const auto begin = offsets[static_cast<std::size_t>(row)] * width,
             end = offsets[static_cast<std::size_t>(row) + 1] * width;
  std::vector<std::int64_t> values;
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
    values.push_back(ragged.values.dtype() == HostDtype::U8 ? ragged.values.values<std::uint8_t>()[i]
                                                            : ragged.values.values<std::int64_t>()[i]);
  return values;
}
inline std::int64_t valueAt(const HostBatch& batch, const char* array, std::int64_t row) {
  return batch.array(array).values<std::int64_t>()[static_cast<std::size_t>(row)];
}

inline std::vector<std::int64_t> examplesOf(const HostBatch& batch) {
  std::vector<std::int64_t> examples;
  for (const ExampleId example : batch.examples) examples.push_back(example.value);
  return examples;
}

// Gold as predictions, of the examples in batches.
inline std::vector<Prediction> goldPredictions(const TextToSqlTask& task, DataSplit split) {
  std::vector<Prediction> predictions;
  for (std::int64_t b = 0; b < task.batchCount(split); ++b) {
    const HostBatch batch = task.makeBatch(split, b);
    for (std::int64_t row = 0; row < batch.rows(); ++row) {
      Prediction one;
      one.example = batch.examples[static_cast<std::size_t>(row)];
      one.ids = {valueAt(batch, "databases", row)};
      const auto actions = rowOfRagged(batch.ragged("actions"), row);
      one.ids.insert(one.ids.end(), actions.begin(), actions.end());
      predictions.push_back(std::move(one));
    }
  }
  return predictions;
}

inline double scoreOf(const std::vector<TaskScore>& scores, const std::string& id) {
  for (const TaskScore& score : scores)
    if (score.id == id) return score.value;
  return -1;
}

// What gold gives when it is predicted.
inline std::vector<Prediction> completed(const TextToSqlTask& task, DataSplit split) {
  auto predictions = goldPredictions(task, split);
  task.complete(predictions);
  return predictions;
}

inline Json record(const std::string& db, const std::string& question, const std::string& query) {
  return {{"db_id", db}, {"question", question}, {"query", query}};
}

// What the statistics of a part say was left out.
inline std::int64_t leftOut(const TextToSqlTask& task, const char* part, const char* reason) {
  return task.statistics()[part]["left_out"].value(reason, std::int64_t{0});
}

}  // namespace fathom::sql_task
