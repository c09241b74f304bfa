// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/statistics/paired_test.h"
#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "core/text/bleu.h"

namespace fathom {

struct BootstrapOptions {
  std::int64_t resamples = 1000;
  std::uint64_t seed = 1;
  double confidence = 0.95;
};

// Paired bootstrap resampling over segments (Koehn 2004) of two systems on the same references.
struct BleuBootstrap {
  double first = 0, second = 0;                                // corpus BLEU
  double difference = 0;                                       // second - first
  Interval firstInterval, secondInterval, differenceInterval;  // percentile intervals
  double secondWins = 0;  // share of the resamples in which the second is better; ties count half
  double pValue =
      1;  // two-sided: share of resampled differences, centred at 0, at least as large; (c+1)/(n+1)
  std::int64_t resamples = 0;
};

// Deterministic: the draws depend on seed, number of segments and resample only. Usage error for different
// numbers of segments, none, or fewer than 10 resamples; interrupted when `stop` asks.
Result<BleuBootstrap> pairedBootstrap(std::span<const BleuCounts> first, std::span<const BleuCounts> second,
                                      const BleuOptions& bleu = {}, const BootstrapOptions& options = {},
                                      const StopToken& stop = {});

}  // namespace fathom
