// SPDX-License-Identifier: Apache-2.0
// The trainability check answers for one preset of every distinct stack (model, residual schemes, attention)
// without data of one's own, the shallowest of them with the width cut to 64. With every change it answers
// for as many of those as have each model, scheme, attention, initialisation and place of norms once. Every
// preset, and the wide ones: tst_trainability_presets_slow.
#include <QTest>
#include <map>
#include <set>

#include "tests/all_tests.h"
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
    std::set<QString> seen;
    for (const auto& [kind, chosen] : stacks) {
      const QStringList words = QString::fromStdString(kind).split(' ', Qt::SkipEmptyParts);
      const std::size_t before = seen.size();
      for (const QString& word : words)
        if (!word.startsWith(QLatin1String("clip."))) seen.insert(word);
      if (seen.size() > before || test::allTests()) QTest::newRow(qPrintable(chosen.preset)) << chosen.preset;
    }
  }
  void narrow() {
    QFETCH(QString, preset);
    const TrainabilityVerb verb = narrowVerb(preset);
    checkTrainabilityReport(trainabilityReport(verb), verb);
  }
};

QTEST_GUILESS_MAIN(TestTrainabilityStacks)
#include "tst_trainability_presets.moc"
