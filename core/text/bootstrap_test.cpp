// SPDX-License-Identifier: Apache-2.0
#include "core/text/bootstrap_test.h"

#include <numeric>
#include <vector>

#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

double corpusScore(const BleuCounts& counts, const BleuOptions& options) {
  return bleuFromCounts(counts, options).score;
}

BleuCounts sumOf(std::span<const BleuCounts> segments) {
  return std::accumulate(segments.begin(), segments.end(), BleuCounts{},
                         [](BleuCounts sum, const BleuCounts& one) {
                           sum += one;
                           return sum;
                         });
}

Status checkArguments(std::size_t first, std::size_t second, const BootstrapOptions& options) {
  if (first != second || first == 0)
    return usageError(Phrase::tr("bootstrap test of %1 against %2 segments")(first, second),
                      Phrase::tr("both systems must have translated the same set"));
  if (options.resamples < 10)
    return usageError(Phrase::tr("bootstrap test with %1 resamples")(options.resamples),
                      Phrase::tr("take at least 10, better 1000"));
  if (!(options.confidence > 0 && options.confidence < 1))
    return usageError(Phrase::tr("confidence %1")(options.confidence),
                      Phrase::tr("choose a share between 0 and 1"));
  return {};
}

}  // namespace

Result<BleuBootstrap> pairedBootstrap(std::span<const BleuCounts> first, std::span<const BleuCounts> second,
                                      const BleuOptions& bleu, const BootstrapOptions& options,
                                      const StopToken& stop) {
  FATHOM_CHECK(checkArguments(first.size(), second.size(), options));
  BleuBootstrap result;
  result.first = corpusScore(sumOf(first), bleu);
  result.second = corpusScore(sumOf(second), bleu);
  result.difference = result.second - result.first;
  result.resamples = options.resamples;
  std::vector<double> firsts, seconds, differences;
  for (std::int64_t resample = 0; resample < options.resamples; ++resample) {
    if (stop.stopRequested()) return interruptedError();
    RandomStream draws(streamSeed(options.seed, "bootstrap", {resample}));
    BleuCounts firstSum, secondSum;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const std::uint64_t segment = draws.below(first.size());
      firstSum += first[segment];
      secondSum += second[segment];
    }
    firsts.push_back(corpusScore(firstSum, bleu));
    seconds.push_back(corpusScore(secondSum, bleu));
    differences.push_back(seconds.back() - firsts.back());
    result.secondWins += differences.back() > 0 ? 1.0 : differences.back() == 0 ? 0.5 : 0.0;
  }
  result.secondWins /= static_cast<double>(options.resamples);
  result.firstInterval = percentileInterval(firsts, options.confidence);
  result.secondInterval = percentileInterval(seconds, options.confidence);
  const ResampledDifference found = resampledDifference(differences, result.difference, options.confidence);
  result.differenceInterval = found.interval;
  result.pValue = found.p;
  return result;
}

}  // namespace fathom
