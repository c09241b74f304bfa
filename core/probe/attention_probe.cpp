// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_probe.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/analysis/attention_entropy.h"
#include "core/analysis/attention_jsd.h"

namespace fathom {

namespace {

// Calls use(head, row offset) for every real query of probabilities [B, H, T, S].
template <typename Use>
void forRealQueries(const torch::Tensor& probabilities, const torch::Tensor& real, Use use) {
  const std::int64_t batch = probabilities.size(0), heads = probabilities.size(1),
                     queries = probabilities.size(2);
  const torch::Tensor mask =
      real.defined() ? real.to(torch::kCPU, torch::kBool).contiguous() : torch::Tensor();
  const bool* isReal = mask.defined() ? mask.const_data_ptr<bool>() : nullptr;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t t = 0; t < queries; ++t) {
        if (isReal != nullptr && !isReal[b * queries + t]) continue;
        use(h, ((b * heads + h) * queries + t) * probabilities.size(3));
      }
    }
  }
}

template <typename T>
void feed(AttentionStatistics& statistics, std::int64_t layer, const torch::Tensor& now,
          const torch::Tensor& below, const torch::Tensor& real) {
  const auto keys = static_cast<std::size_t>(now.size(3));
  const T* rows = now.const_data_ptr<T>();
  auto& entropies = statistics.entropyNats[static_cast<std::size_t>(layer)];
  forRealQueries(now, real, [&](std::int64_t head, std::int64_t at) {
    entropies[static_cast<std::size_t>(head)].add(attentionEntropy(std::span<const T>(rows + at, keys)));
  });
  if (!below.defined()) return;
  const T* rowsBelow = below.const_data_ptr<T>();
  auto& divergences = statistics.jsdBits[static_cast<std::size_t>(layer - 1)];
  forRealQueries(now, real, [&](std::int64_t head, std::int64_t at) {
    divergences[static_cast<std::size_t>(head)].add(
        attentionJsd(std::span<const T>(rows + at, keys), std::span<const T>(rowsBelow + at, keys)));
  });
}

}  // namespace

void AttentionProbe::run(const ForwardPass& forward, StepContext context) {
  const torch::NoGradGuard noGradients;
  context.training = false;
  context.observer = this;
  m_below.clear();
  forward(context);
  m_below.clear();
}

AttentionStatistics& AttentionProbe::statisticsOf(const SublayerSite& site, std::int64_t heads) {
  auto found = std::find_if(m_statistics.begin(), m_statistics.end(), [&](const AttentionStatistics& item) {
    return item.stack == site.stack && item.kind == site.kind;
  });
  if (found == m_statistics.end()) {
    m_statistics.push_back({site.stack, site.kind, {}, {}});
    found = m_statistics.end() - 1;
  }
  const auto layers = static_cast<std::size_t>(site.layer + 1);
  const double highest = std::log(static_cast<double>(std::max<std::int64_t>(m_longestKeys, 2)));
  while (found->entropyNats.size() < layers) {
    found->entropyNats.emplace_back(static_cast<std::size_t>(heads), ValueHistogram(0, highest));
  }
  while (found->jsdBits.size() + 1 < layers) {
    found->jsdBits.emplace_back(static_cast<std::size_t>(heads), ValueHistogram(0, 1));
  }
  return *found;
}

void AttentionProbe::attention(const AttentionRecord& record) {
  torch::Tensor now = record.probabilities.detach().to(torch::kCPU);
  if (now.scalar_type() != torch::kFloat64) now = now.to(torch::kFloat32);
  now = now.contiguous();
  AttentionStatistics& statistics = statisticsOf(record.site, now.size(1));
  torch::Tensor& below = m_below[{record.site.stack, record.site.kind}];
  const torch::Tensor& real = m_masks.of(record.site.stack);
  if (now.scalar_type() == torch::kFloat64) {
    feed<double>(statistics, record.site.layer, now, below, real);
  } else {
    feed<float>(statistics, record.site.layer, now, below, real);
  }
  below = now;
}

}  // namespace fathom
