// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <thread>

#include "core/analysis/statistics/paired_test.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/threads/thread_ranges.h"
#include "core/review/review.h"

namespace fathom {

namespace {

constexpr unsigned kMostPairThreads = 8;

void takeInterval(const ResampledDifference& found, PairTest test, ReviewPair& pair) {
  pair.low = found.interval.low;
  pair.high = found.interval.high;
  if (test == PairTest::Bootstrap) pair.p = found.p;
}

// Both models are compared on the examples that are scored; a gap that is no number is left out.
ReviewPair countedPair(const Review& review, std::size_t first, std::size_t second,
                       std::vector<double>* gaps) {
  ReviewPair pair;
  pair.first = first;
  pair.second = second;
  const auto &a = review.models[first].verdicts, &b = review.models[second].verdicts;
  std::vector<int> rightA, rightB;
  rightA.reserve(review.examples());
  rightB.reserve(review.examples());
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < review.examples(); ++i) {
    if (!a[i].right && !a[i].wrong) continue;
    rightA.push_back(a[i].right);
    rightB.push_back(b[i].right);
    const double gap = a[i].score - b[i].score;
    if (std::isnan(gap)) continue;  // of one of them there is no number
    if (gaps != nullptr) gaps->push_back(gap);
    sum += gap;
    ++count;
  }
  const McNemarTest test = mcnemarTest(rightA, rightB);
  pair.onlyFirst = test.onlyFirst;
  pair.onlySecond = test.onlySecond;
  pair.difference = count == 0 ? kNaN : sum / static_cast<double>(count);
  if (review.kind->test == PairTest::McNemar) pair.p = test.pExact;
  return pair;
}

ReviewPair pairOf(const Review& review, std::size_t first, std::size_t second) {
  std::vector<double> gaps;
  ReviewPair pair = countedPair(review, first, second, &gaps);
  const PairedBootstrap found = bootstrapMean(gaps);
  takeInterval({found.interval, found.p}, review.kind->test, pair);
  if (gaps.empty()) {  // no example has a number of both
    pair.low = pair.high = kNaN;
    if (review.kind->test != PairTest::McNemar) pair.p = kNaN;
  }
  return pair;
}

// Scores [scored example × model] where every model is scored on the same examples and has a number for each.
std::vector<double> commonScores(const Review& review) {
  const std::size_t models = review.models.size();
  std::vector<double> scores;
  scores.reserve(review.examples() * models);
  for (std::size_t i = 0; i < review.examples(); ++i) {
    std::size_t scored = 0;
    for (const ReviewModel& model : review.models) {
      const ReviewVerdict& verdict = model.verdicts[i];
      scored += verdict.right || verdict.wrong;
      if (std::isnan(verdict.score)) return {};
    }
    if (scored != 0 && scored != models) return {};
    for (std::size_t m = 0; m < models && scored != 0; ++m)
      scores.push_back(review.models[m].verdicts[i].score);
  }
  return scores;
}

// All pairs from one set of resamples.
Result<std::vector<ReviewPair>> pairsTogether(const Review& review, const std::vector<double>& scores,
                                              const StopToken& stop) {
  const std::size_t models = review.models.size();
  const auto examples = static_cast<double>(scores.size() / models);
  const std::vector<double> sums = resampledSums(scores, models, stop);
  if (sums.empty()) return interruptedError();
  std::vector<ReviewPair> pairs;
  std::vector<double> means(sums.size() / models);
  for (std::size_t a = 0; a < models; ++a) {
    for (std::size_t b = a + 1; b < models; ++b) {
      if (stop.stopRequested()) return interruptedError();
      ReviewPair pair = countedPair(review, a, b, nullptr);
      for (std::size_t r = 0; r < means.size(); ++r)
        means[r] = (sums[r * models + a] - sums[r * models + b]) / examples;
      takeInterval(resampledDifference(means, pair.difference), review.kind->test, pair);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

}  // namespace

Result<std::vector<ReviewPair>> comparePairs(const Review& review, const StopToken& stop) {
  const std::size_t models = review.models.size();
  if (models < 2) return std::vector<ReviewPair>();
  if (review.kind->compare == nullptr)
    if (const auto scores = commonScores(review); !scores.empty()) return pairsTogether(review, scores, stop);
  std::vector<ReviewPair> pairs;
  for (std::size_t a = 0; a < models; ++a)
    for (std::size_t b = a + 1; b < models; ++b) {
      ReviewPair& pair = pairs.emplace_back();
      pair.first = a;
      pair.second = b;
    }
  std::vector<Status> failed(pairs.size());
  const auto threads =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostPairThreads));
  FATHOM_CHECK(forRanges(pairs.size(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (stop.stopRequested()) {
        failed[i] = interruptedError();
        return;
      }
      if (review.kind->compare == nullptr) {
        pairs[i] = pairOf(review, pairs[i].first, pairs[i].second);
        continue;
      }
      auto pair = review.kind->compare(review, pairs[i].first, pairs[i].second, stop);
      if (pair.ok())
        pairs[i] = std::move(*pair);
      else
        failed[i] = pair.error();
    }
  }));
  for (const Status& each : failed) FATHOM_CHECK(each);
  return pairs;
}

bool isWrongInAll(const Review& review, std::size_t example) {
  return std::all_of(review.models.begin(), review.models.end(),
                     [example](const ReviewModel& model) { return model.verdicts[example].wrong; });
}

bool isWrongInAny(const Review& review, std::size_t example) {
  return std::any_of(review.models.begin(), review.models.end(),
                     [example](const ReviewModel& model) { return model.verdicts[example].wrong; });
}

std::vector<std::size_t> onlyFirstRight(const Review& review, std::size_t first, std::size_t second) {
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < review.examples(); ++i)
    if (review.models[first].verdicts[i].right && review.models[second].verdicts[i].wrong)
      examples.push_back(i);
  return examples;
}

}  // namespace fathom
