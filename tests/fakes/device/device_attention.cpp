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

Attention attentionOf(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                      const at::Tensor& bias, double dropout, bool causal, std::optional<double> scale) {
  const double own = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3))));
  const auto wide = [](const at::Tensor& tensor) {
    return tensor.defined() ? twinOf(tensor).to(at::kFloat) : at::Tensor();
  };
  return {wide(query), wide(key), wide(value), wide(bias), dropout, own, causal};
}

// [B, H, T, d/H] whose memory is [B, T, H, d/H].
at::Tensor byPositions(const at::Tensor& heads, at::ScalarType type) {
  return copyToDevice(heads.to(type).transpose(1, 2).contiguous()).transpose(1, 2);
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
  const at::AutoDispatchBelowADInplaceOrView below;
  Attention own = attentionOf(query, key, value, bias.value_or(at::Tensor()), dropout, causal, scale);
  own.seed = static_cast<std::int64_t>(processorGenerator(std::nullopt).current_seed());
  const at::Tensor scores = own.scores(), probabilities = scores.softmax(-1);
  const at::Tensor out = at::matmul(probabilities * own.kept(probabilities), own.value);
  return {byPositions(out, query.scalar_type()), copyToDevice(scores.logsumexp(-1)),
          at::full({}, own.seed, at::kLong), at::zeros({}, at::kLong)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> backward(
    const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, const at::Tensor&, const at::Tensor&, const at::Tensor& seed, const at::Tensor&,
    double dropout, std::array<bool, 4>, bool causal, std::optional<double> scale) {
  DeviceLog::instance().operatorRan("aten::_scaled_dot_product_efficient_attention_backward");
  const c10::DeviceGuard guard(query.device());
  const at::AutoDispatchBelowADInplaceOrView below;
  Attention own = attentionOf(query, key, value, bias, dropout, causal, scale);
  own.seed = seed.item<std::int64_t>();
  const at::Tensor probabilities = own.scores().softmax(-1), kept = own.kept(probabilities);
  const at::Tensor slope = twinOf(gradient).to(at::kFloat);
  const at::Tensor ofKept = at::matmul(slope, own.value.transpose(-2, -1)) * kept * probabilities;
  const at::Tensor ofScores = (ofKept - probabilities * ofKept.sum(-1, true)) * own.scale;
  const auto type = query.scalar_type();
  return {byPositions(at::matmul(ofScores, own.key), type),
          byPositions(at::matmul(ofScores.transpose(-2, -1), own.query), type),
          byPositions(at::matmul((probabilities * kept).transpose(-2, -1), slope), type), at::Tensor()};
}

std::tuple<at::Tensor, at::Tensor> dropoutOnDevice(const at::Tensor& input, double p,
                                                   std::optional<bool> train) {
  DeviceLog::instance().operatorRan("aten::native_dropout");
  const c10::DeviceGuard guard(input.device());
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
