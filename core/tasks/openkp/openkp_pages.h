// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/options/metric.h"
#include "core/tasks/long_text/long_text_task.h"
#include "core/tasks/openkp/openkp_layout.h"

namespace fathom {

// One part of the data. Examples of training are pages with a key phrase in their input, of the other parts
// all pages.
struct OpenKpPart {
  std::vector<OpenKpRecord> pages;
  std::vector<std::int32_t> examples;  // places in pages
  std::int64_t left = 0;               // records left out
  bool labelled = false;               // there are key phrases
};

// Takes the pages of a part out of its records. Data errors name place and field: two pages of one address,
// some with and some without key phrases, none where they are needed (`answered`).
class OpenKpTaker {
 public:
  OpenKpTaker(OpenKpPart& part, bool answered) : m_part(part), m_answered(answered) {}
  Status take(const Json& json, const std::string& place);

 private:
  OpenKpPart& m_part;
  bool m_answered;
  std::set<std::string> m_urls;
};

// Lays every page once: chooses the examples and counts what was cut. `train`: pages without a key phrase in
// their input are no examples. Interrupted when setup.stop asks.
Result<Json> prepareOpenKpPart(OpenKpPart& part, bool train, const LongPieces& pieces,
                               const OpenKpLimits& limits, const TaskSetup& setup,
                               std::vector<std::int32_t>& widths);
std::vector<StatisticField> openKpStatistics();

// Blocks as lines, its beginning where it is long.
std::string openKpText(const OpenKpRecord& record, std::size_t mostBytes);
// "a b; c"
std::string phraseList(const std::vector<std::string>& phrases);
std::vector<std::string> goldPhrases(const OpenKpRecord& record);

// Scores of completed predictions in per cent: F1, precision and recall at 3, 1 and 5.
std::vector<TaskScore> openKpScores(const std::vector<std::vector<std::string>>& gold,
                                    const std::vector<std::vector<std::string>>& predicted);
Metrics openKpMetrics();

}  // namespace fathom
