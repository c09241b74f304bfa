// SPDX-License-Identifier: Apache-2.0
// SQL-SP beyond its fixtures: the sweep against single steps and finite differences, ragged rows against
// padded ones, sizes, first values, what of the encoder learns, every scheme and score chain of its stack.
#include <QTest>
#include <cmath>

#include "core/base/errors/error.h"
#include "core/base/numbers/random_stream.h"
#include "core/init/dt_fixup.h"
#include "core/init/init_report.h"
#include "core/init/initialisation.h"
#include "core/nn/attention/score_chain.h"
#include "core/nn/dropout.h"
#include "core/nn/models/sql_sp.h"
#include "core/nn/residual/residual_scheme.h"
#include "tests/torch/support_derivations.h"
#include "tests/torch/support_sql_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

torch::Tensor whole(const std::vector<std::int64_t>& values) {
  return at::tensor(values, torch::TensorOptions(torch::kInt64));
}

GrammarDecoderSetup smallDecoder() {
  GrammarDecoderSetup setup;
  setup.memory = 8;
  setup.heads = 2;
  setup.action = 4;
  setup.type = 3;
  setup.hidden = 6;
  setup.vector = 5;
  setup.smoothing = 0.2;
  return setup;
}

// Three derivations of different lengths over memories of different sizes.
struct DecoderBatch {
  std::vector<std::int64_t> lengths = {7, 4, 9}, columns = {5, 3, 6};
  torch::Tensor memory, columnRows;
  std::vector<std::vector<GrammarAction>> actions;
  explicit DecoderBatch(std::uint64_t seed)
      : memory(randomRows(seed, 20, 8).requires_grad_()),
        columnRows(randomRows(seed + 1, 14, 8).requires_grad_()) {
    for (std::size_t b = 0; b < 3; ++b)
      actions.push_back(
          randomDerivation(seed + b, static_cast<int>(columns[b]), 12 + 9 * static_cast<int>(b)));
  }
  DecoderMemory prepared(const GrammarDecoder& decoder) const {
    return decoder.prepare(memory, packingOf(lengths, torch::kCPU), columnRows, columns);
  }
};

// The loss of one example after the other and step after step, by single steps of the decoder.
torch::Tensor plainLoss(const GrammarDecoder& decoder, const DecoderBatch& batch, const DerivationPlan& plan,
                        const StepContext& context) {
  const DecoderMemory memory = batch.prepared(decoder);
  const GrammarDecoderSetup& s = decoder.setup();
  const torch::Tensor mask =
      dropout(at::ones({plan.rows, s.vector}, torch::kFloat64), s.dropout, context, "decoder.vector");
  std::vector<torch::Tensor> losses;
  for (std::size_t e = 0; e < batch.actions.size(); ++e) {
    const auto b = static_cast<std::int64_t>(e);
    const DecoderMemory own = memory.chosen(whole({b}));
    const torch::Tensor chosen = at::zeros({1, 1, own.pointers.size(1)}, torch::kBool);
    LstmState state{at::zeros({1, s.hidden}, torch::kFloat64), at::zeros({1, s.hidden}, torch::kFloat64)};
    torch::Tensor vector, loss = at::zeros({}, torch::kFloat64);
    std::vector<torch::Tensor> hidden;
    GrammarState grammar;
    GrammarAction last = kReduce;
    for (const GrammarAction action : batch.actions[e]) {
      torch::Tensor x = at::zeros({1, 2 * s.action + s.vector + s.type + s.hidden}, torch::kFloat64);
      if (grammar.steps() > 0) {
        const StepInputs in = stepInputs(grammar, last, own.firstColumns.front());
        x = decoder.cellInput(own, whole({in.action}), whole({in.production}), whole({in.type}), vector,
                              hidden[static_cast<std::size_t>(grammar.parentStep())]);
      }
      const DecoderStates states = decoder.step(x, state, own);
      const torch::Tensor row = plan.step.eq(grammar.steps()).logical_and(plan.example.eq(b)).nonzero()[0];
      vector = states.vectors * mask.index_select(0, row);
      state = states.cell;
      hidden.push_back(state.hidden);
      if (action < kSelectColumn) {
        loss = loss - decoder.ruleLogits(vector).log_softmax(1)[0][action];
      } else {
        const std::int64_t count = own.columns.front();
        const torch::Tensor logP = decoder.pointAt(vector.unsqueeze(0), own, chosen.clone())
                                       .logits.flatten()
                                       .narrow(0, 0, count)
                                       .log_softmax(0);
        loss = loss - (1 - s.smoothing) * logP[action - kSelectColumn] -
               s.smoothing * logP.sum() / static_cast<double>(count);
        chosen[0][0][action - kSelectColumn].fill_(true);
      }
      grammar.apply(action);
      last = action;
    }
    losses.push_back(loss);
  }
  return at::stack(losses);
}

std::vector<torch::Tensor> gradientsOf(const ParameterStore& store, const DecoderBatch& batch) {
  std::vector<torch::Tensor> gradients = {batch.memory.grad().clone(), batch.columnRows.grad().clone()};
  for (const Leaf& leaf : store.leaves()) gradients.push_back(leaf.tensor.grad().clone());
  return gradients;
}

// Options of a small model.
std::vector<std::string> smallOptions() {
  return {"model=sql_sp",
          "encoder.layers=2",
          "model.width=12",
          "model.heads=2",
          "model.feed_forward=16",
          "model.dropout=0",
          "model.bert.max_positions=40",
          "extra.layers=3",
          "extra.attention=relation_aware",
          "model.extra_layers.heads=2",
          "model.extra_layers.feed_forward=12",
          "model.sql_sp.width=16",
          "model.sql_sp.hidden=10",
          "model.sql_sp.vector=6",
          "model.sql_sp.decoder_heads=4",
          "model.sql_sp.action_width=5",
          "model.sql_sp.type_width=4"};
}

OptionValues optionsWith(std::vector<std::string> more) {
  std::vector<std::string> all = smallOptions();
  all.insert(all.end(), more.begin(), more.end());
  return engineOptions(all);
}

std::unique_ptr<SqlSp> smallModel(const OptionValues& options, torch::ScalarType type = torch::kFloat64) {
  const ModelInputs facts{{"vocabulary", 30}, {"pad_id", 0}, {"relation_types", 51}};
  std::unique_ptr<Model> model = buildModel(options, facts, torch::TensorOptions(type)).value();
  return std::unique_ptr<SqlSp>(dynamic_cast<SqlSp*>(model.release()));
}

// Two examples: rows of 14 and 11 pieces, 3 and 2 words, 2 tables and 4 columns, 3 and 5.
struct ModelBatch {
  TextBatch text;
  SqlInputs inputs;
  std::vector<std::vector<GrammarAction>> actions;
  ModelBatch() {
    text.tokens = at::arange(28).view({2, 14}).remainder(29) + 1;
    text.padding = at::zeros({2, 14}, torch::kBool);
    text.padding[1].narrow(0, 11, 3).fill_(true);
    inputs.words = {3, 2};
    inputs.tables = {2, 3};
    inputs.columns = {4, 5};
    inputs.wordSpans = whole({1, 2, 2, 4, 4, 4, 1, 3, 3, 4}).view({5, 2});  // one word without pieces
    inputs.itemSpans =
        whole({5, 6, 6, 8, 9, 10, 10, 13, 9, 10, 13, 14, 4, 5, 5, 7, 4, 5, 8, 9, 9, 10, 8, 9, 10, 11, 7, 8})
            .view({14, 2});
    inputs.columnTables = whole({1, 0, 0, 1, 2, 0, 1, 1, 0});
    const std::int64_t cells = 9 * 9 + 10 * 10;
    inputs.relations = at::arange(cells).remainder(51).to(torch::kUInt8);
    actions = {randomDerivation(3, 4, 14), randomDerivation(4, 5, 25)};
  }
};

DecoderLoss lossOf(const SqlSp& model, const ModelBatch& batch, const StepContext& context) {
  const torch::Tensor states = model.pieceStates(batch.text, context);
  const SqlNetwork& network = model.network();
  return network.loss(network.encode(states, SqlSp::firstPieces(batch.text), batch.inputs, context),
                      batch.actions, context);
}

}  // namespace

class TestSqlSp : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sweepEqualsSingleSteps_data() {
    QTest::addColumn<double>("dropout");
    QTest::newRow("without dropout") << 0.0;
    QTest::newRow("with dropout") << 0.5;
  }

  void sweepEqualsSingleSteps() {
    QFETCH(double, dropout);
    GrammarDecoderSetup setup = smallDecoder();
    setup.dropout = dropout;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      RandomDecoder one(seed, setup);
      const DecoderBatch batch(seed);
      const DerivationPlan plan = derivationPlan(batch.actions, batch.columns, torch::kCPU);
      StepContext context;
      context.training = true;
      context.update = static_cast<std::int64_t>(seed);
      const torch::Tensor weights = at::tensor({0.7, -1.1, 0.4}, torch::kFloat64);
      const DecoderLoss swept = one.decoder.loss(batch.prepared(one.decoder), plan, context);
      (swept.loss * weights).sum().backward();
      const std::vector<torch::Tensor> own = gradientsOf(one.store, batch);
      one.store.zeroGradients();
      batch.memory.mutable_grad().reset();
      batch.columnRows.mutable_grad().reset();
      const torch::Tensor plain = plainLoss(one.decoder, batch, plan, context);
      (plain * weights).sum().backward();
      const std::vector<torch::Tensor> expected = gradientsOf(one.store, batch);
      QCOMPARE(layersDifference(swept.loss, plain, 1e-11), std::string());
      for (std::size_t i = 0; i < own.size(); ++i)
        QCOMPARE(layersDifference(own[i], expected[i], 1e-10), std::string());
    }
  }

  void sweepGradientsAreDifferences() {
    GrammarDecoderSetup setup = smallDecoder();
    setup.dropout = 0.3;
    RandomDecoder one(5, setup);
    const DecoderBatch batch(9);
    const DerivationPlan plan = derivationPlan(batch.actions, batch.columns, torch::kCPU);
    StepContext context;
    context.training = true;
    std::vector<torch::Tensor> leaves = {batch.memory, batch.columnRows};
    for (const Leaf& leaf : one.store.leaves()) leaves.push_back(leaf.tensor);
    const auto loss = [&] { return one.decoder.loss(batch.prepared(one.decoder), plan, context).loss.sum(); };
    QVERIFY(gradientError(loss, leaves, 6) < 1e-6);
  }

  void itemVectorsAreDifferences() {
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    const ItemVectors items(store, "item_lstm", 4, 6);
    for (const Leaf& leaf : store.leaves()) {
      const at::NoGradGuard noGrad;
      leaf.tensor.copy_(
          randomRows(streamSeed(1, leaf.name), leaf.tensor.numel(), 1).view(leaf.tensor.sizes()));
    }
    const torch::Tensor rows = randomRows(3, 9, 4).requires_grad_();
    const torch::Tensor spans = whole({0, 3, 3, 4, 0, 3, 5, 5, 4, 9}).view({5, 2});
    std::vector<torch::Tensor> leaves = {rows};
    for (const Leaf& leaf : store.leaves()) leaves.push_back(leaf.tensor);
    const torch::Tensor weight = randomRows(8, 5, 6);
    QVERIFY(gradientError([&] { return (items(rows, spans) * weight).sum(); }, leaves, 12) < 1e-7);
    const torch::Tensor vectors = items(rows, spans);
    QVERIFY(vectors[0].equal(vectors[2]));         // a shared span
    QVERIFY(vectors[3].eq(0).all().item<bool>());  // an empty one
    QVERIFY(spanMeans(rows, spans, EmptySpan::Zero)[3].eq(0).all().item<bool>());
    QVERIFY(spanMeans(rows, spans, EmptySpan::NotANumber)[3].isnan().all().item<bool>());
  }

  void raggedEqualsPadded() {
    for (const auto type : {torch::kFloat64, torch::kFloat32}) {
      StackConfiguration stack = extraStackConfiguration(optionsWith({"extra.layers=2"}));
      stack.setup.width = 16;
      ExtraLayers layers({{"question", 5}, {"schema", 7}}, stack, engineOptions(),
                         torch::TensorOptions(type));
      for (const Leaf& leaf : layers.parameters().leaves()) {
        const at::NoGradGuard noGrad;
        leaf.tensor.copy_(
            randomRows(streamSeed(2, leaf.name), leaf.tensor.numel(), 1).view(leaf.tensor.sizes()) * 0.2);
      }
      const std::vector<std::int64_t> words = {3, 1, 4}, items = {2, 5, 1};
      const torch::Tensor question = randomRows(4, 8, 5, type), schema = randomRows(5, 8, 7, type);
      const torch::Tensor relations = at::arange(25 + 36 + 25).remainder(33).to(torch::kUInt8);
      const auto own =
          layers.forward(ExtraLayers::RaggedFeatures{{question, schema}, {words, items}, relations}, {});
      std::int64_t word = 0, item = 0, first = 0, cell = 0;
      for (std::size_t b = 0; b < 3; ++b) {
        const std::int64_t n = words[b] + items[b];
        const ExtraLayers::Features features{
            {question.narrow(0, word, words[b]).unsqueeze(0), schema.narrow(0, item, items[b]).unsqueeze(0)},
            {},
            relations.narrow(0, cell, n * n).view({1, n, n}).to(torch::kInt64)};
        const torch::Tensor expected = layers.forward(features, {}).squeeze(0);
        const double tolerance = type == torch::kFloat64 ? 1e-12 : 2e-5;
        QCOMPARE(layersDifference(own.rows.narrow(0, first, n), expected, tolerance), std::string());
        word += words[b];
        item += items[b];
        first += n;
        cell += n * n;
      }
    }
  }

  // The fused passes of float32 against plain float64, forward and backward.
  void singleEqualsDouble() {
    const OptionValues options = optionsWith({"extra.residual=unnormalised"});
    const auto wide = smallModel(options), narrow = smallModel(options, torch::kFloat32);
    initialiseModel(*wide, engineOptions({"init=xavier"}), 3).value();
    std::map<std::string, torch::Tensor> values;
    for (const auto& [name, tensor] : wide->parameters().state()) values[name] = tensor;
    narrow->parameters().load(values).value();
    const ModelBatch batch;
    const torch::Tensor expected = lossOf(*wide, batch, {}).loss, own = lossOf(*narrow, batch, {}).loss;
    QCOMPARE(layersDifference(own, expected, 1e-4), std::string());
    expected.sum().backward();
    own.sum().backward();
    for (const Parameter& parameter : wide->parameters().parameters()) {
      const torch::Tensor gradient = wide->parameters().gradient(parameter);
      if (!gradient.defined()) continue;
      const std::string wrong =
          layersDifference(narrow->parameters().gradient(parameter.info.name), gradient, 1e-3);
      QVERIFY2(wrong.empty(), (parameter.info.name + ": " + wrong).c_str());
    }
  }

  void everySchemeAndChain() {
    const ModelBatch batch;
    for (const ResidualEntry& scheme : residualEntries()) {
      for (const char* chain : {"none", "sum", "mean"}) {
        for (const char* attention : {"relation_aware", "multi_head"}) {
          const OptionValues options = optionsWith({"extra.residual=" + scheme.id,
                                                    std::string("extra.self_attention.score_chain=") + chain,
                                                    std::string("extra.attention=") + attention});
          const auto model = smallModel(options, torch::kFloat32);
          initialiseModel(*model, engineOptions({"init=xavier"}), 1).value();
          StepContext context;
          context.training = true;
          const DecoderLoss loss = lossOf(*model, batch, context);
          loss.loss.sum().backward();
          QVERIFY2(loss.loss.isfinite().all().item<bool>(), (scheme.id + " " + chain).c_str());
          QVERIFY(model->parameters().gradient("embedding.token.weight").abs().sum().item<double>() > 0);
          QVERIFY(lossOf(*model, batch, context).loss.equal(loss.loss));  // dropout is a function of the step
          context.update = 1;
          QVERIFY(!lossOf(*model, batch, context).loss.equal(loss.loss));
        }
      }
    }
  }

  // RoBERTa-large and the released sizes; layer norms are allocated where they are used.
  void sizes() {
    const std::vector<std::string> released = {"model=sql_sp",
                                               "encoder.layers=24",
                                               "model.width=1024",
                                               "model.heads=16",
                                               "model.feed_forward=4096",
                                               "model.bert.max_positions=514",
                                               "extra.layers=24",
                                               "extra.attention=relation_aware",
                                               "model.sql_sp.type_width=128"};
    const ModelInputs facts{{"vocabulary", 50265}, {"pad_id", 1}, {"relation_types", 33}};
    const auto count = [&](const char* residual) {
      std::vector<std::string> all = released;
      all.push_back(std::string("extra.residual=") + residual);
      return parameterCount(engineOptions(all), facts).value();
    };
    QCOMPARE(count("post_ln").total, 380294574);
    QCOMPARE(count("unnormalised").total, 380294574 - 24 * 4 * 256 - 512);
    QCOMPARE(count("post_ln").extra, 18986496 + 512);
  }

  // Xavier for maps, the bounds of a recurrent layer for its biases, those of its map for the tied rules.
  void firstValues() {
    for (const char* init : {"dt_fixup", "xavier"}) {
      const OptionValues options =
          optionsWith({"extra.residual=unnormalised", std::string("init=") + init, "init.dt_fixup.mu=given",
                       "init.dt_fixup.mu_value=10", "model.sql_sp.hidden=64", "model.sql_sp.width=64"});
      const auto model = smallModel(options);
      initialiseModel(*model, options, 7).value();
      const ParameterStore& store = model->parameters();
      const auto within = [&](const char* name, double bound) {
        const torch::Tensor value = store.value(name);
        return value.abs().max().item<double>() <= bound && value.std().item<double>() > bound / 2.5;
      };
      QVERIFY(within("decoder.cell.input.bias", 0.125));
      QVERIFY(within("decoder.cell.hidden.bias", 0.125));
      QVERIFY(within("item_lstm.backward.hidden.bias", 1 / std::sqrt(32.0)));
      const torch::Tensor cell = store.value("decoder.cell.input.weight");
      const double expected = std::sqrt(2.0 / static_cast<double>(cell.size(0) + cell.size(1)));
      QVERIFY(std::abs(cell.std().item<double>() / expected - 1) < 0.03);
      if (std::string(init) == "dt_fixup") {
        QVERIFY(within("decoder.production_embedding.bias", 1 / std::sqrt(5.0)));
        const torch::Tensor value = store.value("extra.layers.1.self_attention.value.weight");
        const double factor = 1 / std::sqrt(3 * (400.0 + 20 + 2));
        QVERIFY(std::abs(value.std().item<double>() / (factor / std::sqrt(64.0)) - 1) < 0.05);
      }
    }
  }

  // Every row of the report: Xavier's deviation within three sampling errors, scaled where the method scales
  // and nowhere else.
  void rowsOfTheReport() {
    const OptionValues options =
        optionsWith({"extra.residual=unnormalised", "init=dt_fixup", "init.dt_fixup.mu=given",
                     "init.dt_fixup.mu_value=12.7", "model.sql_sp.hidden=256", "model.sql_sp.width=128"});
    const auto model = smallModel(options);
    const Json report = initialiseModel(*model, options, 3).value();
    const double factor = dtFixupFactor(DtFixupForm::Relational, 12.7, model->stacks().back().layers);
    std::size_t scaled = 0;
    for (const Json& row : initRows(*model, report)) {
      const std::string name = row.at("name").get<std::string>();
      const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
      const auto shape = row.at("shape").get<std::vector<double>>();
      const bool chosen = name.starts_with("extra.") && shape.size() > 1 &&
                          (has("self_attention.value") || has("relation_value") ||
                           has("self_attention.output") || has("feed_forward"));
      QVERIFY2(std::abs(row.at("factor").get<double>() - (chosen ? factor : 1)) < 1e-9, name.c_str());
      scaled += chosen ? 1 : 0;
      if (shape.size() < 2) continue;
      const double expected = std::sqrt(2 / (shape[0] + shape[1])) * (chosen ? factor : 1);
      const double error = expected / std::sqrt(2 * shape[0] * shape[1]);
      QVERIFY2(std::abs(row.at("std").get<double>() - expected) < 3 * error,
               (name + " " + row.dump()).c_str());
    }
    QCOMPARE(scaled, std::size_t(5 * model->stacks().back().layers));
  }

  void whatLearns() {
    const ModelBatch batch;
    for (const auto& [training, low, high] :
         {std::tuple("trained", true, true), {"top", false, true}, {"frozen", false, false}}) {
      const OptionValues options = optionsWith(
          {std::string("model.sql_sp.encoder=") + training, "model.sql_sp.trained_layers=1", "init=xavier"});
      const auto model = smallModel(options);
      initialiseModel(*model, options, 1).value();
      lossOf(*model, batch, {}).loss.sum().backward();
      const ParameterStore& store = model->parameters();
      const auto learns = [&](const char* name) { return store.gradient(name).defined(); };
      QCOMPARE(learns("embedding.token.weight"), low);
      QCOMPARE(learns("encoder.layers.0.feed_forward.input.weight"), low);
      QCOMPARE(learns("encoder.layers.1.feed_forward.input.weight"), high);
      QVERIFY(learns("item_lstm.forward.input.weight") && learns("decoder.gate.weight"));
      QCOMPARE(model->encoderLearns(), high);
    }
  }

  void hostile() {
    const auto refused = [](auto work) {
      try {
        work();
      } catch (const Failure& failure) {
        return failure.error().text();
      }
      return std::string();
    };
    QVERIFY(!refused([] { derivationPlan({{kRuleSingleQuery}}, {3}, torch::kCPU); }).empty());
    const std::string wrong = refused([] { derivationPlan({{kRuleAvg}}, {3}, torch::kCPU); });
    QVERIFY2(wrong.find("step 0") != std::string::npos, wrong.c_str());
    ModelBatch batch;
    const auto model = smallModel(optionsWith({"init=xavier"}));
    batch.inputs.relations = batch.inputs.relations.clone();
    batch.inputs.relations[7].fill_(51);
    const std::string relation = refused([&] { lossOf(*model, batch, {}); });
    QVERIFY2(relation.find("51") != std::string::npos, relation.c_str());
    batch = ModelBatch();
    batch.inputs.columnTables = batch.inputs.columnTables + 2;
    QVERIFY(!refused([&] { lossOf(*model, batch, {}); }).empty());
  }
};

QTEST_APPLESS_MAIN(TestSqlSp)
#include "tst_sql_sp.moc"
