// SPDX-License-Identifier: Apache-2.0
// The four axes of docs/architecture.md §2: every residual scheme with every score chain and every
// initialisation, on a translation model, BERT, extra layers on BERT (each with relations by distance, too),
// ETC and relation-aware layers on given features. What the rules of describe allow trains; what they forbid
// is refused with a reason, by the model builder too.
#include <QTest>
#include <cmath>

#include "core/init/initialisation.h"
#include "core/nn/attention/attention.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/extra_layers.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/optim/optimizer.h"
#include "core/train/parts/run_options.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr std::int64_t kPieces = 20;
constexpr int kUpdates = 5;
const char* const kChains[] = {"none", "sum", "mean"};

torch::Tensor ids(std::initializer_list<std::int64_t> values, std::int64_t rows) {
  return at::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64).view({rows, -1});
}

// One batch of each kind, the same at every update: a network that trains fits it better and better.
torch::Tensor translationLoss(const Model& model, const StepContext& context) {
  const auto& sequence = dynamic_cast<const SequenceModel&>(model);
  const torch::Tensor source = ids({1, 5, 6, 7, 2, 8, 9, 10, 11, 2}, 2);
  const torch::Tensor shifted = ids({2, 9, 8, 7, 2, 5, 6, 1}, 2), target = ids({9, 8, 7, 2, 5, 6, 2, 1}, 2);
  const torch::Tensor hidden = sequence.decoderHidden(sequence.encode(source, context), shifted, context);
  return projectedSmoothedLoss(hidden.flatten(0, 1), sequence.outputWeight(), target.flatten(), 1, {.1, {}})
      .lossSum;
}

torch::Tensor maskedLoss(const Model& model, const StepContext& context) {
  const auto& bert = dynamic_cast<const EncoderModel&>(model);
  const TextBatch batch{ids({3, 4, 5, 6, 7, 3, 8, 2, 0, 0}, 2), ids({0, 0, 0, 1, 1, 0, 1, 1, 0, 0}, 2),
                        ids({0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2).to(torch::kBool)};
  const torch::Tensor hidden = bert.hidden(batch, context);
  const torch::Tensor rows = bert.maskedHidden(hidden, at::tensor({1, 3, 6}, torch::kInt64));
  const SmoothedLoss masked = projectedSmoothedLoss(
      rows, bert.maskedWeight(), at::tensor({4, 9, 12}, torch::kInt64), -1, {}, 0, bert.maskedBias());
  return masked.lossSum + at::cross_entropy_loss(bert.nextSentenceLogits(bert.pooled(hidden)),
                                                 at::tensor({0, 1}, torch::kInt64));
}

// Long and global stream: the masked words alone, the model has no other head.
torch::Tensor longLoss(const Model& model, const StepContext& context) {
  const auto& etc = dynamic_cast<const EncoderModel&>(model);
  const TextBatch batch{ids({3, 4, 5, 6, 7, 3, 8, 2, 0, 0}, 2), ids({0, 0, 0, 1, 1, 0, 1, 1, 0, 0}, 2),
                        ids({0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2).to(torch::kBool)};
  const torch::Tensor rows =
      etc.maskedHidden(etc.hidden(batch, context), at::tensor({1, 3, 6}, torch::kInt64));
  return projectedSmoothedLoss(rows, etc.maskedWeight(), at::tensor({4, 9, 12}, torch::kInt64), -1, {}, 0,
                               etc.maskedBias())
      .lossSum;
}

torch::Tensor featureLoss(const Model& model, const StepContext& context) {
  const auto& layers = dynamic_cast<const ExtraLayers&>(model);
  const auto wave = [](torch::IntArrayRef shape, double step) {
    const std::int64_t count = at::empty(shape, torch::TensorOptions().device(torch::kMeta)).numel();
    return at::arange(count, torch::kFloat32).mul(step).sin().view(shape);
  };
  const ExtraLayers::Features features{{wave({2, 3, 12}, .7), wave({2, 2, 6}, 1.3)},
                                       ids({0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 2).to(torch::kBool),
                                       at::arange(50, torch::kInt64).remainder(5).view({2, 5, 5})};
  const torch::Tensor real = features.padding.logical_not().unsqueeze(-1);
  const torch::Tensor wanted = wave({2, 5, 16}, .37);
  return (layers.forward(features, context) - wanted).square().mul(real).sum();
}

struct Kind {
  const char* name;
  std::vector<std::string> options;
  std::vector<std::string> stacks;  // whose scheme and chain vary
  torch::Tensor (*loss)(const Model& model, const StepContext& context);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"translation", {"model=encoder_decoder"}, {"encoder", "decoder"}, translationLoss},
      {"translation, relations",
       {"model=encoder_decoder", "encoder.attention=relation_aware", "decoder.attention=relation_aware"},
       {"encoder", "decoder"},
       translationLoss},
      {"bert", {"model=bert"}, {"encoder"}, maskedLoss},
      {"bert, relations", {"model=bert", "encoder.attention=relation_aware"}, {"encoder"}, maskedLoss},
      {"etc", {"model=etc", "encoder.attention=global_local"}, {"encoder"}, longLoss},
      {"extra layers", {"model=extra_layers"}, {"extra"}, maskedLoss},
      {"extra layers, relations",
       {"model=extra_layers", "extra.attention=relation_aware"},
       {"extra"},
       maskedLoss},
      {"given features", {"model=extra_layers", "extra.attention=relation_aware"}, {"extra"}, featureLoss}};
  return all;
}

std::vector<std::string> assignmentsOf(const Kind& kind, const std::string& scheme, const std::string& chain,
                                       const std::string& init) {
  std::vector<std::string> all = kind.options;
  all.insert(all.end(), {"model.width=16", "model.heads=2", "model.feed_forward=32", "encoder.layers=2",
                         "decoder.layers=2", "extra.layers=2", "model.bert.max_positions=8",
                         "model.extra_layers.heads=2", "model.extra_layers.feed_forward=32",
                         "model.extra_layers.relation_types=5", "model.etc.global_run=2",
                         "encoder.attention.global_local.radius=1", "model.dropout=0", "init=" + init,
                         "optimizer=adam", "optimizer.beta2=0.98"});
  for (const std::string& stack : kind.stacks) {
    all.push_back(stack + ".residual=" + scheme);
    all.push_back(stack + ".self_attention.score_chain=" + chain);
    const bool measured = init == "by_scheme" || init == "admin_profile";
    if (scheme == "admin" && !measured) all.push_back(stack + ".residual.admin.omega=output_log");
  }
  if (kind.stacks.size() == 2) all.push_back("decoder.cross_attention.score_chain=" + chain);
  return all;
}

std::unique_ptr<Model> makeNetwork(const Kind& kind, const OptionValues& options) {
  if (kind.loss == featureLoss)
    return std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"question", 12}, {"schema", 6}},
                                         extraStackConfiguration(options), options,
                                         torch::TensorOptions(torch::kFloat32));
  const ModelInputs inputs = ModelInputs::ofVocabulary(kPieces);
  return buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
}

// Losses before each of a few updates.
std::vector<double> trained(const Kind& kind, const OptionValues& options) {
  const auto model = makeNetwork(kind, options);
  initialiseModel(
      *model, options, 3,
      [&](std::int64_t, const StepContext& context) {
        const at::NoGradGuard noGrad;
        kind.loss(*model, context);
      },
      1)
      .value();
  const auto optimizer = makeOptimizer(options, model->parameters()).value();
  std::vector<double> losses;
  for (int update = 0; update < kUpdates; ++update) {
    model->parameters().zeroGradients();
    StepContext context;
    context.training = true;
    const torch::Tensor loss = kind.loss(*model, context);
    losses.push_back(loss.item<double>());
    loss.backward();
    optimizer->step(1e-3);
  }
  return losses;
}

}  // namespace

class TestAxisCombinations : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void trainsOrIsRefused_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("scheme");
    for (std::size_t kind = 0; kind < kinds().size(); ++kind)
      for (const ResidualEntry& scheme : residualEntries())
        QTest::addRow("%s, %s", kinds()[kind].name, scheme.id.c_str())
            << static_cast<int>(kind) << QString::fromStdString(scheme.id);
  }

  void trainsOrIsRefused() {
    QFETCH(int, kind);
    QFETCH(QString, scheme);
    const Kind& one = kinds()[static_cast<std::size_t>(kind)];
    int legal = 0;
    for (const char* chain : kChains) {
      for (const InitEntry& init : initEntries()) {
        const std::vector<std::string> assignments = assignmentsOf(one, scheme.toStdString(), chain, init.id);
        const OptionValues options = engineOptions(assignments);
        const std::string name = std::string(chain) + ", " + init.id;
        const bool sensible = isSensible(init.id, scheme.toStdString(), one);
        QVERIFY2(options.check().ok() == sensible, name.c_str());
        if (!sensible) {
          refusedEverywhere(options, assignments);
          continue;
        }
        ++legal;
        const std::vector<double> losses = trained(one, options);
        for (const double loss : losses) QVERIFY2(std::isfinite(loss), name.c_str());
        QVERIFY2(losses.back() < losses.front() - 1e-6, name.c_str());
      }
    }
    // Six initialisations fit every scheme, LookLinear Post-LN alone.
    QVERIFY(legal >= (scheme == "post_ln" ? 21 : 18));
  }

  // What is on the list is what a user can choose.
  void everyEntryIsTried() {
    QCOMPARE(residualEntries().size(), std::size_t{8});
    QCOMPARE(initEntries().size(), std::size_t{9});
    QCOMPARE(attentionEntries().size(), std::size_t{3});
    const OptionField* chain = runSchema().find("encoder.self_attention.score_chain");
    QVERIFY(chain != nullptr && chain->choices.size() == std::size(kChains));
  }

 private:
  // The pairs that make no sense: a profile without omega, DT-Fixup with norms or below a decoder.
  static bool isSensible(const std::string& init, const std::string& scheme, const Kind& kind) {
    if (init == "admin_profile") return scheme == "admin";
    if (init == "look_linear") return scheme == "post_ln";
    if (init == "dt_fixup")
      return scheme == "unnormalised" && kind.loss != translationLoss && kind.loss != longLoss;
    return true;
  }

  // By the form (describe's schema), by the run's options and by the model builder, with a reason and keys.
  static void refusedEverywhere(const OptionValues& options, const std::vector<std::string>& assignments) {
    const auto violations = options.violations();
    QVERIFY(!violations.empty());
    QVERIFY(violations[0].reason.size() > 20 && !violations[0].keys.empty());
    OptionValues form(OptionSchema::fromJson(runSchema().toJson()).value());
    for (const std::string& one : assignments) form.setText(one).value();
    QVERIFY(!form.check().ok());
    const ModelInputs inputs = ModelInputs::ofVocabulary(kPieces);
    QVERIFY(!buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).ok());
  }
};

QTEST_APPLESS_MAIN(TestAxisCombinations)
#include "tst_axis_combinations.moc"
