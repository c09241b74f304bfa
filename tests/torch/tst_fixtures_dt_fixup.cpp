// SPDX-License-Identifier: Apache-2.0
// DT-Fixup: mu of given states, the factors, exactly the right tensors scaled, the scaled stack and its
// gradients.
#include <QTest>

#include "core/init/dt_fixup.h"
#include "core/nn/models/extra_layers.h"
#include "core/nn/residual/residual_scheme.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

// The stack of a case on projected question and schema states; `relational` false: the same maps as vanilla
// layers.
std::unique_ptr<ExtraLayers> modelOf(const TensorCase& one, bool relational) {
  const Json& c = one.json.at("configuration");
  StackConfiguration stack;
  stack.setup.encoderLayers = c.at("encoder_layers").get<std::int64_t>();
  stack.setup.width = c.at("d_model").get<std::int64_t>();
  stack.setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
  stack.setup.normEps = c.at("eps").get<double>();
  stack.residual = c.at("encoder_scheme").get<std::string>();
  stack.attention = relational ? c.at("attention").get<std::string>() : "multi_head";
  stack.selfAttention.heads = c.at("heads").get<std::int64_t>();
  stack.selfAttention.queryKeyValueBias = false;
  stack.selfAttention.relationTypes = c.at("relation_types").get<std::int64_t>();
  stack.feedForward = c.at("feed_forward").get<std::int64_t>();
  stack.activation = valueOf(kActivations, c.at("activation").get<std::string>());
  const std::int64_t question = one.at("parameter.question_projection.weight").size(1);
  const std::int64_t schema = one.at("parameter.schema_projection.weight").size(1);
  auto model =
      std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"question", question}, {"schema", schema}},
                                    stack, engineOptions(), torch::TensorOptions(torch::kFloat64));
  model->parameters().load(one.beginning("parameter."), true).value();
  return model;
}

ExtraLayers::Features featuresOf(const TensorCase& one, int example) {
  const std::string index = std::to_string(example);
  return {{one.at("input.question_states." + index).unsqueeze(0),
           one.at("input.schema_states." + index).unsqueeze(0)},
          {},
          {}};
}

class NormObserver : public ForwardObserver {
 public:
  InputNorm norm;
  void layerInput(StackKind, std::string_view part, const torch::Tensor& states,
                  const torch::Tensor& padding) override {
    norm.add(std::string(part), states, padding);
  }
};

InputNorm measured(const TensorCase& one, const ExtraLayers& model) {
  NormObserver observer;
  StepContext context;
  context.observer = &observer;
  for (int i = 0; one.has("input.question_states." + std::to_string(i)); ++i)
    model.projected(featuresOf(one, i), context);
  return observer.norm;
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace

class TestFixturesDtFixup : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"dt_fixup"}); !why.empty()) QSKIP(why.c_str());
  }
  void scaling_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("dt_fixup");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }

  void scaling() {
    QFETCH(int, index);
    const TensorCase one = readCase(cases("dt_fixup")[static_cast<std::size_t>(index)]);
    const double tolerance = one.json.at("tolerance").at("outputs").get<double>();
    const auto model = modelOf(one, true);
    const InputNorm norm = measured(one, *model);
    const torch::Tensor mu = one.at("output.mu");
    QVERIFY(near(norm.released(), mu[0].item<double>(), tolerance));
    QVERIFY(near(norm.of("question"), mu[1].item<double>(), tolerance));
    QVERIFY(near(norm.of("schema"), mu[2].item<double>(), tolerance));
    QVERIFY(near(norm.paper(), mu[3].item<double>(), tolerance));
    const std::int64_t layers = one.json.at("configuration").at("encoder_layers").get<std::int64_t>();
    struct Variant {
      const char* name;
      DtFixupForm form;
      double mu;
    };
    const Variant variants[] = {{"relational_released", DtFixupForm::Relational, norm.released()},
                                {"relational_paper", DtFixupForm::Relational, norm.paper()},
                                {"vanilla_paper", DtFixupForm::Vanilla, norm.paper()},
                                {"vanilla_paper_released_mu", DtFixupForm::Vanilla, norm.released()}};
    for (int v = 0; v < 4; ++v) {
      const Variant& variant = variants[v];
      const double factor = dtFixupFactor(variant.form, variant.mu, layers);
      QVERIFY2(near(factor, one.at("output.factors")[v].item<double>(), tolerance), variant.name);
      checkVariant(one, variant.name, variant.form, factor, tolerance);
    }
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("dt_fixup");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  static void checkVariant(const TensorCase& one, const std::string& name, DtFixupForm form, double factor,
                           double tolerance) {
    const bool relational = form == DtFixupForm::Relational;
    const auto model = modelOf(one, relational);
    const OptionValues options = engineOptions();
    InitTarget target{*model, options, 1, {}, {}, 0, nullptr};
    scaleDtFixup(target, StackKind::Encoder, form, factor);
    for (const Parameter& parameter : model->parameters().parameters()) {
      const std::string after = "after." + name + "." + parameter.info.name;
      const torch::Tensor before = one.at("parameter." + parameter.info.name);
      const torch::Tensor value = model->parameters().value(parameter);
      if (one.has(after)) {
        const std::string wrong = layersDifference(value, one.at(after), tolerance);
        QVERIFY2(wrong.empty(), (after + ": " + wrong).c_str());
      } else if (name == "relational_released" || name == "vanilla_paper") {
        QVERIFY2(value.equal(before), (parameter.info.name + " must stay untouched").c_str());
      }
      if (value.dim() < 2) QVERIFY2(value.equal(before), parameter.info.name.c_str());
    }
    ExtraLayers::Features features = featuresOf(one, one.json.at("scalars").at("forward_example").get<int>());
    if (relational) features.relations = one.at("input.relations");
    const torch::Tensor input = model->projected(features, {});
    QVERIFY(layersDifference(input, one.at("output.transformer_input"), tolerance).empty());
    const torch::Tensor output = model->forward(features, {});
    const std::string wrong = layersDifference(output, one.at("output." + name + ".stack"), tolerance);
    QVERIFY2(wrong.empty(), (name + " stack: " + wrong).c_str());
    if (name != "relational_released") return;
    const torch::Tensor loss = 0.5 * output.square().sum();
    QVERIFY(layersDifference(loss.view(1), one.at("output.loss"), tolerance).empty());
    loss.backward();
    const double gradients = one.json.at("tolerance").at("gradients").get<double>();
    for (const Parameter& parameter : model->parameters().parameters()) {
      const std::string gradient = "gradient." + parameter.info.name;
      const std::string off =
          layersDifference(model->parameters().gradient(parameter), one.at(gradient), gradients);
      QVERIFY2(off.empty(), (gradient + ": " + off).c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesDtFixup)
#include "tst_fixtures_dt_fixup.moc"
