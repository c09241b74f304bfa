// SPDX-License-Identifier: Apache-2.0
// The trainability check answers for one preset of every distinct stack (model, residual schemes, attention)
// without data of one's own, the shallowest of them with the width cut to 64. Every preset, and the wide
// ones: tst_trainability_presets_slow.
#include <QTest>
#include <map>

#include "tests/torch/support_trainability_presets.h"

using namespace fathom;
using namespace fathom::test;

class TestTrainabilityStacks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void narrow_data() {
    QTest::addColumn<QString>("preset");
    struct Shallowest {
      QString preset;
      std::int64_t layers = 0;
    };
    std::map<std::string, Shallowest> stacks;
    const QStringList all = presetNames(QString());
    for (const QString& preset : all) {
      const PresetStack kind = presetStack(preset);
      const auto [found, fresh] = stacks.try_emplace(kind.text, Shallowest{preset, kind.layers});
      if (!fresh && kind.layers < found->second.layers) found->second = {preset, kind.layers};
    }
    QVERIFY(stacks.size() > 10 && stacks.size() < static_cast<std::size_t>(all.size()));
    for (const auto& [kind, chosen] : stacks) QTest::newRow(qPrintable(chosen.preset)) << chosen.preset;
  }
  void narrow() {
    QFETCH(QString, preset);
    const TrainabilityVerb verb = narrowVerb(preset);
    checkTrainabilityReport(trainabilityReport(verb), verb);
  }
};

QTEST_GUILESS_MAIN(TestTrainabilityStacks)
#include "tst_trainability_presets.moc"
