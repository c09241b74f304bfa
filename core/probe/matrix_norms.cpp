// SPDX-License-Identifier: Apache-2.0
#include "core/probe/matrix_norms.h"

#include <torch/csrc/autograd/autograd.h>

#include <limits>

namespace fathom {

namespace {

const char* matrixName(ParameterRole role) {
  switch (role) {
    case ParameterRole::Query:
      return "query";
    case ParameterRole::Key:
      return "key";
    case ParameterRole::Value:
      return "value";
    case ParameterRole::AttentionOutput:
      return "output";
    default:
      return nullptr;
  }
}

std::vector<const Parameter*> watched(const Model& model) {
  std::vector<const Parameter*> chosen;
  const ParameterStore& store = model.parameters();
  for (const Parameter& parameter : store.parameters()) {
    const bool matrix = matrixName(parameter.info.role) != nullptr && store.value(parameter).dim() == 2;
    const bool learns = store.leaves()[parameter.leaf].tensor.requires_grad();
    if (matrix && learns && parameter.info.layer >= 0) chosen.push_back(&parameter);
  }
  return chosen;
}

}  // namespace

std::vector<torch::Tensor> attentionMatrices(const Model& model) {
  std::vector<torch::Tensor> matrices;
  for (const Parameter* parameter : watched(model))
    matrices.push_back(
        model.parameters().value(*parameter).detach().to(torch::kCPU, torch::kFloat64).clone());
  return matrices;
}

std::vector<MatrixNorm> matrixNorms(const Model& model, const std::vector<BatchLoss>& losses,
                                    StepContext context, const std::vector<torch::Tensor>& before) {
  const std::vector<const Parameter*> chosen = watched(model);
  if (chosen.empty()) return {};
  const ParameterStore& store = model.parameters();
  context.training = false;
  std::vector<torch::Tensor> leaves;
  std::vector<std::size_t> places;  // of them among all
  for (std::size_t i = 0; i < store.leaves().size(); ++i) {
    if (!store.leaves()[i].tensor.requires_grad()) continue;
    leaves.push_back(store.leaves()[i].tensor);
    places.push_back(i);
  }
  std::vector<torch::Tensor> gradients(store.leaves().size());  // undefined = none
  for (const BatchLoss& loss : losses) {
    const auto found = torch::autograd::grad({loss(context)}, leaves, {}, std::nullopt, false, true);
    for (std::size_t i = 0; i < found.size(); ++i) {
      torch::Tensor& sum = gradients[places[i]];
      if (found[i].defined()) sum = sum.defined() ? sum + found[i] : found[i];
    }
  }
  const std::vector<torch::Tensor> now = attentionMatrices(model);
  std::vector<MatrixNorm> norms;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const ParameterInfo& info = chosen[i]->info;
    MatrixNorm norm;
    norm.stack = stackName(info.stack);
    norm.sublayer = sublayerName(info.sublayer);
    norm.matrix = matrixName(info.role);
    norm.layer = info.layer;
    if (const torch::Tensor& whole = gradients[chosen[i]->leaf]; whole.defined())
      norm.gradient = whole.narrow(0, chosen[i]->firstRow, chosen[i]->rows)
                          .to(torch::kCPU, torch::kFloat64)
                          .norm()
                          .item<double>();
    norm.update = before.size() == now.size() ? (now[i] - before[i]).norm().item<double>()
                                              : std::numeric_limits<double>::quiet_NaN();
    norms.push_back(std::move(norm));
  }
  return norms;
}

}  // namespace fathom
