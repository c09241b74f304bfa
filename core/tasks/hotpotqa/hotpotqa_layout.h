// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

struct SupportingFact {
  std::string title;
  std::int64_t sentence = 0;
  auto operator<=>(const SupportingFact&) const = default;
};

struct HotpotRecord {
  struct Paragraph {
    std::string title;
    std::vector<std::string> sentences;
  };
  std::string id, question, answer;
  std::vector<SupportingFact> facts;
  std::vector<Paragraph> paragraphs;
};
// A record of the distractor setting. Data errors name `place` and the field; `answered`: answer and facts
// must be there.
Result<HotpotRecord> hotpotRecord(const Json& json, const std::string& place, bool answered = true);

enum class HotpotAnswer : std::int32_t { Span, Yes, No };

struct HotpotExample {
  LongLayout layout;
  std::vector<std::int32_t> globalParagraph, globalSentence;  // of each global token, -1: none
  std::vector<std::int32_t> supporting;                       // 1: stands for a supporting fact
  HotpotAnswer type = HotpotAnswer::Span;
  std::pair<std::int64_t, std::int64_t> span{0, 0};          // first and last long token; 0, 0: [CLS]
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;  // all, in order of their ends
  std::vector<std::array<std::int64_t, 2>> skipped;  // paragraph and sentence left out, -1 = its title
  bool trainable = false;  // a supporting fact is in, and a span where one is asked for
};

struct HotpotLimits {
  std::int64_t longLength = 4096, globalLength = 256;
};

// [CLS], question, then of each paragraph title and sentences (docs/long_inputs.md §4). A title or sentence
// that does not fit is left out whole, the next one is tried. Data error where the question does not fit.
Result<HotpotExample> layHotpot(const HotpotRecord& record, const LongPieces& pieces,
                                const HotpotLimits& limits);

// What the heads say of one example; logits of real and padded tokens alike.
struct HotpotLogits {
  std::vector<double> begin, end;  // of long tokens
  std::vector<double> supporting;  // of global tokens
  std::array<double, 3> type{};    // span, yes, no
};
// Where tokens belong, as far as the choice of an answer asks.
struct HotpotPlaces {
  std::span<const std::int32_t> sentence, paragraph;  // of real long tokens: places in the global stream
  std::span<const std::int32_t> globalSentence;       // of real global tokens
};
// What the logits say: both ends of a span in one sentence or title that is predicted as supporting (sigmoid
// of at least a half), at most `longest` pieces, the highest product of both probabilities, larger begin and
// end on ties.
struct HotpotChoice {
  HotpotAnswer type = HotpotAnswer::Span;
  std::pair<std::int64_t, std::int64_t> span{-1, -1};  // -1: none
  double spanScore = 0;                                // log probability over real tokens
  std::vector<std::int32_t> facts;                     // places of sentences
};
HotpotChoice chooseHotpot(const HotpotPlaces& places, const HotpotLogits& logits, std::int64_t longest = 30);

struct HotpotPrediction {
  std::string answer;
  std::vector<SupportingFact> facts;
  std::pair<std::int64_t, std::int64_t> span{-1, -1};  // -1: none
};
// The choice as texts.
HotpotPrediction hotpotPrediction(const HotpotRecord& record, const HotpotExample& example,
                                  const HotpotChoice& choice, const LongPieces& pieces);

}  // namespace fathom
