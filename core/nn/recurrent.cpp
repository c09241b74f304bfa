// SPDX-License-Identifier: Apache-2.0
#include "core/nn/recurrent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/nn/device_upload.h"

namespace fathom {

LstmWeights::LstmWeights(ParameterStore& store, const std::string& prefix, std::int64_t inputs,
                         std::int64_t width) {
  const auto add = [&](const char* suffix, ParameterRole role, std::vector<std::int64_t> shape) {
    ParameterInfo info;
    info.name = prefix + suffix;
    info.role = role;
    return store.add(info, shape);
  };
  input = add(".input.weight", ParameterRole::Recurrent, {4 * width, inputs});
  hidden = add(".hidden.weight", ParameterRole::Recurrent, {4 * width, width});
  inputBias = add(".input.bias", ParameterRole::Bias, {4 * width});
  hiddenBias = add(".hidden.bias", ParameterRole::Bias, {4 * width});
}

RaggedSequences raggedSequences(const torch::Tensor& spans, const torch::Device& device) {
  const torch::Tensor dense = spans.contiguous();
  const auto span = dense.accessor<std::int64_t, 2>();
  const std::int64_t count = span.size(0);
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(count)), order(lengths.size());
  for (std::int64_t s = 0; s < count; ++s) lengths[static_cast<std::size_t>(s)] = span[s][1] - span[s][0];
  std::iota(order.begin(), order.end(), 0);
  const auto lengthOf = [&](std::int64_t s) { return lengths[static_cast<std::size_t>(s)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return lengthOf(a) > lengthOf(b); });
  std::vector<std::int64_t> rows, owners, last(lengths.size(), 0), steps;
  const std::int64_t longest = count > 0 ? lengthOf(order[0]) : 0;
  for (std::int64_t t = 0; t < longest; ++t) {
    const std::size_t before = rows.size();
    for (const std::int64_t s : order) {
      if (lengthOf(s) <= t) break;
      if (lengthOf(s) == t + 1) last[static_cast<std::size_t>(s)] = static_cast<std::int64_t>(rows.size());
      rows.push_back(span[s][0] + t);
      owners.push_back(s);
    }
    steps.push_back(static_cast<std::int64_t>(rows.size() - before));
  }
  const auto tensor = [](const std::vector<std::int64_t>& values) {
    return at::tensor(values, torch::TensorOptions(torch::kInt64));
  };
  DeviceUpload upload(device);
  RaggedSequences sequences{upload.add(tensor(rows)), upload.add(tensor(owners)), upload.add(tensor(last)),
                            upload.add(tensor(lengths)), tensor(steps)};
  upload.send();
  return sequences;
}

torch::Tensor bidirectionalLstm(const torch::Tensor& inputRows, const RaggedSequences& sequences,
                                const LstmWeights& forward, const LstmWeights& backward) {
  const torch::Tensor data = inputRows.index_select(0, sequences.rows);
  const std::int64_t first =
      sequences.stepSizes.numel() > 0 ? sequences.stepSizes[0].item<std::int64_t>() : 0;
  if (first == 0) return at::zeros({0, 2 * forward.width()}, data.options());
  const torch::Tensor zeros = at::zeros({2, first, forward.width()}, data.options());
  std::vector<torch::Tensor> weights;
  for (const LstmWeights* direction : {&forward, &backward}) {
    weights.insert(weights.end(),
                   {direction->input, direction->hidden, direction->inputBias, direction->hiddenBias});
  }
  return std::get<0>(at::lstm(data, sequences.stepSizes, {zeros, zeros}, weights, true, 1, 0.0, false, true));
}

LstmState lstmCell(const torch::Tensor& x, const LstmState& before, const LstmWeights& weights) {
  auto [hidden, cell] = at::lstm_cell(x, {before.hidden, before.cell}, weights.input, weights.hidden,
                                      weights.inputBias, weights.hiddenBias);
  return {std::move(hidden), std::move(cell)};
}

double recurrentBiasBound(const ParameterStore& store, const Parameter& parameter) {
  const std::string& name = parameter.info.name;
  if (parameter.info.role != ParameterRole::Bias || !name.ends_with(".bias")) return 0;
  const Parameter* map = store.find(name.substr(0, name.size() - 4) + "weight");
  if (map == nullptr || map->info.role != ParameterRole::Recurrent) return 0;
  return 1 / std::sqrt(static_cast<double>(map->rows / 4));
}

}  // namespace fathom
