// SPDX-License-Identifier: Apache-2.0
#include "core/nn/joined_norm.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/kernels/device_norm.h"
#include "core/nn/layer_norm.h"
#include "core/nn/norm_kernel.h"
#include "core/nn/parallel_for.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kBlockRows = 64;

const float* dataOf(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

// Calls each(block, rows of it) for blocks of fixed size on several threads.
template <typename Each>
void forBlocks(const NormRows& all, Each each) {
  const std::int64_t blocks = (all.rows + kBlockRows - 1) / kBlockRows;
  const std::int64_t grain = std::max<std::int64_t>(1, 32768 / (kBlockRows * all.width));
  parallelFor(0, blocks, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      NormRows part = all;
      part.firstRow = block * kBlockRows;
      part.rows = std::min(kBlockRows, all.rows - part.firstRow);
      const std::int64_t first = part.firstRow * all.width;
      part.x += first;
      if (part.branch != nullptr) part.branch += first;
      if (part.sum != nullptr) part.sum += first;
      part.moments += 2 * part.firstRow;
      each(block, first, part);
    }
  });
}

class JoinedNormFunction : public torch::autograd::Function<JoinedNormFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const std::optional<torch::Tensor>& shortcut,
                               const std::optional<torch::Tensor>& branch, const torch::Tensor& weight,
                               const torch::Tensor& bias, double eps, double dropout, std::int64_t seed) {
    const torch::Tensor factor = shortcut.value_or(torch::Tensor());
    const torch::Tensor added = branch.value_or(torch::Tensor());
    const torch::Tensor sum = added.defined() ? at::empty_like(x) : torch::Tensor();
    const torch::Tensor moments = at::empty({x.numel() / x.size(-1), 2}, x.options());
    torch::Tensor y = at::empty_like(x);
    float* out = y.mutable_data_ptr<float>();
    forBlocks(rowsOf(x, factor, added, weight, bias, sum, moments, eps, dropout, seed),
              [&](std::int64_t, std::int64_t first, const NormRows& rows) { normRows(rows, out + first); });
    // The branch itself is not needed again, only that there was one.
    ctx->save_for_backward({x, factor, weight, bias, sum, moments});
    ctx->saved_data["eps"] = eps;
    ctx->saved_data["dropout"] = dropout;
    ctx->saved_data["seed"] = seed;
    return y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &x = saved[0], &factor = saved[1], &weight = saved[2], &sum = saved[4];
    const double dropout = ctx->saved_data["dropout"].toDouble();
    const NormRows rows = rowsOf(x, factor, sum, weight, saved[3], sum, saved[5],
                                 ctx->saved_data["eps"].toDouble(), dropout, ctx->saved_data["seed"].toInt());
    const torch::Tensor gradient = gradients[0].contiguous();
    const torch::Tensor xGradient = at::empty_like(x);
    const bool apart = sum.defined() && (factor.defined() || rows.mask.active());
    const torch::Tensor branchGradient = apart ? at::empty_like(x) : sum.defined() ? xGradient : sum;
    const std::int64_t blocks = (rows.rows + kBlockRows - 1) / kBlockRows;
    std::vector<float> sums(static_cast<std::size_t>(3 * blocks * rows.width), 0.0f);
    forBlocks(rows, [&](std::int64_t block, std::int64_t first, const NormRows& part) {
      normRowsBackward(part,
                       {gradient.const_data_ptr<float>() + first, xGradient.mutable_data_ptr<float>() + first,
                        apart ? branchGradient.mutable_data_ptr<float>() + first : nullptr,
                        sums.data() + 3 * block * rows.width});
    });
    const torch::Tensor totals = addBlocks(sums, blocks, rows.width, x.options());
    return {xGradient,
            factor.defined() ? totals[2] : torch::Tensor(),
            branchGradient,
            totals[0],
            totals[1],
            {},
            {},
            {}};
  }

 private:
  static NormRows rowsOf(const torch::Tensor& x, const torch::Tensor& factor, const torch::Tensor& branch,
                         const torch::Tensor& weight, const torch::Tensor& bias, const torch::Tensor& sum,
                         const torch::Tensor& moments, double eps, double dropout, std::int64_t seed) {
    NormRows rows;
    rows.width = x.size(-1);
    rows.rows = x.numel() / rows.width;
    rows.x = dataOf(x);
    rows.shortcut = dataOf(factor);
    rows.branch = dataOf(branch);
    if (dropout > 0) rows.mask = MaskRule(dropout, static_cast<std::uint64_t>(seed));
    rows.weight = dataOf(weight);
    rows.bias = dataOf(bias);
    rows.eps = static_cast<float>(eps);
    rows.sum = const_cast<float*>(dataOf(sum));
    rows.moments = const_cast<float*>(dataOf(moments));
    return rows;
  }

  static torch::Tensor addBlocks(const std::vector<float>& sums, std::int64_t blocks, std::int64_t width,
                                 const torch::TensorOptions& options) {
    torch::Tensor totals = at::zeros({3, width}, options);
    float* total = totals.mutable_data_ptr<float>();
    for (std::int64_t block = 0; block < blocks; ++block) {
      const float* part = sums.data() + 3 * block * width;
      for (std::int64_t i = 0; i < 3 * width; ++i) total[i] += part[i];
    }
    return totals;
  }
};

// The same on a device with our kernels.
class DeviceNormFunction : public torch::autograd::Function<DeviceNormFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const std::optional<torch::Tensor>& shortcut, const torch::Tensor& branch,
                               const torch::Tensor& weight, const torch::Tensor& bias, double eps,
                               double dropout, std::int64_t seed) {
    const torch::Tensor factor = shortcut.value_or(torch::Tensor());
    const DeviceNormSums sums =
        deviceNorm({x, factor, branch, weight, bias, eps, dropout, static_cast<std::uint64_t>(seed)});
    // x is read again for the gradient of its factor alone.
    ctx->save_for_backward({factor.defined() ? x : sums.sum, factor, weight, bias, sums.sum, sums.moments});
    ctx->saved_data["eps"] = eps;
    ctx->saved_data["dropout"] = dropout;
    ctx->saved_data["seed"] = seed;
    return sums.y;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const DeviceNorm norm{saved[0],
                          saved[1],
                          {},
                          saved[2],
                          saved[3],
                          ctx->saved_data["eps"].toDouble(),
                          ctx->saved_data["dropout"].toDouble(),
                          static_cast<std::uint64_t>(ctx->saved_data["seed"].toInt())};
    const DeviceNormGradients made = deviceNormBackward(norm, true, {{}, saved[4], saved[5]}, gradients[0]);
    return {made.x,       norm.shortcut.defined() ? made.sums[2] : torch::Tensor(),
            made.branch,  made.sums[0],
            made.sums[1], {},
            {},           {}};
  }
};

KernelWay normWay(const torch::Tensor& x, const LayerNorm& norm) {
  const bool alike = norm.weight.scalar_type() == torch::promoteTypes(x.scalar_type(), torch::kFloat32);
  return alike && x.numel() > 0 ? wayOf(kNormJoin, x, {.width = x.size(-1)}) : KernelWay::Aten;
}

std::optional<torch::Tensor> optional(const torch::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor.contiguous()) : std::nullopt;
}

}  // namespace

bool joinedNormFits(const torch::Tensor& x, const LayerNorm& norm) {
  return normWay(x, norm) != KernelWay::Aten;
}

torch::Tensor joinedNorm(const JoinedNorm& join, const LayerNorm& norm) {
  const torch::Tensor x = join.x.contiguous();
  const auto seed = static_cast<std::int64_t>(join.seed);
  if (normWay(join.x, norm) == KernelWay::Lanes)
    return JoinedNormFunction::apply(x, optional(join.shortcut), optional(join.branch), norm.weight,
                                     norm.bias, norm.eps, join.dropout, seed);
  // Alone it is LibTorch's: nothing is saved.
  if (!join.branch.defined())
    return at::layer_norm(join.x, norm.weight.sizes(), norm.weight, norm.bias, norm.eps);
  return DeviceNormFunction::apply(x, optional(join.shortcut), join.branch.contiguous(), norm.weight,
                                   norm.bias, norm.eps, join.dropout, seed);
}

}  // namespace fathom
