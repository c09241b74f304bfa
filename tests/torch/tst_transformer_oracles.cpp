// SPDX-License-Identifier: Apache-2.0
// What equations and constants of the papers give by hand (docs/models.md, docs/initialisation.md,
// docs/residual_schemes.md).
#include <QTest>
#include <cmath>

#include "core/init/admin_profile.h"
#include "core/nn/models/admin_fold.h"
#include "core/nn/sinusoid_positions.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

ModelInputs vocabulary(std::int64_t size) {
  const ModelInputs inputs = ModelInputs::ofVocabulary(size);
  return inputs;
}

std::unique_ptr<Model> makeModel(const std::vector<std::string>& assignments, std::int64_t pieces,
                                 torch::ScalarType type = torch::kFloat32, std::uint64_t seed = 1) {
  const OptionValues options = engineOptions(assignments);
  auto model = buildModel(options, vocabulary(pieces), torch::TensorOptions(type)).value();
  if (options.text("init") == "xavier") initialiseModel(*model, options, seed).value();
  return model;
}

const SequenceModel& sequence(const std::unique_ptr<Model>& model) {
  return dynamic_cast<const SequenceModel&>(*model);
}

// Random ids from 4 on, rows of different lengths, padded left (source) or right (target).
torch::Tensor randomTokens(std::int64_t rows, std::int64_t length, std::int64_t pieces, bool left, int seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(static_cast<std::uint64_t>(seed));
  torch::Tensor tokens = at::randint(4, pieces, {rows, length}, generator, torch::kInt64);
  for (std::int64_t row = 1; row < rows; ++row) {
    const std::int64_t pads = std::min(row, length - 2);
    tokens[row].narrow(0, left ? 0 : length - pads, pads).fill_(1);
  }
  return tokens;
}

torch::Tensor logitsOf(const SequenceModel& model, const torch::Tensor& source, const torch::Tensor& target,
                       const StepContext& context = {}) {
  return model.logits(model.decoderHidden(model.encode(source, context), target, context));
}

std::vector<std::string> withSchemes(const std::string& scheme, std::vector<std::string> more) {
  more.push_back("encoder.residual=" + scheme);
  more.push_back("decoder.residual=" + scheme);
  return more;
}

ParameterCount countOf(const std::string& scheme, int encoder, int decoder, bool small = false) {
  std::vector<std::string> options = {"encoder.layers=" + std::to_string(encoder),
                                      "decoder.layers=" + std::to_string(decoder)};
  if (small) options.insert(options.end(), {"model.feed_forward=1024", "model.heads=4"});
  return parameterCount(engineOptions(withSchemes(scheme, options)), vocabulary(1000)).value();
}

double momentOf(const torch::Tensor& values) {
  return values.to(torch::kFloat64).square().mean().item<double>();
}

}  // namespace

class TestTransformerOracles : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oracle01ParameterCounts() {
    const ParameterCount base = countOf("post_ln", 6, 6);
    QCOMPARE(base.encoder / 6, 3152384);
    QCOMPARE(base.decoder / 6, 4204032);
    QCOMPARE(base.encoder + base.decoder, 44138496);
    QCOMPARE(base.embeddings, 512 * 1000);
    QCOMPARE(base.total, 44138496 + 512 * 1000);
    const ParameterCount deep = countOf("post_ln", 60, 12);
    QCOMPARE(deep.encoder + deep.decoder, 239591424);
    const ParameterCount small = countOf("post_ln", 6, 6, true);
    QCOMPARE(small.encoder / 6, 2102784);
    QCOMPARE(small.decoder / 6, 3154432);
    QCOMPARE(countOf("pre_ln", 6, 6).total - base.total, 4 * 512);
    QCOMPARE(countOf("admin", 6, 6).total - base.total, 15360);
    QCOMPARE(countOf("admin", 60, 12).total - deep.total, 79872);
  }

  void oracle01BertCounts() {
    // docs/models.md §2, V = 30522: encoder and pooler, then with heads; in millions, two digits.
    struct Size {
      const char* numbers[4];
      double encoder, heads;
    };
    for (const Size& size :
         {Size{{"4", "512", "8", "2048"}, 28.76, 29.06}, Size{{"12", "768", "12", "3072"}, 109.48, 110.11},
          Size{{"24", "1024", "16", "4096"}, 335.14, 336.23},
          Size{{"36", "1536", "24", "6144"}, 1069.97, 1072.37}}) {
      const auto millions = [&](const std::string& head) {
        const OptionValues options = engineOptions(
            {"model=bert", "model.bert.head=" + head, std::string("encoder.layers=") + size.numbers[0],
             std::string("model.width=") + size.numbers[1], std::string("model.heads=") + size.numbers[2],
             std::string("model.feed_forward=") + size.numbers[3]});
        return static_cast<double>(parameterCount(options, vocabulary(30522)).value().total) / 1e6;
      };
      QVERIFY2(std::abs(millions("none") - size.encoder) < .006, std::to_string(millions("none")).c_str());
      QVERIFY2(std::abs(millions("pretraining") - size.heads) < .006,
               std::to_string(millions("pretraining")).c_str());
    }
  }

  void oracle02SinusoidAndPositions() {
    const torch::Tensor table = sinusoidTable(6, 512, 1, torch::TensorOptions(torch::kFloat64));
    const auto near = [&](int row, int column, double expected) {
      return std::abs(table[row][column].item<double>() - expected) < 1e-7;
    };
    QVERIFY(near(2, 0, .9092974) && near(2, 1, .9365102) && near(2, 255, .0002) && near(2, 256, -.4161468));
    QVERIFY(near(2, 257, -.3506402) && near(2, 511, 1.0) && near(3, 0, .1411200) && near(3, 256, -.9899925));
    QCOMPARE(table[1].abs().sum().item<double>(), 0.0);
    const torch::Tensor odd = sinusoidTable(4, 5, 1, torch::TensorOptions(torch::kFloat64));
    QCOMPARE(odd.select(1, 4).abs().sum().item<double>(), 0.0);
    const torch::Tensor tokens = at::tensor({1, 1, 7, 8, 2, 7, 8, 2, 1, 1}, torch::kInt64).view({2, 5});
    const torch::Tensor expected = at::tensor({1, 1, 2, 3, 4, 2, 3, 4, 1, 1}, torch::kInt64).view({2, 5});
    QVERIFY(positionIds(tokens, 1).equal(expected));
  }

  void oracle03InitMoments() {
    const auto model = makeModel({"init=xavier", "encoder.layers=2", "decoder.layers=1"}, 2000);
    const ParameterStore& store = model->parameters();
    const double d = 512, f = 2048;
    int checked = 0;
    for (const Parameter& parameter : store.parameters()) {
      const torch::Tensor value = store.value(parameter);
      double expected = -1;
      switch (parameter.info.role) {
        case ParameterRole::Query:
        case ParameterRole::Key:
        case ParameterRole::Value:
          expected = 1 / (2 * d);
          QVERIFY(value.abs().max().item<double>() <= .0541266 + 1e-7);
          QVERIFY(value.abs().max().item<double>() > .0541);
          break;
        case ParameterRole::AttentionOutput:
          expected = 1 / d;
          QVERIFY(value.abs().max().item<double>() <= .0765466 + 1e-7);
          break;
        case ParameterRole::FeedForwardInput:
        case ParameterRole::FeedForwardOutput:
          expected = 2 / (d + f);
          QVERIFY(value.abs().max().item<double>() <= .0484123 + 1e-7);
          break;
        case ParameterRole::TokenEmbedding:
          expected = 1 / d;
          QCOMPARE(value[1].abs().sum().item<double>(), 0.0);
          break;
        case ParameterRole::Bias:
        case ParameterRole::NormBias:
          QCOMPARE(value.abs().sum().item<double>(), 0.0);
          break;
        default:
          break;
      }
      if (expected < 0) continue;
      ++checked;
      QVERIFY2(std::abs(momentOf(value) / expected - 1) < 0.02, parameter.info.name.c_str());
    }
    QCOMPARE(checked, 1 + 2 * 6 + 10);
  }

  void oracle04AdminWithOnesIsPostLn() {
    const std::vector<std::string> sizes = {
        "init=xavier",      "model.width=32",   "model.heads=4",     "model.feed_forward=48",
        "encoder.layers=4", "decoder.layers=3", "model.dropout=0.1", "model.attention_dropout=0.1"};
    std::vector<std::string> admin = withSchemes("admin", sizes);
    admin.insert(admin.end(), {"encoder.residual.admin.omega=output_linear",
                               "decoder.residual.admin.omega=output_linear"});
    const auto a = makeModel(admin, 50), p = makeModel(withSchemes("post_ln", sizes), 50);
    const torch::Tensor source = randomTokens(3, 7, 50, true, 1), target = randomTokens(3, 6, 50, false, 2);
    for (const bool training : {false, true}) {
      StepContext context;
      context.training = training;
      QVERIFY(logitsOf(sequence(a), source, target, context)
                  .equal(logitsOf(sequence(p), source, target, context)));
    }
  }

  void oracle05AdminProfile() {
    const std::vector<std::string> options = withSchemes(
        "admin", {"init=admin_profile", "encoder.layers=4", "decoder.layers=3", "model.dropout=0.1",
                  "model.attention_dropout=0.1", "model.activation_dropout=0.1"});
    const OptionValues values = engineOptions(options);
    const auto model = buildModel(values, vocabulary(1000), torch::TensorOptions(torch::kFloat32)).value();
    const torch::Tensor source = randomTokens(8, 30, 1000, true, 3),
                        target = randomTokens(8, 28, 1000, false, 4);
    QVERIFY(!initialiseModel(*model, values, 1).ok());  // no batch to profile on
    const Json report = initialiseModel(*model, values, 1, [&](std::int64_t, const StepContext& context) {
                          QVERIFY(context.training);
                          logitsOf(sequence(model), source, target, context);
                        }).value();
    QCOMPARE(report.at("profile").size(), std::size_t{2 * 4 + 3 * 3});
    int feedForwards = 0;
    double increments = 0;
    for (const Json& line : report.at("profile")) {
      const bool encoder = line.at("stack") == "encoder";
      const int index = line.at("index").get<int>();
      if (index == 1) QCOMPARE(line.at("value").get<double>(), 1.0);
      if (index % (encoder ? 2 : 3) != 0) continue;
      ++feedForwards;
      increments += line.at("branch_variance").get<double>();
    }
    // One layer's value varies by some per cent, since tokens resemble each other; the law is about the mean.
    QVERIFY2(std::abs(increments / feedForwards / .395 - 1) < 0.03,
             std::to_string(increments / feedForwards).c_str());
    QCOMPARE(feedForwards, 7);
    const torch::Tensor omega = model->parameters().value("decoder.layers.1.feed_forward.omega");
    QVERIFY(omega.eq(omega[0]).all().item<bool>());
    QVERIFY(omega[0].item<double>() > 1.3);
  }

  void oracle06FoldAdmin() {
    // x' = x * omega folded into the previous norm and divided out of the maps that read it
    // (docs/residual_schemes.md §4).
    const std::vector<std::string> sizes = {"init=xavier",
                                            "model.width=32",
                                            "model.heads=4",
                                            "model.feed_forward=48",
                                            "encoder.layers=2",
                                            "decoder.layers=2",
                                            "model.encoder_decoder.embedding_sharing=none"};
    std::vector<std::string> adminOptions = withSchemes("admin", sizes);
    adminOptions.insert(adminOptions.end(), {"encoder.residual.admin.omega=output_linear",
                                             "decoder.residual.admin.omega=output_linear"});
    const auto admin = makeModel(adminOptions, 50), folded = makeModel(withSchemes("post_ln", sizes), 50);
    for (const Parameter& parameter : admin->parameters().parameters()) {
      torch::Tensor value = admin->parameters().value(parameter);
      const auto role = parameter.info.role;
      if (role == ParameterRole::Scheme || role == ParameterRole::NormWeight) value.uniform_(0.5, 2);
      if (role == ParameterRole::Bias || role == ParameterRole::NormBias) value.uniform_(-.5, .5);
    }
    const std::map<std::string, torch::Tensor> weights = foldAdmin(*admin).value();
    for (const char* stack : {"encoder", "decoder"}) {
      const std::string table = std::string(stack) + ".position_table";
      const torch::Tensor first =
          admin->parameters().value(std::string(stack) + ".layers.0.self_attention.omega");
      folded->parameters().setBuffer(table, folded->parameters().buffer(table) * first);
    }
    folded->parameters().load(weights).value();
    const torch::Tensor source = randomTokens(3, 7, 50, true, 1), target = randomTokens(3, 6, 50, false, 2);
    const torch::Tensor a = logitsOf(sequence(admin), source, target),
                        f = logitsOf(sequence(folded), source, target);
    QVERIFY((a - f).abs().max().item<double>() < 1e-5);
  }
};

QTEST_APPLESS_MAIN(TestTransformerOracles)
#include "tst_transformer_oracles.moc"
