// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fathom {

// Scores of GLUE (docs/fine_tuning.md §4), fractions of 1. Both spans have the same length, which is not 0.
struct ClassScores {
  std::int64_t right = 0, truePositive = 0, trueNegative = 0, falsePositive = 0, falseNegative = 0, all = 0;
  double accuracy = 0;
  double f1 = 0;        // of class 1; 0 where nothing is or is called positive
  double matthews = 0;  // of class 1 against the rest; 0 where its divisor is 0
};
ClassScores classScores(std::span<const std::int64_t> predicted, std::span<const std::int64_t> gold);
// Over any number of classes (Gorodkin 2004); of two it is Matthews' own.
double matthewsOfClasses(std::span<const std::int64_t> predicted, std::span<const std::int64_t> gold);
// The lowest class among those of equal logits.
std::int64_t bestClass(std::span<const double> logits);

// The nine entries of the published average, MNLI-m and MNLI-mm apart: "cola", "sst2", "mrpc", "qqp", "stsb",
// "mnli_m", "mnli_mm", "qnli", "rte".
const std::vector<std::string>& glueEntries();
// Scores of an entry are averaged, then the entries; not defined unless all nine are there.
std::optional<double> glueOverall(const std::map<std::string, std::vector<double>>& scores);

}  // namespace fathom
