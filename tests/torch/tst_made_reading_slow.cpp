// SPDX-License-Identifier: Apache-2.0
// The presets for the made data of GLUE, SQuAD and ReClor learn them from scratch, in about half a
// minute each on an idle core: scores well above those of guessing (50, below 25 and 25 per cent).
#include <QTemporaryDir>
#include <QTest>

#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"
#include "core/train/loop/training_run.h"

using namespace fathom;

class TestMadeReadingSlow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learns_data() {
    QTest::addColumn<QString>("metric");
    QTest::addColumn<double>("least");
    QTest::newRow("glue") << "valid.accuracy" << 70.0;
    QTest::newRow("squad") << "valid.exact" << 60.0;
    QTest::newRow("reclor") << "valid.accuracy" << 55.0;
  }
  void learns() {
    const std::string task = QTest::currentDataTag();
    QFETCH(const QString, metric);
    QFETCH(const double, least);
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    const MadeData made = findTask(task)->madeData.write(base + "/data", 1, MadeDataSize::Training).value();
    TrainRequest request;
    request.runPath = base + "/run";
    request.watchStandardInput = request.watchSignals = false;
    request.config.preset = task + "_sample";
    request.config.options =
        readJsonFile(std::string(FATHOM_SOURCE_DIR "/resources/presets/") + task + "_sample.json")
            .value()
            .at("options");
    for (const auto& [key, value] : made.options.items()) request.config.options[key] = value;
    request.assignments.push_back("device=cpu");
    QCOMPARE(trainRun(request).code, ExitCode::Finished);
    const auto outcome = RunFolder(request.runPath).outcome(1);
    QVERIFY(outcome.has_value());
    const double score = outcome->scores.at(metric.toStdString()).get<double>();
    qInfo("%s %.2f", qPrintable(metric), score);
    QVERIFY(score >= least);
  }
};

QTEST_GUILESS_MAIN(TestMadeReadingSlow)
#include "tst_made_reading_slow.moc"
