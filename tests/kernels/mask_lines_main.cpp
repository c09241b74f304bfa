// SPDX-License-Identifier: Apache-2.0
// What dropout keeps, to be compared between devices, number formats and ways of computing
// (tst_dropout_masks):
//   mask_lines [LIBTORCH_CUDA]
// prints a line `SITE FORMAT WAY BITS` for each place of dropout and each format, of the processor or, with a
// library, of its device. Every site gets tensors of which no number is 0, so that 0 is what was dropped.
#include <ATen/autocast_mode.h>
#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <string>

#include "core/kernels/device_dropout.h"
#include "core/kernels/device_norm.h"
#include "core/kernels/device_softmax.h"
#include "core/nn/attention/attention.h"
#include "core/nn/dropout.h"
#include "core/nn/models/branch_join.h"
#include "core/nn/models/feed_forward.h"

namespace {

using namespace fathom;

constexpr double kDropped = 0.3;
constexpr std::int64_t kWidth = 16;  // of a stream and of its one head, and the length of its sequences
const StepContext kContext{.seed = 7, .update = 3, .microBatch = 1, .training = true};

const char* wordOf(KernelWay way) {
  return way == KernelWay::Plugin ? "plugin" : way == KernelWay::Lanes ? "lanes" : "aten";
}

// Four entries a digit.
std::string bitsOf(const torch::Tensor& kept) {
  const torch::Tensor flat = kept.to(torch::kCPU).flatten().contiguous();
  const bool* entries = flat.const_data_ptr<bool>();
  std::string text;
  for (std::int64_t i = 0; i < flat.numel(); i += 4) {
    int digit = 0;
    for (std::int64_t k = i; k < i + 4; ++k) digit = 2 * digit + (k < flat.numel() && entries[k] ? 1 : 0);
    text += "0123456789abcdef"[digit];
  }
  return text;
}

torch::ScalarType formatOf(const torch::TensorOptions& tensors) {
  return c10::typeMetaToScalarType(tensors.dtype());
}

// Mixed precision of a narrow format, as a run switches it on; nothing for a wide one.
class Mixed {
 public:
  explicit Mixed(const torch::TensorOptions& tensors) : m_kind(tensors.device().type()) {
    const auto format = formatOf(tensors);
    if (format != torch::kBFloat16 && format != torch::kHalf) return;
    at::autocast::set_autocast_dtype(m_kind, format);
    at::autocast::set_autocast_enabled(m_kind, true);
  }
  ~Mixed() { at::autocast::set_autocast_enabled(m_kind, false); }
  Mixed(const Mixed&) = delete;
  Mixed& operator=(const Mixed&) = delete;

 private:
  torch::DeviceType m_kind;
};

class Sites {
 public:
  explicit Sites(const torch::TensorOptions& tensors)
      : m_tensors(tensors), m_wide(tensors.dtype(torch::promoteTypes(formatOf(tensors), torch::kFloat32))) {}

  void print() const {
    torch::Tensor ones = at::ones({5, 1003}, m_tensors).set_requires_grad(true);
    const torch::Tensor out = dropout(ones, kDropped, kContext, "site");
    line("dropout", wayOf(kSeededDropout, m_tensors), out);
    out.sum().backward();
    line("dropout_gradient", wayOf(kSeededDropout, m_tensors), ones.grad());
    line("addition", wayOf(kSeededDropout, m_tensors),
         addDropout(ones.detach(), at::ones_like(ones), kDropped, kContext, "site") - 1);
    line("expression", KernelWay::Aten,
         keptEntries(5 * 1003, m_tensors.device(), kDropped, dropoutSeed(kContext, "site")));
    join();
    attention();
    feedForward();
  }

 private:
  void line(const char* site, KernelWay way, const torch::Tensor& numbers) const {
    const auto format = formatOf(m_tensors);
    std::printf("%s %s %s %s\n", site, c10::toString(format), wordOf(way),
                bitsOf(numbers.detach().ne(0)).c_str());
  }
  torch::Tensor identity() const { return at::eye(kWidth, m_wide); }
  // The last rows of maps are `value`, biases before an activation 1, and everything else 0.
  static void fill(const ParameterStore& store, const torch::Tensor& value) {
    const at::NoGradGuard noGrad;
    for (const Leaf& leaf : store.leaves()) {
      leaf.tensor.zero_();
      if (leaf.tensor.dim() == 2) leaf.tensor.narrow(0, leaf.tensor.size(0) - kWidth, kWidth).copy_(value);
      if (leaf.tensor.dim() == 1 && leaf.name.ends_with("input.bias")) leaf.tensor.fill_(1);
    }
  }

  // Post-LN: the gradient of a branch is 0 where it was dropped. Weights of norms are never narrow.
  void join() const {
    ParameterStore store{m_wide};
    StackSetup setup;
    setup.encoderLayers = 1;
    setup.width = kWidth;
    setup.sublayers = {SublayerKind::FeedForward};
    setup.dropout = kDropped;
    const auto scheme = makeResidual(store, setup, "post_ln", OptionValues());
    const auto waves = [&](double rate) {
      const torch::Tensor places = at::arange(9 * kWidth, torch::kFloat64).mul(rate).sin();
      return places.view({9, kWidth}).to(m_tensors.device(), formatOf(m_tensors));
    };
    const torch::Tensor x = waves(1.3);
    torch::Tensor branch = waves(0.7).set_requires_grad(true);
    joinBranch(*scheme, scheme->site(0, 0), x, x, branch, kContext).backward(waves(2.9));
    line("join", wayOf(kNormJoin, m_tensors, {.width = kWidth}), branch.grad());
  }

  // Weights are never narrow either. Equal probabilities, values that are the identity: the result is what
  // dropout keeps of them.
  void attention() const {
    const Mixed mixed(m_tensors);
    ParameterStore store{m_wide};
    AttentionSetup setup;
    setup.width = kWidth;
    setup.dropout = kDropped;
    setup.queryKeyValueBias = setup.outputBias = false;
    const auto own = attentionEntry("multi_head").make(store, {.name = "attention"}, setup);
    fill(store, identity());  // the last rows of query, key and value: those of the value
    const torch::Tensor x = identity().unsqueeze(0).expand({3, kWidth, kWidth}).contiguous(), none;
    const AttentionMask mask;
    const SublayerSite site;
    const BranchInputs in{x, none, mask, none, none, nullptr, site, kContext};
    line("attention", wayOf(kChainSoftmax, m_wide), own->forward(in).value);
  }

  void feedForward() const {
    const Mixed mixed(m_tensors);
    ParameterStore store{m_wide};
    const FeedForward branch(store, {.name = "ff"}, kWidth, kWidth, Activation::Relu, kDropped, true);
    fill(store, identity());
    const torch::Tensor x = at::ones({7, kWidth}, m_wide);
    line("feed_forward", wayOf(kVectorPass, m_wide), branch.forward(x, {}, SublayerSite(), kContext));
  }

  torch::TensorOptions m_tensors, m_wide;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1 && ::dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::fprintf(stderr, "%s\n", ::dlerror());
      return 1;
    }
    const torch::Device device = argc > 1 ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
    for (const auto format : {torch::kFloat32, torch::kFloat64, torch::kBFloat16, torch::kHalf})
      Sites(torch::TensorOptions(device).dtype(format)).print();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
