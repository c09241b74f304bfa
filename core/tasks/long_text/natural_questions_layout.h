// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

using WordRange = std::pair<std::int64_t, std::int64_t>;  // [begin, end) of a page's words

struct NqAnnotation {
  std::optional<WordRange> longAnswer;
  std::vector<WordRange> shortAnswers;
  std::string yesNo = "NONE";  // YES, NO, NONE
};

// A page: its words in order, HTML tags among them as <...>; the top-level candidates of a long answer.
struct NqRecord {
  std::string id, question;
  std::vector<std::string> words;
  std::vector<WordRange> candidates;
  std::vector<NqAnnotation> annotations;
};
// A line of the simplified layout (document_text, long_answer_candidates) or of the original one
// (document_tokens with their tags): both as released, candidates that lie in others left out. Data errors
// name `place` and the field.
Result<NqRecord> nqRecord(const Json& json, const std::string& place, bool answered = true);

bool isHtmlTag(const std::string& word);

enum class NqAnswer : std::int32_t { Null, Yes, No, Long, Short };

struct NqLimits {
  std::int64_t longLength = 4096, globalLength = 230, stride = 1024, questionLength = 32;
};

struct NqWindow {
  LongLayout layout;  // `word` counts the page's words
  std::int64_t start = 0, pieces = 0;
  std::vector<std::int32_t> candidate;        // of each long token, -1 outside of candidates
  std::vector<std::int32_t> globalCandidate;  // of each global token
  std::int64_t shortStart = 0, shortEnd = 0, longStart = 0, longEnd = 0;  // targets, 0: not in the window
  NqAnswer type = NqAnswer::Null;
};

// [CLS] question [SEP] pieces [SEP] in windows that begin at 0, stride, 2 stride, … (docs/long_inputs.md §4).
// Targets are those of the first annotation.
std::vector<NqWindow> layNaturalQuestions(const NqRecord& record, const LongPieces& pieces,
                                          const NqLimits& limits);

}  // namespace fathom
