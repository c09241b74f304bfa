// SPDX-License-Identifier: Apache-2.0
#include "core/train/state/checkpoint_average.h"

#include <algorithm>

namespace fathom {

CheckpointSelection selectCheckpoints(std::vector<CheckpointChoice> offered, std::int64_t upperBound,
                                      std::int64_t count) {
  std::erase_if(offered, [&](const CheckpointChoice& choice) { return choice.position > upperBound; });
  std::stable_sort(offered.begin(), offered.end(), [](const CheckpointChoice& a, const CheckpointChoice& b) {
    return a.position < b.position;
  });
  CheckpointSelection selection;
  const auto available = static_cast<std::int64_t>(offered.size());
  selection.enough = available >= count;
  selection.chosen.assign(offered.end() - std::min(available, count), offered.end());
  return selection;
}

Status TensorMean::add(const std::map<std::string, torch::Tensor>& tensors) {
  if (m_count > 0) {
    for (const auto& [name, sum] : m_sums) {
      const auto found = tensors.find(name);
      if (found == tensors.end()) return dataError(Phrase::tr("a checkpoint lacks tensor '%1'")(name));
      if (found->second.sizes() != sum.sizes())
        return dataError(Phrase::tr("tensor '%1' changes its shape")(name));
    }
    if (tensors.size() != m_sums.size())
      return dataError(Phrase::tr("a checkpoint holds tensors that the first one lacks"));
  }
  const at::NoGradGuard noGrad;
  for (const auto& [name, tensor] : tensors) {
    if (m_count == 0) {
      m_sums[name] = tensor.detach().to(torch::kFloat64).clone();
      m_types[name] = tensor.scalar_type();
    } else {
      m_sums[name].add_(tensor.detach());
    }
  }
  ++m_count;
  return {};
}

std::map<std::string, torch::Tensor> TensorMean::mean() const {
  std::map<std::string, torch::Tensor> result;
  for (const auto& [name, sum] : m_sums) {
    result[name] = (sum / static_cast<double>(m_count)).to(m_types.at(name));
  }
  return result;
}

}  // namespace fathom
