// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dependency/dependency_profile.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fathom {

namespace {

using Map = std::vector<double> BetaDependency::*;

std::vector<double> numbersOf(const StackDependency& stack, DependencyNumber number, Map map) {
  const std::vector<double>& beta = stack.beta.*map;
  const std::size_t rows = stack.sublayers.size(), columns = rows + 1;
  std::vector<double> numbers;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    const std::size_t first = number == DependencyNumber::OwnBranch ? row + 1 : 0;
    for (std::size_t column = first; column <= row + 1; ++column)
      sum += beta[row * columns + column] * beta[row * columns + column];
    numbers.push_back(sum);
  }
  return numbers;
}

double sumOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> meanMap(std::span<const StackDependency> seeds, Map map) {
  std::vector<std::vector<double>> maps;
  for (const StackDependency& stack : seeds) maps.push_back(stack.beta.*map);
  return averageMaps(maps).mean;
}

}  // namespace

DependencyProfile dependencyProfile(std::span<const StackDependency> seeds, DependencyNumber number,
                                    bool global) {
  const Map map = global ? &BetaDependency::globalStd : &BetaDependency::meanTokenStd;
  std::vector<std::vector<double>> perRow(seeds.empty() ? 0 : seeds.front().sublayers.size());
  std::vector<double> sums, ratios;
  for (const StackDependency& stack : seeds) {
    const std::vector<double> numbers = numbersOf(stack, number, map);
    for (std::size_t row = 0; row < perRow.size(); ++row) perRow[row].push_back(numbers[row]);
    const std::span<const double> all(numbers);
    const std::size_t third = std::max<std::size_t>(1, numbers.size() / 3);
    sums.push_back(sumOf(all));
    ratios.push_back(sumOf(all.last(third)) / sumOf(all.first(third)));
  }
  DependencyProfile profile;
  for (const std::vector<double>& values : perRow) profile.value.push_back(summariseSeeds(values));
  profile.sum = summariseSeeds(sums);
  profile.lateOverEarly = summariseSeeds(ratios);
  return profile;
}

Result<StackDependency> meanDependency(std::span<const StackDependency> seeds) {
  if (seeds.empty()) return dataError(Phrase::tr("there is no map of dependencies to average"));
  StackDependency mean = seeds.front();
  for (const StackDependency& stack : seeds) {
    if (stack.sublayers != mean.sublayers)
      return dataError(Phrase::tr("runs of one group have other sub-layers in stack %1")(mean.stack));
    mean.beta.largestResidual = std::max(mean.beta.largestResidual, stack.beta.largestResidual);
  }
  mean.beta.meanTokenStd = meanMap(seeds, &BetaDependency::meanTokenStd);
  mean.beta.globalStd = meanMap(seeds, &BetaDependency::globalStd);
  return mean;
}

}  // namespace fathom
