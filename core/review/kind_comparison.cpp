// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/numbers/random_stream.h"
#include "core/review/kind_review.h"
#include "core/spider/judgement/spider_significance.h"

namespace fathom {

namespace {

constexpr double kDraws = 2e7;  // of a pair: about a tenth of a second
constexpr int kLeastResamples = 1000, kMostResamples = 10000;

int resamplesFor(std::size_t examples) {
  const double fit = kDraws / static_cast<double>(std::max<std::size_t>(examples, 1));
  return static_cast<int>(std::clamp(fit, double{kLeastResamples}, double{kMostResamples}));
}

KindPair pairOf(const KindReview& review, std::size_t first, std::size_t second) {
  KindPair pair;
  pair.first = first;
  pair.second = second;
  const auto &a = review.models[first].verdicts, &b = review.models[second].verdicts;
  std::vector<int> rightA, rightB;
  std::vector<float> gaps;
  double sum = 0;
  for (std::size_t i = 0; i < review.examples(); ++i) {
    if (!a[i].right && !a[i].wrong) continue;
    rightA.push_back(a[i].right);
    rightB.push_back(b[i].right);
    const float gap = a[i].score - b[i].score;
    if (std::isnan(gap)) continue;  // of one of them there is no number
    gaps.push_back(gap);
    sum += double{gap};
  }
  const McNemarTest test = mcnemarTest(rightA, rightB);
  pair.onlyFirst = test.onlyFirst;
  pair.onlySecond = test.onlySecond;
  pair.difference = gaps.empty() ? 0 : sum / static_cast<double>(gaps.size());
  bootstrapMean(gaps, 1, pair);
  if (review.kind->test == KindTest::McNemar) pair.p = test.pExact;
  return pair;
}

}  // namespace

void bootstrapMean(const std::vector<float>& gaps, std::uint64_t seed, KindPair& pair) {
  if (gaps.empty()) return;
  const int resamples = resamplesFor(gaps.size());
  RandomStream random(streamSeed(seed, "paired bootstrap"));
  std::vector<double> means(static_cast<std::size_t>(resamples));
  int atMostZero = 0, atLeastZero = 0;
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i) sum += double{gaps[random.below(gaps.size())]};
    mean = sum / static_cast<double>(gaps.size());
    atMostZero += sum <= 0;
    atLeastZero += sum >= 0;
  }
  std::sort(means.begin(), means.end());
  const auto quantile = [&means](double q) {
    return means[static_cast<std::size_t>(std::llround(q * static_cast<double>(means.size() - 1)))];
  };
  pair.low = quantile(0.025);
  pair.high = quantile(0.975);
  pair.p = std::min(1.0, 2.0 * std::min(atMostZero, atLeastZero) / resamples);
}

Result<std::vector<KindPair>> compareKindModels(const KindReview& review, const StopToken& stop) {
  std::vector<KindPair> pairs;
  for (std::size_t a = 0; a < review.models.size(); ++a) {
    for (std::size_t b = a + 1; b < review.models.size(); ++b) {
      if (stop.stopRequested()) return interruptedError();
      if (review.kind->compare == nullptr) {
        pairs.push_back(pairOf(review, a, b));
        continue;
      }
      FATHOM_TRY(const KindPair pair, review.kind->compare(review, a, b, stop));
      pairs.push_back(pair);
    }
  }
  return pairs;
}

bool isWrongInAll(const KindReview& review, std::size_t example) {
  return std::all_of(review.models.begin(), review.models.end(),
                     [example](const KindModel& model) { return model.verdicts[example].wrong; });
}

bool isWrongInAny(const KindReview& review, std::size_t example) {
  return std::any_of(review.models.begin(), review.models.end(),
                     [example](const KindModel& model) { return model.verdicts[example].wrong; });
}

std::vector<std::size_t> onlyFirstRight(const KindReview& review, std::size_t first, std::size_t second) {
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < review.examples(); ++i)
    if (review.models[first].verdicts[i].right && review.models[second].verdicts[i].wrong)
      examples.push_back(i);
  return examples;
}

std::vector<WrongSet> wrongSets(const KindReview& review) {
  constexpr std::size_t kMostModels = 64;
  const std::size_t models = std::min(review.models.size(), kMostModels);
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::vector<WrongSet> sets;
  for (std::size_t i = 0; i < review.examples(); ++i) {
    std::uint64_t wrong = 0;
    for (std::size_t m = 0; m < models; ++m)
      if (review.models[m].verdicts[i].wrong) wrong |= std::uint64_t{1} << m;
    if (wrong == 0) continue;
    const auto [place, fresh] = places.emplace(wrong, sets.size());
    if (fresh) sets.push_back({wrong, {}});
    sets[place->second].examples.push_back(i);
  }
  std::stable_sort(sets.begin(), sets.end(), [](const WrongSet& a, const WrongSet& b) {
    return a.examples.size() != b.examples.size() ? a.examples.size() > b.examples.size()
                                                  : a.models < b.models;
  });
  return sets;
}

}  // namespace fathom
