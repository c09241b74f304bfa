// SPDX-License-Identifier: Apache-2.0
#include "core/probe/attention_rows.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "core/analysis/attention_entropy.h"
#include "core/analysis/attention_jsd.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_lanes.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowsAtOnce = 256;  // of a thread
constexpr std::int64_t kBlock = 64;        // queries whose rows of two layers stay in the cache

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

StreamedMeans streamAttention(const torch::Tensor& queries, const torch::Tensor& keys) {
  const torch::NoGradGuard noGradients;
  const std::int64_t layers = queries.size(0), length = queries.size(3), width = queries.size(4);
  const std::int64_t heads = queries.size(1) * queries.size(2), targets = keys.size(3);
  const torch::Tensor q = queries.contiguous().view({layers, heads, length, width});
  const torch::Tensor k = keys.contiguous().view({layers, heads, targets, width});
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  std::vector<StreamedMeans> sums(static_cast<std::size_t>(heads));
  parallelFor(0, heads, 1, [&](std::int64_t begin, std::int64_t end) {
    const torch::NoGradGuard inThread;
    std::array<torch::Tensor, 2> rows = {at::empty({kBlock, targets}, q.options()),
                                         at::empty({kBlock, targets}, q.options())};
    std::array<std::vector<double>, 2> entropies;
    for (auto& list : entropies) list.resize(kBlock);
    for (std::int64_t head = begin; head < end; ++head) {
      StreamedMeans& sum = sums[static_cast<std::size_t>(head)];
      for (std::int64_t first = 0; first < length; first += kBlock) {
        const std::int64_t count = std::min(kBlock, length - first);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
          const auto now = static_cast<std::size_t>(layer % 2), before = 1 - now;
          torch::Tensor block = rows[now].narrow(0, 0, count);
          at::addmm_out(block, block, q[layer][head].narrow(0, first, count), k[layer][head].t(), 0, scale);
          float* data = block.mutable_data_ptr<float>();
          const float* below = rows[before].const_data_ptr<float>();
          for (std::int64_t row = 0; row < count; ++row) {
            const auto at = static_cast<std::size_t>(row);
            entropies[now][at] = softmaxWithEntropy(data + row * targets, targets);
            sum.entropyNats += entropies[now][at];
            if (layer > 0)
              sum.jsdBits += rowDivergence(data + row * targets, below + row * targets, targets,
                                           entropies[now][at], entropies[before][at]);
          }
        }
      }
    }
  });
  StreamedMeans mean;
  for (const StreamedMeans& sum : sums) {
    mean.entropyNats += sum.entropyNats;
    mean.jsdBits += sum.jsdBits;
  }
  const auto all = static_cast<double>(heads * length);
  mean.entropyNats /= all * static_cast<double>(layers);
  mean.jsdBits /= all * static_cast<double>(std::max<std::int64_t>(layers - 1, 1));
  return mean;
}

}  // namespace fathom
