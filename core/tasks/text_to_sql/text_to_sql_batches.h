// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tasks/host_batch.h"
#include "core/tasks/text_to_sql/sql_databases.h"
#include "core/tasks/text_to_sql/sql_examples.h"

namespace fathom {

// One row of a batch to be.
struct SqlRow {
  ExampleId example;
  const SqlQuestion* question = nullptr;
  const std::vector<GrammarAction>* actions = nullptr;  // null: there is no gold
  std::vector<std::int64_t> order;                      // of the items, empty = their own
  const std::vector<std::string>* tokens = nullptr;     // of the question; null: not told
};

// The arrays that text_to_sql_task.h describes.
HostBatch makeSqlBatch(const std::vector<SqlRow>& rows, const SqlDatabases& databases,
                       const RowBuilder& builder);

}  // namespace fathom
