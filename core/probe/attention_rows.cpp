// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_rows.h"

#include <ATen/ops/baddbmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/softmax.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <type_traits>

#include "core/analysis/attention/attention_entropy.h"
#include "core/analysis/attention/attention_jsd.h"
#include "core/analysis/attention/attention_logit.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_lanes.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowsAtOnce = 256;         // of a thread
constexpr std::int64_t kBlockNumbers = 64 * 512;  // of a layer: two of them stay in the cache

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

[[gnu::always_inline]] inline Lanes loadUpTo(const float* from, std::int64_t count, float rest) {
  alignas(32) float lanes[8];
  for (std::int64_t i = 0; i < 8; ++i) lanes[i] = i < count ? from[i] : rest;
  return _mm256_load_ps(lanes);
}

double laneEntropy(const float* row, std::int64_t keys) {
  Lanes first = _mm256_setzero_ps(), second = first;
  std::int64_t i = 0;
  for (; i + 16 <= keys; i += 16) {
    const Lanes a = _mm256_loadu_ps(row + i), b = _mm256_loadu_ps(row + i + 8);
    first = _mm256_fnmadd_ps(a, logLanes(a), first);
    second = _mm256_fnmadd_ps(b, logLanes(b), second);
  }
  for (; i < keys; i += 8) {
    const Lanes a = keys - i >= 8 ? _mm256_loadu_ps(row + i) : loadUpTo(row + i, keys - i, 0);
    first = _mm256_fnmadd_ps(a, logLanes(a), first);
  }
  return static_cast<double>(sumLanes(_mm256_add_ps(first, second)));
}

// Entropy of the mean of two rows.
double laneMeanEntropy(const float* p, const float* q, std::int64_t keys) {
  Lanes first = _mm256_setzero_ps(), second = first;
  const Lanes half = _mm256_set1_ps(0.5f);
  std::int64_t i = 0;
  for (; i + 16 <= keys; i += 16) {
    const Lanes a = _mm256_mul_ps(half, _mm256_add_ps(_mm256_loadu_ps(p + i), _mm256_loadu_ps(q + i)));
    const Lanes b =
        _mm256_mul_ps(half, _mm256_add_ps(_mm256_loadu_ps(p + i + 8), _mm256_loadu_ps(q + i + 8)));
    first = _mm256_fnmadd_ps(a, logLanes(a), first);
    second = _mm256_fnmadd_ps(b, logLanes(b), second);
  }
  for (; i < keys; i += 8) {
    const std::int64_t left = std::min<std::int64_t>(keys - i, 8);
    const Lanes a = _mm256_mul_ps(half, _mm256_add_ps(loadUpTo(p + i, left, 0), loadUpTo(q + i, left, 0)));
    first = _mm256_fnmadd_ps(a, logLanes(a), first);
  }
  return static_cast<double>(sumLanes(_mm256_add_ps(first, second)));
}

double laneSoftmax(float* row, std::int64_t keys) {
  Lanes most = _mm256_set1_ps(row[0]);
  std::int64_t i = 0;
  for (; i + 8 <= keys; i += 8) most = _mm256_max_ps(most, _mm256_loadu_ps(row + i));
  if (i < keys) most = _mm256_max_ps(most, loadUpTo(row + i, keys - i, row[0]));
  const Lanes highest = _mm256_set1_ps(maxLanes(most));
  Lanes sum = _mm256_setzero_ps(), weighted = sum;
  for (i = 0; i + 8 <= keys; i += 8) {
    const Lanes below = _mm256_sub_ps(_mm256_loadu_ps(row + i), highest), e = expLanes(below);
    sum = _mm256_add_ps(sum, e);
    // A blocked key is at -infinity: it weighs nothing.
    weighted = _mm256_fmadd_ps(_mm256_max_ps(below, _mm256_set1_ps(-1e30f)), e, weighted);
    _mm256_storeu_ps(row + i, e);
  }
  float total = sumLanes(sum), moment = sumLanes(weighted);
  const float top = maxLanes(highest);
  for (; i < keys; ++i) {
    const float below = std::max(row[i] - top, -1e30f), e = std::exp(below);
    total += e;
    moment += below * e;
    row[i] = e;
  }
  const float scale = 1 / total;
  for (i = 0; i + 8 <= keys; i += 8)
    _mm256_storeu_ps(row + i, _mm256_mul_ps(_mm256_loadu_ps(row + i), _mm256_set1_ps(scale)));
  for (; i < keys; ++i) row[i] *= scale;
  return std::log(static_cast<double>(total)) - static_cast<double>(moment) / static_cast<double>(total);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
double laneEntropy(const float*, std::int64_t) {
  return 0;
}
double laneMeanEntropy(const float*, const float*, std::int64_t) {
  return 0;
}
double laneSoftmax(float*, std::int64_t) {
  return 0;
}
#endif

template <typename T>
std::span<const T> rowAt(const T* rows, std::int64_t row, std::int64_t keys) {
  return {rows + row * keys, static_cast<std::size_t>(keys)};
}

double rowEntropy(const float* row, std::int64_t keys) {
  return vectorLanesRun() ? laneEntropy(row, keys) : attentionEntropy(rowAt(row, 0, keys));
}

// One head of all layers, block by block.
class HeadStream {
 public:
  HeadStream(std::span<const ScoredLayer> layers, const std::function<void(const AttentionRowBlock&)>& use,
             AttentionRowWish wish)
      : m_layers(layers), m_use(use), m_wish(wish) {
    const torch::Tensor &queries = layers.front().queries, &keys = layers.front().keys;
    m_batch = queries.size(0);
    m_length = queries.size(2);
    m_keys = keys.size(2);
    // Many short sequences at once, or some queries of a long one.
    const std::int64_t whole = std::max<std::int64_t>(1, m_length * m_keys);
    m_sequences = std::clamp<std::int64_t>(kBlockNumbers / whole, 1, std::max<std::int64_t>(m_batch, 1));
    m_queries = std::clamp<std::int64_t>(kBlockNumbers / std::max<std::int64_t>(m_keys, 1), 1,
                                         std::max<std::int64_t>(m_length, 1));
    for (int slot = 0; slot < 2; ++slot) {
      m_rows[slot] = at::empty({m_sequences, m_queries, m_keys}, queries.options());
      m_entropies[slot].resize(static_cast<std::size_t>(m_sequences * m_queries));
    }
    m_divergences.resize(m_entropies[0].size());
    m_logits.resize(m_entropies[0].size());
  }

  void run(std::int64_t head) {
    AttentionRowBlock block;
    block.head = head;
    for (std::int64_t b = 0; b < m_batch; b += m_sequences) {
      block.firstSequence = b;
      block.sequences = std::min(m_sequences, m_batch - b);
      for (std::int64_t t = 0; t < m_length; t += m_queries) {
        block.firstQuery = t;
        block.queries = std::min(m_queries, m_length - t);
        for (block.layer = 0; block.layer < m_layers.size(); ++block.layer) look(block);
      }
    }
  }

 private:
  void look(AttentionRowBlock& block) {
    const std::size_t now = block.layer % 2, before = 1 - now;
    m_shown[now] = scoresOf(block, m_rows[now]);
    const bool wide = m_shown[now].scalar_type() == torch::kFloat64;
    if (wide)
      measure<double>(block, now, before);
    else
      measure<float>(block, now, before);
    block.entropies = m_wish.entropies ? m_entropies[now].data() : nullptr;
    block.divergences = m_wish.entropies && block.layer > 0 ? m_divergences.data() : nullptr;
    block.logits = m_wish.logits ? m_logits.data() : nullptr;
    m_use(block);
  }

  // The argument of the softmax, [sequences, queries, S] without a gap, in the memory of `rows`.
  torch::Tensor scoresOf(const AttentionRowBlock& block, const torch::Tensor& rows) const {
    const ScoredLayer& layer = m_layers[block.layer];
    const auto cut = [&](const torch::Tensor& all) {  // [B, H, rows, d]
      return all.select(1, block.head).narrow(0, block.firstSequence, block.sequences);
    };
    torch::Tensor scores = rows.flatten()
                               .narrow(0, 0, block.sequences * block.queries * m_keys)
                               .view({block.sequences, block.queries, m_keys});
    at::baddbmm_out(scores, scores, cut(layer.queries).narrow(1, block.firstQuery, block.queries),
                    cut(layer.keys).transpose(1, 2), 0, layer.scale);
    if (layer.additive.defined())
      scores.add_(cut(layer.additive.expand({m_batch, layer.queries.size(1), m_length, m_keys}))
                      .narrow(1, block.firstQuery, block.queries));
    return scores;
  }

  template <typename T>
  void measure(const AttentionRowBlock& block, std::size_t now, std::size_t before) {
    if (m_wish.logits) {  // before the scores become a softmax in their place
      const T* scores = m_shown[now].template const_data_ptr<T>();
      for (std::int64_t row = 0; row < block.sequences * block.queries; ++row)
        m_logits[static_cast<std::size_t>(row)] =
            static_cast<double>(largestLogit(rowAt<T>(scores, row, m_keys)));
    }
    if (!m_wish.entropies) return;
    if constexpr (std::is_same_v<T, double>) m_shown[now].copy_(at::softmax(m_shown[now], -1));
    T* rows = m_shown[now].template mutable_data_ptr<T>();
    const T* below = block.layer > 0 ? m_shown[before].template const_data_ptr<T>() : nullptr;
    for (std::int64_t row = 0; row < block.sequences * block.queries; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if constexpr (std::is_same_v<T, double>)
        m_entropies[now][at] = attentionEntropy(rowAt(rows, row, m_keys));
      else
        m_entropies[now][at] = softmaxWithEntropy(rows + row * m_keys, m_keys);
      if (below == nullptr) continue;
      if constexpr (std::is_same_v<T, double>)
        m_divergences[at] = attentionJsd(rowAt<double>(rows, row, m_keys), rowAt(below, row, m_keys));
      else
        m_divergences[at] = rowDivergence(rows + row * m_keys, below + row * m_keys, m_keys,
                                          m_entropies[now][at], m_entropies[before][at]);
    }
  }

  std::span<const ScoredLayer> m_layers;
  const std::function<void(const AttentionRowBlock&)>& m_use;
  std::int64_t m_batch = 0, m_length = 0, m_keys = 0, m_sequences = 1, m_queries = 1;
  std::array<torch::Tensor, 2> m_rows, m_shown;  // of this layer and of the one before
  std::array<std::vector<double>, 2> m_entropies;
  std::vector<double> m_divergences, m_logits;
  AttentionRowWish m_wish;
};

}  // namespace

std::vector<double> rowEntropies(const torch::Tensor& probabilities) {
  const std::int64_t keys = probabilities.size(-1), rows = keys > 0 ? probabilities.numel() / keys : 0;
  std::vector<double> entropies(static_cast<std::size_t>(rows));
  const bool wide = probabilities.scalar_type() == torch::kFloat64;
  parallelFor(0, rows, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      entropies[static_cast<std::size_t>(row)] =
          wide ? attentionEntropy(rowAt(probabilities.const_data_ptr<double>(), row, keys))
               : rowEntropy(probabilities.const_data_ptr<float>() + row * keys, keys);
  });
  return entropies;
}

std::vector<double> rowDivergences(const torch::Tensor& now, const torch::Tensor& below,
                                   const std::vector<double>& entropiesNow,
                                   const std::vector<double>& entropiesBelow) {
  const std::int64_t keys = now.size(-1), rows = keys > 0 ? now.numel() / keys : 0;
  std::vector<double> divergences(static_cast<std::size_t>(rows));
  const bool wide = now.scalar_type() == torch::kFloat64;
  parallelFor(0, rows, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      divergences[at] = wide ? attentionJsd(rowAt(now.const_data_ptr<double>(), row, keys),
                                            rowAt(below.const_data_ptr<double>(), row, keys))
                             : rowDivergence(now.const_data_ptr<float>() + row * keys,
                                             below.const_data_ptr<float>() + row * keys, keys,
                                             entropiesNow[at], entropiesBelow[at]);
    }
  });
  return divergences;
}

std::vector<double> rowLargestLogits(const torch::Tensor& scores) {
  const std::int64_t keys = scores.size(-1), rows = keys > 0 ? scores.numel() / keys : 0;
  std::vector<double> largest(static_cast<std::size_t>(rows));
  const bool wide = scores.scalar_type() == torch::kFloat64;
  parallelFor(0, rows, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      largest[static_cast<std::size_t>(row)] =
          wide ? largestLogit(rowAt(scores.const_data_ptr<double>(), row, keys))
               : static_cast<double>(largestLogit(rowAt(scores.const_data_ptr<float>(), row, keys)));
  });
  return largest;
}

double softmaxWithEntropy(float* scores, std::int64_t keys) {
  if (vectorLanesRun()) return laneSoftmax(scores, keys);
  const float top = *std::max_element(scores, scores + keys);
  double total = 0, moment = 0;
  for (std::int64_t i = 0; i < keys; ++i) {
    const double below = std::max(static_cast<double>(scores[i]) - static_cast<double>(top), -1e30);
    const double e = std::exp(below);
    total += e;
    moment += below * e;
    scores[i] = static_cast<float>(e);
  }
  for (std::int64_t i = 0; i < keys; ++i)
    scores[i] = static_cast<float>(static_cast<double>(scores[i]) / total);
  return std::log(total) - moment / total;
}

double rowDivergence(const float* now, const float* below, std::int64_t keys, double entropyNow,
                     double entropyBelow) {
  if (!vectorLanesRun()) return attentionJsd(rowAt(now, 0, keys), rowAt(below, 0, keys));
  const double nats = laneMeanEntropy(now, below, keys) - 0.5 * (entropyNow + entropyBelow);
  return nats < 0 ? 0 : nats / std::numbers::ln2;  // a value that is not a number stays one
}

void streamAttention(std::span<const ScoredLayer> layers,
                     const std::function<void(const AttentionRowBlock&)>& use, AttentionRowWish wish) {
  if (layers.empty()) return;
  parallelFor(0, layers.front().queries.size(1), 1, [&](std::int64_t begin, std::int64_t end) {
    const torch::NoGradGuard inThread;
    HeadStream stream(layers, use, wish);
    for (std::int64_t head = begin; head < end; ++head) stream.run(head);
  });
}

}  // namespace fathom
