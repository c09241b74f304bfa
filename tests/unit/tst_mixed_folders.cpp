// SPDX-License-Identifier: Apache-2.0
// Folders in which Hugging Face's Trainer and TensorBoard logged the same run: one run, both sets of metrics.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

#include "core/imports/formats/event_file_writer.h"
#include "core/imports/run_import.h"
#include "core/imports/source_follower.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;
namespace fs = std::filesystem;

class MixedFoldersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oneRunWithBoth();
  void twoOutputFolders();
  void metricsOfOneName();
  void followedWithRestarts();
  void foldersWithoutEventsStay();

 private:
  std::string path(const std::string& name) const { return m_dir.path().toStdString() + "/" + name; }
  void writeState(const std::string& folder, int steps, const std::string& metric = "loss") const {
    fs::create_directories(path(folder));
    std::string entries;
    for (int step = 10; step <= steps; step += 10)
      entries += std::string(entries.empty() ? "" : ",") + "{\"step\":" + std::to_string(step) +
                 ",\"epoch\":1,\"" + metric + "\":" + std::to_string(100 - step) + "}";
    std::ofstream(path(folder) + "/trainer_state.json", std::ios::trunc)
        << "{\"global_step\":" << steps << ",\"log_history\":[" << entries << "]}";
  }
  void writeEvents(const std::string& folder, int steps, const std::string& tag = "train/loss") const {
    EventFileWriter events(1000);
    for (int step = 1; step <= steps; ++step) events.scalar(tag, step, 1000 + step, 0.5F);
    events.write(path(folder) + "/events.out.tfevents.1000.host.1.0");
  }
  ImportReport imported(const std::string& folder) const {
    Progress progress;
    const std::string runs = path("runs-of-" + std::string(QTest::currentTestFunction()));
    auto report = importRuns(path(folder), runs, {}, progress, StopToken());
    if (!report.ok()) qWarning("%s", report.error().text().c_str());
    return report.ok() ? std::move(report).value() : ImportReport();
  }
  static std::size_t pointsOf(const std::string& run, const std::string& metric) {
    for (const ScalarSeries& series : readRunScalars(run).value())
      if (series.metric == metric) return series.step.size();
    return 0;
  }
  static bool saysSo(const RunImport& run) {
    return std::any_of(run.warnings.begin(), run.warnings.end(), [](const Phrase& warning) {
      return warning.english().find("metrics of both") != std::string::npos;
    });
  }
  QTemporaryDir m_dir;
};

void MixedFoldersTest::oneRunWithBoth() {
  writeState("out", 50);
  writeEvents("out/runs/Jan01_host", 7);
  const ImportReport report = imported("out");
  QCOMPARE(report.format, std::string("hf_trainer"));
  QCOMPARE(report.runs.size(), std::size_t{1});
  QCOMPARE(report.runs[0].name, std::string("out"));
  QCOMPARE(pointsOf(report.runs[0].runPath, "loss"), std::size_t{5});
  QCOMPARE(pointsOf(report.runs[0].runPath, "train/loss"), std::size_t{7});
  QVERIFY(saysSo(report.runs[0]));
}

// Each has its own, and what lies in none of them is a run by itself.
void MixedFoldersTest::twoOutputFolders() {
  for (const char* seed : {"all/s1", "all/s2"}) {
    writeState(seed, 20);
    writeEvents(std::string(seed) + "/runs/a", 3);
  }
  writeEvents("all/s1/runs/b", 4);
  writeEvents("all/other", 5);
  const ImportReport report = imported("all");
  std::vector<std::string> names;
  for (const RunImport& run : report.runs) names.push_back(run.name);
  std::sort(names.begin(), names.end());
  QCOMPARE(names, (std::vector<std::string>{"other", "s1", "s1/runs/b", "s2"}));
  for (const RunImport& run : report.runs) {
    const bool both = run.name == "s1" || run.name == "s2";
    QCOMPARE(saysSo(run), both);
    if (both) QCOMPARE(pointsOf(run.runPath, "loss"), std::size_t{2});
    if (both) QCOMPARE(pointsOf(run.runPath, "train/loss"), std::size_t{3});
  }
}

void MixedFoldersTest::metricsOfOneName() {
  writeState("same", 30, "loss");
  writeEvents("same/runs/a", 6, "loss");
  const ImportReport report = imported("same");
  QCOMPARE(report.runs.size(), std::size_t{1});
  QCOMPARE(pointsOf(report.runs[0].runPath, "loss"), std::size_t{3});
  QCOMPARE(pointsOf(report.runs[0].runPath, "tensorboard/loss"), std::size_t{6});
}

// The follower is started again between two looks: nothing is read twice, and whose it is stays.
void MixedFoldersTest::followedWithRestarts() {
  const std::string source = path("live");
  fs::create_directories(path("followed"));
  for (int round = 1; round <= 4; ++round) {
    writeState("live", 10 * round);
    writeEvents("live/runs/a", 3 * round);
    const auto follower =
        SourceFollower::open({source, path("followed"), followRecord(path(""), source), {}});
    QVERIFY2(follower.ok(), follower.ok() ? "" : follower.error().text().c_str());
    const auto grown = (*follower)->poll(StopToken());
    QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
    QCOMPARE(grown->points, std::int64_t{4});
    QCOMPARE((*follower)->runPaths().size(), std::size_t{1});
    QCOMPARE(pointsOf((*follower)->runPaths()[0], "loss"), std::size_t(round));
    QCOMPARE(pointsOf((*follower)->runPaths()[0], "train/loss"), std::size_t(3 * round));
  }
}

void MixedFoldersTest::foldersWithoutEventsStay() {
  writeState("plain", 20);
  const ImportReport report = imported("plain");
  QCOMPARE(report.runs.size(), std::size_t{1});
  QVERIFY(!saysSo(report.runs[0]));
  QCOMPARE(report.runs[0].points, std::int64_t{2});
}

QTEST_APPLESS_MAIN(MixedFoldersTest)
#include "tst_mixed_folders.moc"
