// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_dropout.h"

#include <c10/core/DeviceGuard.h>

#include "core/kernels/device_address.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/kernel_plugin.h"
#include "core/kernels/mask_bits.h"

namespace fathom {

namespace {

constexpr std::int64_t kLowWord = 0xFFFFFFFF;

// mixBits of mask_bits.h on int64 tensors: the low words of products are those of 32 bits.
torch::Tensor mixedBits(const torch::Tensor& words) {
  const auto folded = [](const torch::Tensor& value, int by) {
    return value.bitwise_xor(at::bitwise_right_shift(value, at::Scalar(by)));
  };
  torch::Tensor value = folded(words, 16).mul(0x7FEB352D).bitwise_and(kLowWord);
  value = folded(value, 15).mul(std::int64_t{0x846CA68B}).bitwise_and(kLowWord);
  return folded(value, 16);
}

}  // namespace

bool deviceDropoutFits(const torch::TensorOptions& tensors) {
  return tensors.device().is_cuda() && numberFormatOf(c10::typeMetaToScalarType(tensors.dtype())) &&
         kernelPlugin().table != nullptr;
}

torch::Tensor deviceDropout(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed) {
  const torch::Tensor input = x.contiguous();
  const torch::Tensor added = base.defined() ? base.contiguous() : base;
  torch::Tensor out = at::empty_like(input);
  DropoutCall call;
  call.format = *numberFormatOf(input.scalar_type());
  call.x = deviceAddress(input);
  call.base = deviceAddress(added);
  call.out = deviceAddress(out);
  call.count = input.numel();
  call.mask = MaskRule(p, seed);
  call.wideScale = 1 / (1 - p);
  const c10::DeviceGuard guard(x.device());
  checkLaunch("seeded_dropout", kernelPlugin().table->seededDropout(call, deviceStream(x.device())));
  return out;
}

torch::Tensor referenceDropout(const torch::Tensor& x, const torch::Tensor& base, double p,
                               std::uint64_t seed) {
  const MaskRule rule(p, seed);
  const torch::Tensor index = at::arange(x.numel(), x.options().dtype(torch::kInt64));
  const torch::Tensor high = mixedBits(at::bitwise_right_shift(index, at::Scalar(32)));
  const torch::Tensor key = high.bitwise_xor(at::Scalar(static_cast<std::int64_t>(rule.low)));
  const torch::Tensor first = mixedBits(index.bitwise_and(kLowWord).bitwise_xor(key));
  const torch::Tensor bits = mixedBits(first.add(static_cast<std::int64_t>(rule.high)).bitwise_and(kLowWord));
  const torch::Tensor kept = bits.ge(static_cast<std::int64_t>(rule.threshold)).view(x.sizes());
  const double scale = x.scalar_type() == torch::kFloat64 ? 1 / (1 - p) : static_cast<double>(rule.scale);
  const torch::Tensor dropped = x.contiguous() * (kept.to(x.scalar_type()) * scale);
  return base.defined() ? base + dropped : dropped;
}

KernelEntry deviceDropoutEntry() {
  return {"seeded_dropout", "Dropout, with and without an addition",
          [](const torch::TensorOptions& tensors, std::int64_t) { return deviceDropoutFits(tensors); }};
}

}  // namespace fathom
