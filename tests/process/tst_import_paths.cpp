// SPDX-License-Identifier: Apache-2.0
// Several sources by one command of the shell, imported and followed.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <set>

#include "core/base/json/json_members.h"
#include "core/imports/formats/event_file_writer.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class ImportPathsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void severalAtOnce();
  void aFolderOfSeveralKinds();
  void oneThatIsNone();
  void formatByBothNames();
  void followedTogether();
  void aFolderThatBecomesASource();
  void whatIsNotUsed();
  void theQueueGoesOn();

 private:
  QString project() const { return QString::fromStdString(m_fixture->path()); }
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(m_fixture->file(name));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
  }
  ShellResult import(QStringList words) const {
    words = QStringList{"import-run", "--project", project()} + words;
    return m_fixture->fathom(words);
  }
  Json runs() const { return m_fixture->fathom({"runs", "--project", project(), "--json"}).json()["runs"]; }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void ImportPathsTest::severalAtOnce() {
  const QString a = write("a.csv", "step,loss\n1,3\n2,2\n"),
                b = write("b.jsonl", "{\"step\": 1, \"acc\": 1}\n"), c = write("c.csv", "step,loss\n1,3\n");
  const Json json = import({a, b, c, b, "--json"}).json();
  QCOMPARE(json["runs"].size(), std::size_t{3});
  QCOMPARE(json["points"].get<int>(), 4);
  QCOMPARE(json["source_format"].get<std::string>(), std::string("csv, json"));
  QVERIFY(!json.contains("failed"));
  QCOMPARE(runs().size(), std::size_t{3});
}

// Each once, by the reader of its kind; followed as what is in it, and gone on with so.
void ImportPathsTest::aFolderOfSeveralKinds() {
  const QString mixed = m_fixture->file("mixed");
  QVERIFY(QDir().mkpath(mixed + "/tb"));
  EventFileWriter events(1700000000);
  for (int step = 1; step <= 3; ++step) events.scalar("loss", step, 1700000000 + step, 1);
  QVERIFY(!write("mixed/tb/events.out.tfevents.1", QByteArray::fromStdString(events.content())).isEmpty());
  QVERIFY(!write("mixed/keras.csv", "epoch,loss\n0,3\n1,2\n").isEmpty());
  QVERIFY(!write("mixed/live.jsonl", "{\"step\": 1, \"loss\": 1}\n").isEmpty());
  const Json json = import({mixed, "--json"}).json();
  QCOMPARE(memberText(json, "source_format"), std::string("tensorboard, csv, json"));
  QCOMPARE(json["points"].get<int>(), 6);
  std::set<std::string> names;
  for (const Json& run : json["runs"]) names.insert(memberText(run, "name"));
  QCOMPARE(names, (std::set<std::string>{"keras", "live", "tb"}));
  QCOMPARE(import({mixed, "--as", "tensorboard"}).exitCode, 0);
  QCOMPARE(runs().size(), std::size_t{4});
  // Runs of one name are summed: the one that is followed grows.
  const auto steps = [this](const char* name) {
    int sum = 0;
    for (const Json& run : runs())
      if (memberText(run, "name") == name) sum += static_cast<int>(memberInteger(run, "step", 0));
    return sum;
  };
  for (const int row : {2, 3}) {
    QProcess follower;
    follower.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                   {"import-run", "--project", project(), mixed, "--follow", "--json"});
    QVERIFY(follower.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(runs().size(), std::size_t{7}, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(steps("tb"), 9, 30'000);
    QFile live(mixed + "/live.jsonl");
    QVERIFY(live.open(QIODevice::Append));
    live.write("{\"step\": " + QByteArray::number(row) + ", \"loss\": 1}\n");
    live.close();
    QTRY_COMPARE_WITH_TIMEOUT(steps("live"), 1 + row, 30'000);
    follower.terminate();
    QVERIFY(follower.waitForFinished());
    const Json followed = parseJson(follower.readAllStandardOutput().toStdString()).value();
    QCOMPARE(followed["runs"].size(), std::size_t{3});
  }
}

// It is named, the others come in, and the exit code says that not all did.
void ImportPathsTest::oneThatIsNone() {
  const QString good = write("good.csv", "step,loss\n1,3\n"),
                bad = write("bad.csv", "step,loss\n1,x,3\nfirst,2\n");
  const ShellResult json = import({bad, good, "--json"});
  QCOMPARE(json.exitCode, 30);
  QCOMPARE(json.json()["runs"].size(), std::size_t{1});
  QCOMPARE(memberText(json.json()["failed"][0], "source"), bad.toStdString());
  const ShellResult text = import({good, bad});
  QVERIFY2(text.out.contains("not imported: " + bad), qPrintable(text.out));
  QCOMPARE(runs().size(), std::size_t{2});
  QCOMPARE(import({bad, bad}).exitCode, 30);
  const ShellResult missing = import({good, m_fixture->file("missing.csv")});
  QCOMPARE(missing.exitCode, 30);
  QVERIFY(missing.err.contains("missing.csv"));
  QCOMPARE(runs().size(), std::size_t{2});
}

void ImportPathsTest::formatByBothNames() {
  const QString log = write("log.csv", "step,loss\n1,3\n");
  for (const char* option : {"--format", "--as"}) {
    QCOMPARE(import({log, option, "csv"}).exitCode, 0);
    QCOMPARE(import({log, option, "tensorboard"}).exitCode, 30);
    const ShellResult unknown = import({log, option, "nobody"});
    QVERIFY2(unknown.exitCode != 0 && unknown.err.contains("nobody"), qPrintable(unknown.err));
  }
}

// Live beside each other, with when their sources grew; a source that is none is named, and they go on.
void ImportPathsTest::followedTogether() {
  const QString a = write("a.jsonl", "{\"step\": 1, \"loss\": 1}\n"),
                b = write("b.jsonl", "{\"step\": 1, \"loss\": 1}\n"),
                bad = write("bad.bin", QByteArray("\0\1\2", 3));
  QProcess follower;
  follower.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"import-run", "--project", project(), a, bad, b, "--follow", "--json"});
  QVERIFY(follower.waitForStarted());
  QTRY_COMPARE_WITH_TIMEOUT(runs().size(), std::size_t{2}, 30'000);
  for (const char* name : {"a.jsonl", "b.jsonl"}) {
    QFile file(m_fixture->file(name));
    QVERIFY(file.open(QIODevice::Append));
    file.write("{\"step\": 2, \"loss\": 1}\n");
  }
  const auto grown = [this] {
    int both = 0;
    for (const Json& run : runs())
      if (run.contains("source_growth") && run["source_growth"]["every"].get<double>() > 0) ++both;
    return both;
  };
  QTRY_COMPARE_WITH_TIMEOUT(grown(), 2, 30'000);
  const QString listed = m_fixture->fathom({"runs", "--project", project()}).out;
  QVERIFY2(listed.contains("running, last grew ") && listed.contains(" ago, this source writes every "),
           qPrintable(listed));
  follower.terminate();
  QVERIFY(follower.waitForFinished());
  const Json json = parseJson(follower.readAllStandardOutput().toStdString()).value();
  QCOMPARE(json["runs"].size(), std::size_t{2});
  QCOMPARE(json["points"].get<int>(), 4);
  QVERIFY(memberText(json["runs"][0], "growth").starts_with("last grew "));
  QCOMPARE(json["failed"].size(), std::size_t{1});
  QVERIFY(follower.readAllStandardError().contains("bad.bin"));
}

// Started before its program has written anything: it waits, says so, and has the run when it comes.
void ImportPathsTest::aFolderThatBecomesASource() {
  const QString logs = m_fixture->file("logs");
  QVERIFY(QDir().mkpath(logs));
  QProcess follower;
  follower.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"import-run", "--project", project(), logs, "--follow", "--json"});
  QVERIFY(follower.waitForStarted());
  QByteArray said;
  QTRY_VERIFY_WITH_TIMEOUT((said += follower.readAllStandardError()).contains("no program is recognised"),
                           30'000);
  EventFileWriter events(1700000000);
  for (int step = 1; step <= 3; ++step) events.scalar("loss", step, 1700000000 + step, 1);
  QFile file(logs + "/events.out.tfevents.1");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(events.content()));
  file.close();
  QTRY_COMPARE_WITH_TIMEOUT(runs().size(), std::size_t{1}, 30'000);
  follower.terminate();
  QVERIFY(follower.waitForFinished());
  const Json json = parseJson(follower.readAllStandardOutput().toStdString()).value();
  QCOMPARE(json["points"].get<int>(), 3);
  QCOMPARE(memberText(json, "source_format"), std::string("tensorboard"));
}

void ImportPathsTest::whatIsNotUsed() {
  const QString log = write("log.jsonl", "{\"step\": 1, \"loss\": 1}\n");
  for (const char* name : {"first", "second"}) {
    QProcess follower;
    follower.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                   {"import-run", "--project", project(), log, "--follow", "--name", name});
    QVERIFY(follower.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(runs().size(), std::size_t{1}, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(runs()[0].contains("source_growth"), 30'000);
    follower.terminate();
    QVERIFY(follower.waitForFinished());
    const QByteArray said = follower.readAllStandardError();
    QCOMPARE(said.contains("its runs have their names already: the name second is not used"),
             QByteArray(name) == "second");
  }
  QCOMPARE(runs()[0]["name"].get<std::string>(), std::string("first"));
}

// A follower that was killed is gone on with by whoever works on the queue; one that a person stopped is not.
void ImportPathsTest::theQueueGoesOn() {
  const QString log = write("log.jsonl", "{\"step\": 1, \"loss\": 1}\n");
  const auto append = [&](int step) {
    QFile file(log);
    if (file.open(QIODevice::Append))
      file.write("{\"step\": " + QByteArray::number(step) + ", \"loss\": 1}\n");
  };
  const auto step = [this] { return runs()[0]["step"].get<int>(); };
  const auto begin = [this](QProcess& process, const QStringList& words) {
    process.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                  QStringList{words[0], "--project", project()} + words.mid(1));
    return process.waitForStarted();
  };
  QProcess follower, queue, again;
  QVERIFY(begin(follower, {"import-run", log, "--follow"}));
  QTRY_COMPARE_WITH_TIMEOUT(runs().size(), std::size_t{1}, 30'000);
  follower.kill();
  QVERIFY(follower.waitForFinished());
  append(2);
  QVERIFY(begin(queue, {"run-queue", "--json"}));
  QTRY_COMPARE_WITH_TIMEOUT(step(), 2, 30'000);
  append(3);
  QTRY_COMPARE_WITH_TIMEOUT(step(), 3, 30'000);
  queue.terminate();
  QVERIFY(queue.waitForFinished());
  QCOMPARE(parseJson(queue.readAllStandardOutput().toStdString()).value()["followed"].get<int>(), 1);
  QCOMPARE(runs().size(), std::size_t{1});
  // Now a person follows it, and stops.
  QVERIFY(begin(again, {"import-run", log, "--follow"}));
  append(4);
  QTRY_COMPARE_WITH_TIMEOUT(step(), 4, 30'000);
  again.terminate();
  QVERIFY(again.waitForFinished());
  const ShellResult none = m_fixture->fathom({"run-queue", "--project", project(), "--json"});
  QCOMPARE(none.json()["followed"].get<int>(), 0);
}

QTEST_GUILESS_MAIN(ImportPathsTest)
#include "tst_import_paths.moc"
