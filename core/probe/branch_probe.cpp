// SPDX-License-Identifier: Apache-2.0
#include "core/probe/branch_probe.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <utility>

namespace fathom {

namespace {

torch::Tensor cpuDouble(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kCPU, torch::kFloat64).contiguous();
}

std::vector<double> toVector(const torch::Tensor& tensor) {
  const torch::Tensor values = cpuDouble(tensor);
  const double* data = values.const_data_ptr<double>();
  return {data, data + values.numel()};
}

class BranchRecorder : public ForwardObserver {
 public:
  BranchRecorder(bool frozenParts, ForwardObserver* also) : m_frozenParts(frozenParts), m_also(also) {}
  std::vector<StackBranches> stacks;
  bool watchesFrozenParts() const override { return m_frozenParts; }
  void stackInput(StackKind stack, const torch::Tensor& x0) override {
    stacks.push_back({stack, cpuDouble(x0), {}, {}, {}});
    if (m_also != nullptr) m_also->stackInput(stack, x0);
  }
  void stackOutput(StackKind stack, const torch::Tensor& y) override {
    if (m_also != nullptr) m_also->stackOutput(stack, y);
  }
  void sublayer(const SublayerRecord& record) override {
    // Both streams of a layer come by turns.
    StackBranches& current = *std::find_if(stacks.rbegin(), stacks.rend(), [&](const StackBranches& each) {
      return each.stack == record.site.stack;
    });
    current.sites.push_back(record.site);
    current.branches.push_back(cpuDouble(record.branchOutput));
    current.output = cpuDouble(record.output);
    if (m_also != nullptr) m_also->sublayer(record);
  }

 private:
  bool m_frozenParts;
  ForwardObserver* m_also;
};

// A factor of one entry is spread over the width; none stays empty.
std::vector<double> factorOf(const torch::Tensor& factor, std::int64_t width) {
  if (!factor.defined()) return {};
  return toVector(factor.detach().expand({width}));
}

DependencyInput dependencyInputOf(const StackBranches& recorded, const ResidualScheme& scheme,
                                  const torch::Tensor& realTokens) {
  DependencyInput input;
  input.width = recorded.input.size(-1);
  input.tokens = recorded.input.numel() / input.width;
  input.embedding = toVector(recorded.input);
  if (realTokens.defined()) {
    const torch::Tensor real = realTokens.to(torch::kCPU, torch::kUInt8).contiguous();
    input.realToken.assign(real.const_data_ptr<std::uint8_t>(),
                           real.const_data_ptr<std::uint8_t>() + real.numel());
  }
  for (std::size_t i = 0; i < recorded.sites.size(); ++i) {
    const SublayerSite& site = recorded.sites[i];
    const ResidualTerms terms = scheme.sublayer(site.layer, site.sublayer).terms();
    DependencySublayer sublayer;
    sublayer.name = site.name();
    sublayer.branch = toVector(recorded.branches[i]);
    sublayer.shortcut = factorOf(terms.shortcut, input.width);
    if (terms.branchScale.defined()) sublayer.scale = cpuDouble(terms.branchScale).item<double>();
    if (terms.norm != nullptr) {
      sublayer.gamma = toVector(terms.norm->weight);
      sublayer.nu = toVector(terms.norm->bias);
      sublayer.eps = terms.norm->eps;
    }
    input.sublayers.push_back(std::move(sublayer));
  }
  return input;
}

}  // namespace

std::vector<StackBranches> recordBranches(const ForwardPass& forward, StepContext context, bool frozenParts) {
  const torch::NoGradGuard noGradients;
  BranchRecorder recorder(frozenParts, context.observer);
  context.training = false;
  context.observer = &recorder;
  forward(context);
  return std::move(recorder.stacks);
}

void RealBranches::add(std::vector<StackBranches> batch, const TokenMasks& realTokens) {
  for (StackBranches& stack : batch) {
    const torch::Tensor& mask = realTokens.of(stack.stack);
    const torch::Tensor real = mask.defined() ? mask.to(torch::kCPU, torch::kBool) : torch::Tensor();
    const auto keep = [&real](torch::Tensor& states) {
      states = real.defined() ? states.index({real}) : states.reshape({-1, states.size(-1)});
    };
    keep(stack.input);
    keep(stack.output);
    for (torch::Tensor& branch : stack.branches) keep(branch);
  }
  m_batches.push_back(std::move(batch));
}

std::vector<StackBranches> RealBranches::joined() {
  std::vector<StackBranches> all;
  const std::size_t stacks = m_batches.empty() ? 0 : m_batches.front().size();
  for (std::size_t i = 0; i < stacks; ++i) {
    StackBranches one = m_batches.front()[i];
    const auto join = [&](auto&& part) {
      std::vector<torch::Tensor> rows;
      for (std::vector<StackBranches>& batch : m_batches) rows.push_back(std::exchange(part(batch[i]), {}));
      return at::cat(rows).unsqueeze(0);
    };
    one.input = join([](StackBranches& stack) -> torch::Tensor& { return stack.input; });
    one.output = join([](StackBranches& stack) -> torch::Tensor& { return stack.output; });
    for (std::size_t b = 0; b < one.branches.size(); ++b)
      one.branches[b] = join([b](StackBranches& stack) -> torch::Tensor& { return stack.branches[b]; });
    all.push_back(std::move(one));
  }
  m_batches.clear();
  return all;
}

Result<BetaDependency> betaOfStack(const StackBranches& recorded, const ResidualScheme& scheme,
                                   const torch::Tensor& realTokens, DependencyComponents* components) {
  return computeBetaDependency(dependencyInputOf(recorded, scheme, realTokens), components);
}

Result<std::vector<double>> ownSharesOfStack(const StackBranches& recorded, const ResidualScheme& scheme,
                                             const torch::Tensor& realTokens) {
  return ownBranchShares(dependencyInputOf(recorded, scheme, realTokens));
}

}  // namespace fathom
