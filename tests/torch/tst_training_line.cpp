// SPDX-License-Identifier: Apache-2.0
// The line that a shell shows of a run: it counts what the run's task counts.
#include <QTest>

#include "core/engine/training_line.h"
#include "core/tasks/run_metrics.h"

using namespace fathom;

class TrainingLineTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void saysWhatTheTaskCounts_data() {
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<double>("perplexity");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("tokens") << QByteArray("nmt") << 12.5
                            << QByteArray(
                                   "training 7/20 updates  loss 2.500  ppl 12.5  640 tokens/s  0:30 spent, "
                                   "1:00 left");
    // A loss of whole examples has no perplexity.
    QTest::newRow("examples")
        << QByteArray("text_to_sql") << 0.0
        << QByteArray("training 7/20 updates  loss 2.500  640 examples/s  0:30 spent, 1:00 left");
  }
  void saysWhatTheTaskCounts() {
    QFETCH(QByteArray, task);
    QFETCH(double, perplexity);
    QFETCH(QByteArray, expected);
    TrainingLine line;
    line.metrics(metricsOfTask(task.toStdString()));
    StepReport report;
    report.step = 7;
    report.values = {{"loss", 2.5}, {"tokens_per_s", 640}};
    if (perplexity > 0) report.values.emplace_back("ppl", perplexity);
    line.step(report);
    ProgressUpdate update;
    update.phase = "training";
    update.unit = "updates";
    update.done = 7;
    update.total = 20;
    update.spentSeconds = 30;
    update.remainingSeconds = 60;
    line.progress(update);
    QCOMPARE(QByteArray::fromStdString(line.text()), expected);
  }
};

QTEST_GUILESS_MAIN(TrainingLineTest)
#include "tst_training_line.moc"
