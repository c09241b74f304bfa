// SPDX-License-Identifier: Apache-2.0
#include "core/nn/feed_forward.h"

#include "core/base/error.h"
#include "core/nn/dropout.h"

namespace fathom {

Activation activationFromId(std::string_view id) {
  if (id == "relu") return Activation::Relu;
  if (id == "gelu_erf") return Activation::GeluErf;
  if (id == "gelu_tanh") return Activation::GeluTanh;
  throw Failure(internalError("unknown activation '" + std::string(id) + "'"));
}

torch::Tensor activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::Relu:
      return at::relu(x);
    case Activation::GeluErf:
      return at::gelu(x);
    case Activation::GeluTanh:
      break;
  }
  return at::gelu(x, "tanh");
}

namespace {
torch::Tensor linearRows(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias) {
  return bias.defined() ? at::addmm(bias, x, weight.t()) : at::mm(x, weight.t());
}
}  // namespace

FeedForward::FeedForward(ParameterStore& store, const ParameterInfo& where, std::int64_t width,
                         std::int64_t hidden, Activation activation, double dropout, bool biases)
    : m_activation(activation), m_dropout(dropout) {
  const auto named = [&](const char* suffix, ParameterRole role) {
    ParameterInfo info = where;
    info.name += suffix;
    info.role = role;
    return info;
  };
  m_inWeight = store.add(named(".input.weight", ParameterRole::FeedForwardInput), {hidden, width});
  if (biases) m_inBias = store.add(named(".input.bias", ParameterRole::Bias), {hidden});
  m_outWeight = store.add(named(".output.weight", ParameterRole::FeedForwardOutput), {width, hidden});
  if (biases) m_outBias = store.add(named(".output.bias", ParameterRole::Bias), {width});
}

torch::Tensor FeedForward::forward(const torch::Tensor& x, const BranchShifts& shifts,
                                   const SublayerSite& site, const StepContext& context) const {
  // On a matrix the activation may work in place: the output of a matrix product is saved by nobody.
  torch::Tensor hidden = linearRows(x.reshape({-1, x.size(-1)}), m_inWeight, m_inBias);
  if (shifts.hidden.defined()) hidden = hidden - shifts.hidden;
  hidden = m_activation == Activation::Relu ? hidden.relu_() : activate(hidden, m_activation);
  if (shifts.output.defined()) hidden = hidden - shifts.output;
  hidden = dropout(hidden, m_dropout, context, site.name() + ".activation");
  return linearRows(hidden, m_outWeight, m_outBias).view(x.sizes());
}

}  // namespace fathom
