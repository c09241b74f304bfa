// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/spider/grammar/spider_filter.h"
#include "core/spider/linking/schema_links.h"
#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/example_linker.h"
#include "core/tasks/text_to_sql/sql_databases.h"
#include "core/tasks/text_to_sql/text_to_sql_options.h"

namespace fathom {

// A question ready for batches.
struct SqlQuestion {
  std::int64_t database = -1;
  std::vector<std::string> tokens;  // of a typed one; those of a data set are in SqlPart::source
  PieceList words;                  // pieces of its tokens
  SchemaLinks links;
  std::int64_t pieces = 0;  // of its row
};

// One part of the data. Vectors are parallel to the records of its files.
struct SqlPart {
  std::vector<SpiderExample> source;
  std::vector<GoldExample> gold;
  std::vector<SqlQuestion> questions;
  std::vector<std::int64_t> kept;     // in batches, rising
  std::vector<std::int64_t> tooWide;  // evaluated as wrong: their row is longer than the encoder takes
  Json statistics = Json::object();
};

// Everything needed to turn examples into questions.
struct SqlPreparation {
  const TextToSqlOptions& options;
  const SqlDatabases& databases;
  const RowBuilder& rows;
  const ExampleLinker& linker;
  const TaskSetup& setup;
};

// `example.questionTokens` are there, its database is known. `links`: instead of the linker's; null: its own.
Result<SqlQuestion> prepareQuestion(const SpiderExample& example, const SqlPreparation& with,
                                    const SchemaLinks* links = nullptr);

// Reads, filters, links and measures the files of a part; `files` empty: an empty part. `hashes` gets one
// entry a file.
Result<SqlPart> readSqlPart(DataSplit split, const std::vector<std::string>& files,
                            const SqlPreparation& with, std::vector<DataHash>& hashes);

// Nats per example of a model that sees nothing of its input (docs/text_to_sql.md §7).
struct IgnorantLoss {
  double rules = 0, columns = 0;
  double total() const { return rules + columns; }
};
IgnorantLoss ignorantLoss(const SqlPart& part, const SqlDatabases& databases);

// Why an example is left out (docs/text_to_sql.md §1): the id in statistics, the title on the data page.
struct LeftOutReason {
  const char* id;
  const char* title;
};
const std::vector<LeftOutReason>& leftOutReasons();

}  // namespace fathom
