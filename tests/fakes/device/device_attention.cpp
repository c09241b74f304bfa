// SPDX-License-Identifier: Apache-2.0
// Fused attention and dropout of CUDA, whose masks are drawn from the device's own generator. As there,
// attention takes float32 and narrower numbers, and lays its result out by positions.
#include <ATen/ATen.h>
#include <ATen/native/transformers/attention.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/fakes/device/device_graphs.h"
#include "tests/fakes/device/device_log.h"
#include "tests/fakes/device/device_runtime.h"
#include "tests/fakes/device/device_tensors.h"

namespace fathom::stand_in {

namespace {

constexpr std::int64_t kPlain = 0, kEfficient = 2;  // sdp::SDPBackend

std::int64_t choice(const at::Tensor& query, const at::Tensor&, const at::Tensor&,
                    const std::optional<at::Tensor>&, double, bool, std::optional<double>, bool) {
  return query.scalar_type() == at::kDouble ? kPlain : kEfficient;
}

struct Attention {
  at::Tensor query, key, value, bias;
  double dropout = 0, scale = 1;
  bool causal = false;
  std::int64_t seed = 0;

  at::Tensor scores() const {
    at::Tensor all = at::matmul(query, key.transpose(-2, -1)) * scale;
    if (bias.defined()) all = all + bias;
    if (!causal) return all;
    const at::Tensor later = at::ones({query.size(2), key.size(2)}, at::kBool).triu_(1);
    return all.masked_fill(later, -std::numeric_limits<double>::infinity());
  }
  // What each probability is multiplied by.
  at::Tensor kept(const at::Tensor& like) const {
    if (dropout <= 0) return at::ones_like(like);
    at::Generator generator = at::detail::createCPUGenerator();
    generator.set_current_seed(static_cast<std::uint64_t>(seed));
    return at::empty_like(like).bernoulli_(1 - dropout, generator).div_(1 - dropout);
  }
};

// Of twins.
Attention attentionOf(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      const at::Tensor& bias, double dropout, bool causal, std::optional<double> scale) {
  const double own = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3))));
  const auto wide = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.to(at::kFloat) : at::Tensor();
  };
  return {wide(query), wide(key), wide(value), wide(bias), dropout, own, causal};
}

at::Tensor twinOrNone(const at::Tensor& tensor) {
  return tensor.defined() ? twinOf(tensor) : tensor;
}

// [B, T, H, d/H] of [B, H, T, d/H].
at::Tensor byPositions(const at::Tensor& heads, at::ScalarType type) {
  return heads.to(type).transpose(1, 2).contiguous();
}

void checkBias(const at::Tensor& query, const std::optional<at::Tensor>& bias) {
  if (!bias || !bias->defined()) return;
  TORCH_CHECK(bias->scalar_type() == query.scalar_type(), "the mask has another number format");
  for (std::int64_t d = 0; d + 1 < bias->dim(); ++d)
    TORCH_CHECK(bias->stride(d) % 16 == 0, "rows of the mask do not begin at whole 16 entries");
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> forward(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const std::optional<at::Tensor>& bias, bool, double dropout, bool causal, std::optional<double> scale) {
  DeviceLog::instance().operatorRan("aten::_scaled_dot_product_efficient_attention");
  const c10::DeviceGuard guard(query.device());
  checkBias(query, bias);
  const auto seed = static_cast<std::int64_t>(processorGenerator(std::nullopt).current_seed());
  const std::vector<at::Tensor> made =
      computed([q = twinOf(query), k = twinOf(key), v = twinOf(value),
                mask = twinOrNone(bias.value_or(at::Tensor())), dropout, causal, scale, seed] {
        Attention own = attentionOf(q, k, v, mask, dropout, causal, scale);
        own.seed = seed;
        const at::Tensor scores = own.scores(), probabilities = scores.softmax(-1);
        const at::Tensor out = at::matmul(probabilities * own.kept(probabilities), own.value);
        return std::vector{byPositions(out, q.scalar_type()), scores.logsumexp(-1)};
      });
  return {made[0].transpose(1, 2), made[1], at::full({}, seed, at::kLong), at::zeros({}, at::kLong)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> backward(
    const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, const at::Tensor&, const at::Tensor&, const at::Tensor& seed, const at::Tensor&,
    double dropout, std::array<bool, 4>, bool causal, std::optional<double> scale) {
  DeviceLog::instance().operatorRan("aten::_scaled_dot_product_efficient_attention_backward");
  const c10::DeviceGuard guard(query.device());
  const std::int64_t drawn = seed.item<std::int64_t>();
  const std::vector<at::Tensor> made =
      computed([q = twinOf(query), k = twinOf(key), v = twinOf(value), mask = twinOrNone(bias),
                above = twinOf(gradient), drawn, dropout, causal, scale] {
        Attention own = attentionOf(q, k, v, mask, dropout, causal, scale);
        own.seed = drawn;
        const at::Tensor probabilities = own.scores().softmax(-1), kept = own.kept(probabilities);
        const at::Tensor slope = above.to(at::kFloat);
        const at::Tensor ofKept = at::matmul(slope, own.value.transpose(-2, -1)) * kept * probabilities;
        const at::Tensor ofScores = (ofKept - probabilities * ofKept.sum(-1, true)) * own.scale;
        const auto type = q.scalar_type();
        return std::vector{byPositions(at::matmul(ofScores, own.key), type),
                           byPositions(at::matmul(ofScores.transpose(-2, -1), own.query), type),
                           byPositions(at::matmul((probabilities * kept).transpose(-2, -1), slope), type)};
      });
  return {made[0].transpose(1, 2), made[1].transpose(1, 2), made[2].transpose(1, 2), at::Tensor()};
}

std::tuple<at::Tensor, at::Tensor> dropoutOnDevice(const at::Tensor& input, double p,
                                                   std::optional<bool> train) {
  DeviceLog::instance().operatorRan("aten::native_dropout");
  const c10::DeviceGuard guard(input.device());
  if (RecordedGraph* graph = RecordedGraph::capturing())
    graph->refuse("aten::native_dropout draws numbers of the device inside of a graph");
  const at::AutoDispatchBelowADInplaceOrView below;
  const at::Tensor own = twinOf(input);
  if (train && !*train) return {copyToDevice(own.clone()), copyToDevice(at::ones_like(own, at::kBool))};
  const at::Tensor mask =
      at::empty(own.sizes(), at::kFloat).bernoulli_(1 - p, processorGenerator(std::nullopt)).to(at::kBool);
  return {copyToDevice(own * mask * (1 / (1 - p))), copyToDevice(mask)};
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("_scaled_dot_product_efficient_attention", &forward);
  library.impl("_scaled_dot_product_efficient_attention_backward", &backward);
  library.impl("native_dropout", &dropoutOnDevice);
}

}  // namespace fathom::stand_in

namespace at::native {
REGISTER_CUDA_DISPATCH(_fused_sdp_choice_stub, &fathom::stand_in::choice)
}  // namespace at::native
