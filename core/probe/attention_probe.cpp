// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_probe.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_logit.h"
#include "core/probe/attention_rows.h"

namespace fathom {

namespace {

// Feeds one number a row [B, H, T] to the histogram of its head; only real queries count.
void feed(std::vector<ValueHistogram>& heads, const std::vector<double>& values, const torch::Tensor& shape,
          const torch::Tensor& real) {
  const std::int64_t batch = shape.size(0), count = shape.size(1), queries = shape.size(2);
  const torch::Tensor mask =
      real.defined() ? real.to(torch::kCPU, torch::kBool).contiguous() : torch::Tensor();
  const bool* isReal = mask.defined() ? mask.const_data_ptr<bool>() : nullptr;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < count; ++h) {
      for (std::int64_t t = 0; t < queries; ++t) {
        if (isReal != nullptr && !isReal[b * queries + t]) continue;
        heads[static_cast<std::size_t>(h)].add(
            values[static_cast<std::size_t>((b * count + h) * queries + t)]);
      }
    }
  }
}

// Copy on the host, where tensors of half precision are widened.
torch::Tensor onHost(const torch::Tensor& tensor) {
  const bool wide = tensor.scalar_type() == torch::kFloat64;
  return tensor.detach().to(torch::kCPU, wide ? torch::kFloat64 : torch::kFloat32);
}

}  // namespace

void AttentionProbe::run(const ForwardPass& forward, StepContext context) {
  const torch::NoGradGuard noGradients;
  context.training = false;
  context.observer = this;
  m_below.clear();
  m_scoredBelow.clear();
  forward(context);
  m_below.clear();
  m_scoredBelow.clear();
}

AttentionStatistics& AttentionProbe::statisticsOf(const SublayerSite& site, std::int64_t heads) {
  auto found = std::find_if(m_statistics.begin(), m_statistics.end(), [&](const AttentionStatistics& item) {
    return item.stack == site.stack && item.kind == site.kind;
  });
  if (found == m_statistics.end()) {
    m_statistics.push_back({site.stack, site.kind, {}, {}, {}});
    found = m_statistics.end() - 1;
  }
  const auto layers = static_cast<std::size_t>(site.layer + 1);
  while (found->entropyNats.size() < layers) {
    found->entropyNats.emplace_back(static_cast<std::size_t>(heads), entropyHistogram(m_longestKeys));
  }
  while (found->logits.size() < layers)
    found->logits.emplace_back(static_cast<std::size_t>(heads), logitHistogram());
  while (found->jsdBits.size() + 1 < layers) {
    found->jsdBits.emplace_back(static_cast<std::size_t>(heads), divergenceHistogram());
  }
  return *found;
}

void AttentionProbe::attention(const AttentionRecord& record) {
  torch::Tensor now = record.probabilities.detach().to(torch::kCPU);
  if (now.scalar_type() != torch::kFloat64) now = now.to(torch::kFloat32);
  now = now.contiguous();
  AttentionStatistics& statistics = statisticsOf(record.site, now.size(1));
  Below& below = m_below[{record.site.stack, record.site.kind}];
  const torch::Tensor& real = m_masks.of(record.site.stack);
  const auto layer = static_cast<std::size_t>(record.site.layer);
  if (m_wanted.logits) {
    const torch::Tensor scores = record.maskedScores.detach().to(torch::kCPU, now.scalar_type()).contiguous();
    feed(statistics.logits[layer], rowLargestLogits(scores), now, real);
  }
  if (!m_wanted.entropies) return;
  std::vector<double> entropies = rowEntropies(now);
  feed(statistics.entropyNats[layer], entropies, now, real);
  if (below.probabilities.defined()) {
    const auto divergences = rowDivergences(now, below.probabilities, entropies, below.entropies);
    feed(statistics.jsdBits[layer - 1], divergences, now, real);
  }
  if (m_wanted.divergences) below = {now, std::move(entropies)};
}

void AttentionProbe::queriesAndKeys(const QueryKeyRecord& record) {
  ScoredLayer now{onHost(record.query), onHost(record.key), {}, record.scale};
  if (record.additive.defined()) now.additive = onHost(record.additive).to(now.queries.scalar_type());
  AttentionStatistics& statistics = statisticsOf(record.site, now.queries.size(1));
  const auto layer = static_cast<std::size_t>(record.site.layer);
  const torch::Tensor& real = m_masks.of(record.site.stack);
  const torch::Tensor mask =
      real.defined() ? real.to(torch::kCPU, torch::kBool).contiguous() : torch::Tensor();
  std::vector<ScoredLayer> layers;
  ScoredLayer& below = m_scoredBelow[{record.site.stack, record.site.kind}];
  if (below.queries.defined()) layers.push_back(std::move(below));
  layers.push_back(now);
  const auto count = [&](const AttentionRowBlock& block) {
    if (block.layer + 1 < layers.size()) return;
    const auto head = static_cast<std::size_t>(block.head);
    const std::int64_t length = now.queries.size(2);
    const bool* isReal = mask.defined() ? mask.const_data_ptr<bool>() : nullptr;
    for (std::int64_t i = 0; i < block.sequences * block.queries; ++i) {
      const std::int64_t b = block.firstSequence + i / block.queries,
                         t = block.firstQuery + i % block.queries;
      if (isReal != nullptr && !isReal[b * length + t]) continue;
      if (block.entropies != nullptr) statistics.entropyNats[layer][head].add(block.entropies[i]);
      if (block.logits != nullptr) statistics.logits[layer][head].add(block.logits[i]);
      if (block.divergences != nullptr) statistics.jsdBits[layer - 1][head].add(block.divergences[i]);
    }
  };
  streamAttention(layers, count, {m_wanted.entropies, m_wanted.logits});
  // Copies: the memory of a projection holds the values too.
  if (m_wanted.entropies && m_wanted.divergences)
    below = {now.queries.clone(), now.keys.clone(), now.additive, now.scale};
}

}  // namespace fathom
