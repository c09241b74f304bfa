// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_sql_case.h"

#include <map>

namespace fathom::fixtures {

std::string sqlParameterName(const std::string& fixtureName) {
  if (fixtureName.starts_with("encoder.")) return "extra." + fixtureName.substr(8);
  if (fixtureName == "decoder.production_bias") return "decoder.production_embedding.bias";
  return fixtureName;
}

void loadSqlParameters(const TensorCase& one, ParameterStore& store) {
  std::map<std::string, torch::Tensor> values;
  for (const auto& [name, tensor] : store.state()) values[name] = tensor;
  for (const auto& [name, tensor] : one.beginning("parameter.")) values[sqlParameterName(name)] = tensor;
  store.load(values).value();
}

std::string sqlGradientDifference(const TensorCase& one, const ParameterStore& store, double tolerance) {
  for (const auto& [name, expected] : one.beginning("gradient.")) {
    if (name.starts_with("input.")) continue;
    const torch::Tensor own = store.gradient(sqlParameterName(name));
    if (!own.defined()) return name + " has no gradient";
    const std::string wrong = layersDifference(own, expected, tolerance);
    if (!wrong.empty()) return "gradient." + name + ": " + wrong;
  }
  return {};
}

GrammarDecoderSetup sqlDecoderSetup(const Json& c) {
  GrammarDecoderSetup setup;
  setup.memory = c.at("d").get<std::int64_t>();
  if (!c.contains("a")) return setup;
  setup.heads = c.at("decoder_heads").get<std::int64_t>();
  setup.action = c.at("a").get<std::int64_t>();
  setup.type = c.at("ty").get<std::int64_t>();
  setup.hidden = c.at("r").get<std::int64_t>();
  setup.vector = c.at("v").get<std::int64_t>();
  setup.smoothing = c.value("smoothing", 0.0);
  return setup;
}

SqlNetworkSetup sqlNetworkSetup(const Json& c) {
  SqlNetworkSetup setup;
  setup.inputs = c.at("dq").get<std::int64_t>();
  setup.decoder = sqlDecoderSetup(c);
  StackConfiguration& stack = setup.layers;
  stack.setup.kind = StackKind::Extra;
  stack.setup.encoderLayers = c.at("layers").get<std::int64_t>();
  stack.setup.width = c.at("d").get<std::int64_t>();
  stack.setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
  const bool norm = c.at("norm").get<bool>();
  stack.setup.finalNorm = norm;
  stack.residual = norm ? "post_ln" : "unnormalised";
  stack.attention = "relation_aware";
  stack.selfAttention.heads = c.at("heads").get<std::int64_t>();
  stack.selfAttention.queryKeyValueBias = false;
  stack.selfAttention.relationTypes = 33;
  stack.feedForward = c.at("f").get<std::int64_t>();
  setup.emptyWords = EmptySpan::NotANumber;
  return setup;
}

SqlCaseBatch sqlBatch(const TensorCase& one, const std::vector<int>& examples) {
  SqlCaseBatch batch;
  std::vector<torch::Tensor> words, items, tables, relations;
  for (const int i : examples) {
    const auto at = [&](const char* name) { return one.at(name + std::to_string(i)); };
    words.push_back(at("input.word_spans."));
    items.push_back(at("input.item_spans."));
    tables.push_back(at("input.column_table."));
    relations.push_back(at("input.relations.").flatten().to(torch::kUInt8));
    batch.inputs.words.push_back(words.back().size(0));
    batch.inputs.columns.push_back(tables.back().size(0));
    batch.inputs.tables.push_back(items.back().size(0) - tables.back().size(0));
    batch.actions.push_back(actionsOfTensor(at("input.actions.")));
  }
  batch.inputs.wordSpans = at::cat(words);
  batch.inputs.itemSpans = at::cat(items);
  batch.inputs.columnTables = at::cat(tables);
  batch.inputs.relations = at::cat(relations);
  return batch;
}

SqlCaseStates joinedStates(const std::vector<torch::Tensor>& states) {
  SqlCaseStates joined;
  std::int64_t first = 0;
  for (const torch::Tensor& one : states) {
    joined.first.push_back(first);
    first += one.size(0);
  }
  joined.rows = at::cat(states);
  return joined;
}

std::vector<GrammarAction> actionsOfTensor(const torch::Tensor& actions) {
  std::vector<GrammarAction> result;
  for (const std::int64_t action : countsOfTensor(actions))
    result.push_back(static_cast<GrammarAction>(action));
  return result;
}

std::vector<std::int64_t> countsOfTensor(const torch::Tensor& counts) {
  const torch::Tensor dense = counts.to(torch::kInt64).contiguous();
  const auto* first = dense.const_data_ptr<std::int64_t>();
  return {first, first + dense.numel()};
}

NetworkModel::NetworkModel(const SqlNetworkSetup& setup, const OptionValues& options, torch::ScalarType type)
    : m_store(torch::TensorOptions(type)), m_network(m_store, setup, options) {}

const std::string& NetworkModel::id() const {
  static const std::string name = "sql_network";
  return name;
}

}  // namespace fathom::fixtures
