// SPDX-License-Identifier: Apache-2.0
// Sources of several runs, the options they bring, and what an event log has to make of odd ones.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/analysis/statistics/seed_groups.h"
#include "core/base/files/atomic_file.h"
#include "core/imports/imported_options.h"
#include "core/imports/run_import.h"
#include "core/imports/tensorboard_hparams.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/event_log.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

const std::string kTensorboard = FATHOM_SOURCE_DIR "/tests/fixtures/import/tensorboard";

const ScalarSeries* named(const std::vector<ScalarSeries>& all, const std::string& name) {
  for (const auto& series : all)
    if (series.metric == name) return &series;
  return nullptr;
}

bool warns(const RunImport& run, const std::string& words) {
  return std::any_of(run.warnings.begin(), run.warnings.end(), [&](const Phrase& warning) {
    return warning.english().find(words) != std::string::npos;
  });
}

}  // namespace

class ImportSeveralTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_dir = std::make_unique<QTemporaryDir>();
    FileFaults::clear();
  }
  void oneRunForEachFolder();
  void importedRunsAreGroupedBySeeds();
  void sessionsOfTheirOwnStayApart();
  void sessionsOfARestartBelongToItsRun();
  void foldersWithoutHyperparameters();
  void namesThatAreNoText();
  void curvesOfOurOwn();
  void wideTableOfRuns();
  void columnsThatChangeAreNoOptions();
  void runColumnByName();
  void moreScalarsThanALineHolds();
  void oddStepsAndTimes();
  void optionsOfFairseq_data();
  void optionsOfFairseq();
  void damagedHyperparameters();
  void optionsAreBounded();
  void allOfThemOrNone();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::trunc | std::ios::binary) << bytes;
    return path(name);
  }
  // A folder of TensorBoard's with these sub-folders, each a copy of one of the fixture.
  std::string copied(const std::vector<std::pair<std::string, std::string>>& folders) const {
    for (const auto& [to, from] : folders) {
      fs::create_directories(path("logs/" + to));
      for (const auto& entry : fs::directory_iterator(kTensorboard + "/" + from))
        if (entry.is_regular_file())
          fs::copy_file(entry.path(), path("logs/" + to) + "/" + entry.path().filename().string());
    }
    return path("logs");
  }
  std::vector<RunImport> import(const std::string& source, ImportOptions options = {}) {
    Progress progress;
    return importRuns(source, path("runs"), options, progress, StopToken()).value().runs;
  }
  static Json optionsOf(const RunImport& run) {
    return readRunConfig(run.runPath + "/attempts/0001/config.json").value().options;
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

// The fixture was written by tensorboardX: two runs whose hyperparameters lie in a folder of their own, as
// PyTorch writes them, and one that holds its own, as TensorFlow does.
void ImportSeveralTest::oneRunForEachFolder() {
  const auto runs = import(kTensorboard);
  QCOMPARE(runs.size(), std::size_t{3});
  QCOMPARE(runs[0].name, std::string("admin/seed1"));
  QCOMPARE(runs[1].name, std::string("admin/seed2"));
  QCOMPARE(runs[2].name, std::string("post_ln"));
  QVERIFY(runs[0].runPath.ends_with("/admin_seed1"));
  const Json options = optionsOf(runs[1]);
  QVERIFY(options == runs[1].options);
  QCOMPARE(options.dump(),
           std::string(R"({"seed":2,"arch":"admin","layers":18,"lr":0.0005,"pre_norm":false})"));
  QCOMPARE(optionsOf(runs[2]).at("lr").get<double>(), 0.001);
  const auto series = readRunScalars(runs[1].runPath).value();
  QCOMPARE(named(series, "train/loss")->value,
           (std::vector<double>{6, 4, static_cast<float>(4.0 / 3 + 2), 3, static_cast<float>(4.0 / 5 + 2)}));
  QCOMPARE(named(series, "hparam/bleu")->value, (std::vector<double>{29}));
  QCOMPARE(readRunScalars(runs[2].runPath)->size(), std::size_t{1});  // the filler of the plugin is no scalar
  const auto identity = RunFolder(runs[0].runPath).identity();
  QCOMPARE(identity->name, std::string("admin/seed1"));
  QCOMPARE(identity->provenance.at("run").get<std::string>(), std::string("admin/seed1"));
  QVERIFY(RunFolder(runs[0].runPath).state() == RunState::Ended);
  ImportOptions named;
  named.name = "theirs";
  QCOMPARE(import(kTensorboard, named)[2].name, std::string("theirs/post_ln"));
  QCOMPARE(import(kTensorboard + "/post_ln", named)[0].name, std::string("theirs"));
}

void ImportSeveralTest::importedRunsAreGroupedBySeeds() {
  import(kTensorboard);
  import(write("more.csv", "run,step,loss,seed,arch\na,1,2,1,admin\nb,1,2,2,admin\nc,1,2,1,post_ln\n"));
  import(write("only.csv", "run,step,loss,seed\na,1,2,1\nb,1,2,2\n"));
  import(write("other.csv", "run,step,loss,seed\na,1,2,1\n"));
  std::vector<RunRow> rows;
  for (const auto& entry : fs::directory_iterator(path("runs")))
    rows.push_back(readRunRow(entry.path().string()).value());
  const Json own = {{"seed", 1}, {"arch", "admin"}};
  std::vector<const Json*> options = {&own};
  std::vector<std::string> origins = {""};
  std::map<std::string, std::string> groups;
  for (const RunRow& row : rows) {
    options.push_back(&row.options);
    origins.push_back(importOrigin(row.identity.provenance));
  }
  const auto words = seedGroups(options, origins);
  for (std::size_t i = 0; i < rows.size(); ++i)
    groups[rows[i].identity.provenance.at("imported_from").get<std::string>() + ":" + rows[i].name] =
        words[i + 1];
  QCOMPARE(groups.size(), std::size_t{9});
  QCOMPARE(groups.at("tensorboard:admin/seed1"), groups.at("tensorboard:admin/seed2"));
  QVERIFY(groups.at("tensorboard:admin/seed1") != groups.at("tensorboard:post_ln"));
  QCOMPARE(groups.at("more.csv:a"), groups.at("more.csv:b"));
  QVERIFY(groups.at("more.csv:a") != groups.at("more.csv:c"));
  QVERIFY(groups.at("more.csv:a") != groups.at("tensorboard:admin/seed1"));
  // Nothing is known of these but the seed: one source may mean it, two do not.
  QCOMPARE(groups.at("only.csv:a"), groups.at("only.csv:b"));
  QVERIFY(groups.at("only.csv:a") != groups.at("other.csv:a"));
  for (const auto& [name, word] : groups) QVERIFY(!word.empty() && word != words[0]);
}

void ImportSeveralTest::sessionsOfTheirOwnStayApart() {
  // One writer that tried two sets of hyperparameters: two trials, whatever was logged around them.
  const auto runs = import(copied({{"search", "admin/seed1"},
                                   {"search/1700000017.0", "admin/seed1/1700000017.0"},
                                   {"search/1700000099.5", "admin/seed2/1700000049.0"}}));
  QCOMPARE(runs.size(), std::size_t{3});
  QVERIFY(runs[0].options.empty());
  QCOMPARE(runs[1].options.at("seed").get<int>(), 1);
  QCOMPARE(runs[2].options.at("seed").get<int>(), 2);
}

// A run that was started again writes what it was told once more.
void ImportSeveralTest::sessionsOfARestartBelongToItsRun() {
  const auto runs = import(copied({{"run", "admin/seed1"},
                                   {"run/1700000017.0", "admin/seed1/1700000017.0"},
                                   {"run/1700000099.5", "admin/seed1/1700000017.0"}}));
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(runs[0].options.at("seed").get<int>(), 1);
  QCOMPARE(runs[0].metrics.size(), std::size_t{2});
}

void ImportSeveralTest::foldersWithoutHyperparameters() {
  const auto runs =
      import(copied({{"", "post_ln"}, {"a/b", "admin/seed1"}, {"1700000017.5", "admin/seed2"}}));
  QCOMPARE(runs.size(), std::size_t{3});
  QCOMPARE(runs[0].name, std::string("logs"));  // the files of the folder itself
  QCOMPARE(runs[1].name, std::string("1700000017.5"));
  QCOMPARE(runs[2].name, std::string("a/b"));
  QCOMPARE(runs[2].metrics, (std::vector<std::string>{"train/loss"}));
  QCOMPARE(runs[2].points, std::int64_t{5});
}

void ImportSeveralTest::namesThatAreNoText() {
  const auto runs = import(copied({{"caf\xE9", "post_ln"}}));
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(RunFolder(runs[0].runPath).identity()->name, std::string("caf?"));
  fs::remove_all(path("logs"));  // QTemporaryDir cannot
}

void ImportSeveralTest::curvesOfOurOwn() {
  const auto runs =
      import(write("curves.csv",
                   "run,name,metric,step,epoch,tokens,seconds,value\n"
                   "0f0e,first,loss,1,0.5,100,0.25,4\n0f0e,first,loss,2,1,200,0.5,3\n"
                   "a1b2,\"se,cond\",loss,1,0.5,100,1.25,8\na1b2,\"se,cond\",loss,2,1,200,2.5,nan\n"));
  QCOMPARE(runs.size(), std::size_t{2});
  QCOMPARE(runs[0].name, std::string("first"));
  QCOMPARE(runs[1].name, std::string("se,cond"));
  const auto first = readRunScalars(runs[0].runPath).value(),
             second = readRunScalars(runs[1].runPath).value();
  QCOMPARE(first.size(), std::size_t{1});
  QCOMPARE(first[0].value, (std::vector<double>{4, 3}));
  QCOMPARE(first[0].epoch, (std::vector<double>{0.5, 1}));
  QCOMPARE(first[0].tokens, (std::vector<double>{100, 200}));
  QCOMPARE(first[0].time[1] - first[0].time[0], 0.25);
  QVERIFY(second[0].value[0] == 8 && std::isnan(second[0].value[1]));
  QVERIFY(runs[0].warnings.empty() && runs[0].options.empty());
}

void ImportSeveralTest::wideTableOfRuns() {
  const auto runs =
      import(write("wide.csv",
                   "run;step;loss;arch;random_seed;config.lr;done\n"
                   "1;1;4;admin;7;1e-3;true\n2;1;5;post_ln;7;0.5;TRUE\n1;2;3;admin;7;1e-3;true\n"));
  QCOMPARE(runs.size(), std::size_t{2});
  QCOMPARE(runs[0].name, std::string("1"));
  QCOMPARE(optionsOf(runs[0]).dump(), std::string(R"({"seed":7,"arch":"admin","done":true,"lr":0.001})"));
  QCOMPARE(optionsOf(runs[1]).dump(), std::string(R"({"seed":7,"arch":"post_ln","done":true,"lr":0.5})"));
  QCOMPARE(runs[0].metrics, (std::vector<std::string>{"loss"}));
  // One run: what stays the same is an option, too.
  const auto one = import(write("one.csv", "step,loss,arch\n1,4,admin\n2,3,admin\n"));
  QCOMPARE(one.size(), std::size_t{1});
  QCOMPARE(one[0].name, std::string("one"));
  QCOMPARE(optionsOf(one[0]).dump(), std::string(R"({"arch":"admin"})"));
}

void ImportSeveralTest::columnsThatChangeAreNoOptions() {
  const auto runs = import(write("long.csv",
                                 "run,metric,step,value,rank,note\na,loss,1,4,0,x\na,loss,2,3,1,x\n"
                                 "b,loss,1,5,1,\n"));
  QCOMPARE(runs.size(), std::size_t{2});
  QCOMPARE(runs[0].options.dump(), std::string(R"({"note":"x"})"));
  QVERIFY(warns(runs[0], "column \"rank\": 2 values that change"));
  QCOMPARE(runs[1].options.dump(), std::string(R"({"rank":1})"));
}

void ImportSeveralTest::runColumnByName() {
  ImportOptions options;
  options.runColumn = "which";
  const std::string file = write("t.csv", "which,step,loss\nx,1,2\ny,1,3\n");
  QCOMPARE(import(file, options).size(), std::size_t{2});
  QCOMPARE(import(file).size(), std::size_t{1});
  options.runColumn = "none";
  Progress progress;
  QVERIFY(!importRuns(file, path("runs"), options, progress, StopToken()).ok());
}

// 600 kB of scalars at one step of training, the same of validation, and a learning rate.
void ImportSeveralTest::moreScalarsThanALineHolds() {
  constexpr int kMetrics = 3000;
  std::string longForm = "metric,step,value\n";
  std::vector<std::string> names = {"lr"};
  for (const char* kind : {"t", "valid."})
    for (int i = 0; i < kMetrics; ++i) names.push_back(kind + std::string(180, 'm') + std::to_string(i));
  for (const int step : {1, 2})
    for (std::size_t i = 0; i < names.size(); ++i)
      longForm += names[i] + "," + std::to_string(step) + "," + std::to_string(step * 10000 + i) + "\n";
  const auto runs = import(write("wide.csv", longForm));
  QCOMPARE(runs[0].points, std::int64_t{2 * (2 * kMetrics + 1)});
  const std::string log = readFile(runs[0].runPath + "/attempts/0001/events.jsonl").value();
  std::size_t longest = 0, lines = 0;
  for (std::size_t at = 0; at < log.size(); ++lines) {
    const std::size_t end = log.find('\n', at);
    longest = std::max(longest, end + 1 - at);
    QVERIFY(!checkedEventBody(std::string_view(log).substr(at, end - at)).empty());
    at = end + 1;
  }
  QVERIFY2(longest <= kMaxEventBytes, std::to_string(longest).c_str());
  QVERIFY2(lines > 36 && lines < 60, std::to_string(lines).c_str());
  EventReader reader(runs[0].runPath + "/attempts/0001/events.jsonl");
  QCOMPARE(reader.poll()->size(), lines);
  QVERIFY(reader.badLines() == 0 && reader.missingEvents() == 0);
  const auto series = readRunScalars(runs[0].runPath).value();
  QCOMPARE(series.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ScalarSeries* one = named(series, names[i]);
    QVERIFY2(one != nullptr, names[i].c_str());
    QCOMPARE(one->step, (std::vector<double>{1, 2}));
    QCOMPARE(one->value, (std::vector<double>{10000.0 + double(i), 20000.0 + double(i)}));
  }
  const RunRow row = readRunRow(runs[0].runPath).value();
  for (std::size_t i = 1; i < names.size(); ++i) QCOMPARE(row.last.at(names[i]), 20000.0 + double(i));
  QCOMPARE(row.best.size(), std::size_t{kMetrics});
}

void ImportSeveralTest::oddStepsAndTimes() {
  const auto runs =
      import(write("odd.csv",
                   "step,time,epoch,loss\n3,inf,1,3\nnan,1,1,9\n1,0.5,nan,1\n-1,1,1,9\n1e300,1,1,9\n"
                   "2,1,1,2\n2,2,1,20\ninf,1,1,9\n"));
  QCOMPARE(runs.size(), std::size_t{1});
  QVERIFY(warns(runs[0], "4 points are left out"));
  // Two points of a step at two times are two points.
  const auto series = readRunScalars(runs[0].runPath).value();
  QCOMPARE(series[0].step, (std::vector<double>{1, 2, 2, 3}));
  QCOMPARE(series[0].value, (std::vector<double>{1, 2, 20, 3}));
  QCOMPARE(series[0].time[0], 0.5);
  QCOMPARE(series[0].time[2], 2.0);
  QVERIFY(std::isnan(series[0].time[3]));  // "inf" tells no time: unknown, not 0
  QCOMPARE(RunFolder(runs[0].runPath).outcome(1)->step, std::int64_t{3});
}

void ImportSeveralTest::optionsOfFairseq_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<QByteArray>("options");
  QTest::newRow("its first years")
      << QByteArray(
             "Namespace(adam_betas='(0.9, 0.98)', arch='t', fp16=False, lr=[0.0005], max_epoch=0, "
             "restore_file=None, seed=4, tensor=<object at 0x1, x>, weight=1e-4)")
      << QByteArray(R"x({"seed":4,"adam_betas":"(0.9, 0.98)","arch":"t","fp16":false,"lr":[0.0005],)x"
                    R"("max_epoch":0,"tensor":"<object at 0x1, x>","weight":0.0001})");
  QTest::newRow("since hydra")
      << QByteArray(
             "2021-05-04 12:00:00 | INFO | fairseq_cli.train | {'_name': None, 'common': {'_name': None, "
             "'seed': 3, 'fp16': True}, 'model': Namespace(arch='a b', seed=3), 'task': {'seed': 3, "
             "'data': 'it\\'s'}, 'optimizer': {'lr': [0.1, 0.2]}}")
      << QByteArray(R"({"seed":3,"common.fp16":true,"model.arch":"a b","optimizer.lr":[0.1,0.2],)"
                    R"("task.data":"it's"})");
}

void ImportSeveralTest::optionsOfFairseq() {
  QFETCH(QByteArray, line);
  QFETCH(QByteArray, options);
  const auto runs =
      import(write("train.log", line.toStdString() + "\n{\"num_updates\": \"10\", \"loss\": \"2.5\"}\n"));
  QCOMPARE(QByteArray::fromStdString(runs.at(0).options.dump()), options);
  // Cut anywhere and with any byte damaged it still is a log without those options, or with some.
  for (qsizetype cut = 0; cut < line.size(); ++cut) {
    ImportedOptions collected;
    readPythonOptions(line.left(cut).toStdString(), collected);
    std::string damaged = line.toStdString();
    damaged[static_cast<std::size_t>(cut)] = "({[\"'=,"[cut % 7];
    readPythonOptions(damaged, collected);
  }
  ImportedOptions deep;
  QVERIFY(!readPythonOptions(std::string(100000, '['), deep));
}

void ImportSeveralTest::damagedHyperparameters() {
  const auto field = [](int number, const std::string& bytes) {
    return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
  };
  const std::string real("\x11\0\0\0\0\0\0\xE0\x3F", 9);
  const std::string list = field(6, field(1, real) + field(1, field(3, "x")));
  const std::string structure = field(5, field(1, field(1, "in") + field(2, real)));
  std::string session;
  for (const auto& [name, value] : {std::pair<std::string, std::string>("half", real),
                                    {"list", list},
                                    {"deep", structure},
                                    {"truth", std::string("\x20\1", 2)}})
    session += field(1, field(1, name) + field(2, value));
  const std::string good = field(3, session);
  ImportedOptions options;
  QVERIFY(readTensorboardHparams(good, options));
  std::vector<Phrase> warnings;
  QCOMPARE(options.finish(warnings).dump(),
           std::string(R"({"deep.in":0.5,"half":0.5,"list":[0.5,"x"],"truth":true})"));
  for (std::size_t cut = 1; cut < good.size(); ++cut) {
    ImportedOptions some;
    QVERIFY(!readTensorboardHparams(good.substr(0, cut), some));
  }
  std::string nested = real;
  for (int i = 0; i < 12; ++i) nested = field(6, field(1, nested));
  ImportedOptions none;
  QVERIFY(!readTensorboardHparams(field(3, field(1, field(1, "n") + field(2, nested))), none) &&
          none.empty());
}

void ImportSeveralTest::optionsAreBounded() {
  ImportedOptions options;
  for (int i = 0; i < 3000; ++i) options.add("o" + std::to_string(i), i);
  options.add(std::string(201, 'n'), 1);
  options.add("long", std::string(5000, 'v'));
  options.add("\xFF", 1);
  std::vector<Phrase> warnings;
  QCOMPARE(options.finish(warnings).size(), std::size_t{2000});
  QCOMPARE(warnings.size(), std::size_t{1});
  QVERIFY2(warnings[0].english().starts_with("1003 options"), warnings[0].english().c_str());
  ImportedOptions seeds;
  seeds.add("common.seed", 3);
  seeds.add("task.random_seed", 4);
  seeds.add("seedling", 5);
  QCOMPARE(seeds.finish(warnings).dump(), std::string(R"({"seed":3,"seedling":5,"task.random_seed":4})"));
}

// Every write, flush, rename and open failing once, at every place: all three runs or none.
void ImportSeveralTest::allOfThemOrNone() {
  using Call = FileFaults::Call;
  Progress progress;
  for (const Call call : {Call::Write, Call::Sync, Call::Rename, Call::Open}) {
    bool failed = false;
    for (int countdown = 0;; ++countdown) {
      QVERIFY(countdown < 200);
      FileFaults::arm(call, countdown, ENOSPC, false);
      const auto report = importRuns(kTensorboard, path("runs"), {}, progress, StopToken());
      FileFaults::clear();
      const auto left = std::distance(fs::directory_iterator(path("runs")), {});
      if (report.ok()) {
        QCOMPARE(left, std::ptrdiff_t{3});
        fs::remove_all(path("runs"));
        break;
      }
      failed = true;
      QCOMPARE(left, std::ptrdiff_t{0});
    }
    QVERIFY(failed);
  }
}

QTEST_APPLESS_MAIN(ImportSeveralTest)
#include "tst_import_several.moc"
