// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/kernel_references.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/kernels/device_dropout.h"

namespace fathom {

namespace {

torch::Tensor laterKeys(std::int64_t queries, std::int64_t keys, const torch::Device& device) {
  return at::ones({queries, keys}, torch::TensorOptions(torch::kBool).device(device)).triu(1);
}

// Factors of the probabilities, by their place in [sequences, heads, longest, longest].
torch::Tensor keptShares(const torch::Tensor& projected, const DeviceRelations& how) {
  const torch::Tensor ones =
      at::ones({how.sequences, how.heads, how.longest, how.longest}, projected.options());
  return how.dropout > 0 ? referenceDropout(ones, {}, how.dropout, how.seed) : ones;
}

}  // namespace

torch::Tensor referenceDropout(const torch::Tensor& x, const torch::Tensor& base, double p,
                               std::uint64_t seed) {
  const torch::Tensor dropped = plainDropout(x, p, seed);
  return base.defined() ? base + dropped : dropped;
}

torch::Tensor referenceNorm(const DeviceNorm& norm) {
  torch::Tensor sum = norm.shortcut.defined() ? norm.x * norm.shortcut : norm.x;
  if (norm.branch.defined() && norm.dropout > 0)
    sum = referenceDropout(norm.branch, sum, norm.dropout, norm.seed);
  else if (norm.branch.defined())
    sum = sum + norm.branch;
  return at::layer_norm(sum, norm.weight.sizes(), norm.weight, norm.bias, norm.eps);
}

DeviceProbabilities referenceSoftmax(const torch::Tensor& scores, const DeviceSoftmax& how) {
  torch::Tensor logits = scores / how.divisor;
  torch::Tensor hidden = how.hidden;
  if (how.causal) {
    const torch::Tensor later = laterKeys(scores.size(2), scores.size(3), scores.device());
    hidden = hidden.defined() ? hidden.logical_or(later) : later;
  }
  if (hidden.defined()) {
    const torch::Tensor masked =
        how.replaces ? at::full_like(logits, how.masked) : logits + at::Scalar(how.masked);
    logits = at::where(hidden, masked, logits);
  }
  DeviceProbabilities made;
  made.all = at::softmax(logits, -1);
  made.kept = how.dropout > 0 ? referenceDropout(made.all, {}, how.dropout, how.seed) : made.all;
  return made;
}

torch::Tensor referenceRelations(const torch::Tensor& projected, const DeviceRelations& how) {
  const std::int64_t width = how.keys.size(1), heads = how.heads;
  const torch::Tensor plan = how.plan.cpu(), shares = keptShares(projected, how);
  const auto* spans = plan.const_data_ptr<std::int64_t>();
  const torch::Tensor ids = plan.slice(0, 3 * how.sequences).view(torch::kUInt8);
  torch::Tensor out = at::zeros({projected.size(0), heads * width}, projected.options());
  for (std::int64_t b = 0; b < how.sequences; ++b) {
    const std::int64_t first = spans[2 * b], count = spans[2 * b + 1], start = spans[2 * how.sequences + b];
    if (count == 0) continue;
    const torch::Tensor types =
        ids.slice(0, start, start + count * count).to(torch::kInt64).view({count, count});
    if (types.max().item<std::int64_t>() >= how.keys.size(0))
      throw std::out_of_range("a relation id is outside of the tables");
    const torch::Tensor onDevice = types.to(projected.device());
    // [heads, count, width] of query, key, value.
    const torch::Tensor parts =
        projected.slice(0, first, first + count).view({count, 3, heads, width}).permute({1, 2, 0, 3});
    const torch::Tensor query = parts[0], key = parts[1], value = parts[2];
    torch::Tensor scores = at::matmul(query, key.transpose(1, 2)) +
                           at::einsum("hiw,ijw->hij", {query, how.keys.index({onDevice})});
    scores = scores / std::sqrt(static_cast<double>(width));
    if (how.causal)
      scores = scores.masked_fill(laterKeys(count, count, projected.device()),
                                  -std::numeric_limits<double>::infinity());
    const torch::Tensor kept = at::softmax(scores, -1) * shares[b].slice(1, 0, count).slice(2, 0, count);
    const torch::Tensor made =
        at::matmul(kept, value) + at::einsum("hij,ijw->hiw", {kept, how.values.index({onDevice})});
    const torch::Tensor rows =
        at::arange(first, first + count, torch::TensorOptions(torch::kInt64).device(projected.device()));
    out = out.index_add(0, rows, made.permute({1, 0, 2}).reshape({count, heads * width}));
  }
  return out;
}

}  // namespace fathom
