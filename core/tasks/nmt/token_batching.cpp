// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/token_batching.h"

#include <algorithm>

namespace fathom {

namespace {

using Indices = std::vector<std::int64_t>;

void sortBy(Indices& order, std::span<const std::int32_t> lengths, bool descending) {
  const auto length = [&](std::int64_t pair) { return lengths[static_cast<std::size_t>(pair)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return descending ? length(a) > length(b) : length(a) < length(b);
  });
}

// The open batch of the greedy fill and what it has closed.
class Filler {
 public:
  Filler(const TokenBatching& options, std::vector<Indices>& closed) : m_options(options), m_closed(closed) {}

  void add(std::int64_t pair, std::int64_t length) {
    while (full(length)) {
      cut();
      if (!m_options.strictMaxTokens) break;
    }
    m_pairs.push_back(pair);
    m_lengths.push_back(length);
    m_longest = std::max(m_longest, length);
  }
  void finish() {
    if (!m_pairs.empty()) m_closed.push_back(std::move(m_pairs));
  }

 private:
  bool full(std::int64_t nextLength) const {
    const auto count = static_cast<std::int64_t>(m_pairs.size());
    if (count == 0) return false;
    if (m_options.maxSentences > 0 && count >= m_options.maxSentences) return true;
    return (count + 1) * std::max(m_longest, nextLength) > m_options.maxTokens;
  }
  void cut() {
    const auto count = static_cast<std::int64_t>(m_pairs.size());
    const std::int64_t multiple = std::max<std::int64_t>(1, m_options.multiple);
    const std::int64_t kept = std::max(multiple * (count / multiple), count % multiple);
    m_closed.emplace_back(m_pairs.begin(), m_pairs.begin() + kept);
    m_pairs.erase(m_pairs.begin(), m_pairs.begin() + kept);
    m_lengths.erase(m_lengths.begin(), m_lengths.begin() + kept);
    m_longest = m_lengths.empty() ? 0 : *std::max_element(m_lengths.begin(), m_lengths.end());
  }
  const TokenBatching& m_options;
  std::vector<Indices>& m_closed;
  Indices m_pairs, m_lengths;
  std::int64_t m_longest = 0;
};

}  // namespace

BatchPlan planBatches(std::span<const std::int32_t> sourceLengths,
                      std::span<const std::int32_t> targetLengths, std::span<const std::int64_t> permutation,
                      const TokenBatching& options) {
  Indices order(permutation.begin(), permutation.end());
  sortBy(order, targetLengths, false);
  sortBy(order, sourceLengths, false);
  const auto longest = [&](std::int64_t pair) -> std::int64_t {
    return std::max(sourceLengths[static_cast<std::size_t>(pair)],
                    targetLengths[static_cast<std::size_t>(pair)]);
  };
  BatchPlan plan;
  Filler filler(options, plan.batches);
  for (const std::int64_t pair : order) {
    const std::int64_t length = longest(pair);
    if (length > options.maxLength || length > options.maxTokens)
      plan.dropped.push_back(pair);
    else
      filler.add(pair, length);
  }
  filler.finish();
  for (std::size_t b = 0; b < plan.batches.size(); ++b) {
    Indices& batch = plan.batches[b];
    std::int64_t width = 0;
    for (const std::int64_t pair : batch) width = std::max(width, longest(pair));
    if (width * static_cast<std::int64_t>(batch.size()) > options.maxTokens)
      plan.overLimit.push_back(static_cast<std::int64_t>(b));
    sortBy(batch, sourceLengths, true);
  }
  return plan;
}

}  // namespace fathom
