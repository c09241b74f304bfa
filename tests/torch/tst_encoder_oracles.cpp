// SPDX-License-Identifier: Apache-2.0
// What equations and constants of the papers give by hand, on lone stacks (docs/score_chain.md,
// docs/residual_schemes.md, docs/initialisation.md, docs/optimisers.md).
#include <QTest>
#include <cmath>

#include "core/init/t_fixup.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/extra_layers.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/lr_schedule.h"
#include "core/optim/optimizer.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

at::Generator generator(std::uint64_t seed) {
  at::Generator made = at::globalContext().defaultGenerator(torch::kCPU).clone();
  made.set_current_seed(seed);
  return made;
}

torch::Tensor normal(torch::IntArrayRef shape, std::uint64_t seed) {
  return at::empty(shape, torch::kFloat64).normal_(0, 1, generator(seed));
}

// A float64 encoder stack of width 8, 2 heads, with random weights.
struct Lone {
  ParameterStore store{torch::TensorOptions(torch::kFloat64)};
  std::unique_ptr<TransformerStack> stack;

  Lone(const std::string& residual, const std::string& chain, std::int64_t layers) {
    StackConfiguration configuration;
    configuration.setup.encoderLayers = layers;
    configuration.setup.width = 8;
    configuration.setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
    configuration.residual = residual;
    configuration.selfAttention.heads = 2;
    configuration.selfAttention.chain = valueOf(kScoreChains, chain);
    configuration.feedForward = 12;
    stack = std::make_unique<TransformerStack>(store, configuration, engineOptions());
    std::uint64_t seed = 1;
    for (const Parameter& parameter : store.parameters()) {
      if (parameter.info.role == ParameterRole::Scheme || parameter.info.role == ParameterRole::NormWeight)
        continue;
      const torch::Tensor value = store.value(parameter);
      value.copy_(normal(value.sizes(), ++seed).mul_(.4));
    }
  }
  torch::Tensor forward(const torch::Tensor& x, const AttentionMask& mask,
                        const StepContext& context = {}) const {
    const torch::Tensor none;
    return stack->forward(x, {mask, none, mask, none}, context);
  }
};

class Logits : public ForwardObserver {
 public:
  bool wantsAttention() const override { return true; }
  void attention(const AttentionRecord& record) override { layers.push_back(record.maskedScores.detach()); }
  std::vector<torch::Tensor> layers;
};

double worst(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

// The relation-aware stack of DT-Fixup in its sizes, few layers.
std::unique_ptr<ExtraLayers> relationalLayers(const std::vector<std::string>& more,
                                              std::int64_t width = 256) {
  std::vector<std::string> assignments = {"model=extra_layers", "model.width=" + std::to_string(width),
                                          "model.heads=8", "extra.layers=2",
                                          "extra.attention=relation_aware"};
  assignments.insert(assignments.end(), more.begin(), more.end());
  const OptionValues options = engineOptions(assignments);
  StackConfiguration stack = extraStackConfiguration(options);
  return std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"question", 1024}, {"schema", 256}}, stack,
                                       options, torch::TensorOptions(torch::kFloat64));
}

const std::vector<std::string> kDtFixup = {"extra.residual=unnormalised", "init=dt_fixup"};

}  // namespace

class TestEncoderOracles : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oracle07ScoreChains() {
    // alpha = 0 keeps x; equal query and key maps give equal scores in both layers.
    const torch::Tensor x = normal({2, 5, 8}, 77);
    torch::Tensor plain;
    for (const std::string chain : {"none", "sum", "mean"}) {
      Lone lone("rezero", chain, 3);
      for (const char* part : {"query.weight", "query.bias", "key.weight", "key.bias"}) {
        const std::string first = std::string("encoder.layers.0.self_attention.") + part;
        for (const char* layer : {"1", "2"})
          lone.store.value("encoder.layers." + std::string(layer) + ".self_attention." + part)
              .copy_(lone.store.value(first));
      }
      Logits seen;
      StepContext context;
      context.observer = &seen;
      lone.forward(x, {}, context);
      QCOMPARE(seen.layers.size(), std::size_t{3});
      if (chain == "none") plain = seen.layers[0];
      QVERIFY(seen.layers[0].equal(plain));  // layer 0 is plain attention
      for (int layer = 1; layer < 3; ++layer) {
        const double factor = chain == "sum" ? layer + 1 : 1;
        QVERIFY(worst(seen.layers[static_cast<std::size_t>(layer)], plain * factor) < 1e-12);
      }
    }
  }

  void oracle08MasksAndGradient() {
    const torch::Tensor x = normal({1, 4, 8}, 5);
    const torch::Tensor padded = at::cat({x, normal({1, 3, 8}, 6)}, 1);
    const torch::Tensor padding =
        at::tensor({0, 0, 0, 0, 1, 1, 1}, torch::kInt64).to(torch::kBool).unsqueeze(0);
    for (const std::string chain : {"sum", "mean"}) {
      for (const MaskStyle style :
           {MaskStyle::MinusInfinity, MaskStyle::AddMinus10000, MaskStyle::SetMinus1e9}) {
        const Lone lone("post_ln", chain, 3);
        const AttentionMask mask = makeAttentionMask(padding, false, 7, style, lone.store.options());
        const torch::Tensor whole = lone.forward(padded, mask);
        QVERIFY(whole.isfinite().all().item<bool>());
        QVERIFY(worst(whole.narrow(1, 0, 4), lone.forward(x, {})) < 1e-12);
      }
    }
    // With a zero output map in layer 0, its query map acts through the chain alone.
    for (const std::string chain : {"none", "sum", "mean"}) {
      Lone lone("post_ln", chain, 2);
      lone.store.value("encoder.layers.0.self_attention.output.weight").zero_();
      lone.forward(x, {}).square().sum().backward();
      const double reached =
          lone.store.gradient("encoder.layers.0.self_attention.query.weight").abs().max().item<double>();
      QVERIFY2(chain == "none" ? reached < 1e-14 : reached > 1e-4, chain.c_str());
    }
  }

  void oracle10ReZeroAtInit() {
    Lone lone("rezero", "none", 3);
    const torch::Tensor x = normal({2, 4, 8}, 9);
    const torch::Tensor y = lone.forward(x, {});
    QVERIFY(y.equal(x));
    (y * normal({2, 4, 8}, 10)).sum().backward();
    for (const Parameter& parameter : lone.store.parameters()) {
      const torch::Tensor gradient = lone.store.gradient(parameter);
      if (parameter.info.role == ParameterRole::Scheme) {
        QVERIFY2(gradient.abs().item<double>() > 1e-3, parameter.info.name.c_str());
      } else {
        QVERIFY2(!gradient.defined() || gradient.abs().max().item<double>() == 0,
                 parameter.info.name.c_str());
      }
    }
  }

  void oracle11LookLinear() {
    const OptionValues options =
        engineOptions({"model=bert", "init=look_linear", "model.width=16", "model.heads=2",
                       "model.feed_forward=24", "encoder.layers=1"});
    const ModelInputs inputs = ModelInputs::ofVocabulary(20);
    const auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat64)).value();
    initialiseModel(*model, options, 3).value();
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    ParameterInfo where;
    where.name = "feed_forward";
    const FeedForward branch(store, where, 16, 24, Activation::Relu, 0.1, true);
    for (const char* part : {"input.weight", "output.weight", "input.bias", "output.bias"})
      store.value(std::string("feed_forward.") + part)
          .copy_(model->parameters().value(std::string("encoder.layers.0.feed_forward.") + part));
    const torch::Tensor x = normal({3, 2, 16}, 4);
    const SublayerSite site;
    const auto f = [&](const torch::Tensor& in) { return branch.forward(in, {}, site, {}); };
    QVERIFY((f(x) + f(-x)).abs().max().item<double>() < 1e-12);
    const torch::Tensor first = store.value("feed_forward.input.weight").narrow(0, 0, 12);
    const torch::Tensor second = store.value("feed_forward.output.weight").narrow(1, 0, 12);
    QVERIFY(worst(f(x), at::linear(at::linear(x, first), second)) < 1e-12);
  }

  void oracle12TFixupFactors() {
    struct Depth {
      int layers;
      double encoder, decoder;
    };
    for (const Depth& depth :
         {Depth{6, .42809, .36889}, Depth{12, .35998, .31020}, Depth{18, .32528, .28030}}) {
      const std::string n = std::to_string(depth.layers);
      const auto fill = [&](const char* init) {
        const OptionValues options =
            engineOptions({std::string("init=") + init, "encoder.residual=unnormalised",
                           "decoder.residual=unnormalised", "encoder.layers=" + n, "decoder.layers=" + n,
                           "model.width=16", "model.heads=2", "model.feed_forward=32"});
        const ModelInputs inputs = ModelInputs::ofVocabulary(30);
        auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat64)).value();
        initialiseModel(*model, options, 1).value();
        return model;
      };
      const auto plain = fill("xavier"), fixed = fill("t_fixup");
      for (const Parameter& parameter : plain->parameters().parameters()) {
        const torch::Tensor a = plain->parameters().value(parameter),
                            b = fixed->parameters().value(parameter.info.name);
        const double map = parameter.info.stack == StackKind::Decoder ? depth.decoder : depth.encoder;
        double factor = 1;
        switch (parameter.info.role) {
          case ParameterRole::Value:
            factor = map * std::sqrt(2.0);
            break;
          case ParameterRole::AttentionOutput:
          case ParameterRole::FeedForwardInput:
          case ParameterRole::FeedForwardOutput:
            factor = map;
            break;
          case ParameterRole::TokenEmbedding:
            factor = std::pow(9.0 * depth.layers, -.25);
            break;
          default:
            QVERIFY2(a.equal(b), parameter.info.name.c_str());  // query, key, biases
            break;
        }
        QVERIFY2(worst(b, a * factor) < 2e-5, parameter.info.name.c_str());
      }
    }
  }

  void oracle14BertAdamWFirstStep() {
    const OptionValues options = engineOptions({"optimizer=bert_adamw", "optimizer.beta2=0.999",
                                                "optimizer.eps=1e-6", "optimizer.weight_decay=0.01"});
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    ParameterInfo info;
    info.name = "map.weight";
    torch::Tensor p = store.add(info, {4}, 2);
    const auto optimizer = makeOptimizer(options, store).value();
    p.mutable_grad() = at::tensor({1.0, -1.0, 50.0, -0.5}, torch::kFloat64);
    optimizer->step(1e-3);
    const double move = 3.16227766e-3, decay = 1e-3 * .01 * 2;
    const double expected[] = {2 - move - decay, 2 + move - decay, 2 - move - decay, 2 + move - decay};
    for (std::int64_t i = 0; i < 4; ++i)
      QVERIFY(std::abs(p[i].item<double>() - expected[i]) < 3e-7);  // eps is not quite negligible
  }

  void sql06InitialDeviations() {
    const auto model = relationalLayers(kDtFixup);
    std::vector<std::string> assignments = {"model=extra_layers",
                                            "model.width=256",
                                            "model.heads=8",
                                            "extra.layers=2",
                                            "extra.attention=relation_aware",
                                            "init.dt_fixup.mu=given",
                                            "init.dt_fixup.mu_value=10"};
    assignments.insert(assignments.end(), kDtFixup.begin(), kDtFixup.end());
    const OptionValues options = engineOptions(assignments);
    initialiseModel(*model, options, 1).value();
    const double factor = 1 / std::sqrt((4 * 100 + 20 + 2) * 2.0);
    const std::map<std::string, std::pair<double, bool>> rows = {
        {"question_projection.weight", {.03953, false}},
        {"schema_projection.weight", {.0625, false}},
        {"self_attention.query.weight", {.0625, false}},
        {"self_attention.key.weight", {.0625, false}},
        {"self_attention.value.weight", {.0625, true}},
        {"self_attention.output.weight", {.0625, true}},
        {"feed_forward.input.weight", {.03953, true}},
        {"feed_forward.output.weight", {.03953, true}},
        {"self_attention.relation_key.weight", {.17541, false}},
        {"self_attention.relation_value.weight", {.17541, true}}};
    int checked = 0;
    for (const Parameter& parameter : model->parameters().parameters()) {
      const torch::Tensor value = model->parameters().value(parameter);
      for (const auto& [ending, row] : rows) {
        if (!parameter.info.name.ends_with(ending)) continue;
        const double expected = row.first * (row.second ? factor : 1), own = value.std().item<double>();
        const double within = 4 / std::sqrt(2.0 * static_cast<double>(value.numel()));
        QVERIFY2(std::abs(own / expected - 1) < within, parameter.info.name.c_str());
        ++checked;
      }
      if (value.dim() > 1) continue;
      // One-dimensional: what PyTorch's default leaves, untouched by the factor.
      const double bound = parameter.info.name.ends_with("feed_forward.output.bias") ? 1.0 / 32 : 1.0 / 16;
      QVERIFY(value.abs().max().item<double>() <= bound && value.abs().max().item<double>() > .9 * bound);
    }
    QCOMPARE(checked, 2 + 2 * 8);
  }

  void sql07MuOnKnownOutputs() {
    // Question rows of norm 3, 7 and schema rows of norm 5, 11: whatever the projections and dropout are.
    ExtraLayers::Features features{{normal({1, 2, 1024}, 1), normal({1, 3, 256}, 2)}, {}, {}};
    const double norms[][3] = {{3, 7, 0}, {5, 11, 2}};
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::int64_t row = 0; row < features.states[part].size(1); ++row) {
        torch::Tensor vector = features.states[part][0][row];
        vector.mul_(norms[part][row] / vector.norm().item<double>());
      }
    }
    for (const char* dropout : {"0", "0.6"}) {
      for (const std::uint64_t seed : {1u, 2u}) {
        std::vector<std::string> assignments = kDtFixup;
        assignments.insert(assignments.end(),
                           {"model=extra_layers", "model.width=256", "model.heads=8", "extra.layers=2",
                            "extra.attention=relation_aware", "init.dt_fixup.mu=released",
                            std::string("model.extra_layers.dropout=") + dropout});
        const auto model = relationalLayers(assignments);
        int batches = 0;
        const Json report = initialiseModel(
                                *model, engineOptions(assignments), seed,
                                [&](std::int64_t, const StepContext& context) {
                                  QVERIFY(!context.training);
                                  model->projected(features, context);
                                  ++batches;
                                },
                                3)
                                .value();
        QCOMPARE(batches, 3);  // every training batch
        const Json& mu = report.at("profile").at(0);
        QVERIFY(std::abs(mu.at("value").get<double>() - 11) < 1e-12);
        QVERIFY(std::abs(mu.at("parts").at("question").get<double>() - 7) < 1e-12);
      }
    }
  }

  void sql08NormsOfTheLayers() {
    std::vector<std::string> zeros = kDtFixup;
    const auto bare = relationalLayers(zeros, 32);
    for (const Parameter& parameter : bare->parameters().parameters()) {
      QVERIFY(parameter.info.role != ParameterRole::NormWeight);
      if (!parameter.info.name.ends_with("projection.weight"))
        bare->parameters().value(parameter).zero_();
      else
        bare->parameters().value(parameter).copy_(normal(bare->parameters().value(parameter).sizes(), 3));
    }
    ExtraLayers::Features features{
        {normal({1, 2, 1024}, 1), normal({1, 3, 256}, 2)}, {}, at::zeros({1, 5, 5}, torch::kInt64)};
    QVERIFY(bare->forward(features, {}).equal(bare->projected(features, {})));
    const auto normed = relationalLayers({"extra.residual=post_ln"}, 32);
    std::vector<std::string> names;
    for (const Parameter& parameter : normed->parameters().parameters()) {
      if (parameter.info.role == ParameterRole::NormWeight) names.push_back(parameter.info.name);
      const torch::Tensor value = normed->parameters().value(parameter);
      if (value.dim() > 1) value.copy_(normal(value.sizes(), names.size() + 1).mul_(.1));
    }
    QCOMPARE(names.size(), std::size_t{2 * 2 + 1});
    normed->forward(features, {}).pow(3).sum().backward();
    for (const std::string& name : names)
      QVERIFY2(normed->parameters().gradient(name).abs().max().item<double>() > 0, name.c_str());
  }

  void sql10ScheduleAndGroups() {
    const OptionValues options = engineOptions(
        {"lr_schedule=dt_fixup", "lr_schedule.rate=5e-4", "lr_schedule.warmup=0", "lr_schedule.power=0.5",
         "lr_schedule.minimum=1e-5", "optimizer=adam", "optimizer.beta2=0.999",
         "optimizer.adam.eps_place=plain", "optimizer.eps=1e-12", "optimizer.rate_groups=encoder.=0.008"});
    const LrScheduleSettings schedule = lrScheduleSettings(options, 100).value();
    QVERIFY(std::abs(learningRate(schedule, 0) - 5e-4 * std::sqrt(.99)) < 1e-15);
    QCOMPARE(learningRate(schedule, 99), 1e-5);
    QCOMPARE(learningRate(schedule, 500), 1e-5);
    ParameterStore store{torch::TensorOptions(torch::kFloat64)};
    for (const char* name : {"encoder.weight", "main.weight"}) {
      ParameterInfo info;
      info.name = name;
      store.add(info, {1}, 1);
    }
    const auto optimizer = makeOptimizer(options, store).value();
    std::vector<double> before = {1, 1};
    for (std::int64_t update = 0; update < 120; ++update) {
      for (std::size_t i = 0; i < 2; ++i) {
        torch::Tensor tensor = optimizer->parameters()[i].tensor;
        tensor.mutable_grad() = at::full({1}, i == 0 ? 3.0 : 4.0, torch::kFloat64);
      }
      QVERIFY(std::abs(gradientNorm(store) - 5) < 1e-12);  // over both groups together
      optimizer->step(learningRate(schedule, update), clipFactor(ClipRule::Torch, 2.5, 5));
      double moved[2];
      for (std::size_t i = 0; i < 2; ++i) {
        const double now = optimizer->parameters()[i].tensor.item<double>();
        moved[i] = before[i] - now;
        before[i] = now;
      }
      QVERIFY(std::abs(moved[1] / learningRate(schedule, update) - 1) < 1e-6);
      QVERIFY(std::abs(moved[0] / moved[1] - .008) < 1e-6);
    }
  }

  void finiteDifferencesOfBert_data() {
    QTest::addColumn<QString>("options");
    for (const char* residual :
         {"post_ln", "pre_ln", "admin", "rezero", "rezero_post_ln", "fixup", "deepnet", "unnormalised"})
      for (const char* chain : {"none", "sum", "mean"})
        QTest::addRow("%s %s", residual, chain)
            << QString("model=bert,encoder.residual=%1,encoder.self_attention.score_chain=%2")
                   .arg(residual, chain);
    QTest::newRow("extra vanilla") << "model=extra_layers,extra.residual=unnormalised,extra.layers=2";
    QTest::newRow("extra post_ln") << "model=extra_layers,extra.residual=post_ln,extra.layers=2";
    QTest::newRow("gelu tanh") << "model=bert,model.activation=gelu_tanh";
    QTest::newRow("roberta places") << "model=bert,model.bert.positions=non_pad,model.bert.head=masked_words";
    QTest::newRow("classification") << "model=bert,model.bert.head=classification,model.bert.classes=3";
    QTest::newRow("multiple choice") << "model=bert,model.bert.head=multiple_choice";
    QTest::newRow("span") << "model=bert,model.bert.head=span";
  }

  void finiteDifferencesOfBert() {
    QFETCH(QString, options);
    std::vector<std::string> assignments = {"model.width=8",
                                            "model.heads=2",
                                            "model.feed_forward=12",
                                            "encoder.layers=2",
                                            "model.bert.max_positions=9",
                                            "model.activation=gelu_erf",
                                            "model.extra_layers.heads=2",
                                            "model.extra_layers.feed_forward=10"};
    for (const QString& one : options.split(',')) assignments.push_back(one.toStdString());
    const OptionValues values = engineOptions(assignments);
    const ModelInputs inputs = ModelInputs::ofVocabulary(11);
    const auto model = buildModel(values, inputs, torch::TensorOptions(torch::kFloat64)).value();
    std::uint64_t seed = 0;
    std::vector<torch::Tensor> tensors;
    for (const Leaf& leaf : model->parameters().leaves()) {
      leaf.tensor.detach().add_(normal(leaf.tensor.sizes(), ++seed), .3);
      tensors.push_back(leaf.tensor);
    }
    const auto& bert = dynamic_cast<const Bert&>(*model);
    const TextBatch batch{
        at::tensor({3, 4, 5, 6, 7, 8, 2, 0, 0, 0}, torch::kInt64).view({2, 5}),
        at::tensor({0, 0, 1, 1, 1, 0, 1, 0, 0, 0}, torch::kInt64).view({2, 5}),
        at::tensor({0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, torch::kInt64).to(torch::kBool).view({2, 5})};
    const std::string head = values.text("model.bert.head");
    const auto loss = [&] {
      const torch::Tensor hidden = bert.hidden(batch, {});
      const torch::Tensor real = hidden * batch.padding.logical_not().unsqueeze(-1);
      if (head == "classification" || head == "multiple_choice" || head == "span")
        return bert.taskLogits(real, {}).sin().sum();
      const torch::Tensor rows = bert.maskedHidden(hidden, at::tensor({1, 3, 6}, torch::kInt64));
      torch::Tensor sum = at::cross_entropy_loss(at::linear(rows, bert.maskedWeight(), bert.maskedBias()),
                                                 at::tensor({4, 9, 1}, torch::kInt64));
      if (bert.hasNextSentence()) sum = sum + bert.nextSentenceLogits(bert.pooled(hidden)).sin().sum();
      return sum;
    };
    const double error = gradientError(loss, tensors, 6);
    QVERIFY2(error < 1e-7, std::to_string(error).c_str());
  }

  void finiteDifferencesOfRelationalLayers_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("post_ln") << "extra.residual=post_ln";
    QTest::newRow("unnormalised") << "extra.residual=unnormalised";
    QTest::newRow("pre_ln, sum") << "extra.residual=pre_ln,extra.self_attention.score_chain=sum";
    QTest::newRow("admin, mean") << "extra.residual=admin,extra.self_attention.score_chain=mean";
  }

  void finiteDifferencesOfRelationalLayers() {
    QFETCH(QString, options);
    // Smooth: a difference over a corner of ReLU is no derivative.
    std::vector<std::string> assignments = {"model.extra_layers.activation=gelu_erf"};
    for (const QString& one : options.split(',')) assignments.push_back(one.toStdString());
    const auto model = relationalLayers(assignments, 16);
    std::uint64_t seed = 0;
    std::vector<torch::Tensor> tensors;
    for (const Leaf& leaf : model->parameters().leaves()) {
      leaf.tensor.detach().add_(normal(leaf.tensor.sizes(), ++seed), .1);
      tensors.push_back(leaf.tensor);
    }
    const ExtraLayers::Features features{
        {normal({2, 3, 1024}, 90).mul_(.1), normal({2, 2, 256}, 91)},
        at::tensor({0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, torch::kInt64).to(torch::kBool).view({2, 5}),
        at::randint(0, 33, {2, 5, 5}, generator(3), torch::kInt64)};
    const auto loss = [&] { return model->forward(features, {}).narrow(1, 0, 4).sin().sum(); };
    const double error = gradientError(loss, tensors, 6);
    QVERIFY2(error < 1e-7, std::to_string(error).c_str());
  }
};

QTEST_APPLESS_MAIN(TestEncoderOracles)
#include "tst_encoder_oracles.moc"
