// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/searched_rows.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/kernels/kernel_way.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_lanes.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowLane = 8;
constexpr std::int64_t kRowsAThread = 16;

// Memory of one example and head: keys and values [count, width], side by side.
struct HeadMemory {
  const float *keys, *values;
  std::int64_t count, width;
};

}  // namespace

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace {

[[gnu::always_inline]] inline float rowDot(const float* a, const float* b, std::int64_t width) {
  Lanes sum = _mm256_mul_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b));
  for (std::int64_t i = kRowLane; i < width; i += kRowLane)
    sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
  return sumLanes(sum);
}

// `scores` has room for count, rounded up to whole vectors.
void attendRow(const float* query, const HeadMemory& memory, float* scores, float* out) {
  const std::int64_t whole = (memory.count + kRowLane - 1) / kRowLane * kRowLane;
  float largest = -std::numeric_limits<float>::infinity();
  bool numbers = true;
  for (std::int64_t n = 0; n < memory.count; ++n) {
    scores[n] = rowDot(query, memory.keys + n * memory.width, memory.width);
    largest = std::max(largest, scores[n]);
    numbers = numbers && scores[n] == scores[n];
  }
  if (!numbers) {
    std::fill(out, out + memory.width, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  std::fill(scores + memory.count, scores + whole, -std::numeric_limits<float>::infinity());
  Lanes total = _mm256_setzero_ps();
  for (std::int64_t n = 0; n < whole; n += kRowLane) {
    const Lanes weight = expLanes(_mm256_sub_ps(_mm256_loadu_ps(scores + n), _mm256_set1_ps(largest)));
    _mm256_storeu_ps(scores + n, weight);
    total = _mm256_add_ps(total, weight);
  }
  const Lanes share = _mm256_set1_ps(1 / sumLanes(total));
  for (std::int64_t i = 0; i < memory.width; i += kRowLane) {
    Lanes sum = _mm256_setzero_ps();
    for (std::int64_t n = 0; n < memory.count; ++n)
      sum = _mm256_fmadd_ps(_mm256_set1_ps(scores[n]), _mm256_loadu_ps(memory.values + n * memory.width + i),
                            sum);
    _mm256_storeu_ps(out + i, _mm256_mul_ps(sum, share));
  }
}

void pointRow(const float* vector, const float* pointers, std::int64_t columns, std::int64_t width,
              float* out) {
  for (std::int64_t c = 0; c < columns; ++c) out[c] = rowDot(vector, pointers + c * width, width);
}

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else

namespace {
void attendRow(const float*, const HeadMemory&, float*, float*) {}
void pointRow(const float*, const float*, std::int64_t, std::int64_t, float*) {}
}  // namespace

#endif

bool takesSearchedRows(const torch::Tensor& rows, const AttendedMemory& memory,
                       const torch::Tensor& pointers) {
  const auto fits = [](const torch::Tensor& x) { return wayOf(kVectorPass, x) == KernelWay::Lanes; };
  return fits(rows) && fits(memory.keys) && memory.keys.size(3) % kRowLane == 0 &&
         pointers.size(2) % kRowLane == 0 && memory.keys.size(2) > 0 && memory.keys.is_contiguous() &&
         memory.values.is_contiguous() && pointers.is_contiguous() &&
         (!memory.blocked.defined() || memory.blocked.is_contiguous());
}

// Padding stands behind the rows of an example: what is blocked has no weight.
void attendRows(const torch::Tensor& query, const torch::Tensor& slots, const AttendedMemory& memory,
                const torch::Tensor& out) {
  const std::int64_t heads = memory.keys.size(1), length = memory.keys.size(2), width = memory.keys.size(3);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(memory.keys.size(0)), length);
  if (memory.blocked.defined()) {
    const bool* blocked = memory.blocked.const_data_ptr<bool>();
    for (std::size_t b = 0; b < counts.size(); ++b, blocked += length)
      counts[b] = std::find(blocked, blocked + length, true) - blocked;
  }
  const torch::Tensor asked = query.contiguous(), whose = slots.contiguous();
  const float* from = asked.const_data_ptr<float>();
  const auto* slot = whose.const_data_ptr<std::int64_t>();
  const float *keys = memory.keys.const_data_ptr<float>(), *values = memory.values.const_data_ptr<float>();
  float* to = out.mutable_data_ptr<float>();
  const std::int64_t stride = out.stride(0);
  parallelFor(0, query.size(0), kRowsAThread, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scores(static_cast<std::size_t>(length + kRowLane));
    for (std::int64_t r = begin; r < end; ++r) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const std::int64_t first = (slot[r] * heads + h) * length * width;
        attendRow(from + (r * heads + h) * width,
                  {keys + first, values + first, counts[static_cast<std::size_t>(slot[r])], width},
                  scores.data(), to + r * stride + h * width);
      }
    }
  });
}

torch::Tensor pointRows(const torch::Tensor& vectors, const torch::Tensor& slots,
                        const torch::Tensor& pointers) {
  const std::int64_t rows = vectors.size(0), columns = pointers.size(1), width = pointers.size(2);
  const torch::Tensor asked = vectors.contiguous(), whose = slots.contiguous();
  torch::Tensor raw = at::empty({rows, columns}, vectors.options());
  const float *from = asked.const_data_ptr<float>(), *of = pointers.const_data_ptr<float>();
  const auto* slot = whose.const_data_ptr<std::int64_t>();
  float* to = raw.mutable_data_ptr<float>();
  parallelFor(0, rows, kRowsAThread, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      pointRow(from + r * width, of + slot[r] * columns * width, columns, width, to + r * columns);
  });
  return raw;
}

}  // namespace fathom
