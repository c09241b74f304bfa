// SPDX-License-Identifier: Apache-2.0
// Oracles 7 to 12 and 14 of transformers.md §8 on lone stacks; finite differences of BERT and its heads.
#include <QTest>
#include <cmath>

#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
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
    configuration.selfAttention.chain = scoreChainFromId(chain);
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
    ModelInputs inputs;
    inputs.sourceVocabulary = 20;
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
        ModelInputs inputs;
        inputs.sourceVocabulary = inputs.targetVocabulary = 30;
        inputs.jointVocabulary = true;
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

  void finiteDifferencesOfBert_data() {
    QTest::addColumn<QString>("options");
    for (const char* residual : {"post_ln", "pre_ln", "admin", "rezero", "deepnet", "unnormalised"})
      for (const char* chain : {"none", "sum", "mean"})
        QTest::addRow("%s %s", residual, chain)
            << QString("model=bert,encoder.residual=%1,encoder.self_attention.score_chain=%2")
                   .arg(residual, chain);
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
                                            "model.activation=gelu_erf"};
    for (const QString& one : options.split(',')) assignments.push_back(one.toStdString());
    const OptionValues values = engineOptions(assignments);
    ModelInputs inputs;
    inputs.sourceVocabulary = 11;
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
};

QTEST_APPLESS_MAIN(TestEncoderOracles)
#include "tst_encoder_oracles.moc"
