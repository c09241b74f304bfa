// SPDX-License-Identifier: Apache-2.0
#include "core/nn/packed_matrix.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/kernels/kernel_way.h"
#include "core/nn/parallel_for.h"
#include "core/nn/vector_lanes.h"

namespace fathom {

namespace {

constexpr std::int64_t kPanel = 16;  // columns of a panel: two vectors
// Products of fewer multiplications than this are not worth a second thread.
constexpr std::int64_t kWorthAThread = 1 << 19;

// Factors of out [rows, kPanel] = x P (+ out) for one panel P.
struct PanelProduct {
  const float* x;
  std::int64_t xStride;
  const float* panel;
  std::int64_t inner;
  float* out;
  std::int64_t outStride;
  std::int64_t columns;  // that there are from the panel's first one on
  bool add;
};

}  // namespace

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma")
#endif

namespace {

// R rows, held in registers.
template <int R>
[[gnu::always_inline]] inline void panelRows(const PanelProduct& p, std::int64_t row) {
  Lanes sums[R][2];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) sums[r][0] = sums[r][1] = _mm256_setzero_ps();
  const float* x = p.x + row * p.xStride;
  const float* panel = p.panel;
  for (std::int64_t k = 0; k < p.inner; ++k, ++x, panel += kPanel) {
    const Lanes left = _mm256_loadu_ps(panel), right = _mm256_loadu_ps(panel + 8);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const Lanes factor = _mm256_broadcast_ss(x + r * p.xStride);
      sums[r][0] = _mm256_fmadd_ps(factor, left, sums[r][0]);
      sums[r][1] = _mm256_fmadd_ps(factor, right, sums[r][1]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    float* out = p.out + (row + r) * p.outStride;
    float spare[kPanel] = {};
    const std::int64_t there = std::min(kPanel, p.columns);
    const bool whole = there == kPanel;
    float* to = whole ? out : spare;
    if (!whole && p.add) std::copy(out, out + there, spare);
    for (int v = 0; v < 2; ++v) {
      const Lanes sum = p.add ? _mm256_add_ps(_mm256_loadu_ps(to + 8 * v), sums[r][v]) : sums[r][v];
      _mm256_storeu_ps(to + 8 * v, sum);
    }
    if (!whole) std::copy(spare, spare + there, out);
  }
}

void panelProduct(const PanelProduct& p, std::int64_t rows) {
  std::int64_t row = 0;
  for (; row + 6 <= rows; row += 6) panelRows<6>(p, row);
  switch (rows - row) {
    case 5:
      return panelRows<5>(p, row);
    case 4:
      return panelRows<4>(p, row);
    case 3:
      return panelRows<3>(p, row);
    case 2:
      return panelRows<2>(p, row);
    case 1:
      return panelRows<1>(p, row);
    default:
      return;
  }
}

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

// The same with sixteen numbers at a time: every sum has the same terms in the same order.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx512f")
#endif

namespace {

// R rows and P panels side by side, held in registers.
template <int R, int P>
[[gnu::always_inline]] inline void widePanelRows(const PanelProduct& p, std::int64_t row) {
  __m512 sums[R][P];
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r) {
    for (int b = 0; b < P; ++b) sums[r][b] = _mm512_setzero_ps();
  }
  const float* x = p.x + row * p.xStride;
  const float* panel = p.panel;
  for (std::int64_t k = 0; k < p.inner; ++k, ++x, panel += kPanel) {
    __m512 part[P];
    for (int b = 0; b < P; ++b) part[b] = _mm512_loadu_ps(panel + b * p.inner * kPanel);
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      const __m512 factor = _mm512_set1_ps(x[r * p.xStride]);
      for (int b = 0; b < P; ++b) sums[r][b] = _mm512_fmadd_ps(factor, part[b], sums[r][b]);
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r) {
    float* out = p.out + (row + r) * p.outStride;
    for (int b = 0; b < P; ++b, out += kPanel) {
      const std::int64_t there = std::min(kPanel, p.columns - b * kPanel);
      const auto mask = static_cast<__mmask16>((1u << there) - 1);
      const __m512 before = p.add ? _mm512_maskz_loadu_ps(mask, out) : _mm512_setzero_ps();
      _mm512_mask_storeu_ps(out, mask, p.add ? _mm512_add_ps(before, sums[r][b]) : sums[r][b]);
    }
  }
}

template <int P>
void widePanelProduct(const PanelProduct& p, std::int64_t rows) {
  std::int64_t row = 0;
  for (; row + 12 <= rows; row += 12) widePanelRows<12, P>(p, row);
  if (row + 8 <= rows) {
    widePanelRows<8, P>(p, row);
    row += 8;
  }
  if (row + 4 <= rows) {
    widePanelRows<4, P>(p, row);
    row += 4;
  }
  if (row + 2 <= rows) {
    widePanelRows<2, P>(p, row);
    row += 2;
  }
  if (row < rows) widePanelRows<1, P>(p, row);
}

}  // namespace

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace {

// `p` is the first of some panels.
void panelProducts(PanelProduct p, std::int64_t panels, std::int64_t rows) {
  static const bool wide = __builtin_cpu_supports("avx512f");
  while (panels > 0) {
    const std::int64_t taken = wide && panels > 1 ? 2 : 1;
    if (!wide)
      panelProduct(p, rows);
    else if (taken == 2)
      widePanelProduct<2>(p, rows);
    else
      widePanelProduct<1>(p, rows);
    panels -= taken;
    p.panel += taken * p.inner * kPanel;
    p.out += taken * kPanel;
    p.columns -= taken * kPanel;
  }
}

}  // namespace

#else

namespace {
void panelProducts(PanelProduct, std::int64_t, std::int64_t) {}
}  // namespace

#endif

namespace {

// [panels, inner, 16] of a matrix at any strides.
torch::Tensor panelsOf(const torch::Tensor& matrix) {
  const std::int64_t inner = matrix.size(0), columns = matrix.size(1);
  const std::int64_t panels = (columns + kPanel - 1) / kPanel;
  torch::Tensor packed = at::empty({panels, inner, kPanel}, matrix.options());
  const float* from = matrix.const_data_ptr<float>();
  float* to = packed.mutable_data_ptr<float>();
  const std::int64_t rowStride = matrix.stride(0), columnStride = matrix.stride(1);
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, inner * kPanel));
  parallelFor(0, panels, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t panel = begin; panel < end; ++panel) {
      float* target = to + panel * inner * kPanel;
      const std::int64_t there = std::min(kPanel, columns - panel * kPanel);
      if (there < kPanel) std::fill(target, target + inner * kPanel, 0.0f);
      for (std::int64_t c = 0; c < there; ++c) {
        const float* source = from + (panel * kPanel + c) * columnStride;
        for (std::int64_t k = 0; k < inner; ++k) target[k * kPanel + c] = source[k * rowStride];
      }
    }
  });
  return packed;
}

}  // namespace

PackedMatrix::PackedMatrix(const torch::Tensor& matrix) : m_inner(matrix.size(0)), m_columns(matrix.size(1)) {
  if (wayOf(kVectorPass, matrix) == KernelWay::Lanes)
    m_panels = panelsOf(matrix.detach());
  else
    m_plain = matrix.detach();
}

torch::Tensor PackedMatrix::times(const torch::Tensor& x) const {
  if (m_plain.defined()) return at::mm(x, m_plain);
  torch::Tensor out = at::empty({x.size(0), m_columns}, x.options());
  multiply(x, out);
  return out;
}

void PackedMatrix::run(const torch::Tensor& x, const torch::Tensor& out, bool add) const {
  if (m_plain.defined()) {
    torch::Tensor target = out;
    if (add)
      target.addmm_(x, m_plain);
    else
      target.copy_(at::mm(x, m_plain));
    return;
  }
  if (x.size(1) != m_inner || out.size(1) != m_columns || x.size(0) != out.size(0) ||
      (m_inner > 1 && x.stride(1) != 1) || (m_columns > 1 && out.stride(1) != 1))
    throw Failure(internalError("a packed matrix and the rows it is to multiply do not fit"));
  const std::int64_t rows = x.size(0), panels = m_panels.size(0);
  const float* from = x.const_data_ptr<float>();
  float* to = out.mutable_data_ptr<float>();
  const float* packed = m_panels.const_data_ptr<float>();
  const std::int64_t work = std::max<std::int64_t>(1, rows * m_inner * kPanel);
  const std::int64_t grain = std::max<std::int64_t>(1, kWorthAThread / work);
  parallelFor(0, panels, grain, [&](std::int64_t begin, std::int64_t end) {
    panelProducts({from, x.stride(0), packed + begin * m_inner * kPanel, m_inner, to + begin * kPanel,
                   out.stride(0), m_columns - begin * kPanel, add},
                  end - begin, rows);
  });
}

}  // namespace fathom
