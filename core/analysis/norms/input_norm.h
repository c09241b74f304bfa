// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/statistics/running_moments.h"
#include "core/analysis/statistics/sample_distribution.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A distribution of values from 0 on whose end is not known: equal bins that double in width when a value
// falls outside, so that memory stays fixed. Count, mean, variance, minimum and maximum are exact; quantiles
// are off by at most one bin.
class NormHistogram {
 public:
  static constexpr std::size_t kBins = 256;
  // A finite value of at least 0.
  void add(double value);
  std::int64_t count() const { return m_moments.count; }
  double largest() const { return m_moments.maximum; }  // 0 when nothing was added
  double width() const { return m_width; }
  const std::vector<std::int64_t>& counts() const { return m_counts; }  // up to the bin of the largest value
  SampleDistribution summary() const;

 private:
  double m_width = 0;  // 0 until something above 0 comes; zeros before that are in bin 0
  std::vector<std::int64_t> m_counts;
  RunningMoments m_moments;
};

// Norms of the vectors that enter a stack, or of the states before a projection (`part`); DT-Fixup's µ is the
// largest (docs/initialisation.md §5.2). An example with a row that is not a number is left out as a whole
// and counted.
struct InputNormPart {
  std::string stack, part;  // "extra", "question"; part "" = what enters the first layer
  std::int64_t layers = 0;
  std::string residual;
  SampleDistribution values;
  double width = 0;  // of the bins
  std::vector<std::int64_t> counts;
  std::int64_t skipped = 0;  // examples
  double mu() const { return values.fiveNumbers[4]; }
};

// One parameter: how the run began with it, and what it is now.
struct TensorScale {
  std::string name, rule;  // rule "" = the run recorded none
  std::vector<std::int64_t> shape;
  double base = 0, factor = 1;  // standard deviation that the rule aims at; what it was scaled by
  double deviation = 0, mean = 0;
};

// µ as the initialisation of the run used it.
struct UsedInputNorm {
  std::string stack;
  double mu = 0, factor = 1;
};

struct InputNorms {
  std::int64_t examples = 0;
  std::vector<InputNormPart> parts;
  std::vector<UsedInputNorm> used;  // empty unless the run began with DT-Fixup
  std::vector<TensorScale> tensors;
};
Json inputNormsToJson(const InputNorms& norms);
Result<InputNorms> inputNormsFromJson(const Json& json);

}  // namespace fathom
