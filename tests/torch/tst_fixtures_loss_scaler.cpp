// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/optim/loss_scaler.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

LossScalerSettings settingsOf(const Json& config) {
  LossScalerSettings settings;
  settings.initialScale = config.value("init", config.value("init_scale", settings.initialScale));
  settings.factor = config.value("factor", settings.factor);
  settings.window = config.value("window", settings.window);
  settings.tolerance = config.value("tolerance", settings.tolerance);
  settings.threshold = config.at("threshold").is_number() ? config.at("threshold").get<double>() : 0;
  settings.minimumScale = config.value("min_loss_scale", settings.minimumScale);
  return settings;
}

}  // namespace

class TestFixturesLossScaler : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Oracle 17 of transformers.md §8.
  void oracle17Sequences() {
    const auto all = cases("loss_scaler");
    if (all.empty()) QSKIP("no fixtures");
    for (const Case& place : all) {
      const TensorCase scalerCase = readCase(place);
      const Json& config = scalerCase.json.at("config");
      LossScaler scaler(settingsOf(config));
      const torch::Tensor overflow = scalerCase.at("overflow");
      std::int64_t updates = 0;
      for (std::int64_t i = 0; i < overflow.numel(); ++i) {
        const std::string where = place.name + " iteration " + std::to_string(i);
        QVERIFY2(scaler.scale() == scalerCase.at("scale_used")[i].item<double>(), where.c_str());
        const auto verdict = scaler.finishIteration(overflow[i].item<double>() != 0);
        if (verdict == LossScaler::Verdict::Step) ++updates;
        QVERIFY2(scaler.scale() == scalerCase.at("scale_after")[i].item<double>(), where.c_str());
        if (scalerCase.has("num_updates")) {
          QVERIFY2(updates == static_cast<std::int64_t>(scalerCase.at("num_updates")[i].item<double>()),
                   where.c_str());
        }
        const bool aborts = config.value("aborted_at_iteration", -1) == i;
        QVERIFY2((verdict == LossScaler::Verdict::Abort) == aborts, where.c_str());
        if (aborts) break;
        LossScaler copy(settingsOf(config));
        copy.restore(scaler.state());
        scaler = copy;
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesLossScaler)
#include "tst_fixtures_loss_scaler.moc"
