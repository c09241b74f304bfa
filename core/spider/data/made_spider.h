// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// A small Text-to-SQL project made by rules: three databases, questions and gold SQL from templates, and the
// predictions of two imaginary models whose errors are of known kinds.
struct MadeSpiderExample {
  std::string dbId, question, gold;
  std::string careful, hasty;          // predictions of the two models
  std::string carefulKind, hastyKind;  // "Correct", "Column", "Sketch", "Both", "False negative"
};

struct MadeSpider {
  std::string tablesJson;
  std::vector<std::string> databases;    // db_ids
  std::vector<std::string> databaseSql;  // CREATE and INSERT statements, one text per database
  std::vector<MadeSpiderExample> examples;
};

// The same sample for the same seed on every platform.
MadeSpider makeSpiderData(std::uint64_t seed = 1);

// Writes tables.json, dev.json, dev_gold.sql, database/<db_id>/<db_id>.sqlite, predictions/careful.sql,
// predictions/hasty.sql and predictions/known_kinds.csv into `folder`. Existing files of these names are
// replaced.
Status writeMadeSpider(const MadeSpider& made, const std::string& folder);

}  // namespace fathom
