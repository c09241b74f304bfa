// SPDX-License-Identifier: Apache-2.0
// Two ranks train the runs of one process, whatever the task: every number that is logged and every byte of
// the checkpoints is the same.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/tasks/task.h"
#include "core/train/loop/training_run.h"
#include "tests/torch/support_thread_ranks.h"
#include "tests/torch/support_tiny_run.h"

namespace fathom::test {

namespace {

// Float64, dropout, six updates, a validation in between and one at the end.
const std::vector<std::string> kRun = {"precision=float64",
                                       "training.length=6u",
                                       "training.accumulation=2",
                                       "validation.interval=3u",
                                       "validation.score_interval=3u",
                                       "checkpoint.interval=3u",
                                       "parallel.check=1",
                                       "model.dropout=0.1",
                                       "lr_schedule.warmup=2",
                                       "device=cpu",
                                       "threads=1"};

// Lines of a kind without what depends on the clock.
std::vector<std::string> logged(const std::string& run, const std::string& kind) {
  std::vector<std::string> lines;
  for (Json event : eventsOfKind(run, 1, kind)) {
    event.at("m").erase("tokens_per_s");
    lines.push_back(event.at("step").dump() + " " + event.at("m").dump());
  }
  return lines;
}

std::string stateOf(const std::string& run) {
  const auto checkpoints = listCheckpoints(run);
  if (checkpoints.empty()) return {};
  return readFile(checkpoints.back().path + "/model.safetensors").value() +
         readFile(checkpoints.back().path + "/optimizer.safetensors").value();
}

}  // namespace

class RankTasksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void twoRanksAreOneProcess_data();
  void twoRanksAreOneProcess();

 private:
  TrainRequest requestOf(const QString& task, const QString& preset, const QStringList& sizes,
                         const std::string& run) const;
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  QTemporaryDir m_folder;
};

TrainRequest RankTasksTest::requestOf(const QString& task, const QString& preset, const QStringList& sizes,
                                      const std::string& run) const {
  TrainRequest request;
  request.runPath = path(run);
  request.watchStandardInput = request.watchSignals = false;
  const std::string file = FATHOM_SOURCE_DIR "/resources/presets/" + preset.toStdString() + ".json";
  request.config.name = run;
  request.config.options = parseJson(readFile(file).value()).value().at("options");
  const std::string data = path("data-" + task.toStdString());
  const Json options =
      findTask(task.toStdString())->madeData.write(data, 1, MadeDataSize::Check).value().options;
  request.config.options.update(options);
  request.assignments = kRun;
  for (const QString& size : sizes) request.assignments.push_back(size.toStdString());
  return request;
}

void RankTasksTest::twoRanksAreOneProcess_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QString>("preset");
  QTest::addColumn<QStringList>("sizes");
  const QStringList small = {"model.width=16", "model.heads=2", "model.feed_forward=32"};
  QTest::newRow("mlm") << "mlm"
                       << "mlm_quick"
                       << small +
                              QStringList{"encoder.layers=1", "mlm.vocabulary.size=300", "batch.sequences=4"};
  QTest::newRow("glue") << "glue"
                        << "glue_sample" << small + QStringList{"encoder.layers=1"};
  QTest::newRow("squad") << "squad"
                         << "squad_sample" << small + QStringList{"encoder.layers=1"};
  QTest::newRow("text_to_sql") << "text_to_sql"
                               << "sql_sp_quick"
                               << small + QStringList{"encoder.layers=1", "batch.examples=3",
                                                      "validation.beam=2", "validation.max_steps=10"};
}

void RankTasksTest::twoRanksAreOneProcess() {
  QFETCH(QString, task);
  QFETCH(QString, preset);
  QFETCH(QStringList, sizes);
  const std::string name = task.toStdString();
  const RunReport alone = trainRun(requestOf(task, preset, sizes, name + "-alone"));
  QVERIFY2(alone.code == ExitCode::Finished, alone.error.text().c_str());
  ThreadRanks ranks(2);
  TrainRequest request = requestOf(task, preset, sizes, name + "-ranks");
  const auto meeting = ranks.meeting([&](RankMeeting& other) {
    TrainRequest theirs = request;
    theirs.meeting = &other;
    trainRun(theirs);
  });
  request.meeting = meeting.get();
  const RunReport report = trainRun(request);
  ranks.join();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  for (const char* kind : {"step", "validation"}) {
    const auto one = logged(path(name + "-alone"), kind);
    QVERIFY2(!one.empty() && logged(path(name + "-ranks"), kind) == one, kind);
  }
  QVERIFY(!stateOf(path(name + "-alone")).empty());
  QVERIFY(stateOf(path(name + "-ranks")) == stateOf(path(name + "-alone")));
}

}  // namespace fathom::test

using fathom::test::RankTasksTest;
QTEST_GUILESS_MAIN(RankTasksTest)
#include "tst_rank_tasks.moc"
