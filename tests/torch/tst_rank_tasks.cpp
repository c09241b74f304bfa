// SPDX-License-Identifier: Apache-2.0
// Ranks with a batch each, whose gradients are added in order, train the runs of one process, whatever the
// task: every number that is logged and every byte of the checkpoints is the same, also behind a resume.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/tasks/task.h"
#include "core/train/loop/training_run.h"
#include "tests/all_tests.h"
#include "tests/torch/support_thread_ranks.h"
#include "tests/torch/support_tiny_run.h"

namespace fathom::test {

namespace {

// Float64, dropout, six updates, a validation in between and one at the end.
const std::vector<std::string> kRun = {"precision=float64",
                                       "training.length=6u",
                                       "validation.interval=3u",
                                       "validation.score_interval=3u",
                                       "checkpoint.interval=3u",
                                       "parallel.check=1",
                                       "model.dropout=0.1",
                                       "lr_schedule.warmup=2",
                                       "device=cpu",
                                       "threads=1"};

// Lines of a kind without what depends on the clock.
std::vector<std::string> logged(const std::string& run, const std::string& kind, int attempt = 1,
                                std::int64_t behind = 0) {
  std::vector<std::string> lines;
  for (Json event : eventsOfKind(run, attempt, kind)) {
    if (event.at("step").get<std::int64_t>() <= behind) continue;
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
  void ranksAreOneProcess_data();
  void ranksAreOneProcess();

 private:
  TrainRequest requestOf(const QString& task, const QString& preset, const QStringList& sizes, int ranks,
                         const std::string& run) const;
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  RunReport resumeTogether(int size, const std::string& run) const;
  QTemporaryDir m_folder;
};

TrainRequest RankTasksTest::requestOf(const QString& task, const QString& preset, const QStringList& sizes,
                                      int ranks, const std::string& run) const {
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
  request.assignments.push_back("training.accumulation=" + std::to_string(ranks));
  for (const QString& size : sizes) request.assignments.push_back(size.toStdString());
  return request;
}

RunReport RankTasksTest::resumeTogether(int size, const std::string& run) const {
  ThreadRanks ranks(size);
  ResumeRequest request;
  request.runPath = path(run);
  request.checkpoint = "0001-00000003";
  request.watchStandardInput = request.watchSignals = false;
  const auto meeting = ranks.meeting([&](RankMeeting& other) {
    ResumeRequest theirs = request;
    theirs.meeting = &other;
    resumeRun(theirs);
  });
  request.meeting = meeting.get();
  const RunReport report = resumeRun(request);
  ranks.join();
  return report;
}

void RankTasksTest::ranksAreOneProcess_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QString>("preset");
  QTest::addColumn<QStringList>("sizes");
  QTest::addColumn<int>("ranks");
  const QStringList small = {"model.width=16", "model.heads=2", "model.feed_forward=32", "encoder.layers=1"};
  const auto rows = [&](const char* task, const char* preset, const QStringList& sizes) {
    for (const int ranks : {2, 4, 8})
      if (ranks < 8 || allTests() || QLatin1String(task) == QLatin1String("nmt"))
        QTest::addRow("%s, %d", task, ranks) << task << preset << small + sizes << ranks;
  };
  rows("nmt", "sample_small", {"decoder.layers=1", "batch.max_tokens=128", "data.vocabulary.size=120"});
  rows("mlm", "mlm_quick", {"mlm.vocabulary.size=300", "batch.sequences=4"});
  rows("glue", "glue_sample", {});
  rows("squad", "squad_sample", {});
  rows("text_to_sql", "sql_sp_quick",
       {"batch.examples=3", "validation.beam=2", "validation.max_steps=10", "spider.max_train=96",
        "spider.max_validation=16"});
}

void RankTasksTest::ranksAreOneProcess() {
  QFETCH(QString, task);
  QFETCH(QString, preset);
  QFETCH(QStringList, sizes);
  QFETCH(int, ranks);
  const std::string name = task.toStdString() + std::to_string(ranks), one = name + "-alone",
                    many = name + "-ranks";
  const RunReport alone = trainRun(requestOf(task, preset, sizes, ranks, one));
  QVERIFY2(alone.code == ExitCode::Finished, alone.error.text().c_str());
  ThreadRanks threads(ranks);
  TrainRequest request = requestOf(task, preset, sizes, ranks, many);
  const auto meeting = threads.meeting([&](RankMeeting& other) {
    TrainRequest theirs = request;
    theirs.meeting = &other;
    trainRun(theirs);
  });
  request.meeting = meeting.get();
  const RunReport report = trainRun(request);
  threads.join();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  for (const char* kind : {"step", "validation"}) {
    const auto lines = logged(path(one), kind);
    QVERIFY2(!lines.empty() && logged(path(many), kind) == lines, kind);
  }
  const std::string state = stateOf(path(one));
  QVERIFY(!state.empty() && stateOf(path(many)) == state);
  const RunReport resumed = resumeTogether(ranks, many);
  QVERIFY2(resumed.code == ExitCode::Finished, resumed.error.text().c_str());
  for (const char* kind : {"step", "validation"})
    QVERIFY2(logged(path(many), kind, 2) == logged(path(one), kind, 1, 3), kind);
  QVERIFY(stateOf(path(many)) == state);
}

}  // namespace fathom::test

using fathom::test::RankTasksTest;
QTEST_GUILESS_MAIN(RankTasksTest)
#include "tst_rank_tasks.moc"
