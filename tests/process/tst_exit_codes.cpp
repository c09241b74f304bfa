// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// The same mistake gives the same exit code in both programs, whatever its words are.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/task.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;
namespace fs = std::filesystem;

class ExitCodesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void bothPrograms_data();
  void bothPrograms();
  void estimates_data();
  void estimates();
  void absentThings();
  void lockedRun();
  void missingFigureFolder();
  void wordsThatAreNotUtf8();

 private:
  struct Ended {
    int code = -1;
    QString said;
  };
  static Ended program(const QString& name, const QStringList& words);
  static Ended fathom(const QStringList& words) { return program(FATHOM_BIN_DIR "/fathom", words); }
  Ended engine(const QStringList& words) {
    const test::Ended ended = m_forks.run(words);
    return {ended.code, QString::fromUtf8(ended.out + ended.err)};
  }
  QString path(const QString& name) const { return m_dir.filePath(name); }
  QStringList settings() const;
  QTemporaryDir m_dir;
  test::EngineForks m_forks;
};

ExitCodesTest::Ended ExitCodesTest::program(const QString& name, const QStringList& words) {
  QProcess process;
  process.start(name, words);
  Ended ended;
  if (process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit)
    ended.code = process.exitCode();
  ended.said = QString::fromUtf8(process.readAllStandardOutput() + process.readAllStandardError());
  return ended;
}

void ExitCodesTest::initTestCase() {
  for (const char* name : {"cache", "config", "run"}) QDir(m_dir.path()).mkdir(name);
  QFile::setPermissions(path("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("XDG_CACHE_HOME", path("cache").toUtf8());
  qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
  qputenv("XDG_RUNTIME_DIR", path("run").toUtf8());
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  QVERIFY(ProjectLibrary::create(path("p.fathom").toStdString()).ok());
  // What a path is called decides nothing.
  QVERIFY(writeMadeSentences(path("out of memory CUDA error").toStdString(), 1, {60, 10, 10}).ok());
  std::ofstream(path("empty.tsv").toStdString()) << "";
  std::ofstream(path("blank.tsv").toStdString()) << "\n \n";
  std::ofstream(path("config.json").toStdString()) << R"({"format":1,"name":"tiny","options":{}})";
}

// A run of a second or two; what comes after them wins.
QStringList ExitCodesTest::settings() const {
  QStringList words;
  for (const char* part : {"train", "validation", "test"})
    words << "--set" << QString("data.%1=%2/%1.tsv").arg(part, path("out of memory CUDA error"));
  for (const char* word :
       {"data.vocabulary.size=60", "model.width=16", "model.heads=2", "model.feed_forward=16",
        "encoder.layers=1", "decoder.layers=1", "training.length=2u", "validation.score_interval=never",
        "device=cpu", "threads=1"})
    words << "--set" << word;
  return words;
}

void ExitCodesTest::bothPrograms_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  const auto row = [](const char* name, int code, const QStringList& words) {
    QTest::newRow(name) << words << code;
  };
  row("nothing wrong", 0, {});
  row("absent file under memory", 30, {"--set", "data.train=/nowhere/memory/train.tsv"});
  row("absent file under cuda", 30, {"--set", "data.train=/nowhere/CUDA error/train.tsv"});
  row("a folder as a file", 30, {"--set", "data.train=" + QDir::tempPath()});
  row("device that is not there", 30, {"--set", "device=cuda:97"});
  row("no device at all", 30, {"--set", "device=tpu"});
  row("options that do not fit each other", 30, {"--set", "model.heads=3"});
  row("no training file", 30, {"--set", "data.train="});
  row("an empty validation file", 30, {"--set", "data.validation=" + path("empty.tsv")});
  row("a blank training file", 30, {"--set", "data.train=" + path("blank.tsv")});
  row("unknown preset", 30, {"--preset", "sample_smal"});
  row("unknown option", 2, {"--set", "data.trian=x"});
  row("value of the wrong type", 2, {"--set", "model.width=many"});
  row("several words behind --set", 2, {"--set", "model.width=16", "model.heads=2"});
  row("unknown word", 2, {"--nonsense"});
}

void ExitCodesTest::bothPrograms() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  const QString run = path(QString("run-%1").arg(QTest::currentDataTag()).replace(' ', '_'));
  const bool preset = words.value(0) == "--preset";  // of the engine another verb takes it
  const Ended direct =
      preset
          ? engine(QStringList{"init-report"} + words)
          : engine(QStringList{"train", "--config", path("config.json"), "--run", run} + settings() + words);
  QVERIFY2(direct.code == code, qPrintable("fathom-engine: " + direct.said));
  const Ended queued =
      fathom(QStringList{"train", "--project", path("p.fathom"), "--wait"} + settings() + words);
  QVERIFY2(queued.code == code, qPrintable("fathom: " + queued.said));
  if (code != 0) QVERIFY(QueueFolder(path("p.fathom").toStdString()).entries()->empty());
}

// What a run needs is asked for in the same words, and refused alike.
void ExitCodesTest::estimates_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<int>("code");
  QTest::newRow("options that do not fit") << QStringList{"--set", "model.heads=3"} << 30;
  QTest::newRow("no device") << QStringList{"--set", "device=tpu"} << 30;
  QTest::newRow("unknown option") << QStringList{"--set", "data.trian=x"} << 2;
  QTest::newRow("wrong type") << QStringList{"--set", "model.width=many"} << 2;
  QTest::newRow("unknown word") << QStringList{"--nonsense"} << 2;
}

void ExitCodesTest::estimates() {
  QFETCH(QStringList, words);
  QFETCH(int, code);
  const QStringList all = settings() + words;
  const Ended asked = engine(QStringList{"estimate", "--check", "--config", path("config.json")} + all);
  QVERIFY2(asked.code == code, qPrintable("fathom-engine estimate: " + asked.said));
  const Ended dry = fathom(QStringList{"train", "--project", path("p.fathom"), "--dry-run"} + all);
  QVERIFY2(dry.code == code, qPrintable("fathom train --dry-run: " + dry.said));
  const Ended learns = fathom(QStringList{"trainability"} + all);
  QVERIFY2(learns.code == code || words.contains("device=tpu"), qPrintable("fathom: " + learns.said));
}

// What was named and is not there is 30, whatever it is.
void ExitCodesTest::absentThings() {
  const QString project = path("p.fathom"), absent = path("absent.fathom");
  const QStringList ours[] = {
      {"runs", "--project", absent},
      {"show", "--project", absent, "a"},
      {"train", "--project", absent},
      {"show", "--project", project, "absent"},
      {"stop", "--project", project, "absent"},
      {"resume", "--project", project, "absent"},
      {"retry", "--project", project, "absent"},
      {"delete", "--project", project, "absent"},
      {"restore", "--project", project, "absent"},
      {"curves", "--project", project, "absent"},
      {"compare", "--project", project, "absent", "absent"},
      {"ask", "--project", project, "--run", "absent", "why"},
      {"export-run", "--project", project, "absent", "--out", path("a.tar.gz")},
      {"grid", "--project", project, "--show", "absent"},
      {"task-table", "--project", project, "grid:absent"},
      {"export-figure", "--project", project, "--recipe", "absent", "--out", path("a.pdf")},
      {"export-figure", "--project", project, "--composition", "absent", "--out", path("a.pdf")}};
  for (const QStringList& words : ours) {
    const Ended ended = fathom(words);
    QVERIFY2(ended.code == 30 && ended.said.contains("absent"),
             qPrintable(words.join(' ') + ": " + ended.said));
  }
  for (const char* verb : {"resume", "evaluate", "predict", "serve", "average", "export-encoder"}) {
    QStringList words{verb, "--run", path("absent")};
    if (*verb == 'a' || qstrcmp(verb, "export-encoder") == 0) words << "--out" << path("made");
    const Ended ended = engine(words);
    QVERIFY2(ended.code == 30 && ended.said.contains("absent"),
             qPrintable(words.join(' ') + ": " + ended.said));
  }
}

// Somebody else writes the run: 30, not the disk's fault.
void ExitCodesTest::lockedRun() {
  const std::string run = path("p.fathom/runs/locked").toStdString();
  const RunFolder folder =
      RunFolder::create(run, {"5f0e0d0c-0b0a-4908-8706-050403020100", "locked", "", {}, {}}).value();
  RunConfig config;
  for (const char* part : {"train", "validation", "test"})
    config.options[std::string("data.") + part] =
        path("out of memory CUDA error").toStdString() + "/" + part + ".tsv";
  QVERIFY(folder.beginAttempt(runConfigToJson(config)).ok());
  const auto lock = RunLock::acquire(run, "");
  QVERIFY(lock.ok());
  const Ended direct = engine({"resume", "--run", QString::fromStdString(run)});
  QVERIFY2(direct.code == 30 && direct.said.contains("in use by process"), qPrintable(direct.said));
  const Ended queued = fathom({"resume", "--project", path("p.fathom"), "locked"});
  QVERIFY2(queued.code == 30 && queued.said.contains("is running"), qPrintable(queued.said));
}

void ExitCodesTest::missingFigureFolder() {
  const QString file = path("no/memory/here/figure.pdf");
  const Ended nothing = fathom({"export-figure", "--project", path("p.fathom"), "--figure", "training_curve",
                                "--runs", "locked", "--out", file});
  QVERIFY2(nothing.code == 30, qPrintable(nothing.said));
  const Ended analysed = fathom({"analyse", "--project", path("p.fathom"), "--run", "locked", "--analysis",
                                 "attention_entropy", "--figure", file});
  QVERIFY2(analysed.code == 30 && analysed.said.contains("no/memory/here"), qPrintable(analysed.said));
  const Ended archive = fathom({"export-run", "--project", path("p.fathom"), "--run", "locked", "--out",
                                path("no/memory/run.tar.gz")});
  QVERIFY2(archive.code == 30 && archive.said.contains("no/memory"), qPrintable(archive.said));
  // Before anything is read: the gold file is not there either.
  for (const QString& what : {"--csv", "--table", "--figure"}) {
    const Ended reviewed = fathom({"review", "--kind", "translation", "--gold", path("nothing"),
                                   "--predictions", path("nothing"), what, path("no/memory/here/rows.csv")});
    QVERIFY2(reviewed.code == 30 && reviewed.said.contains("no/memory"), qPrintable(reviewed.said));
  }
  for (const QStringList& words : {QStringList{"predict", "--output"}, QStringList{"evaluate", "--keep"}}) {
    const Ended ended = engine(words.mid(0, 1) + QStringList{"--run", path("nothing"), words[1], file});
    QVERIFY2(ended.code == 30 && ended.said.contains("no/memory"), qPrintable(ended.said));
  }
  for (const QStringList& words :
       {QStringList{"average", "--run", path("nothing")},
        QStringList{"export-encoder", "--run", path("nothing")},
        QStringList{"import-encoder", "--from", path("nothing")}, QStringList{"sample"}}) {
    const Ended ended = engine(words + QStringList{"--out", path("no/memory/made")});
    QVERIFY2(ended.code == 30 && ended.said.contains("no/memory"), qPrintable(ended.said));
  }
}

// The name of a file in another encoding, and a text that a message cuts inside a letter: an error like any
// other, also as a line of JSON.
void ExitCodesTest::wordsThatAreNotUtf8() {
  QStringList words{FATHOM_BIN_DIR "/fathom-engine",
                    "trainability",
                    "--progress-lines",
                    "--json",
                    "--config",
                    FATHOM_SOURCE_DIR "/resources/presets/reclor_quick.json"};
  const Json sample = findTask("reclor")
                          ->madeData.write(path("reclor").toStdString(), 1, MadeDataSize::Check)
                          .value()
                          .options;
  for (const auto& [key, value] : sample.items())
    words << "--set"
          << QString::fromStdString(key + "=" +
                                    (value.is_string() ? value.get<std::string>() : value.dump()));
  const auto asked = [&](const QString& file) {
    QProcess process;  // a QString would not carry the byte
    process.start("/bin/sh",
                  QStringList{"-c", R"x(f=$(printf "$0"); exec "$@" --set "data.train=$f")x", file} + words);
    process.waitForFinished(120000);
    return std::pair(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                     process.readAllStandardOutput());
  };
  const auto [code, said] = asked(R"(/none/a\377.json)");
  QVERIFY2(code == 2, said.constData());
  std::ofstream(path("cut.json").toStdString())
      << R"([{"context":"c","question":"q","answers":["a","b"],"label":")" << std::string(58, 'x')
      << "éé\"}]";
  const auto [cut, lines] = asked(path("cut.json"));
  QVERIFY2(cut == 30, lines.constData());
  QVERIFY2(lines.contains("is not the place of one of"), lines.constData());
  QCOMPARE(QString::fromUtf8(lines).toUtf8(), lines);
}

QTEST_GUILESS_MAIN(ExitCodesTest)
#include "tst_exit_codes.moc"
