// SPDX-License-Identifier: Apache-2.0
#include "core/nn/parameter_store.h"

#include <utility>

#include "core/nn/build_watch.h"

namespace fathom {

std::string shapeText(torch::IntArrayRef shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

StoreOwnership ownedStore(const torch::TensorOptions& options) {
  auto own = std::make_unique<ParameterStore>(options);
  ParameterStore& store = *own;
  return {std::move(own), store};
}

ParameterStore::ParameterStore(torch::TensorOptions options) : m_options(options) {}

void ParameterStore::declare(Parameter parameter) {
  if (!m_index.emplace(parameter.info.name, m_parameters.size()).second) {
    throw Failure(internalError("parameter '" + parameter.info.name + "' is declared twice"));
  }
  m_parameters.push_back(std::move(parameter));
}

torch::Tensor ParameterStore::add(ParameterInfo info, torch::IntArrayRef shape, double constant) {
  torch::Tensor tensor = filledTensor(shape, constant, m_options).requires_grad_();
  const std::size_t leaf = m_leaves.size();
  m_leaves.push_back({info.name, tensor});
  declare({std::move(info), leaf, 0, shape.empty() ? 1 : shape[0], constant});
  return tensor;
}

torch::Tensor ParameterStore::addFused(const std::string& leafName, std::vector<ParameterPart> parts,
                                       std::int64_t columns, double constant) {
  std::int64_t rows = 0;
  for (const ParameterPart& part : parts) rows += part.rows;
  torch::Tensor tensor = (columns < 0 ? filledTensor({rows}, constant, m_options)
                                      : filledTensor({rows, columns}, constant, m_options))
                             .requires_grad_();
  const std::size_t leaf = m_leaves.size();
  m_leaves.push_back({leafName, tensor});
  std::int64_t row = 0;
  for (ParameterPart& part : parts) {
    declare({std::move(part.info), leaf, row, part.rows, constant});
    row += part.rows;
  }
  return tensor;
}

void ParameterStore::setBuffer(const std::string& name, torch::Tensor value) {
  m_buffers[name] = std::move(value);
}

torch::Tensor ParameterStore::buffer(const std::string& name) const {
  const auto found = m_buffers.find(name);
  if (found == m_buffers.end()) throw Failure(internalError("there is no buffer '" + name + "'"));
  return found->second;
}

const Parameter* ParameterStore::find(std::string_view name) const {
  const auto found = m_index.find(name);
  return found == m_index.end() ? nullptr : &m_parameters[found->second];
}

torch::Tensor ParameterStore::value(const Parameter& parameter) const {
  const torch::Tensor leaf = m_leaves[parameter.leaf].tensor.detach();
  return leaf.dim() == 0 ? leaf : leaf.narrow(0, parameter.firstRow, parameter.rows);
}

torch::Tensor ParameterStore::gradient(const Parameter& parameter) const {
  const torch::Tensor gradient = m_leaves[parameter.leaf].tensor.grad();
  if (!gradient.defined() || gradient.dim() == 0) return gradient;
  return gradient.narrow(0, parameter.firstRow, parameter.rows);
}

torch::Tensor ParameterStore::value(std::string_view name) const {
  const Parameter* parameter = find(name);
  if (!parameter) throw Failure(internalError("there is no parameter '" + std::string(name) + "'"));
  return value(*parameter);
}

torch::Tensor ParameterStore::gradient(std::string_view name) const {
  const Parameter* parameter = find(name);
  if (!parameter) throw Failure(internalError("there is no parameter '" + std::string(name) + "'"));
  return gradient(*parameter);
}

std::int64_t ParameterStore::parameterCount() const {
  std::int64_t count = 0;
  for (const Leaf& leaf : m_leaves) count += leaf.tensor.numel();
  return count;
}

std::int64_t ParameterStore::parameterCount(const std::function<bool(const ParameterInfo&)>& chosen) const {
  std::int64_t count = 0;
  for (const Parameter& parameter : m_parameters) {
    if (chosen(parameter.info)) count += value(parameter).numel();
  }
  return count;
}

void ParameterStore::zeroGradients() {
  for (Leaf& leaf : m_leaves) leaf.tensor.mutable_grad().reset();
}

std::vector<std::pair<std::string, torch::Tensor>> ParameterStore::state() const {
  std::vector<std::pair<std::string, torch::Tensor>> result;
  result.reserve(m_parameters.size());
  for (const Parameter& parameter : m_parameters) {
    result.emplace_back(parameter.info.name,
                        value(parameter).to(torch::kCPU).clone(at::MemoryFormat::Contiguous));
  }
  return result;
}

Status ParameterStore::load(const std::map<std::string, torch::Tensor>& values, bool ignoreUnknown) {
  for (const Parameter& parameter : m_parameters) {
    const auto found = values.find(parameter.info.name);
    if (found == values.end()) {
      return dataError(Phrase::tr("the weights lack parameter '%1'")(parameter.info.name),
                       Phrase::tr("they belong to a model with other options"));
    }
    const torch::Tensor own = value(parameter);
    if (own.sizes() != found->second.sizes()) {
      return dataError(Phrase::tr("parameter '%1' has shape %2 in the weights, the model needs %3")(
                           parameter.info.name, shapeText(found->second.sizes()), shapeText(own.sizes())),
                       Phrase::tr("they belong to a model with other options"));
    }
  }
  if (!ignoreUnknown) {
    for (const auto& [name, tensor] : values) {
      if (!find(name))
        return dataError(Phrase::tr("the weights hold '%1', which the model does not have")(name));
    }
  }
  const at::NoGradGuard noGrad;
  for (const Parameter& parameter : m_parameters) {
    value(parameter).copy_(values.find(parameter.info.name)->second);
  }
  return {};
}

}  // namespace fathom
