// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/sql_databases.h"
#include "core/text/tokenizer.h"

namespace fathom {

// Input of the stacks in a row of a batch (text_to_sql_task.h), as text. "encoder": its pieces. "extra": the
// question's words, columns ("table.column"), tables; blank up to the longest row of the batch. Each is of
// the sort "question", "column" or "table"; a mark behind an item is of the item's sort. Words and items that
// the relations link are `linked` (only "extra", only where there are relations).
TokenRows sqlTokenRows(const HostBatch& batch, std::int64_t row, const SqlDatabases& databases,
                       const Tokenizer& tokenizer);

}  // namespace fathom
