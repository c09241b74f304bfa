// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/review/review_kind.h"

namespace fathom {

// What scores of classes or options mean as probabilities: themselves where they are such (from 0 to 1, their
// sum 1), else their softmax. A data error where one is not finite; at least one.
Result<std::vector<double>> probabilitiesOf(std::span<const double> scores);

// How often each gold class was predicted as each class. Missing predictions have a column of their own, the
// last.
struct ClassCounts {
  std::size_t classes = 0;
  std::vector<std::int64_t> cells;  // [gold][predicted], classes + 1 columns
  std::int64_t at(std::size_t gold, std::size_t predicted) const {
    return cells[gold * (classes + 1) + predicted];
  }
  std::int64_t total() const;
  double accuracy() const;
  double f1(std::size_t label) const;  // 0 where its divisor is 0
  double macroF1() const;              // of the classes that occur or are predicted
  double matthews() const;             // matthewsCorrelation

 private:
  std::int64_t named(std::size_t label) const;  // how often it is right, and how often it is said
};
ClassCounts countClasses(const ReviewGold& gold, const ReviewModel& model);

// Predictions by their confidence in bins of equal width, and the expected calibration error: the mean over
// predictions of |accuracy - confidence| of their bin (Guo, equation 3).
struct Calibration {
  static constexpr std::size_t kBins = 10;
  struct Bin {
    std::int64_t count = 0;
    double confidence = 0, accuracy = 0;  // means
    std::vector<std::size_t> examples;
  };
  std::vector<Bin> bins;  // kBins of them
  std::int64_t count = 0;
  double error = 0;
};
// Of the predictions that have a confidence (the first number of the kind).
Calibration calibrationOf(const ReviewModel& model);

}  // namespace fathom
