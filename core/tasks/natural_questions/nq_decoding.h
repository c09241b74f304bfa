// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/json/json.h"
#include "core/tasks/natural_questions/natural_questions_layout.h"
#include "core/tasks/natural_questions/nq_scores.h"

namespace fathom {

// Settings by which logits over the windows of a page become its answers (docs/long_inputs.md §4).
struct NqDecoding {
  std::int64_t maxShort = 32;  // words between the ends of a short answer, less than this
  std::int64_t top = 50;       // ends of a window that are looked at
  bool candidates = true;      // the long answer is a candidate, else the words as they were found
};

// An end of an answer that a window proposes: a word of the page, and its logit less that of the first place.
struct NqEnd {
  std::int64_t word = 0;
  double score = 0;
};
enum NqHeadPlace : std::uint8_t { kShortStart, kShortEnd, kLongStart, kLongEnd, kNqHeads };
struct NqWindowScores {
  std::array<std::vector<NqEnd>, kNqHeads> ends;  // the best first, of equals the earlier place
  std::array<double, 5> type{};                   // by NqAnswer
};
// logits [length, 4] of a window, words [length] of the page, -1 outside of it: such places end no answer.
NqWindowScores nqWindowScores(std::span<const double> logits, std::span<const std::int64_t> words,
                              std::span<const double> type, std::int64_t top);

// The best begin over all windows, then the best end that is not before it (of a short answer, near enough);
// where there is none, the best end alone. Of equal scores the larger word begins, the earlier in the list
// ends.
struct NqSpan {
  WordRange words{-1, -1};
  double score = 0;
  bool any() const { return words.first >= 0; }
};
NqSpan nqJointSpan(const std::vector<NqWindowScores>& windows, bool shortAnswer, const NqDecoding& how);

// Common result of all windows of a page; `kind` is that of the last one (released code).
struct NqPageSpans {
  NqSpan longAnswer, shortAnswer;
  NqAnswer kind = NqAnswer::Null;
};
NqPageSpans nqPageSpans(const std::vector<NqWindowScores>& windows, const NqDecoding& how);
// {"long", "long_score", "short", "short_score", "kind"}
Json nqPageSpansJson(const NqPageSpans& spans);
NqPageSpans nqPageSpansFrom(const Json& json);

// The candidate that shares most words with the span, the earlier of equals; {-1, -1}: none shares any.
WordRange nearestCandidate(const std::vector<WordRange>& candidates, WordRange span);

// YES and NO are the short answer, LONG clears it.
NqPrediction decodeNqPage(const std::vector<WordRange>& candidates, const NqPageSpans& spans,
                          const NqDecoding& how);

}  // namespace fathom
