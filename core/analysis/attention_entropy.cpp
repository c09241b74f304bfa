// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/attention_entropy.h"

#include <cmath>
#include <numbers>

namespace fathom {

namespace {
template <typename T>
double rowEntropy(std::span<const T> probabilities) {
  double sum = 0;
  for (const T value : probabilities) {
    const auto p = static_cast<double>(value);
    if (p != 0) sum -= p * std::log(p);  // NaN stays NaN
  }
  return sum;
}
}  // namespace

double attentionEntropy(std::span<const double> probabilities) {
  return rowEntropy(probabilities);
}
double attentionEntropy(std::span<const float> probabilities) {
  return rowEntropy(probabilities);
}
double natsToBits(double nats) {
  return nats / std::numbers::ln2;
}

EntropyClass entropyClass(double medianNats) {
  if (medianNats > 4.5) return EntropyClass::High;
  return medianNats < 1.5 ? EntropyClass::Low : EntropyClass::Middle;
}

}  // namespace fathom
