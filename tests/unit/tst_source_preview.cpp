// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// A look at a source before it is imported, and what a person says of the columns of a table.
#include <sys/stat.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/imports/csv_columns.h"
#include "core/imports/preview/source_preview.h"
#include "core/imports/run_import.h"
#include "core/imports/source_follower.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;

class SourcePreviewTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runsAndMetricsAreCounted();
  void columnsAreSaid();
  void columnsThatAreSaidGoFirst();
  void unknownWordsAreRefused_data();
  void unknownWordsAreRefused();
  void followedTableKeepsItsColumns();
  void tableWithoutAStepShowsItsColumns();
  void faultsAreAtTheirLine();
  void whatIsNoFile_data();
  void whatIsNoFile();
  void timeIsBounded();
  void stopIsHeard();
  void runOfOurs();

 private:
  std::string path(const std::string& name) const { return m_dir.path().toStdString() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary | std::ios::trunc) << text;
    return path(name);
  }
  static Result<SourcePreview> look(const std::string& source, const ImportOptions& options = {}) {
    return previewSource(source, options, StopToken(), 5);
  }
  static std::string usesIn(const SourcePreview& preview) {
    std::string text;
    for (const SourceColumn& column : preview.columns) text += column.name + ":" + column.use + " ";
    return text;
  }
  QTemporaryDir m_dir;
};

void SourcePreviewTest::runsAndMetricsAreCounted() {
  const std::string source =
      write("two.csv", "run,step,loss,acc,lr\nb,1,3,0.1,5\nb,2,2,0.2,5\na,1,9,,6\na,2,8,,6\n");
  const auto preview = look(source);
  QVERIFY(preview.ok() && !preview->fault && preview->whole);
  QCOMPARE(preview->format, std::string("csv"));
  QCOMPARE(preview->runs.size(), std::size_t{2});
  QCOMPARE(preview->runs[0].name, std::string("b"));
  QCOMPARE(preview->runs[0].points, std::int64_t{6});
  QCOMPARE(preview->runs[1].metrics, std::int64_t{2});
  QCOMPARE(preview->points, std::int64_t{10});
  QCOMPARE(preview->metrics, (std::set<std::string>{"acc", "loss", "lr"}));
  QCOMPARE(usesIn(*preview), std::string("run:run step:step loss:metric acc:metric lr:metric "));
  QCOMPARE(preview->columns[2].example, std::string("3"));
}

// What a preview tells is what an import with the same words brings.
void SourcePreviewTest::columnsAreSaid() {
  const std::string source = write("odd.csv", "n,who,reward,rate\n10,x,1,0.5\n20,x,2,0.5\n10,y,3,0.25\n");
  ImportOptions options;
  options.columns = {{"n", "step"}, {"who", "run"}, {"rate", "option"}};
  const auto preview = look(source, options);
  QVERIFY(preview.ok() && !preview->fault);
  QCOMPARE(preview->runs.size(), std::size_t{2});
  QCOMPARE(preview->metrics, (std::set<std::string>{"reward"}));
  QCOMPARE(usesIn(*preview), std::string("n:step who:run reward:metric rate:option "));
  Progress progress;
  const auto report = importRuns(source, path("runs"), options, progress, StopToken());
  QVERIFY(report.ok());
  QCOMPARE(report->runs.size(), std::size_t{2});
  QCOMPARE(report->runs[0].name, std::string("x"));
  QCOMPARE(report->runs[0].points, std::int64_t{2});
  QCOMPARE(report->runs[1].options.at("rate").get<double>(), 0.25);
  const auto series = readRunScalars(report->runs[0].runPath).value();
  QCOMPARE(series.size(), std::size_t{1});
  QCOMPARE(series[0].step, (std::vector<double>{10, 20}));
}

// A column called step may be a metric, and one that is left out is nowhere.
void SourcePreviewTest::columnsThatAreSaidGoFirst() {
  const std::string source = write("twisted.csv", "step,count,time,loss\n7,1,100,3\n8,2,200,2\n");
  ImportOptions options;
  options.columns = {{"step", "metric"}, {"count", "step"}, {"time", "skipped"}};
  const auto preview = look(source, options);
  QVERIFY(preview.ok() && !preview->fault);
  QCOMPARE(preview->metrics, (std::set<std::string>{"loss", "step"}));
  QCOMPARE(usesIn(*preview), std::string("step:metric count:step time:skipped loss:metric "));
}

void SourcePreviewTest::unknownWordsAreRefused_data() {
  QTest::addColumn<QString>("column");
  QTest::addColumn<QString>("use");
  QTest::addColumn<QString>("said");
  QTest::newRow("no such use") << "loss"
                               << "wheel"
                               << "cannot be \"wheel\"";
  QTest::newRow("no such column") << "lost"
                                  << "metric"
                                  << "no column \"lost\"";
}

void SourcePreviewTest::unknownWordsAreRefused() {
  QFETCH(QString, column);
  QFETCH(QString, use);
  QFETCH(QString, said);
  ImportOptions options;
  options.columns = {{column.toStdString(), use.toStdString()}};
  const auto preview = look(write("plain.csv", "step,loss\n1,3\n"), options);
  QVERIFY(preview.ok() && preview->fault);
  QVERIFY2(preview->fault->text().find(said.toStdString()) != std::string::npos,
           preview->fault->text().c_str());
}

// Whoever goes on with it later reads by the same columns.
void SourcePreviewTest::followedTableKeepsItsColumns() {
  const std::string source = write("grows.csv", "n,reward\n1,3\n2,4\n");
  std::filesystem::create_directories(path("followed"));
  SourceFollower::Options options{source, path("followed"), followRecord(path(""), source), {}};
  options.import.follow = true;
  options.import.columns = {{"n", "step"}};
  {
    const auto follower = SourceFollower::open(options);
    QVERIFY2(follower.ok(), follower.ok() ? "" : follower.error().text().c_str());
    QVERIFY((*follower)->poll(StopToken()).ok());
    QVERIFY((*follower)->handOn().ok());
  }
  std::ofstream(source, std::ios::app) << "3,5\n";
  options.import.columns.clear();
  const auto again = SourceFollower::open(options);
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
  const auto grown = (*again)->poll(StopToken());
  QVERIFY(grown.ok());
  QCOMPARE(grown->points, std::int64_t{1});
  const auto series = readRunScalars((*again)->runPaths().at(0)).value();
  QCOMPARE(series.size(), std::size_t{1});
  QCOMPARE(series[0].step, (std::vector<double>{1, 2, 3}));
}

void SourcePreviewTest::tableWithoutAStepShowsItsColumns() {
  const auto preview = look(write("stepless.csv", "n,reward\n1,3\n"));
  QVERIFY(preview.ok() && preview->fault);
  QVERIFY(preview->fault->text().find("no column tells the step") != std::string::npos);
  QCOMPARE(usesIn(*preview), std::string("n:metric reward:metric "));
}

void SourcePreviewTest::faultsAreAtTheirLine() {
  const auto preview = look(write("broken.csv", "step,loss\n1,3\n2,2\nthree,1\n"));
  QVERIFY(preview.ok() && preview->fault);
  QVERIFY2(preview->fault->text().find("broken.csv:4") != std::string::npos, preview->fault->text().c_str());
  QVERIFY(preview->whole);
  const auto empty = look(write("empty.csv", ""));
  QVERIFY(!empty.ok() || empty->fault);
  const auto missing = look(path("missing.csv"));
  QVERIFY(!missing.ok());
  QVERIFY(missing.error().text().find("missing.csv") != std::string::npos);
}

void SourcePreviewTest::whatIsNoFile_data() {
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("said");
  QTest::newRow("pipe") << "pipe"
                        << "named pipe";
  QTest::newRow("device") << "/dev/zero"
                          << "device";
  QTest::newRow("terminal") << "/dev/null"
                            << "device";
}

// They neither end nor answer.
void SourcePreviewTest::whatIsNoFile() {
  QFETCH(QString, source);
  QFETCH(QString, said);
  std::string named = source.toStdString();
  if (named == "pipe") {
    named = path("pipe");
    QCOMPARE(::mkfifo(named.c_str(), 0600), 0);
  }
  QElapsedTimer clock;
  clock.start();
  const auto preview = look(named);
  QVERIFY(!preview.ok());
  QVERIFY2(preview.error().text().find(said.toStdString()) != std::string::npos,
           preview.error().text().c_str());
  QVERIFY(clock.elapsed() < 2000);
}

void SourcePreviewTest::timeIsBounded() {
  std::ofstream out(path("long.csv"));
  out << "step,a,b,c,d\n";
  for (int step = 0; step < 400'000; ++step) out << step << ",1,2,3,4\n";
  out.close();
  const auto preview = previewSource(path("long.csv"), {}, StopToken(), 0.02);
  QVERIFY2(preview.ok(), preview.ok() ? "" : preview.error().text().c_str());
  QVERIFY(!preview->whole && !preview->fault);
  QCOMPARE(preview->columns.size(), std::size_t{5});
  const auto whole = previewSource(path("long.csv"), {}, StopToken(), 60);
  QVERIFY(whole.ok() && whole->whole);
  QCOMPARE(whole->points, std::int64_t{1'600'000});
}

void SourcePreviewTest::stopIsHeard() {
  const StopToken stop;
  stop.requestStop();
  const auto preview = previewSource(write("short.csv", "step,loss\n1,3\n"), {}, stop, 5);
  QVERIFY(!preview.ok());
  QCOMPARE(preview.error().kind, ErrorKind::Interrupted);
}

void SourcePreviewTest::runOfOurs() {
  RunIdentity identity;
  identity.uuid = "00000000-0000-0000-0000-000000000001";
  identity.name = "own";
  QVERIFY(RunFolder::create(path("own"), identity).ok());
  const auto preview = look(path("own"));
  QVERIFY(preview.ok() && preview->own && !preview->fault);
  QCOMPARE(preview->runs.size(), std::size_t{1});
  QCOMPARE(preview->runs[0].name, std::string("own"));
}

QTEST_APPLESS_MAIN(SourcePreviewTest)
#include "tst_source_preview.moc"
