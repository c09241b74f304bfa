// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/imports/foreign_database.h"
#include "core/imports/mlflow_files.h"

namespace fathom {

// Rows of MLflow's SQLite database (mlflow.db).
struct MlflowRow {
  std::string run, metric;
  double step = kNaN, time = kNaN, value = 0;  // no step: an old schema
};
struct MlflowRows {
  std::vector<MlflowRow> rows;
  std::map<std::string, MlflowFacts> runs;  // all of them, by id
  bool anew = false;  // rows have other numbers than before (VACUUM does that): all of them come again
  bool more = false;  // not all that there is
};
// How far one was read.
struct MlflowPlace {
  std::int64_t row = 0;
  std::uint32_t sum = 0;  // CRC-32C of the last row
  Json state() const;
  void restore(const Json& state);
};

// What came behind `place`, which is moved. A data error names what the database lacks.
Result<ForeignDatabase::Outcome> readMlflowRows(ForeignDatabase& database, MlflowPlace& place,
                                                const StopToken& stop, MlflowRows& out);
// Is there MLflow's database in a file?
bool isMlflowDatabase(const std::string& path);

}  // namespace fathom
