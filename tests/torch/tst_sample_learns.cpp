// SPDX-License-Identifier: Apache-2.0
// The sample's small preset has begun to translate after a hundred updates: a model that learns nothing stays
// at 3.3 nats and more. All of its updates, to BLEU 95: tst_sample_small_slow.
#include <QTemporaryDir>
#include <QTest>

#include "core/record/runs/run_folder.h"
#include "core/tasks/made_sentences.h"
#include "core/train/loop/training_run.h"

using namespace fathom;

class TestSampleLearns : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void learns() {
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QVERIFY(writeMadeSentences(base + "/data", 1).ok());
    TrainRequest request;
    request.runPath = base + "/run";
    request.watchStandardInput = request.watchSignals = false;
    request.config.preset = "sample_small";
    request.config.options =
        readJsonFile(FATHOM_SOURCE_DIR "/resources/presets/sample_small.json").value().at("options");
    for (const char* part : {"train", "validation", "test"})
      request.assignments.push_back(std::string("data.") + part + "=" + base + "/data/" + part + ".tsv");
    for (const char* assignment : {"device=cpu", "threads=1", "training.length=100u", "lr_schedule.warmup=30",
                                   "checkpoint.interval=100u"})
      request.assignments.emplace_back(assignment);
    QCOMPARE(trainRun(request).code, ExitCode::Finished);
    const auto outcome = RunFolder(request.runPath).outcome(1);
    QVERIFY(outcome.has_value());
    const double nll = outcome->scores.at("valid.nll").get<double>();
    qInfo("valid.nll %.2f", nll);
    QVERIFY(nll <= 3.0);
  }
};

QTEST_GUILESS_MAIN(TestSampleLearns)
#include "tst_sample_learns.moc"
