// SPDX-License-Identifier: Apache-2.0
// The four axes of docs/architecture.md §2: every residual scheme with every score chain and every
// initialisation, on a translation model, BERT, extra layers on BERT (each with relations by distance, too),
// ETC and relation-aware layers on given features. What the rules of describe allow trains; what they forbid
// is refused with a reason, by the model builder too. With every change each network trains with every scheme
// and initialisation under one of the score chains, in turn; with FATHOM_ALL_TESTS under each of them.
#include <QTest>
#include <cmath>

#include "core/init/initialisation.h"
#include "core/nn/attention/attention.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/optim/optimizer.h"
#include "core/train/parts/run_options.h"
#include "tests/all_tests.h"
#include "tests/torch/support_axis_kinds.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;
using namespace fathom::test;

namespace {

const bool kAll = test::allTests();
const int kUpdates = kAll ? 5 : 3;

// Losses before each of a few updates.
std::vector<double> trained(const AxisKind& kind, const OptionValues& options) {
  const auto model = axisNetwork(kind, options);
  fillAxisNetwork(*model, kind, options);
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
    for (std::size_t kind = 0; kind < axisKinds().size(); ++kind)
      for (const ResidualEntry& scheme : residualEntries())
        QTest::addRow("%s, %s", axisKinds()[kind].name, scheme.id.c_str())
            << static_cast<int>(kind) << QString::fromStdString(scheme.id);
  }

  void trainsOrIsRefused() {
    QFETCH(int, kind);
    QFETCH(QString, scheme);
    const AxisKind& one = axisKinds()[static_cast<std::size_t>(kind)];
    int legal = 0;
    std::size_t turn = static_cast<std::size_t>(kind);
    for (const ResidualEntry& each : residualEntries()) turn += each.id < scheme.toStdString() ? 1 : 0;
    for (const char* chain : kAxisChains) {
      ++turn;
      for (std::size_t at = 0; at < initEntries().size(); ++at) {
        const InitEntry& init = initEntries()[at];
        const bool turned = kAll || (turn + at) % std::size(kAxisChains) == 0;
        const std::vector<std::string> assignments =
            axisAssignments(one, scheme.toStdString(), chain, init.id);
        const OptionValues options = engineOptions(assignments);
        const std::string name = std::string(chain) + ", " + init.id;
        const bool sensible = axisInitFits(init.id, scheme.toStdString(), one);
        QVERIFY2(options.check().ok() == sensible, name.c_str());
        if (!sensible) {
          if (turned) refusedEverywhere(options, assignments);
          continue;
        }
        ++legal;
        if (!turned) continue;
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
    QVERIFY(chain != nullptr && chain->choices.size() == std::size(kAxisChains));
  }

 private:
  // By the form (describe's schema), by the run's options and by the model builder, with a reason and keys.
  static void refusedEverywhere(const OptionValues& options, const std::vector<std::string>& assignments) {
    const auto violations = options.violations();
    QVERIFY(!violations.empty());
    QVERIFY(violations[0].reason.size() > 20 && !violations[0].keys.empty());
    static const OptionSchema described = OptionSchema::fromJson(runSchema().toJson()).value();
    OptionValues form(described);
    for (const std::string& one : assignments) form.setText(one).value();
    QVERIFY(!form.check().ok());
    const ModelInputs inputs = ModelInputs::ofVocabulary(kAxisPieces);
    QVERIFY(!buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).ok());
  }
};

QTEST_APPLESS_MAIN(TestAxisCombinations)
#include "tst_axis_combinations.moc"
