// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

struct WikiHopRecord {
  std::string id, query, answer;
  std::vector<std::string> supports, candidates;
};
// Data errors name `place` (file and line) and the field: missing, of another kind, no candidates, an answer
// that is none of them (`answered`).
Result<WikiHopRecord> wikiHopRecord(const Json& json, const std::string& place, bool answered = true);

struct WikiHopLimits {
  std::int64_t longLength = 4096, globalLength = 430, maxSentences = 200;
};

struct WikiHopExample {
  LongLayout layout;
  std::int64_t label = -1;                          // place of the answer among the candidates, -1 without
  std::vector<std::vector<std::string>> sentences;  // of each document
  std::vector<std::int64_t> kept;                   // sentences of each document that are in
};

// Candidates, query, documents (docs/long_inputs.md §4): what does not fit is cut sentence by sentence, from
// the document that has most of them left. Data error where candidates and query alone do not fit.
Result<WikiHopExample> layWikiHop(const WikiHopRecord& record, const LongPieces& pieces,
                                  const WikiHopLimits& limits);

}  // namespace fathom
