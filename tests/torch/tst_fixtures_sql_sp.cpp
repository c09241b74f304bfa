// SPDX-License-Identifier: Apache-2.0
// SQL-SP module by module and as a whole: activations, losses and gradients in float64.
#include <QTest>

#include "tests/torch/support_sql_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

double outputs(const TensorCase& one) {
  return one.json.at("tolerance").at("outputs").get<double>();
}
double gradients(const TensorCase& one) {
  return one.json.at("tolerance").at("gradients").get<double>();
}

void compare(const TensorCase& one, const std::string& key, const torch::Tensor& own, double tolerance) {
  const std::string wrong = layersDifference(own, one.at(key), tolerance);
  QVERIFY2(wrong.empty(), (key + ": " + wrong).c_str());
}

torch::Tensor leafOf(const TensorCase& one, const std::string& key) {
  return one.at(key).clone().requires_grad_();
}

void compareInputGradient(const TensorCase& one, const std::string& name, const torch::Tensor& leaf) {
  compare(one, "gradient.input." + name, leaf.grad(), gradients(one));
}

void compareParameterGradients(const TensorCase& one, const ParameterStore& store) {
  const std::string wrong = sqlGradientDifference(one, store, gradients(one));
  QVERIFY2(wrong.empty(), wrong.c_str());
}

// Memory and columns of a decoder case as the decoder takes them.
struct DecoderCase {
  ParameterStore store{torch::TensorOptions(torch::kFloat64)};
  GrammarDecoder decoder;
  torch::Tensor memory, columns;  // leaves [B, N, d], [B, C, d]
  RowPacking memoryPacking, columnPacking;
  std::vector<std::int64_t> counts;
  DecoderMemory prepared;

  explicit DecoderCase(const TensorCase& one)
      : decoder(store, sqlDecoderSetup(one.json.at("configuration"))),
        memory(leafOf(one, "input.memory")),
        columns(leafOf(one, "input.columns")),
        counts(countsOfTensor(one.at("input.counts"))) {
    loadSqlParameters(one, store);
    memoryPacking = packingOf(countsOfTensor(one.at("input.lengths")), torch::kCPU);
    columnPacking = packingOf(counts, torch::kCPU);
    prepared = decoder.prepare(memory.flatten(0, 1).index_select(0, memoryPacking.rows), memoryPacking,
                               columns.flatten(0, 1).index_select(0, columnPacking.rows), counts);
  }
  torch::Tensor realColumns() const {  // bool [B, C]
    return prepared.columnPadding.defined() ? prepared.columnPadding.logical_not()
                                            : at::ones({columns.size(0), columns.size(1)}, torch::kBool);
  }
};

// The activations of a decoder, [T, B, ...].
struct DecoderActivations {
  torch::Tensor hidden, vector, gate, rules, columns;
  DecoderActivations(std::int64_t steps, const DecoderCase& one) {
    const GrammarDecoderSetup& s = one.decoder.setup();
    const std::int64_t batch = one.memory.size(0);
    const auto make = [&](std::vector<std::int64_t> more) {
      more.insert(more.begin(), {steps, batch});
      return at::zeros(more, torch::kFloat64);
    };
    hidden = make({s.hidden});
    vector = make({s.vector});
    gate = make({});
    rules = make({kReduce + 1});
    columns = make({one.columns.size(1)});
  }
  // Of step t of example b, from its state and vector [1, ...].
  void set(std::int64_t t, std::int64_t b, const DecoderCase& one, const torch::Tensor& state,
           const torch::Tensor& vectors, const torch::Tensor& chosen) {
    hidden[t][b].copy_(state.squeeze(0));
    vector[t][b].copy_(vectors.squeeze(0));
    rules[t][b].copy_(one.decoder.ruleLogits(vectors).log_softmax(1).squeeze(0));
    const GrammarDecoder::Pointed pointed = one.decoder.pointAt(
        vectors.unsqueeze(0), one.prepared.chosen(at::tensor({b})), chosen.view({1, 1, -1}));
    gate[t][b].copy_(pointed.gate.flatten()[0]);
    columns[t][b].copy_(pointed.logits.log_softmax(2).flatten());
  }
};

}  // namespace

class TestFixturesSqlSp : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"sql_sp_modules"}); !why.empty()) QSKIP(why.c_str());
  }

  void modules_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("sql_sp_modules");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }

  void modules() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("sql_sp_modules")[static_cast<std::size_t>(index)]);
    if (one.has("input.item_states.0")) return itemVectors(one);
    if (one.has("input.x")) return decoderStep(one);
    if (one.has("input.memory")) return decoderLoss(one);
    if (one.has("input.memory_weight")) return encoder(one);
    network(one);
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("sql_sp_modules");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  static void itemVectors(const TensorCase& one) {
    const Json& c = one.json.at("configuration");
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    const ItemVectors items(store, "item_lstm", c.at("dq").get<std::int64_t>(),
                            c.at("d").get<std::int64_t>());
    loadSqlParameters(one, store);
    std::vector<torch::Tensor> states;
    std::vector<std::int64_t> ends;
    std::int64_t first = 0;
    while (one.has("input.item_states." + std::to_string(states.size()))) {
      states.push_back(leafOf(one, "input.item_states." + std::to_string(states.size())));
      ends.insert(ends.end(), {first, first + states.back().size(0)});
      first += states.back().size(0);
    }
    const torch::Tensor vectors = items(at::cat(states), at::tensor(ends).view({-1, 2}));
    compare(one, "output.item_vectors", vectors, outputs(one));
    const torch::Tensor loss = (vectors * one.at("input.weight")).sum();
    compare(one, "output.loss", loss.view(1), outputs(one));
    loss.backward();
    compareParameterGradients(one, store);
    for (std::size_t i = 0; i < states.size(); ++i)
      compareInputGradient(one, "item_states." + std::to_string(i), states[i]);
  }

  static void decoderStep(const TensorCase& one) {
    const DecoderCase decoder(one);
    const std::int64_t batch = decoder.memory.size(0);
    const double tolerance = outputs(one);
    const torch::Tensor x = leafOf(one, "input.x"), h = leafOf(one, "input.h"), c = leafOf(one, "input.c");
    const DecoderStates states = decoder.decoder.step(x, {h, c}, decoder.prepared);
    const torch::Tensor vectors = states.vectors.view({batch, 1, -1});
    const torch::Tensor ruleLogits = decoder.decoder.ruleLogits(states.vectors);
    const torch::Tensor rules = ruleLogits.log_softmax(1);
    const torch::Tensor chosen = one.at("input.chosen").to(torch::kBool).unsqueeze(1);
    const GrammarDecoder::Pointed pointed = decoder.decoder.pointAt(vectors, decoder.prepared, chosen);
    const torch::Tensor columns = pointed.logits.log_softmax(2).squeeze(1);
    const auto step = [](const torch::Tensor& tensor) { return tensor.unsqueeze(0); };
    compare(one, "activation.h", step(states.cell.hidden), tolerance);
    compare(one, "activation.c", step(states.cell.cell), tolerance);
    compare(one, "activation.vector", step(states.vectors), tolerance);
    compare(one, "activation.attention_probabilities", step(states.probabilities.squeeze(2)), tolerance);
    const torch::Tensor context =
        at::linear(states.attended, decoder.store.value("decoder.attention.output.weight"),
                   decoder.store.value("decoder.attention.output.bias"));
    compare(one, "activation.context", step(context), tolerance);
    compare(one, "activation.rule_logits", step(ruleLogits), tolerance);
    compare(one, "activation.rule_log_probabilities", step(rules), tolerance);
    compare(one, "activation.gate", pointed.gate.view({1, batch}), tolerance);
    compare(one, "activation.column_log_probabilities", step(columns), tolerance);
    const torch::Tensor real = decoder.realColumns();
    for (const auto& [key, own] : {std::pair("activation.pointer_logits", pointed.raw),
                                   {"activation.column_logits", pointed.logits}}) {
      const std::string wrong = layersDifference(own.squeeze(1).masked_select(real),
                                                 one.at(key).squeeze(0).masked_select(real), tolerance);
      QVERIFY2(wrong.empty(), (std::string(key) + ": " + wrong).c_str());
    }
    const torch::Tensor loss =
        (rules * one.at("input.rule_weight")).sum() +
        (columns.masked_fill(real.logical_not(), 0) * one.at("input.column_weight")).sum() +
        (states.cell.hidden * one.at("input.h_weight")).sum() +
        (states.cell.cell * one.at("input.c_weight")).sum();
    compare(one, "output.loss", loss.view(1), tolerance);
    loss.backward();
    compareParameterGradients(one, decoder.store);
    compareInputGradient(one, "x", x);
    compareInputGradient(one, "h", h);
    compareInputGradient(one, "c", c);
    compareInputGradient(one, "memory", decoder.memory);
    compareInputGradient(one, "columns", decoder.columns);
  }

  static void decoderLoss(const TensorCase& one) {
    const DecoderCase decoder(one);
    std::vector<std::vector<GrammarAction>> actions;
    while (one.has("input.actions." + std::to_string(actions.size())))
      actions.push_back(actionsOfTensor(one.at("input.actions." + std::to_string(actions.size()))));
    const DerivationPlan plan = derivationPlan(actions, decoder.counts, torch::kCPU);
    const DecoderLoss result = decoder.decoder.loss(decoder.prepared, plan, {});
    compare(one, "output.example_log_probability", -result.loss, outputs(one));
    const torch::Tensor loss = result.loss.mean();
    compare(one, "output.loss", loss.view(1), outputs(one));
    compareActivations(one, decoder, plan, actions, result);
    loss.backward();
    compareParameterGradients(one, decoder.store);
    compareInputGradient(one, "memory", decoder.memory);
    compareInputGradient(one, "columns", decoder.columns);
  }

  // Those of the sweep; behind the end of an example, where the cell reads zeros, those of single steps.
  static void compareActivations(const TensorCase& one, const DecoderCase& decoder,
                                 const DerivationPlan& plan,
                                 const std::vector<std::vector<GrammarAction>>& actions,
                                 const DecoderLoss& result) {
    const at::NoGradGuard noGrad;
    const auto steps = static_cast<std::int64_t>(plan.live.size());
    DecoderActivations own(steps, decoder);
    const torch::Tensor rowOf = at::zeros({steps, decoder.memory.size(0)}, torch::kInt64);
    rowOf.index_put_({plan.step, plan.example}, at::arange(plan.rows));
    const GrammarDecoderSetup& setup = decoder.decoder.setup();
    const torch::Tensor nothing =
        at::zeros({1, 2 * setup.action + setup.vector + setup.type + setup.hidden}, torch::kFloat64);
    for (std::size_t e = 0; e < actions.size(); ++e) {
      const auto b = static_cast<std::int64_t>(e), length = static_cast<std::int64_t>(actions[e].size());
      const torch::Tensor chosen = at::zeros({decoder.columns.size(1)}, torch::kBool);
      LstmState state;
      for (std::int64_t t = 0; t < steps; ++t) {
        if (t < length) {
          const std::int64_t row = rowOf[t][b].item<std::int64_t>();
          state = {result.states.hidden.narrow(0, row, 1), result.states.cells.narrow(0, row, 1)};
          own.set(t, b, decoder, state.hidden, result.states.vectors.narrow(0, row, 1), chosen);
          const GrammarAction action = actions[e][static_cast<std::size_t>(t)];
          if (action >= kSelectColumn) chosen[action - kSelectColumn].fill_(true);
        } else {
          const DecoderStates next =
              decoder.decoder.step(nothing, state, decoder.prepared.chosen(at::tensor({b})));
          state = next.cell;
          own.set(t, b, decoder, state.hidden, next.vectors, chosen);
        }
      }
    }
    compare(one, "activation.h", own.hidden, outputs(one));
    compare(one, "activation.vector", own.vector, outputs(one));
    compare(one, "activation.gate", own.gate, outputs(one));
    compare(one, "activation.rule_log_probabilities", own.rules, outputs(one));
    compare(one, "activation.column_log_probabilities", own.columns, outputs(one));
  }

  // A batch of all examples of a case with its states as leaves.
  struct Whole {
    std::vector<torch::Tensor> states;
    SqlCaseStates joined;
    SqlCaseBatch batch;
    explicit Whole(const TensorCase& one) {
      std::vector<int> all;
      while (one.has("input.states." + std::to_string(all.size()))) {
        states.push_back(leafOf(one, "input.states." + std::to_string(all.size())));
        all.push_back(static_cast<int>(all.size()));
      }
      joined = joinedStates(states);
      batch = sqlBatch(one, all);
    }
  };

  // Real rows of memory [B, N, d] and columns [B, C, d].
  static void compareRows(const TensorCase& one, const std::string& key, const RowPacking& packing,
                          const torch::Tensor& rows) {
    const std::string wrong =
        layersDifference(rows, one.at(key).flatten(0, 1).index_select(0, packing.rows), outputs(one));
    QVERIFY2(wrong.empty(), (key + ": " + wrong).c_str());
  }

  static void compareStates(const TensorCase& one, const Whole& whole) {
    for (std::size_t i = 0; i < whole.states.size(); ++i)
      compareInputGradient(one, "states." + std::to_string(i), whole.states[i]);
  }

  static void encoder(const TensorCase& one) {
    NetworkModel model(sqlNetworkSetup(one.json.at("configuration")));
    loadSqlParameters(one, model.parameters());
    const Whole whole(one);
    const SqlNetwork& network = model.network();
    const auto projected = network.projected(whole.joined.rows, whole.joined.first, whole.batch.inputs, {});
    compareRows(one, "output.transformer_input", projected.packing, projected.rows);
    const SqlEncoding encoding =
        network.encode(whole.joined.rows, whole.joined.first, whole.batch.inputs, {});
    const RowPacking columns = packingOf(encoding.columnCounts, torch::kCPU);
    compareRows(one, "output.memory", encoding.packing, encoding.memory);
    compareRows(one, "output.columns", columns, encoding.columns);
    const torch::Tensor loss =
        (unpacked(encoding.memory, encoding.packing) * one.at("input.memory_weight")).sum() +
        (unpacked(encoding.columns, columns) * one.at("input.columns_weight")).sum();
    compare(one, "output.loss", loss.view(1), outputs(one));
    loss.backward();
    compareParameterGradients(one, model.parameters());
    compareStates(one, whole);
    // The derivations of these cases belong to their schemas.
    QVERIFY(derivationPlan(whole.batch.actions, encoding.columnCounts, torch::kCPU).rows > 0);
  }

  static void network(const TensorCase& one) {
    NetworkModel model(sqlNetworkSetup(one.json.at("configuration")));
    loadSqlParameters(one, model.parameters());
    const Whole whole(one);
    const SqlNetwork& network = model.network();
    const SqlEncoding encoding =
        network.encode(whole.joined.rows, whole.joined.first, whole.batch.inputs, {});
    compareRows(one, "output.memory", encoding.packing, encoding.memory);
    compareRows(one, "output.columns", packingOf(encoding.columnCounts, torch::kCPU), encoding.columns);
    const DecoderLoss result = network.loss(encoding, whole.batch.actions, {});
    compare(one, "output.example_log_probability", -result.loss, outputs(one));
    const torch::Tensor loss = result.loss.mean();
    compare(one, "output.loss", loss.view(1), outputs(one));
    loss.backward();
    compareParameterGradients(one, model.parameters());
    compareStates(one, whole);
  }
};

QTEST_APPLESS_MAIN(TestFixturesSqlSp)
#include "tst_fixtures_sql_sp.moc"
