// SPDX-License-Identifier: Apache-2.0
// Programs in surroundings that are not as usual: files of others beside ours, folders that cannot be looked
// into, no display, closed streams, limits, names that are no text.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;
namespace fs = std::filesystem;

class SurroundingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void filesOfOthersStay();
  void everyFileIsNamed();
  void foldersThatCannotBeLookedInto();
  void noDisplayIsOneSentence();
  void namesThatAreNoText();
  void closedStreamsDoNotBreakChildren();
  void limitsSayThatTheRunWaits_data();
  void limitsSayThatTheRunWaits();
  void unknownIsEmpty();
  void countsOfAnArchiveAreTrue();

 private:
  // One shell line with the program as $FATHOM and the project as $P; its output and error together.
  struct Said {
    int code = -1;
    QString text;
  };
  Said shell(const QString& line) const;
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(m_fixture.file(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes);
    return file.fileName();
  }
  QByteArray read(const char* name) const {
    QFile file(m_fixture.file(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  ShellResult ask(QStringList words) const {
    words.insert(1, QStringLiteral("--project"));
    words.insert(2, QString::fromStdString(m_fixture.path()));
    return m_fixture.fathom(words);
  }
  ProjectFixture m_fixture;
};

SurroundingsTest::Said SurroundingsTest::shell(const QString& line) const {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("FATHOM"), QStringLiteral(FATHOM_BIN_DIR "/fathom"));
  environment.insert(QStringLiteral("P"), QString::fromStdString(m_fixture.path()));
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.setWorkingDirectory(m_fixture.file(""));
  process.start(QStringLiteral("bash"), {QStringLiteral("-c"), QStringLiteral("ulimit -c 0; ") + line});
  if (!process.waitForFinished(120000)) return {};
  return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

void SurroundingsTest::filesOfOthersStay() {
  const QByteArray log = "step,loss\n1,3\n2,2\n3,1\n";
  const QString source = write("results.csv", log);
  QCOMPARE(ask({"import-run", source}).exitCode, 0);
  const QString figure = m_fixture.file("results.pdf");
  const ShellResult refused =
      ask({"export-figure", "--runs", "results", "--set", "metric=loss", "--out", figure});
  QCOMPARE(refused.exitCode, 30);
  QVERIFY2(refused.err.contains(source), qPrintable(refused.err));
  QCOMPARE(read("results.csv"), log);
  QVERIFY(!QFile::exists(figure));
  write("notes.dat", "mine\n");
  QCOMPARE(ask({"export-figure", "--runs", "results", "--set", "metric=loss", "--out",
                m_fixture.file("notes.tex")})
               .exitCode,
           30);
  QCOMPARE(read("notes.dat"), QByteArray("mine\n"));
  QVERIFY(!QFile::exists(m_fixture.file("notes.tex")) && !QFile::exists(m_fixture.file("notes.csv")));
  // Data is made into a folder where others have theirs.
  QDir().mkpath(m_fixture.file("spider"));
  write("spider/dev.json", "[]");
  QCOMPARE(m_fixture.fathom({"spider-sample", m_fixture.file("spider")}).exitCode, 30);
  QCOMPARE(read("spider/dev.json"), QByteArray("[]"));
  QCOMPARE(QDir(m_fixture.file("spider")).entryList(QDir::Files), QStringList{QStringLiteral("dev.json")});
}

void SurroundingsTest::everyFileIsNamed() {
  const QString figure = m_fixture.file("curve.tex");
  const QStringList words = {"export-figure", "--runs", "results", "--set", "metric=loss", "--out", figure};
  for (int round = 0; round < 2; ++round) {  // what Fathom wrote it may replace
    const ShellResult written = ask(words + QStringList{"--json"});
    QVERIFY2(written.exitCode == 0, qPrintable(written.out));
    const Json files = written.json()["files"];
    QCOMPARE(files.size(), std::size_t{3});
    for (const char* ending : {"tex", "dat", "csv"}) {
      const QString file = m_fixture.file("curve.") + QLatin1String(ending);
      QVERIFY(QFile::exists(file));
      QVERIFY(std::find(files.begin(), files.end(), Json(file.toStdString())) != files.end());
      QVERIFY(ask(words).out.contains(QStringLiteral("wrote ") + file));
    }
  }
}

// As a folder of another user or a server that is gone: a link to itself cannot be looked at by root, too.
void SurroundingsTest::foldersThatCannotBeLookedInto() {
  fs::create_symlink("loop.fathom", m_fixture.file("loop.fathom").toStdString());
  for (const QStringList& words : {QStringList{"runs", "--project", m_fixture.file("loop.fathom")},
                                   QStringList{m_fixture.file("loop.fathom")}}) {
    const ShellResult closed = m_fixture.fathom(words);
    QCOMPARE(closed.exitCode, 30);
    QVERIFY2(closed.err.contains("loop.fathom") && closed.err.contains("Too many levels"),
             qPrintable(closed.err));
  }
  const QString other = m_fixture.file("other.fathom");
  QCOMPARE(m_fixture.fathom({"new-project", other}).exitCode, 0);
  const std::string runs = other.toStdString() + "/runs";
  fs::remove_all(runs);
  fs::create_symlink("runs", runs);
  const ShellResult listed = m_fixture.fathom({"runs", "--project", other});
  QCOMPARE(listed.exitCode, 30);
  QVERIFY2(listed.err.contains(QString::fromStdString(runs)), qPrintable(listed.err));
  fs::remove(runs);
  fs::create_directory(runs);
  fs::create_symlink("one", runs + "/one");
  const ShellResult one = m_fixture.fathom({"runs", "--project", other});
  QCOMPARE(one.exitCode, 0);
  QVERIFY2(one.err.contains(QString::fromStdString(runs) + "/one") && one.err.contains("Too many levels"),
           qPrintable(one.err));
  QVERIFY2(one.out.contains("unreadable") && !one.out.contains("lost"), qPrintable(one.out));
}

void SurroundingsTest::noDisplayIsOneSentence() {
  for (const char* display : {"", "DISPLAY=:4711 "})
    for (const char* word : {"", "\"$P\""}) {
      const Said said =
          shell(QStringLiteral("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM ") +
                QLatin1String(display) + QStringLiteral("timeout 20 \"$FATHOM\" ") + QLatin1String(word));
      QVERIFY2(said.code == 30, qPrintable(QString::number(said.code) + said.text));
      QVERIFY2(said.text.startsWith("fathom: there is no display") && said.text.count('\n') == 1,
               qPrintable(said.text));
    }
}

void SurroundingsTest::namesThatAreNoText() {
  for (const char* line :
       {"\"$FATHOM\" new-project --out $'latin\\344.fathom'", "\"$FATHOM\" $'latin\\344.fathom'",
        "\"$FATHOM\" runs --project $'latin\\344.fathom'",
        "mkdir $'in\\344'; cd $'in\\344'; \"$FATHOM\" new-project --out p.fathom"}) {
    const Said said = shell(QLatin1String(line));
    QVERIFY2(said.code == 2 && said.text.contains("is not UTF-8"), qPrintable(said.text));
  }
  QVERIFY(QDir(m_fixture.file("")).entryList({QStringLiteral("latin*")}).isEmpty());
  QVERIFY(fs::remove(m_fixture.file("").toStdString() + "/in\xe4"));  // Qt could not
}

void SurroundingsTest::closedStreamsDoNotBreakChildren() {
  for (const QString& closed : {QStringLiteral("<&-"), QStringLiteral("2>&-"), QStringLiteral(">&-"),
                                QStringLiteral("<&- >&- 2>&-")}) {
    const Said said =
        shell(QStringLiteral("\"$FATHOM\" train --project \"$P\" --name closed --set "
                             "fake.behaviour=finish --set fake.steps=12 --wait %1; echo code $?")
                  .arg(closed));
    // What is printed nowhere has not arrived.
    const int code = closed.contains(QStringLiteral(" >&-")) || closed == QStringLiteral(">&-") ? 50 : 0;
    QVERIFY2(said.text.endsWith(QStringLiteral("code %1\n").arg(code)), qPrintable(closed + said.text));
    const Json runs = ask({"runs", "--json"}).json()["runs"];
    QCOMPARE(runs.back()["state"].get<std::string>(), std::string("finished"));
  }
}

void SurroundingsTest::limitsSayThatTheRunWaits_data() {
  QTest::addColumn<QString>("limit");
  QTest::addColumn<int>("code");
  QTest::newRow("file size") << QStringLiteral("ulimit -f 0") << 50;
  QTest::newRow("descriptors") << QStringLiteral("ulimit -n 8") << 50;
}

// Nothing waits that nobody knows of, and the code is that of the limit.
void SurroundingsTest::limitsSayThatTheRunWaits() {
  QFETCH(QString, limit);
  QFETCH(int, code);
  const Said said = shell(limit + QStringLiteral("; \"$FATHOM\" train --project \"$P\" --name limited --set "
                                                 "fake.behaviour=finish --set fake.steps=12 --wait"));
  QVERIFY2(said.code == code, qPrintable(QString::number(said.code) + said.text));
  const bool waits = !m_fixture.queue().entries().value().empty();
  QVERIFY2(waits == said.text.contains("still queued"), qPrintable(said.text));
  if (waits) QVERIFY2(said.text.contains("fathom stop --project"), qPrintable(said.text));
  for (const QueueEntry& entry : m_fixture.queue().entries().value())
    ask({"stop", QString::fromStdString(entry.uuid)});
}

void SurroundingsTest::unknownIsEmpty() {
  QCOMPARE(
      ask({"import-run", write("axes.csv", "step,m,epoch\n10,1,\n20,2,1.5\n"), "--name", "axes"}).exitCode,
      0);
  const ShellResult csv = ask({"curves", "axes", "--metric", "m", "--csv"});
  const QStringList lines = csv.out.split('\n');
  QVERIFY2(lines[1].endsWith(",m,10,,,,1") && lines[2].endsWith(",m,20,1.5,,,2"), qPrintable(csv.out));
  const Json curve = ask({"curves", "axes", "--metric", "m", "--json"}).json()["curves"][0];
  QVERIFY(curve["seconds"][0].is_null() && curve["tokens"][1].is_null() && curve["epoch"][0].is_null());
  QCOMPARE(curve["epoch"][1].get<double>(), 1.5);
  const Json runs = ask({"runs", "--json"}).json()["runs"];
  const auto row =
      std::find_if(runs.begin(), runs.end(), [](const Json& run) { return run["name"] == "axes"; });
  QVERIFY(row != runs.end() && (*row)["elapsed"].is_null());
  // A figure has no place for what is unknown.
  const QStringList figure = {"export-figure", "--runs",   "axes", "--out", m_fixture.file("epochs.svg"),
                              "--set",         "metric=m", "--set"};
  const ShellResult untimed = ask(figure + QStringList{"axis=time"});
  QVERIFY2(untimed.exitCode == 30 && untimed.err.contains("does not tell its times"),
           qPrintable(untimed.err));
  QCOMPARE(ask(figure + QStringList{"axis=epoch"}).exitCode, 0);
  QCOMPARE(read("epochs.csv").count('\n'), 3);
}

void SurroundingsTest::countsOfAnArchiveAreTrue() {
  const QString archive = m_fixture.file("r.tar.gz");
  QCOMPARE(
      ask({"train", "--name", "kept", "--set", "fake.behaviour=finish", "--set", "fake.steps=12", "--wait"})
          .exitCode,
      0);
  QCOMPARE(ask({"export-run", "kept", "--out", archive}).exitCode, 0);
  const QString other = m_fixture.file("archives.fathom");
  QCOMPARE(m_fixture.fathom({"new-project", other}).exitCode, 0);
  const ShellResult imported = m_fixture.fathom({"import-run", "--project", other, archive, "--json"});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.out));
  const Json run = imported.json()["runs"][0];
  const ShellResult shown = m_fixture.fathom({"show", "--project", other, "kept", "--json"});
  QVERIFY(!run["options"].empty());
  QCOMPARE(run["options"].size(), shown.json()["run"]["options"].size());
  QVERIFY(run["path"].get<std::string>().ends_with("/" + run["uuid"].get<std::string>()));
}

QTEST_GUILESS_MAIN(SurroundingsTest)
#include "tst_surroundings.moc"
