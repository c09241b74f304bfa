// SPDX-License-Identifier: Apache-2.0
#include "core/optim/device_moments.h"

#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_fused_adamw.h>

#include <optional>
#include <utility>

namespace fathom {

namespace {

constexpr double kFarStep = 1e9;  // beta^1e9 is 0 for every beta that anybody trains with

// Parameters where there is no step but a decay (RAdam that waits).
void decayAlone(const std::vector<torch::Tensor>& parameters, double decay, const torch::Tensor& leftOut) {
  if (decay == 1) return;
  if (!leftOut.defined()) return at::_foreach_mul_(parameters, decay);
  at::_foreach_mul_(parameters, (leftOut.to(parameters.front().scalar_type()) * (1 - decay)).add_(decay));
}

}  // namespace

void DeviceMoments::add(const torch::Tensor& parameter, const torch::Tensor& first,
                        const torch::Tensor& second) {
  if (m_leaves.empty())
    m_all.steps.push_back(at::full({}, kFarStep, parameter.detach().options().dtype(torch::kFloat32)));
  else
    m_all.steps.push_back(m_all.steps.front());
  m_leaves.push_back(parameter);
  m_all.parameters.push_back(parameter.detach());
  m_all.firsts.push_back(first);
  m_all.seconds.push_back(second);
}

void DeviceMoments::apply(const MomentUpdate& update, const DeviceScale& scale) {
  const at::NoGradGuard noGrad;
  std::vector<torch::Tensor> gradients;
  Lists some;
  for (std::size_t i = 0; i < m_leaves.size(); ++i) {
    const torch::Tensor gradient = m_leaves[i].grad();
    if (gradient.defined()) gradients.push_back(gradient.contiguous());
  }
  if (gradients.empty()) return;
  if (gradients.size() == m_leaves.size()) return step(m_all, std::move(gradients), update, scale);
  for (std::size_t i = 0; i < m_leaves.size(); ++i) {
    if (!m_leaves[i].grad().defined()) continue;
    some.parameters.push_back(m_all.parameters[i]);
    some.firsts.push_back(m_all.firsts[i]);
    some.seconds.push_back(m_all.seconds[i]);
    some.steps.push_back(m_all.steps[i]);
  }
  step(some, std::move(gradients), update, scale);
}

void DeviceMoments::step(const Lists& lists, std::vector<torch::Tensor> gradients, const MomentUpdate& u,
                         const DeviceScale& scale) {
  const auto optional = [](const torch::Tensor& tensor) {
    return tensor.defined() ? std::optional(tensor) : std::nullopt;
  };
  const bool divides = lists.parameters.front().scalar_type() == torch::kFloat32;
  if (!divides) at::_foreach_mul_(gradients, scale.factor);
  const double rate = u.stepSize * u.rootScale, kept = u.decay * (1 - u.stepSize * u.addedDecay);
  if (rate == 0) decayAlone(lists.parameters, kept, scale.leftOut);
  at::_fused_adamw_(lists.parameters, gradients, lists.firsts, lists.seconds, {}, lists.steps, rate, u.beta1,
                    u.beta2, rate == 0 ? 0 : (1 - kept) / rate, u.eps * u.rootScale, false, false,
                    optional(divides ? scale.divisor : torch::Tensor()), optional(scale.leftOut));
}

}  // namespace fathom
