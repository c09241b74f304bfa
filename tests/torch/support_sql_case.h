// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/models/model.h"
#include "core/nn/models/sql_network.h"
#include "tests/torch/support_tensors.h"

// Cases of the Text-to-SQL fixtures: their parameters under our names, their examples as a batch of ours.
namespace fathom::fixtures {

// "encoder.layers.0…" -> "extra.layers.0…": the stack stands above an encoder here.
std::string sqlParameterName(const std::string& fixtureName);
// "parameter.*" of the case under our names; what the store has beside them keeps its values.
void loadSqlParameters(const TensorCase& one, ParameterStore& store);
// "gradient.*" of parameters, those that the case stores; empty or a sentence.
std::string sqlGradientDifference(const TensorCase& one, const ParameterStore& store, double tolerance);

GrammarDecoderSetup sqlDecoderSetup(const Json& configuration);
SqlNetworkSetup sqlNetworkSetup(const Json& configuration);

// Some examples of a case as one batch; states are left to the caller.
struct SqlCaseBatch {
  SqlInputs inputs;
  std::vector<std::vector<GrammarAction>> actions;
};
SqlCaseBatch sqlBatch(const TensorCase& one, const std::vector<int>& examples);
// The states of those examples one behind the other, and where each begins.
struct SqlCaseStates {
  torch::Tensor rows;
  std::vector<std::int64_t> first;
};
SqlCaseStates joinedStates(const std::vector<torch::Tensor>& states);

std::vector<GrammarAction> actionsOfTensor(const torch::Tensor& actions);
std::vector<std::int64_t> countsOfTensor(const torch::Tensor& counts);

// The network as a model of its own, without an encoder: what initialisations work on.
class NetworkModel : public Model {
 public:
  explicit NetworkModel(const SqlNetworkSetup& setup, const OptionValues& options = engineOptions(),
                        torch::ScalarType type = torch::kFloat64);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return {m_network.layers()}; }
  ResidualScheme& residual(StackKind) override { return m_network.residual(); }
  const SqlNetwork& network() const { return m_network; }

 private:
  ParameterStore m_store;
  SqlNetwork m_network;
};

}  // namespace fathom::fixtures
