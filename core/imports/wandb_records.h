// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/imports/formats/python_json.h"
#include "core/imports/imported_texts.h"

namespace fathom {

// What the records of one .wandb file say: one attempt of a run.
struct WandbFacts {
  std::string id, project, name, group, jobType, notes, host;
  Json tags = Json::array(), config = Json::object(), summary = Json::object();
  Json stepMetrics = Json::object();  // metric or pattern → metric that is its x axis
  Json directions = Json::object();   // metric or pattern → "lower", "higher"
  double started = 0;
  bool told = false;   // the run record came
  bool ended = false;  // the exit record came
  std::int64_t exitCode = 0;
  std::vector<ImportedLoad> loads;             // not given yet
  ImportedTexts texts;                         // and histograms
  std::map<std::string, std::int64_t> others;  // values that are no curve, by name
  std::int64_t strange = 0;

  Json state() const;
  void restore(const Json& state);
  // What define_metric said of these metrics, by their name or a pattern; those of which it said nothing are
  // left out.
  Metrics declaredOf(const std::set<std::string>& metrics) const;
};

// Takes one record; points of a history row go to `points`. False where the bytes are no record.
Result<bool> takeWandbRecord(std::string_view record, WandbFacts& facts, ImportedPoints& points);

}  // namespace fathom
