// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_dropout.h"

#include <c10/core/DeviceGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "core/kernels/device_address.h"
#include "core/kernels/handed_seeds.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/launch_pass.h"
#include "core/kernels/mask_bits.h"
#include "core/kernels/seeded_dropout.h"

namespace fathom {

namespace {

constexpr std::int64_t kLowWord = 0xFFFFFFFF;
constexpr std::int64_t kPiece = 1 << 24;  // entries whose words are there at once; divides 2^32

// mixBits() of mask_bits.h for each word, in place: the low words of int64 products are those of 32 bits.
void mixWords(torch::Tensor& words) {
  const auto fold = [&](int by) { words.bitwise_xor_(at::bitwise_right_shift(words, at::Scalar(by))); };
  fold(16);
  words.mul_(0x7FEB352D).bitwise_and_(kLowWord);
  fold(15);
  words.mul_(std::int64_t{0x846CA68B}).bitwise_and_(kLowWord);
  fold(16);
}

// Words MaskRule::bits() of entries [first, first + count), a part of one piece. `handed`: the words of the
// seed where the device has them, in place of the rule's.
torch::Tensor maskWords(MaskRule rule, const torch::Tensor& handed, std::int64_t first, std::int64_t count,
                        const torch::Device& device) {
  const std::int64_t low = first & kLowWord;
  torch::Tensor words = at::arange(low, low + count, torch::TensorOptions(torch::kInt64).device(device));
  if (handed.defined()) {
    words.bitwise_xor_(handed[0]);
    rule.low = 0;
  }
  words.bitwise_xor_(static_cast<std::int64_t>(rule.key(static_cast<std::uint64_t>(first))));
  mixWords(words);
  if (handed.defined())
    words.add_(handed[1]);
  else
    words.add_(static_cast<std::int64_t>(rule.high));
  words.bitwise_and_(kLowWord);
  mixWords(words);
  return words;
}

}  // namespace

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
  call.mask = deviceMask(p, seed);
  call.wideScale = 1 / (1 - p);
  const c10::DeviceGuard guard(x.device());
  launchPass(kSeededDropoutPass, x.device(), call);
  return out;
}

namespace {

// One product each way, with the same factor: LibTorch's own formula would round that of gradients to the
// format, and keep x. Only the mask is kept.
class PlainDropout : public torch::autograd::Function<PlainDropout> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x, double p,
                               std::int64_t seed) {
    const torch::Tensor kept =
        keptEntries(x.numel(), x.device(), p, static_cast<std::uint64_t>(seed)).view(x.sizes());
    context->save_for_backward({kept});
    context->saved_data["scale"] = 1 / (1 - p);
    return at::native_dropout_backward(x, kept, 1 / (1 - p));
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const torch::Tensor kept = context->get_saved_variables()[0];
    return {at::native_dropout_backward(gradients[0], kept, context->saved_data["scale"].toDouble()), {}, {}};
  }
};

}  // namespace

torch::Tensor keptEntries(std::int64_t count, const torch::Device& device, double p, std::uint64_t seed) {
  const MaskRule rule(p, seed);
  const torch::Tensor handed = handedSeed(seed);
  const auto threshold = static_cast<std::int64_t>(rule.threshold);
  if (count <= kPiece) return maskWords(rule, handed, 0, count, device).ge(threshold);
  torch::Tensor kept = at::empty({count}, torch::TensorOptions(torch::kBool).device(device));
  for (std::int64_t first = 0; first < count; first += kPiece) {
    const std::int64_t some = std::min(kPiece, count - first);
    torch::Tensor piece = kept.narrow(0, first, some);
    at::ge_out(piece, maskWords(rule, handed, first, some, device), threshold);
  }
  return kept;
}

torch::Tensor plainDropout(const torch::Tensor& x, double p, std::uint64_t seed) {
  return PlainDropout::apply(x, p, static_cast<std::int64_t>(seed));
}

KernelEntry deviceDropoutEntry() {
  return {"seeded_dropout",
          "Dropout, with and without an addition",
          kSeededDropout,
          {kSeededDropoutPass.facts()}};
}

}  // namespace fathom
