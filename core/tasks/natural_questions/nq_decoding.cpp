// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/nq_decoding.h"

#include <algorithm>

namespace fathom {

NqWindowScores nqWindowScores(std::span<const double> logits, std::span<const std::int64_t> words,
                              std::span<const double> type, std::int64_t top) {
  NqWindowScores scores;
  std::copy_n(type.begin(), scores.type.size(), scores.type.begin());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] >= 0) places.push_back(i);
  const auto kept = std::min(places.size(), static_cast<std::size_t>(top));
  for (std::size_t head = 0; head < kNqHeads; ++head) {
    const auto logit = [&](std::size_t place) { return logits[place * kNqHeads + head]; };
    std::vector<std::size_t> best = places;
    std::partial_sort(
        best.begin(), best.begin() + static_cast<std::ptrdiff_t>(kept), best.end(),
        [&](std::size_t a, std::size_t b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; });
    for (std::size_t i = 0; i < kept; ++i)
      scores.ends[head].push_back({words[best[i]], logit(best[i]) - logits[head]});
  }
  return scores;
}

NqSpan nqJointSpan(const std::vector<NqWindowScores>& windows, bool shortAnswer, const NqDecoding& how) {
  const std::size_t first = shortAnswer ? kShortStart : kLongStart, last = first + 1;
  const NqEnd* begin = nullptr;
  for (const NqWindowScores& window : windows)
    for (const NqEnd& one : window.ends[first])
      if (begin == nullptr || one.score > begin->score ||
          (one.score == begin->score && one.word > begin->word))
        begin = &one;
  if (begin == nullptr) return {};
  const NqEnd *end = nullptr, *alone = nullptr;
  for (const NqWindowScores& window : windows)
    for (const NqEnd& one : window.ends[last]) {
      if (alone == nullptr || one.score > alone->score) alone = &one;
      const bool fits = one.word >= begin->word && (!shortAnswer || one.word - begin->word < how.maxShort);
      if (fits && (end == nullptr || one.score > end->score)) end = &one;
    }
  if (end != nullptr) return {{begin->word, end->word + 1}, begin->score + end->score};
  return {{alone->word, alone->word + 1}, begin->score + alone->score};
}

WordRange nearestCandidate(const std::vector<WordRange>& candidates, WordRange span) {
  WordRange best{-1, -1};
  std::int64_t most = 0;
  for (const WordRange& one : candidates) {
    const std::int64_t shared = std::min(one.second, span.second) - std::max(one.first, span.first);
    if (shared <= most) continue;
    most = shared;
    best = one;
  }
  return best;
}

NqPageSpans nqPageSpans(const std::vector<NqWindowScores>& windows, const NqDecoding& how) {
  NqPageSpans spans{nqJointSpan(windows, false, how), nqJointSpan(windows, true, how), NqAnswer::Null};
  if (windows.empty()) return spans;
  const auto& type = windows.back().type;
  spans.kind = static_cast<NqAnswer>(std::max_element(type.begin(), type.end()) - type.begin());
  return spans;
}

Json nqPageSpansJson(const NqPageSpans& spans) {
  const auto words = [](const NqSpan& span) { return Json{span.words.first, span.words.second}; };
  return {{"long", words(spans.longAnswer)},
          {"long_score", jsonReal(spans.longAnswer.score)},
          {"short", words(spans.shortAnswer)},
          {"short_score", jsonReal(spans.shortAnswer.score)},
          {"kind", static_cast<int>(spans.kind)}};
}

NqPageSpans nqPageSpansFrom(const Json& json) {
  const auto span = [&](const char* name, const char* score) {
    return NqSpan{{json.at(name).at(0).get<std::int64_t>(), json.at(name).at(1).get<std::int64_t>()},
                  realFromJson(json.at(score)).value()};
  };
  return {span("long", "long_score"), span("short", "short_score"),
          static_cast<NqAnswer>(json.at("kind").get<int>())};
}

NqPrediction decodeNqPage(const std::vector<WordRange>& candidates, const NqPageSpans& spans,
                          const NqDecoding& how) {
  NqPrediction prediction;
  const NqSpan &whole = spans.longAnswer, &part = spans.shortAnswer;
  prediction.longScore = whole.score;
  prediction.shortScore = part.score;
  if (whole.any()) {
    const WordRange words = how.candidates ? nearestCandidate(candidates, whole.words) : whole.words;
    if (words.first >= 0) prediction.answer.longAnswer = words;
  }
  if (spans.kind == NqAnswer::Yes) prediction.answer.yesNo = "YES";
  if (spans.kind == NqAnswer::No) prediction.answer.yesNo = "NO";
  const bool cleared =
      spans.kind == NqAnswer::Yes || spans.kind == NqAnswer::No || spans.kind == NqAnswer::Long;
  if (part.any() && !cleared) prediction.answer.shortAnswers = {part.words};
  return prediction;
}

}  // namespace fathom
