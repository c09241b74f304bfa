// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/files/atomic_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/run_import.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_archive.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

const std::string kImport = FATHOM_SOURCE_DIR "/tests/fixtures/import/";

std::optional<ScalarSeries> named(const std::vector<ScalarSeries>& all, const std::string& name) {
  for (const auto& series : all) {
    if (series.metric == name) return series;
  }
  return std::nullopt;
}

Result<ImportedRun> theOnly(const std::function<Status(const ImportSink&)>& reader) {
  std::vector<ImportedRun> runs;
  FATHOM_CHECK(reader([&](ImportedRun run) -> Status {
    runs.push_back(std::move(run));
    return {};
  }));
  if (runs.size() != 1) return internalError(std::to_string(runs.size()) + " runs");
  return runs.front();
}
Result<ImportedRun> runOf(const char* format, const std::string& file) {
  return theOnly([&](const ImportSink& take) -> Status {
    FATHOM_TRY(const auto source, findImport(format)->open(file, {}));
    return readWhole(*source, StopToken(), take);
  });
}
Result<ImportedRun> tensorboardRun(const std::string& file) {
  return runOf("tensorboard", file);
}

std::vector<std::string> listing(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

class RunImportTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void tensorboard();
  void tensorboardDamage();
  void fairseq();
  void wideCsv();
  void longCsv();
  void badCsv_data();
  void badCsv();
  void csvRowsLongerThanTheHeaderAreTold();
  void runFolderOnce();
  void runFolderTakesTheNameAndTellsOfDamage();
  void archives_data();
  void archives();
  void failuresLeaveNothing();
  void stopLeavesNothing();
  void nothingKnown();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::trunc) << bytes;
    return path(name);
  }
  Result<ImportReport> importAll(const std::string& source, ImportOptions options = {}) {
    Progress progress;
    return importRuns(source, path("runs"), options, progress, StopToken());
  }
  // The one run of a source.
  Result<RunImport> import(const std::string& source, ImportOptions options = {}) {
    FATHOM_TRY(const ImportReport report, importAll(source, options));
    if (report.runs.size() != 1) return internalError(std::to_string(report.runs.size()) + " runs");
    m_format = report.format;
    return report.runs.front();
  }
  Json optionsOf(const RunImport& run) const {
    return readRunConfig(run.runPath + "/attempts/0001/config.json").value().options;
  }
  std::string m_format;
  std::string sampleRun() const;
  std::unique_ptr<QTemporaryDir> m_dir;
};

void RunImportTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

std::string RunImportTest::sampleRun() const {
  RunIdentity identity;
  identity.uuid = "0f0e0d0c-0b0a-4908-8706-050403020100";
  identity.name = "sample";
  const auto run = RunFolder::create(path("sample"), identity).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", {{"seed", 1}}}}).value();
  auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl");
  for (int step = 1; step <= 50; ++step)
    (void)(*log)->appendStep(step, 1, step * 10, 0.1, {{"loss", 1.0 / step}});
  fs::create_directories(run.checkpointsPath() + "/0001-00000050");
  std::ofstream(run.checkpointsPath() + "/0001-00000050/model.safetensors") << std::string(100000, 'm');
  std::ofstream(run.path() + "/lock") << "{}";
  return run.path();
}

// The file was written by tensorboardX; steps and wall times must come out as they went in.
void RunImportTest::tensorboard() {
  const auto report = import(kImport + "events.out.tfevents.1700000000.host");
  QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
  QCOMPARE(m_format, std::string("tensorboard"));
  QCOMPARE(report->points, std::int64_t{25});
  QCOMPARE(report->warnings.size(), std::size_t{1});  // one histogram
  const auto series = readRunScalars(report->runPath).value();
  const auto loss = named(series, "train/loss");
  QCOMPARE(loss->step.size(), std::size_t{21});
  for (int i = 0; i < 20; ++i) {
    QCOMPARE(loss->step[i], i + 1.0);
    QCOMPARE(loss->value[i], static_cast<double>(static_cast<float>(4.0 / (i + 1))));
    QVERIFY(std::abs(loss->time[i] - i) < 1e-6);
  }
  QVERIFY(std::isnan(loss->value[20]));
  QCOMPARE(named(series, "valid.bleu")->value, (std::vector<double>{7.5, 15, 22.5, 30}));
  const auto direct = tensorboardRun(kImport + "events.out.tfevents.1700000000.host");
  QCOMPARE(startOf(*direct), 1700000001.25);
  QCOMPARE(named(seriesOf(*direct), "train/loss")->time[4], 4.0);
  QCOMPARE(named(seriesOf(*direct), "valid.bleu")->time[0], 4.25);
  const RunFolder run(report->runPath);
  QVERIFY(run.state() == RunState::Ended);
  QCOMPARE(run.outcome(1)->step, std::int64_t{21});
}

void RunImportTest::tensorboardDamage() {
  const std::string bytes = readFile(kImport + "events.out.tfevents.1700000000.host").value();
  // Cut anywhere: what is whole is read, never an error beyond "nothing in it".
  std::size_t last = 0;
  for (std::size_t cut = 64; cut <= bytes.size(); cut += 7) {
    const auto run = tensorboardRun(write("cut", bytes.substr(0, cut)));
    QVERIFY(run.ok());
    const auto loss = named(seriesOf(*run), "train/loss");
    const std::size_t points = !loss ? 0 : loss->value.size();
    QVERIFY(points >= last);
    last = points;
  }
  // A payload byte costs its record, a length byte the rest; both are said.
  std::string flipped = bytes;
  const std::size_t at = bytes.find("train/loss") + 3;
  flipped[at] = static_cast<char>(flipped[at] ^ 1);
  auto run = tensorboardRun(write("flip", flipped));
  QCOMPARE(named(seriesOf(*run), "train/loss")->value.size(), std::size_t{20});
  QVERIFY(run->warnings.front().english().find("1 damaged record") != std::string::npos);
}

void RunImportTest::fairseq() {
  const auto report = import(kImport + "fairseq.log");
  QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
  QCOMPARE(m_format, std::string("fairseq"));
  const auto series = readRunScalars(report->runPath).value();
  const auto loss = named(series, "loss");
  QCOMPARE(loss->step, (std::vector<double>{100, 200}));
  QCOMPARE(loss->value[0], 12.5);
  QVERIFY(std::isnan(loss->value[1]));
  QVERIFY(std::isinf(named(series, "grad_norm")->value[1]));
  QCOMPARE(named(series, "lr")->value, (std::vector<double>{1.25e-05, 2.5e-05}));
  QCOMPARE(named(series, "valid.nll_loss")->value, (std::vector<double>{9.25}));
  QCOMPARE(named(series, "train.loss")->step, (std::vector<double>{200}));
  QVERIFY(!named(series, "num_updates") && !named(series, "train_wall"));
  const auto direct = runOf("fairseq", kImport + "fairseq.log");
  QCOMPARE(startOf(*direct), 1588593610.0);
  QCOMPARE(named(seriesOf(*direct), "loss")->time, (std::vector<double>{0, 10}));
  QVERIFY(!runOf("fairseq", write("none", "hello\n{\"a\":1}\n")).ok());
}

void RunImportTest::wideCsv() {
  const auto report =
      import(write("w.csv",
                   "\xEF\xBB\xBFstep;loss;note;\"valid.bleu\"\r\n1;4.5;a;\r\n2;NaN;\"x;\n\"\"y\";10\r\n"
                   "3;-inf;;20\r\n\r\n;7;;\r\n"));
  QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
  const auto series = readRunScalars(report->runPath).value();
  QCOMPARE(series.size(), std::size_t{2});
  const auto loss = named(series, "loss");
  QCOMPARE(loss->step, (std::vector<double>{1, 2, 3}));
  QVERIFY(loss->value[0] == 4.5 && std::isnan(loss->value[1]) && std::isinf(loss->value[2]));
  QCOMPARE(named(series, "valid.bleu")->step, (std::vector<double>{2, 3}));
  QCOMPARE(report->warnings.size(), std::size_t{1});
  QVERIFY(report->warnings[0].english().find("note") != std::string::npos);
}

void RunImportTest::longCsv() {
  ImportOptions options;
  options.name = "a long one";
  const auto report = import(write("l.csv",
                                   "metric,step,time,epoch,tokens,value\nloss,1,1700000000.5,1,100,2.5\n"
                                   "loss,2,1700000001.5,1,200,1.5\nvalid.nll,2,1700000002,1,200,0.75\n"),
                             options);
  QVERIFY(report.ok());
  QVERIFY(report->runPath.ends_with("/a_long_one"));
  const auto series = readRunScalars(report->runPath).value();
  QCOMPARE(named(series, "loss")->tokens, (std::vector<double>{100, 200}));
  QCOMPARE(named(series, "loss")->time, (std::vector<double>{0, 1}));
  QCOMPARE(named(series, "valid.nll")->time, (std::vector<double>{1.5}));
  options.stepColumn = "nothing";
  QVERIFY(!import(path("l.csv"), options).ok());
}

void RunImportTest::badCsv_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("says");
  QTest::newRow("empty") << QByteArray() << QStringLiteral("empty");
  QTest::newRow("no step") << QByteArray("a,b\n1,2\n") << QStringLiteral("step");
  QTest::newRow("text as step") << QByteArray("step,b\n1,2\nx,3\n") << QStringLiteral(":3:");
  QTest::newRow("open quote") << QByteArray("step,b\n1,\"2\n") << QStringLiteral("quote");
  QTest::newRow("zero byte") << QByteArray("step,b\n1,2\0\n", 13) << QStringLiteral("zero byte");
  QTest::newRow("many columns") << QByteArray("step") + QByteArray(5000, ',') << QStringLiteral("columns");
  QTest::newRow("long field") << QByteArray("step,") + QByteArray(1500000, 'x') << QStringLiteral("1 MB");
  QTest::newRow("no numbers") << QByteArray("step,b\n1,x\n") << QStringLiteral("numbers");
}

void RunImportTest::csvRowsLongerThanTheHeaderAreTold() {
  const auto report = import(write("long.csv", "step,b\n1,2\n2,3,9\n3,4,9\n"));
  QVERIFY(report.ok() && report->points == 3);
  QCOMPARE(report->warnings.size(), std::size_t{1});
  QVERIFY(report->warnings.front().english().find("2 rows") == 0 &&
          report->warnings.front().english().find("line 3") != std::string::npos);
}

void RunImportTest::badCsv() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, says);
  ImportOptions options;
  options.format = "csv";
  const auto report = import(write("bad.csv", bytes.toStdString()), options);
  QVERIFY(!report.ok());
  QCOMPARE(report.error().kind, ErrorKind::Data);
  const QString text = QString::fromStdString(report.error().text());
  QVERIFY2(text.contains(says) && text.contains(QStringLiteral("bad.csv")), qPrintable(text));
  QVERIFY(listing(path("runs")).empty());
}

void RunImportTest::runFolderTakesTheNameAndTellsOfDamage() {
  ImportOptions options;
  options.name = "another";
  const std::string run = sampleRun(), log = run + "/attempts/0001/events.jsonl";
  // An attempt whose engine died before it wrote anything is no reason to refuse the run.
  fs::create_directories(run + "/attempts/0002");
  fs::copy(run + "/attempts/0001/config.json", run + "/attempts/0002/config.json");
  std::string events = readFile(log).value();
  const std::size_t line = events.find('\n', events.size() / 2) + 1;
  events[line + 20] ^= 1;
  QVERIFY(writeFileAtomically(log, events).ok());
  const auto report = import(path("sample"), options);
  QVERIFY(report.ok());
  QCOMPARE(RunFolder(report->runPath).identity()->name, std::string("another"));
  QCOMPARE(report->warnings.size(), std::size_t{1});
  QVERIFY(report->warnings.front().english().find("1 damaged line") != std::string::npos);
}

void RunImportTest::runFolderOnce() {
  const auto report = import(sampleRun());
  QVERIFY(report.ok());
  QCOMPARE(report->uuid, std::string("0f0e0d0c-0b0a-4908-8706-050403020100"));
  QVERIFY(!fs::exists(report->runPath + "/lock"));
  QCOMPARE(readRunScalars(report->runPath)->front().value.size(), std::size_t{50});
  const auto again = import(path("sample"));
  QVERIFY(!again.ok());
  QVERIFY(again.error().message.find("already there") != std::string::npos);
  QCOMPARE(listing(path("runs")).size(), std::size_t{1});
}

void RunImportTest::archives_data() {
  QTest::addColumn<QString>("ending");
  for (const char* ending : {".tar", ".tar.gz", ".tar.zst"})
    QTest::newRow(ending) << QString::fromUtf8(ending);
}

void RunImportTest::archives() {
  QFETCH(QString, ending);
  Progress none;
  for (const char* name : {"a.zip", "a", "a.tar.xz"}) {
    QVERIFY(!exportRunArchive(sampleRun(), path(name), false, none, StopToken()).ok());
    QVERIFY(!fs::exists(path(name)));
    fs::remove_all(path("sample"));
  }
  const std::string archive = path("a" + ending.toStdString());
  Progress progress;
  for (const bool checkpoints : {false, true}) {
    QVERIFY(exportRunArchive(sampleRun(), archive, checkpoints, progress, StopToken()).ok());
    const auto report = import(archive);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
    const RunFolder copy(report->runPath);
    QCOMPARE(readFile(copy.attemptPath(1) + "/events.jsonl").value(),
             readFile(path("sample/attempts/0001/events.jsonl")).value());
    QCOMPARE(fs::exists(copy.checkpointsPath() + "/0001-00000050/model.safetensors"), checkpoints);
    QVERIFY(!fs::exists(report->runPath + "/lock"));
    fs::remove_all(report->runPath);
    fs::remove_all(path("sample"));
  }
  // Cut anywhere: refused, and nothing is left.
  const std::string bytes = readFile(archive).value();
  for (const std::size_t cut : {std::size_t{10}, bytes.size() / 3, bytes.size() / 2, bytes.size() - 20}) {
    ImportOptions options;
    options.format = "run";
    write("cut" + ending.toStdString(), bytes.substr(0, cut));
    const auto report = import(path("cut" + ending.toStdString()), options);
    if (report.ok()) fs::remove_all(report->runPath);  // only the zero blocks at the end were missing
    QVERIFY(!report.ok() || cut + 2000 > bytes.size());
    QVERIFY(listing(path("runs")).empty());
  }
}

// Every write, flush, rename and open failing once, at every place.
void RunImportTest::failuresLeaveNothing() {
  using Call = FileFaults::Call;
  for (const Call call : {Call::Write, Call::Sync, Call::Rename, Call::Open, Call::SyncFolder}) {
    for (int countdown = 0; countdown < 40; ++countdown) {
      FileFaults::arm(call, countdown, ENOSPC, false);
      const auto report = import(kImport + "fairseq.log");
      FileFaults::clear();
      if (report.ok()) {
        fs::remove_all(report->runPath);
        QVERIFY(countdown > 0);
        break;
      }
      QCOMPARE(report.error().kind, ErrorKind::Resource);
      QVERIFY(listing(path("runs")).empty());
    }
  }
}

void RunImportTest::stopLeavesNothing() {
  const StopToken stop;
  stop.requestStop();
  Progress progress;
  const auto report = importRuns(kImport + "fairseq.log", path("runs"), {}, progress, stop);
  QVERIFY(!report.ok());
  QCOMPARE(report.error().kind, ErrorKind::Interrupted);
  QVERIFY(listing(path("runs")).empty());
}

void RunImportTest::nothingKnown() {
  QVERIFY(!import(path("missing")).ok());
  QVERIFY(!import(write("binary", std::string("\x7F"
                                              "ELF\0\0\0\0more\0",
                                              14)))
               .ok());
  fs::create_directories(path("empty"));
  QVERIFY(!import(path("empty")).ok());
  ImportOptions options;
  options.format = "paper";
  QVERIFY(!import(path("binary"), options).ok());
}

QTEST_APPLESS_MAIN(RunImportTest)
#include "tst_run_import.moc"
