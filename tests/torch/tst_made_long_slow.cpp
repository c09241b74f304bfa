// SPDX-License-Identifier: Apache-2.0
// The made task for global tokens is learned with them, and is a guess where only the radius is left: the
// preset of the sample, trained from nothing (about a minute each on an idle core).
#include <QTemporaryDir>
#include <QTest>

#include "core/record/runs/run_folder.h"
#include "core/tasks/wikihop/made_long.h"
#include "core/train/loop/training_run.h"

namespace fathom {

constexpr double kChance = 25;  // one of four candidates

class TestMadeLongSlow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void needsGlobalTokens_data();
  void needsGlobalTokens();

 private:
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  QTemporaryDir m_folder;
};

void TestMadeLongSlow::initTestCase() {
  QVERIFY(writeMadeLong(path("data"), 1).ok());
}

void TestMadeLongSlow::needsGlobalTokens_data() {
  QTest::addColumn<bool>("exchange");
  QTest::newRow("with") << true;
  QTest::newRow("without") << false;
}

void TestMadeLongSlow::needsGlobalTokens() {
  QFETCH(const bool, exchange);
  const Json preset = readJsonFile(FATHOM_SOURCE_DIR "/resources/presets/wikihop_etc_sample.json").value();
  TrainRequest request;
  request.runPath = path(QTest::currentDataTag());
  request.watchStandardInput = request.watchSignals = false;
  request.config.preset = "wikihop_etc_sample";
  request.config.options = preset.at("options");
  for (const char* part : {"train", "validation", "test"})
    request.assignments.push_back(std::string("data.") + part + "=" + path("data/") + part + ".json");
  request.assignments.push_back("text.vocabulary.file=" + path("data/vocab.txt"));
  request.assignments.push_back("device=cpu");
  request.assignments.push_back(std::string("encoder.attention.global_local.exchange=") +
                                (exchange ? "true" : "false"));
  QCOMPARE(trainRun(request).code, ExitCode::Finished);
  const auto outcome = RunFolder(request.runPath).outcome(1);
  QVERIFY(outcome.has_value());
  const double accuracy = outcome->scores.at("valid.accuracy").get<double>();
  qInfo("accuracy %.2f", accuracy);
  if (exchange)
    QVERIFY(accuracy >= 95);
  else
    QVERIFY(accuracy <= kChance + 10);
}

}  // namespace fathom

using fathom::TestMadeLongSlow;
QTEST_GUILESS_MAIN(TestMadeLongSlow)
#include "tst_made_long_slow.moc"
