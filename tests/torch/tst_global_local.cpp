// SPDX-License-Identifier: Apache-2.0
// ETC's attention (docs/long_inputs.md §2): blocks, windows and every pair under a mask agree for any sizes
// and paddings, values and gradients; finite differences; with one global token and a wide window the encoder
// is a plain one. Float64 where nothing else is said.
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>
#include <random>

#include "core/init/initialisation.h"
#include "core/nn/models/etc.h"
#include "core/nn/residual/residual_scheme.h"
#include "tests/torch/support_long_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

torch::Tensor noise(torch::IntArrayRef shape, std::uint64_t seed, torch::ScalarType type = torch::kFloat64) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::empty(shape, torch::TensorOptions(torch::kFloat64)).normal_(0, 1, generator).to(type);
}

// Two layers of attention on streams of their own, joined by the chain.
struct TwoLayers {
  std::int64_t batch, length, globals, width, types;
  GlobalLocalRules rules;
  LongStructure structure;
  std::vector<torch::Tensor> leaves;  // of a layer: rows of both streams, tables, biases
  TwoLayers(std::int64_t b, std::int64_t n, std::int64_t g, std::int64_t heads, GlobalLocalRules how,
            std::uint64_t seed, torch::ScalarType type = torch::kFloat64)
      : batch(b),
        length(n),
        globals(g),
        width(heads * 3),
        types(how.ids.otherContext() + 2),
        rules(how),
        structure(randomStructure(b, n, g, seed)) {
    rules.heads = heads;
    for (std::uint64_t layer = 0; layer < 2; ++layer) {
      const torch::IntArrayRef shapes[] = {{b, n, 3 * width}, {b, g, 3 * width}, {types, width},
                                           {types, width},    {types, heads},    {types, heads}};
      std::uint64_t place = (seed & 0xFFFFFF) * 100 + layer * 10;
      for (const torch::IntArrayRef shape : shapes)
        leaves.push_back(noise(shape, ++place, type).requires_grad_());
    }
  }
  using Form = GlobalLocalOutputs (*)(const GlobalLocalInputs&, const LongStructure&,
                                      const GlobalLocalRules&);
  // Outputs of both layers; the first streams' sums weigh in, so that chains get a gradient from above alone.
  std::vector<torch::Tensor> outputs(Form form, std::vector<torch::Tensor>* chains = nullptr) const {
    std::vector<torch::Tensor> all;
    GlobalLocalOutputs below;
    for (std::int64_t layer = 0; layer < 2; ++layer) {
      const auto leaf = [&](std::size_t i) { return leaves[static_cast<std::size_t>(layer) * 6 + i]; };
      GlobalLocalRules own = rules;
      own.layer = layer;
      own.longSeed += static_cast<std::uint64_t>(layer);
      below = form({leaf(0), leaf(1), leaf(2), leaf(3), leaf(4), leaf(5), below.longChain, below.globalChain},
                   structure, own);
      all.insert(all.end(), {below.longRows, below.globalRows});
      if (chains) chains->insert(chains->end(), {below.longChain, below.globalChain});
    }
    return all;
  }
  torch::Tensor loss(Form form) const {
    torch::Tensor sum;
    std::uint64_t seed = 77;
    for (const torch::Tensor& out : outputs(form)) {
      const torch::Tensor part = (out * noise(out.sizes(), ++seed, out.scalar_type())).sum();
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }
  std::vector<torch::Tensor> gradients(Form form) const {
    for (const torch::Tensor& leaf : leaves) leaf.mutable_grad() = torch::Tensor();
    loss(form).backward();
    std::vector<torch::Tensor> all;
    for (const torch::Tensor& leaf : leaves) all.push_back(leaf.grad().clone());
    return all;
  }
};

GlobalLocalOutputs windows(const GlobalLocalInputs& in, const LongStructure& structure,
                           const GlobalLocalRules& rules) {
  return globalLocalWindow(in, softmaxPieces(structure, rules, torch::kCPU), rules);
}

void compareAll(const std::vector<torch::Tensor>& own, const std::vector<torch::Tensor>& expected,
                double tolerance, const std::string& what) {
  QCOMPARE(own.size(), expected.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string wrong = layersDifference(own[i], expected[i], tolerance);
    QVERIFY2(wrong.empty(), (what + " " + std::to_string(i) + ": " + wrong).c_str());
  }
}

void compareForms(const TwoLayers& two, TwoLayers::Form a, TwoLayers::Form b, double tolerance,
                  const std::string& what) {
  compareAll(two.outputs(a), two.outputs(b), tolerance, what + ": output");
  compareAll(two.gradients(a), two.gradients(b), tolerance, what + ": gradient");
}

GlobalLocalRules rulesOf(std::int64_t radius, std::int64_t distance, bool hard, ScoreChain chain) {
  GlobalLocalRules rules;
  rules.radius = radius;
  rules.ids.distance = distance;
  rules.hardGlobal = hard;
  rules.chain = chain;
  rules.longSeed = 11;
  rules.globalSeed = 12;
  return rules;
}

// 20 question tokens that see everything, then sentences of 6 tokens with a global token each and paragraphs
// of 40; the second sequence is half padding, and a global token has no sentence.
LongStructure orderedStructure() {
  constexpr std::int64_t kLength = 300, kGlobals = 75, kQuestions = 20;
  const torch::Tensor place = at::arange(kLength, torch::kInt32).unsqueeze(0).repeat({2, 1});
  const torch::Tensor global = at::arange(kGlobals, torch::kInt32).unsqueeze(0).repeat({2, 1});
  const torch::Tensor last = torch::tensor({kLength, kLength / 2}, torch::kInt32).unsqueeze(1);
  LongStructure s;
  s.sentence = (place.div(6, "trunc") + kQuestions).to(torch::kInt32).contiguous();
  s.paragraph =
      (place.div(40, "trunc") + kQuestions + 50).clamp_max(kGlobals - 2).to(torch::kInt32).contiguous();
  s.link = at::where(place.remainder(7).eq(0), place.remainder(kGlobals), -1).to(torch::kInt32).contiguous();
  s.context = place.lt(last).to(torch::kInt32).contiguous();
  s.globalContext = global.lt(last.div(4, "trunc")).to(torch::kInt32).contiguous();
  s.everything = global.lt(kQuestions).to(torch::kInt32).contiguous();
  return s;
}

}  // namespace

class TestGlobalLocal : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Random sizes; blocks of 64 rows begin and end everywhere.
  void threeFormsAgree() {
    const auto seed = qEnvironmentVariable("SEED", QStringLiteral("1")).toULongLong();
    const int count = qEnvironmentVariableIntValue("N") > 0 ? qEnvironmentVariableIntValue("N") : 14;
    qInfo("SEED=%llu N=%d", static_cast<unsigned long long>(seed), count);
    std::mt19937_64 random(seed);
    const auto pick = [&](std::int64_t low, std::int64_t high) {
      return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    for (int i = 0; i < count; ++i) {
      GlobalLocalRules rules =
          rulesOf(pick(1, 40), pick(1, 9), pick(0, 1) == 1, static_cast<ScoreChain>(pick(0, 2)));
      rules.exchange = pick(0, 3) > 0;
      const std::int64_t n = pick(0, 2) == 0 ? pick(1, 12) : pick(40, 170);
      const TwoLayers two(pick(1, 3), n, pick(1, 80), pick(1, 2), rules, random());
      const std::string what = "n " + std::to_string(n) + ", radius " + std::to_string(rules.radius) +
                               ", globals " + std::to_string(two.globals);
      compareForms(two, globalLocalBlocks, globalLocalFull, 1e-12, what + ", blocks");
      compareForms(two, windows, globalLocalFull, 1e-12, what + ", windows");
      if (QTest::currentTestFailed()) return;
    }
  }

  // A document in its order: global queries see a stretch of the long stream, some all of it, padding
  // nothing.
  void stretchesOfADocument() {
    for (const auto& [exchange, dropout] : {std::pair(true, 0.0), {true, .3}, {false, 0.0}}) {
      GlobalLocalRules rules = rulesOf(12, 4, true, ScoreChain::None);
      rules.exchange = exchange;
      rules.dropout = dropout;
      TwoLayers two(2, 300, 75, 2, rules, 9);
      two.structure = orderedStructure();
      compareForms(two, globalLocalBlocks, windows, 1e-12, "document");
      if (dropout == 0) compareForms(two, globalLocalBlocks, globalLocalFull, 1e-12, "document, every pair");
      if (QTest::currentTestFailed()) return;
    }
  }

  // The same mask of dropout in blocks and windows, and it drops what it says.
  void dropoutIsTheSame() {
    for (const ScoreChain chain : {ScoreChain::None, ScoreChain::Mean}) {
      GlobalLocalRules rules = rulesOf(9, 4, true, chain);
      rules.dropout = .3;
      const TwoLayers two(2, 70, 9, 2, rules, 5);
      compareForms(two, globalLocalBlocks, windows, 1e-12, "dropout");
      rules.dropout = 0;
      TwoLayers without = two;
      without.rules.dropout = 0;
      const torch::Tensor change = without.outputs(globalLocalBlocks)[0] - two.outputs(globalLocalBlocks)[0];
      QVERIFY(change.abs().max().item<double>() > .1);
    }
  }

  void chainsAgree() {
    const TwoLayers two(2, 75, 6, 2, rulesOf(10, 3, true, ScoreChain::Sum), 6);
    std::vector<torch::Tensor> blocks, wide;
    two.outputs(globalLocalBlocks, &blocks);
    two.outputs(windows, &wide);
    const torch::Tensor key = at::arange(75).unsqueeze(1) + at::arange(-10, 11).unsqueeze(0);
    const torch::Tensor missing =
        at::constant_pad_nd(key.lt(0).logical_or(key.ge(75)), {0, 6});  // nobody reads what is not there
    for (std::size_t i = 0; i < blocks.size(); i += 2) wide[i] = wide[i].masked_fill(missing, 0.0);
    compareAll(blocks, wide, 1e-12, "chain");
  }

  void finiteDifferences() {
    for (const ScoreChain chain : {ScoreChain::None, ScoreChain::Sum, ScoreChain::Mean}) {
      GlobalLocalRules rules = rulesOf(3, 2, true, chain);
      rules.dropout = .2;
      const TwoLayers two(2, 13, 4, 2, rules, 7);
      QVERIFY(gradientError([&] { return two.loss(globalLocalBlocks); }, two.leaves) < 1e-7);
    }
  }

  void singlePrecision() {
    const GlobalLocalRules rules = rulesOf(20, 5, true, ScoreChain::Sum);
    const TwoLayers narrow(2, 150, 20, 2, rules, 8, torch::kFloat32);
    TwoLayers exact = narrow;
    for (torch::Tensor& leaf : exact.leaves) leaf = leaf.detach().to(torch::kFloat64).requires_grad_();
    compareAll(narrow.outputs(globalLocalBlocks), exact.outputs(globalLocalBlocks), 2e-5, "float32");
    compareAll(narrow.gradients(globalLocalBlocks), exact.gradients(globalLocalBlocks), 2e-4, "float32");
  }

  void threadsChangeNothing() {
    const int before = at::get_num_threads();
    const TwoLayers two(2, 100, 10, 2, rulesOf(12, 4, true, ScoreChain::Sum), 9, torch::kFloat32);
    at::set_num_threads(1);
    const auto alone = two.gradients(globalLocalBlocks);
    at::set_num_threads(3);
    const auto shared = two.gradients(globalLocalBlocks);
    at::set_num_threads(before);
    for (std::size_t i = 0; i < alone.size(); ++i) QVERIFY(at::equal(alone[i], shared[i]));
  }

  // What stands at padding reaches nobody, and no gradient reaches it.
  void paddingIsNotRead() {
    const TwoLayers two(3, 60, 8, 2, rulesOf(7, 3, false, ScoreChain::Sum), 10);
    const torch::Tensor padded = two.structure.context.eq(0).unsqueeze(2);
    QVERIFY(padded.any().item<bool>());
    TwoLayers other = two;
    for (const std::size_t rows : {0u, 6u})
      other.leaves[rows] =
          at::where(padded, two.leaves[rows] * 5 + 3, two.leaves[rows]).detach().requires_grad_();
    compareAll(other.outputs(globalLocalBlocks), two.outputs(globalLocalBlocks), 0, "padding");
    QVERIFY(two.gradients(globalLocalBlocks)[0].masked_select(padded).abs().max().item<double>() == 0);
    QVERIFY(two.outputs(globalLocalBlocks)[0].masked_select(padded).abs().max().item<double>() == 0);
  }

  void onePlainEncoder_data() {
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QString>("chain");
    for (const ResidualEntry& scheme : residualEntries())
      for (const char* chain : {"none", "sum", "mean"})
        QTest::addRow("%s, %s", scheme.id.c_str(), chain) << QString::fromStdString(scheme.id) << chain;
  }

  // One global token among others: the long stream and it are the tokens of a plain encoder, when window and
  // masks hide nothing and relations are 0.
  void onePlainEncoder() {
    QFETCH(QString, scheme);
    QFETCH(QString, chain);
    StackConfiguration stack;
    stack.setup.encoderLayers = 2;
    stack.setup.width = 12;
    stack.setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
    stack.residual = scheme.toStdString();
    stack.selfAttention.heads = 3;
    stack.selfAttention.chain = valueOf(kScoreChains, chain.toStdString());
    stack.feedForward = 20;
    const OptionValues options = engineOptions();
    const auto exact = torch::TensorOptions().dtype(torch::kFloat64);
    ParameterStore plainStore(exact), store(exact);
    const TransformerStack plain(plainStore, stack, options);
    std::uint64_t seed = 20;
    std::map<std::string, torch::Tensor> values;
    for (const Parameter& parameter : plainStore.parameters()) {
      const torch::Tensor value = plainStore.value(parameter);  // maps, and what begins at a constant
      values[parameter.info.name] = noise(value.sizes(), ++seed) * .25 + (value.dim() > 1 ? 0 : .4);
    }
    plainStore.load(values).value();
    stack.attention = "global_local";
    stack.selfAttention.relationTypes = 16;
    const EtcStack both(store, stack, rulesOf(9, 3, false, ScoreChain::None), options);
    std::map<std::string, torch::Tensor> own;
    for (const Parameter& parameter : store.parameters()) {
      const std::string& name = parameter.info.name;
      const std::string twin = name.starts_with("global.") ? "encoder." + name.substr(7) : name;
      own[name] = values.count(twin) ? values.at(twin) : at::zeros_like(store.value(parameter));
    }
    store.load(own).value();

    const torch::Tensor x = noise({2, 9, 12}, 3);
    const torch::Tensor longs = x.narrow(1, 0, 8).clone().requires_grad_(),
                        global = x.narrow(1, 8, 1).clone().requires_grad_(), all = x.clone().requires_grad_();
    LongStructure structure = runsOfTokens({}, 2, 8, 8);
    const torch::Tensor none, weights = noise({2, 9, 12}, 4);
    const AttentionMask mask;
    const torch::Tensor expected = plain.forward(all, {mask, none, mask, none}, {});
    const GlobalLocal::Streams out = both.forward({longs, global}, structure, {});
    const torch::Tensor joined = at::cat({out.longs, out.globals}, 1);
    compareAll({joined}, {expected}, 1e-12, "output");
    (expected * weights).sum().backward();
    (joined * weights).sum().backward();
    compareAll({longs.grad(), global.grad()}, {all.grad().narrow(1, 0, 8), all.grad().narrow(1, 8, 1)}, 1e-11,
               "gradient");
  }

  // Global tokens carry what is far beyond the window: without them a distant change is not noticed.
  void globalTokensReachFar() {
    GlobalLocalRules rules = rulesOf(2, 3, true, ScoreChain::None);
    TwoLayers two(1, 40, 2, 1, rules, 13);
    two.structure = runsOfTokens({}, 1, 40, 20);
    const auto firstToken = [&](const TwoLayers& which) {
      // Two layers by hand: the second reads what the first says of both streams.
      const auto out = globalLocalBlocks({which.leaves[0],
                                          which.leaves[1],
                                          which.leaves[2],
                                          which.leaves[3],
                                          which.leaves[4],
                                          which.leaves[5],
                                          {},
                                          {}},
                                         which.structure, rules);
      const auto again = [](const torch::Tensor& rows) { return at::cat({rows, rows, rows}, 2); };
      return globalLocalBlocks({again(out.longRows),
                                again(out.globalRows),
                                which.leaves[2],
                                which.leaves[3],
                                which.leaves[4],
                                which.leaves[5],
                                {},
                                {}},
                               which.structure, rules)
          .longRows[0][0]
          .detach();
    };
    TwoLayers changed = two;
    changed.leaves[0] = two.leaves[0].detach().clone();
    changed.leaves[0][0][35] += 2;
    QVERIFY((firstToken(two) - firstToken(changed)).abs().max().item<double>() > 1e-6);
    rules.exchange = false;  // the radius alone
    QVERIFY((firstToken(two) - firstToken(changed)).abs().max().item<double>() == 0);
    rules.exchange = true;
    two.structure.globalContext.zero_();
    changed.structure = two.structure;
    QVERIFY((firstToken(two) - firstToken(changed)).abs().max().item<double>() == 0);
  }
};

QTEST_APPLESS_MAIN(TestGlobalLocal)
#include "tst_global_local.moc"
