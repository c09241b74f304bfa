// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/nn/models/model.h"

namespace fathom::test {

// A network whose stacks take every residual scheme and score chain (docs/architecture.md §2), and the loss
// of one batch, the same at every update, where the network is and in its number format.
struct AxisKind {
  const char* name;
  std::vector<std::string> options;
  std::vector<std::string> stacks;  // whose scheme and chain vary
  torch::Tensor (*loss)(const Model& model, const StepContext& context);
};

inline constexpr const char* kAxisChains[] = {"none", "sum", "mean"};
const std::vector<AxisKind>& axisKinds();
std::vector<std::string> axisAssignments(const AxisKind& kind, const std::string& scheme,
                                         const std::string& chain, const std::string& init);
// False for pairs that make no sense: a profile without omega, DT-Fixup with norms or below a decoder.
bool axisInitFits(const std::string& init, const std::string& scheme, const AxisKind& kind);
std::unique_ptr<Model> axisNetwork(const AxisKind& kind, const OptionValues& options,
                                   const torch::TensorOptions& tensors = torch::kFloat32);
// Filled as option `init` says, its profile measured on the batch.
void fillAxisNetwork(Model& model, const AxisKind& kind, const OptionValues& options);
// Vocabulary of the networks.
inline constexpr std::int64_t kAxisPieces = 20;

}  // namespace fathom::test
