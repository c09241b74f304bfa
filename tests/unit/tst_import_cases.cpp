// SPDX-License-Identifier: Apache-2.0
// What people's own files showed: nothing is thrown away on a guess, and tables are taken as they come.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "core/imports/formats/event_file_writer.h"
#include "core/imports/run_import.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/run_config.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

std::optional<ScalarSeries> curve(const RunImport& run, const std::string& metric) {
  const auto all = readRunScalars(run.runPath).value();
  for (const ScalarSeries& series : all)
    if (series.metric == metric) return series;
  return std::nullopt;
}

bool says(const RunImport& run, const std::string& words) {
  return std::any_of(run.warnings.begin(), run.warnings.end(), [&](const Phrase& warning) {
    return warning.english().find(words) != std::string::npos;
  });
}

constexpr double kStart = 1700000000;

}  // namespace

class ImportCasesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void disorderInOneFileLosesNothing();
  void twoWritersOfOneFolderAreNoRestart();
  void restartsAreToldByTheFile();
  void aPointLoggedTwiceStaysOnce();
  void addScalarsAreOneRun();
  void everyMetricHasItsLastAndBestValue();
  void chartsOfTrackers();
  void historiesOfTrackers();
  void downloads();
  void dialects();
  void subsetsOfFairseq();
  void simpleLogsOfFairseq();
  void linesOfJson();
  void statesOfTheTrainer();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::trunc | std::ios::binary) << bytes;
    return path(name);
  }
  std::vector<RunImport> import(const std::string& source) {
    Progress progress;
    return importRuns(source, path("runs"), {}, progress, StopToken()).value().runs;
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void ImportCasesTest::disorderInOneFileLosesNothing() {
  EventFileWriter down(kStart), late(kStart), pairs(kStart), constant(kStart), epochs(kStart);
  for (int i = 0; i < 100; ++i) {
    down.scalar("precision", 100 - i, kStart + i, 1);
    late.scalar("accuracy", i, kStart + i, float(i));
  }
  late.scalar("accuracy", 0, kStart + 101, 0.5);
  for (int i = 0; i < 40; i += 2) {
    pairs.scalar("loss", i + 2, kStart + i, 1);
    pairs.scalar("loss", i + 1, kStart + i + 1, 2);
  }
  for (int i = 0; i < 30; ++i) constant.scalar("value", 0, kStart + i, float(i) / 2);
  for (int i = 0; i < 60; ++i) epochs.scalar("loss", i % 20, kStart + i, float(i));
  down.write(path("a/events.out.tfevents.1"));
  late.write(path("b/events.out.tfevents.1"));
  pairs.write(path("c/events.out.tfevents.1"));
  constant.write(path("d/events.out.tfevents.1"));
  epochs.write(path("e/events.out.tfevents.1"));
  QCOMPARE(curve(import(path("a"))[0], "precision")->value.size(), std::size_t{100});
  const auto accuracy = curve(import(path("b"))[0], "accuracy");
  QCOMPARE(accuracy->value.size(), std::size_t{101});
  QCOMPARE(accuracy->time[1], 101.0);  // each point has its own wall time, this one the last of all
  QCOMPARE(accuracy->time[2], 1.0);
  QCOMPARE(curve(import(path("c"))[0], "loss")->value.size(), std::size_t{40});
  const auto probe = curve(import(path("d"))[0], "value");
  QCOMPARE(probe->value.size(), std::size_t{30});
  QCOMPARE(probe->time[29] - probe->time[0], 29.0);
  const auto runs = import(path("e"));
  QCOMPARE(curve(runs[0], "loss")->value.size(), std::size_t{60});
  QCOMPARE(readRunRow(runs[0].runPath)->elapsed, 59.0);
}

void ImportCasesTest::twoWritersOfOneFolderAreNoRestart() {
  EventFileWriter first(kStart), second(kStart);
  for (int i = 0; i < 100; ++i) first.scalar("loss", i, kStart + i, float(i));
  for (int i = 0; i < 30; ++i) second.scalar("loss", i, kStart + 1 + i, float(i) + 0.5F);
  first.write(path("log/events.out.tfevents.1.host.11"));
  second.write(path("log/events.out.tfevents.2.host.12"));
  const auto runs = import(path("log"));
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(runs[0].points, std::int64_t{130});
}

void ImportCasesTest::restartsAreToldByTheFile() {
  EventFileWriter first(kStart), second(kStart + 1000), third(kStart + 2000);
  for (int i = 1; i <= 60; ++i) first.scalar("loss", i, kStart + i, float(i));
  for (int i = 10; i <= 60; i += 10) first.scalar("acc", i, kStart + i + 0.5, float(i));
  second.restart(31, kStart + 1000);
  for (int i = 31; i <= 45; ++i) second.scalar("loss", i, kStart + 1000 + i, 1000 + float(i));
  third.scalar("acc", 20, kStart + 2001, 7);  // one point that is late is no restart
  for (int i = 41; i <= 43; ++i) third.scalar("loss", i, kStart + 2000 + i, 2000 + float(i));
  first.write(path("log/events.out.tfevents.1"));
  second.write(path("log/events.out.tfevents.2"));
  third.write(path("log/events.out.tfevents.3"));
  const auto runs = import(path("log"));
  const auto loss = curve(runs[0], "loss"), acc = curve(runs[0], "acc");
  QCOMPARE(loss->step.size(), std::size_t{43});
  QCOMPARE(loss->value[29], 30.0);
  QCOMPARE(loss->value[30], 1031.0);
  QCOMPARE(loss->value[40], 2041.0);
  QCOMPARE(acc->step, (std::vector<double>{10, 20, 20, 30}));
  QCOMPARE(RunFolder(runs[0].runPath).attempts().size(), std::size_t{3});
  // What gave way is there for whoever asks for it.
  std::size_t dropped = 0;
  const DroppedScalars gone = readDroppedScalars(runs[0].runPath).value();
  for (const ScalarSeries& tail : gone.tails) dropped += tail.value.size();
  QVERIFY2(dropped >= 30 + 3 + 5, std::to_string(dropped).c_str());
}

void ImportCasesTest::aPointLoggedTwiceStaysOnce() {
  EventFileWriter file(kStart);
  for (int i = 1; i <= 50; ++i) file.scalar("loss", i, kStart + i, float(i));
  file.scalar("loss", 50, kStart + 90, 5);
  file.write(path("log/events.out.tfevents.1"));
  const auto runs = import(path("log"));
  const auto loss = curve(runs[0], "loss");
  QCOMPARE(loss->value.size(), std::size_t{50});
  QCOMPARE(loss->value.back(), 5.0);
  QVERIFY(says(runs[0], "1 points come at a step"));
}

void ImportCasesTest::addScalarsAreOneRun() {
  EventFileWriter own(kStart), a(kStart), b(kStart);
  for (int i = 0; i < 5; ++i) {
    own.scalar("train/loss", i, kStart + i, 1);
    a.scalar("train/accuracy", i, kStart + i, 2);
    b.scalar("train/accuracy", i, kStart + i, 3);
  }
  own.write(path("log/exp/events.out.tfevents.1"));
  a.write(path("log/exp/train_accuracy_A/events.out.tfevents.1"));
  b.write(path("log/exp/train_accuracy_B/events.out.tfevents.1"));
  const auto runs = import(path("log"));
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(runs[0].name, std::string("exp"));
  QCOMPARE(curve(runs[0], "train/accuracy/A")->value, (std::vector<double>(5, 2)));
  QCOMPARE(curve(runs[0], "train/accuracy/B")->value, (std::vector<double>(5, 3)));
  QVERIFY(says(runs[0], "2 folders of add_scalars"));
}

void ImportCasesTest::everyMetricHasItsLastAndBestValue() {
  EventFileWriter file(kStart);
  for (int i = 0; i <= 1050; i += 10) {
    file.scalar("train/loss", i, kStart + i, 1 / float(i + 1));
    if (i % 500 == 0) file.scalar("eval/accuracy", i, kStart + i + 1, i == 500 ? 0.9F : float(i) / 1200);
  }
  file.write(path("log/events.out.tfevents.1"));
  const RunRow row = readRunRow(import(path("log"))[0].runPath).value();
  QCOMPARE(row.last.at("train/loss"), double(1 / float(1051)));
  QCOMPARE(row.last.at("eval/accuracy"), double(float(1000) / 1200));
  QCOMPARE(row.best.at("eval/accuracy"), double(0.9F));
  QCOMPARE(row.bestStep.at("eval/accuracy"), std::int64_t{500});
  QCOMPARE(row.step, std::int64_t{1050});
  QVERIFY(row.state == RunState::Ended);  // nobody knows how
}

void ImportCasesTest::chartsOfTrackers() {
  const auto runs =
      import(write("chart.csv",
                   "\"Step\",\"calm-1 - eval/loss\",\"calm-1 - eval/loss__MIN\",\"calm-1 - eval/loss__MAX\","
                   "\"warm - 2 - eval/loss\",\"warm - 2 - eval/loss__MIN\",\"warm - 2 - eval/loss__MAX\"\n"
                   "\"0\",\"2.0\",\"2.0\",\"2.0\",\"1.5\",\"1.4\",\"1.6\"\n"
                   "\"10\",\"1.8\",\"1.8\",\"1.8\",\"\",\"\",\"\"\n"));
  QCOMPARE(runs.size(), std::size_t{2});
  QCOMPARE(runs[0].name, std::string("calm-1"));
  QCOMPARE(runs[1].name, std::string("warm - 2"));
  QCOMPARE(runs[0].metrics, (std::vector<std::string>{"eval/loss"}));
  QCOMPARE(curve(runs[0], "eval/loss")->value, (std::vector<double>{2, 1.8}));
  QCOMPARE(curve(runs[1], "eval/loss__MIN")->value, (std::vector<double>{1.4}));
  QCOMPARE(readRunRow(runs[0].runPath)->best.at("eval/loss"), 1.8);
  const auto epochs =
      import(write("epochs.csv",
                   "epoch,c - _step,c - _step__MIN,c - _step__MAX,c - eval/loss,c - eval/loss__MIN,"
                   "c - eval/loss__MAX\n1,10,10,10,1,1,1\n2,20,20,20,0,0,0\n"));
  QCOMPARE(epochs.size(), std::size_t{1});
  const auto loss = curve(epochs[0], "eval/loss");
  QCOMPARE(loss->step, (std::vector<double>{10, 20}));
  QCOMPARE(loss->epoch, (std::vector<double>{1, 2}));
  const auto times = import(write(
      "times.csv", "Relative Time (Process),c - loss,c - loss__MIN,c - loss__MAX\n1.5,1,1,1\n3.0,0,0,0\n"));
  QCOMPARE(curve(times[0], "loss")->step, (std::vector<double>{0, 1}));
  QVERIFY(says(times[0], "rows are counted"));
}

void ImportCasesTest::historiesOfTrackers() {
  const auto runs =
      import(write("history.csv",
                   ",_step,_runtime,_timestamp,loss,val_f1,note\n"
                   "0,0,0.0,1700000000.0,1.0,NaN,\n1,5,1.5,1700000001.5,0.5,NaN,{'_type': 'table-file'}\n"
                   "2,10,3.0,1700000003.0,0.25,0.8,\n"));
  QCOMPARE(runs[0].metrics.size(), std::size_t{2});
  const auto loss = curve(runs[0], "loss"), score = curve(runs[0], "val_f1");
  QCOMPARE(loss->step, (std::vector<double>{0, 5, 10}));
  QCOMPARE(loss->time, (std::vector<double>{0, 1.5, 3}));
  QCOMPARE(score->value, (std::vector<double>{0.8}));
  QVERIFY(runs[0].options.empty());
  QCOMPARE(readRunRow(runs[0].runPath)->best.at("val_f1"), 0.8);
}

void ImportCasesTest::downloads() {
  const auto runs = import(
      write("run_exp1-tag-loss.csv", "Wall time,Step,Value\n1655000000.5,0,1.5\n1655000002.5,100,0.75\n"));
  QCOMPARE(runs[0].name, std::string("exp1"));
  QCOMPARE(curve(runs[0], "loss")->step, (std::vector<double>{0, 100}));
  QCOMPARE(curve(runs[0], "loss")->time, (std::vector<double>{0, 2}));
}

void ImportCasesTest::dialects() {
  const auto german =
      import(write("german.csv", "\xEF\xBB\xBFstep;loss;acc\n1;2,345;0,5\n2;1,234;0,75\n3;0,9;1\n"));
  QCOMPARE(curve(german[0], "loss")->value, (std::vector<double>{2.345, 1.234, 0.9}));
  QCOMPARE(curve(german[0], "acc")->value, (std::vector<double>{0.5, 0.75, 1}));
  const auto dates = import(
      write("dates.csv", "timestamp,step,loss\n2024-01-02 03:04:05,1,2.5\n2024-01-02T03:05:05.500Z,2,1.5\n"));
  QCOMPARE(curve(dates[0], "loss")->time, (std::vector<double>{0, 60.5}));
  const auto twice = import(write("twice.csv", "step,loss,loss\n1,2.5,9\n2,1.5,8\n"));
  QCOMPARE(curve(twice[0], "loss")->value, (std::vector<double>{2.5, 1.5}));
  QCOMPARE(curve(twice[0], "loss (2)")->value, (std::vector<double>{9, 8}));
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("step\tloss\n1\t2.5\n2\t1.5\n")) wide += std::string(1, c) + '\0';
  QCOMPARE(curve(import(write("wide.csv", wide))[0], "loss")->value, (std::vector<double>{2.5, 1.5}));
  const auto milliseconds = import(write("ms.csv", "step,time,loss\n1,1700000000000,2\n2,1700000001500,1\n"));
  QCOMPARE(curve(milliseconds[0], "loss")->time, (std::vector<double>{0, 1.5}));
  const auto keras = import(write("keras.csv", "epoch,loss,val_loss\n0,2,NA\n1,1,1.5\n"));
  QCOMPARE(curve(keras[0], "val_loss")->step, (std::vector<double>{1}));
}

void ImportCasesTest::subsetsOfFairseq() {
  const auto runs = import(
      write("subsets.log",
            "2021-06-09 14:21:02 | INFO | train_inner | {\"epoch\": 1, \"loss\": 8, \"num_updates\": 50, "
            "\"gnorm\": \"1.2\"}\n"
            "2021-06-09 14:21:10 | INFO | valid1 | {\"epoch\": 1, \"valid1_loss\": 8, "
            "\"valid1_num_updates\": 100}\n"
            "2021-06-09 14:21:12 | INFO | newstest | {\"epoch\": 1, \"newstest_loss\": 9, "
            "\"newstest_num_updates\": 100}\n"
            "[2021-06-09 14:21:40,995][test][INFO] -\n"
            "{\"epoch\": 1, \"test_loss\": \"6.5\", \"test_wer\": \"30.0\", \"test_num_updates\": 100}\n"
            "{\"epoch\": 1, \"mine_loss\": \"3.5\", \"mine_num_updates\": 100}\n"
            "2021-06-09 14:22:10 | INFO | x | anything with num_updates and {braces}\n"));
  QCOMPARE(runs[0].metrics.size(), std::size_t{7});
  const RunRow row = readRunRow(runs[0].runPath).value();
  for (const auto& [metric, value] :
       {std::pair("valid1.loss", 8.0), {"newstest.loss", 9}, {"test.wer", 30}, {"mine.loss", 3.5}}) {
    QCOMPARE(curve(runs[0], metric)->step, (std::vector<double>{100}));
    QCOMPARE(row.best.at(metric), value);
  }
  QVERIFY(runs[0].warnings.empty());
}

void ImportCasesTest::simpleLogsOfFairseq() {
  const auto runs = import(
      write("simple.log",
            "| epoch 001:    200 / 5000 loss=8.11, ppl=274.4, wps=9000, num_updates=200, lr=0.01, wall=70\n"
            "| epoch 002:    200 / 5000 loss=8.12, ppl=274.4, wps=9000, num_updates=400, lr=0.01, wall=140\n"
            "| epoch 002 | valid on 'valid' subset | loss 4.1 | num_updates 400\n"));
  QCOMPARE(curve(runs[0], "loss")->value, (std::vector<double>{8.11, 8.12}));
  QCOMPARE(curve(runs[0], "loss")->epoch, (std::vector<double>{1, 2}));
  QCOMPARE(curve(runs[0], "valid.loss")->step, (std::vector<double>{400}));
}

void ImportCasesTest::linesOfJson() {
  const auto runs =
      import(write("train.jsonl",
                   "{\"config\": {\"lr\": 0.1, \"model\": {\"layers\": 6}}}\n"
                   "{\"step\": 0, \"loss\": 2.0, \"lr\": 0.0001, \"time\": 0.0}\n"
                   "{\"step\": 1, \"loss\": NaN, \"deep\": {\"a\": 3}, \"time\": 1.5, \"note\": \"NaN, x\"}\n"
                   "{\"step\": 2, \"loss\": -Infinity, \"time\": 3.0}\nno object\n"));
  const auto loss = curve(runs[0], "loss");
  QCOMPARE(loss->step, (std::vector<double>{0, 1, 2}));
  QCOMPARE(loss->time, (std::vector<double>{0, 1.5, 3}));
  QVERIFY(loss->value[0] == 2 && std::isnan(loss->value[1]) && std::isinf(loss->value[2]));
  QCOMPARE(curve(runs[0], "deep.a")->value, (std::vector<double>{3}));
  QCOMPARE(runs[0].options.dump(), std::string(R"({"lr":0.1,"model.layers":6})"));
  QVERIFY(says(runs[0], "1 lines are no JSON objects"));
  const auto page =
      import(write("run_exp1-tag-loss.json", "[[1655000000.5, 0, 1.5], [1655000002.5, 100, 0.75]]"));
  QCOMPARE(page[0].name, std::string("exp1"));
  QCOMPARE(curve(page[0], "loss")->time, (std::vector<double>{0, 2}));
}

void ImportCasesTest::statesOfTheTrainer() {
  const std::string history =
      "{\"epoch\": 1.0, \"loss\": 1.5, \"step\": 10}, {\"epoch\": 2, \"loss\": NaN, \"step\": 20},"
      "{\"epoch\": 1, \"eval_accuracy\": 0.8, \"step\": 10}";
  write("out/checkpoint-9/trainer_state.json", "{\"log_history\": [{\"loss\": 7, \"step\": 1}]}");
  write("out/checkpoint-20/trainer_state.json",
        "{\n  \"global_step\": 20, \"log_history\": [" + history +
            ", {\"train_runtime\": 3, \"train_loss\": 2, \"step\": 20}]}");
  const auto runs = import(path("out"));
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(curve(runs[0], "loss")->step, (std::vector<double>{10, 20}));
  QCOMPARE(curve(runs[0], "loss")->epoch, (std::vector<double>{1, 2}));
  const RunRow row = readRunRow(runs[0].runPath).value();
  QCOMPARE(row.best.at("eval_accuracy"), 0.8);
  QCOMPARE(row.last.at("train_loss"), 2.0);
  QVERIFY(!curve(runs[0], "train_runtime"));
}

QTEST_APPLESS_MAIN(ImportCasesTest)
#include "tst_import_cases.moc"
