// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/token_sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

double logSumOfExp(std::span<const double> values) {
  const double most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - most);
  return most + std::log(sum);
}

}  // namespace

std::vector<OptionField> tokenSamplingFields(const std::string& prefix) {
  return inGroup(
      "Decoding",
      {realField(prefix + ".temperature", "Temperature",
                 "Logits are divided by it before a token is drawn; 0 takes the likeliest token.", 1.0)
           .between(0, 100),
       integerField(prefix + ".top_k", "Likeliest tokens", "Only so many of the likeliest are drawn from.", 0)
           .between(0, 1 << 24)
           .off(0)
           .reference("Fan et al. 2018"),
       realField(prefix + ".top_p", "Share of the likeliest tokens",
                 "Only the likeliest tokens whose shares reach this together are drawn from.", 1.0)
           .above(0)
           .atMost(1)
           .off(1.0)
           .reference("Holtzman et al. 2020"),
       integerField(prefix + ".sampling_seed", "Seed of the drawing",
                    "The same seed writes the same text on.", 1)
           .between(0, std::int64_t{1} << 53),
       integerField(prefix + ".new_tokens", "New tokens",
                    "Most tokens that are written; a text ends before where the end mark is drawn.", 50)
           .unit("tokens")
           .between(1, 1 << 20)});
}

TokenSampling tokenSampling(const OptionValues& options, const std::string& prefix) {
  return {options.real(prefix + ".temperature"), options.integer(prefix + ".top_k"),
          options.real(prefix + ".top_p"), options.integer(prefix + ".sampling_seed"),
          options.integer(prefix + ".new_tokens")};
}

DrawnToken drawToken(std::span<const double> logits, const TokenSampling& sampling, double uniform) {
  std::vector<std::int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto logit = [&](std::int64_t token) { return logits[static_cast<std::size_t>(token)]; };
  const double all = logSumOfExp(logits);
  // Equal logits stay in the order of their ids, so that the draw is the same everywhere.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return logit(a) > logit(b); });
  if (sampling.temperature == 0) return {order.front(), logit(order.front()) - all};
  if (sampling.topK > 0) order.resize(std::min(order.size(), static_cast<std::size_t>(sampling.topK)));
  std::vector<double> shares;
  for (const std::int64_t token : order)
    shares.push_back(std::exp((logit(token) - logit(order.front())) / sampling.temperature));
  const double whole = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::size_t kept = 0;
  double reached = 0;
  while (kept < shares.size() && (kept == 0 || reached < sampling.topP * whole)) reached += shares[kept++];
  double rest = uniform * reached;
  std::size_t chosen = 0;
  while (chosen + 1 < kept && rest >= shares[chosen]) rest -= shares[chosen++];
  return {order[chosen], logit(order[chosen]) - all};
}

}  // namespace fathom
