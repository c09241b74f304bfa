// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks bench
// fathom-engine as a shell sees it: events on stdout, exit codes, what is said about wrong options.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/options/metric.h"
#include "core/record/events/event_log.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/task.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_word_pairs.h"

using namespace fathom;
using test::Ended;
using test::ran;

namespace {

const QString kEngine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
const QString kBenches = QStringLiteral(FATHOM_BIN_DIR "/fathom-bench-engine");

}  // namespace

class TestEngineShell : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void eventsOnStdoutAreTheFile();
  void closedReaderDoesNotDelayTheRun();
  void optionsAreNamed_data();
  void optionsAreNamed();
  void wrongCommandLine();
  void helpNamesTheTasks();
  void oneAssignmentEach();
  void theCompilerIsNamed();
  void metricsAreDescribed();
  void anAbsentPeerIsASentence();
  void fullDeviceIsNotAResult();
  void fileSizeLimitIsAnError();
  void standardInputIsWhatIsLeftOfIt();
  void inputIsReadStrictly_data();
  void inputIsReadStrictly();
  void longLinesAreTold();
  void damagedCheckpointIsPassedOverLoudly();
  void initialisationIsReported();

 private:
  QString path(const QString& name) const { return m_dir.filePath(name); }
  Ended engine(const QStringList& arguments) const { return m_forks.run(arguments); }
  QString copyOfRun(const QString& name) const;
  QTemporaryDir m_dir;
  mutable test::EngineForks m_forks;
};

void TestEngineShell::initTestCase() {
  QVERIFY2(QFile::exists(kEngine), "fathom-engine is not built");
  QVERIFY(writeMadeSentences(path(QStringLiteral("data")).toStdString(), 1, {400, 30, 30}).ok());
  const Json config = test::tinyTranslation(path(QStringLiteral("data")), {{"checkpoint.keep_last", 10}});
  std::ofstream(path(QStringLiteral("config.json")).toStdString()) << config.dump(1);
}

void TestEngineShell::eventsOnStdoutAreTheFile() {
  const Ended ended =
      ran(kEngine, {QStringLiteral("train"), QStringLiteral("--config"), path(QStringLiteral("config.json")),
                    QStringLiteral("--run"), path(QStringLiteral("run")), QStringLiteral("--events"),
                    QStringLiteral("stdout")});
  QVERIFY2(ended.code == 0, ended.err.constData());
  const std::string file =
      readFile(path(QStringLiteral("run/attempts/0001/events.jsonl")).toStdString()).value();
  QVERIFY(ended.out == QByteArray::fromStdString(file));
  int steps = 0;
  std::int64_t seq = 0;
  for (const QByteArray& line : ended.out.trimmed().split('\n')) {
    QVERIFY2(!checkedEventBody(line.toStdString()).empty(), line.constData());
    const Json event = Json::parse(line.toStdString());
    QCOMPARE(event.at("seq").get<std::int64_t>(), seq++);
    steps += event.at("k") == "step";
  }
  QCOMPARE(steps, 12);
}

void TestEngineShell::closedReaderDoesNotDelayTheRun() {
  const QString line =
      QStringLiteral("'%1' train --config '%2' --run '%3' --events stdout | head -n 1; exit ${PIPESTATUS[0]}")
          .arg(kEngine, path(QStringLiteral("config.json")), path(QStringLiteral("closed")));
  const Ended ended = ran(QStringLiteral("bash"), {QStringLiteral("-c"), line});
  QVERIFY2(ended.code == 0, ended.err.constData());
  QVERIFY(QFile::exists(path(QStringLiteral("closed/attempts/0001/outcome.json"))));
  QVERIFY(ended.out.contains("run_started"));
}

void TestEngineShell::optionsAreNamed_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QStringList>("named");
  const auto row = [](const char* name, const char* assignment, const QStringList& named) {
    QTest::newRow(name) << QString::fromUtf8(assignment) << named;
  };
  row("nearest match", "encoder.layer=2",
      {QStringLiteral("encoder.layer"), QStringLiteral("encoder.layers")});
  row("nearest choice", "encoder.residual=post_nl", {QStringLiteral("post_nl"), QStringLiteral("post_ln")});
  row("text for a number", "encoder.layers=many", {QStringLiteral("encoder.layers"), QStringLiteral("many")});
  row("out of range", "model.dropout=1.5", {QStringLiteral("model.dropout"), QStringLiteral("1.5")});
  row("not a time", "training.length=10x", {QStringLiteral("training.length"), QStringLiteral("10x")});
  row("not an assignment", "seed", {QStringLiteral("seed")});
  row("no number", "lr_schedule.rate=nan", {QStringLiteral("lr_schedule.rate"), QStringLiteral("'nan'")});
  row("no key", "=3", {QStringLiteral("no key")});
}

void TestEngineShell::optionsAreNamed() {
  QFETCH(QString, assignment);
  QFETCH(QStringList, named);
  const Ended ended =
      engine({QStringLiteral("train"), QStringLiteral("--config"), path(QStringLiteral("config.json")),
              QStringLiteral("--run"), path(QString::fromUtf8(QTest::currentDataTag())),
              QStringLiteral("--set"), assignment});
  QCOMPARE(ended.code, 2);
  QVERIFY(!QFile::exists(path(QString::fromUtf8(QTest::currentDataTag()))));
  for (const QString& word : named) QVERIFY2(ended.err.contains(word.toUtf8()), ended.err.constData());
}

void TestEngineShell::wrongCommandLine() {
  const Ended verb = engine({QStringLiteral("trian")});
  QCOMPARE(verb.code, 2);
  QVERIFY2(verb.err.contains("'trian'") && verb.err.contains("'train'"), verb.err.constData());
  const auto said = [&](const char* words, const char* hint) {
    const Ended wrong = engine(QString::fromLatin1(words).split(' '));
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.startsWith("error: ") && wrong.err.contains(hint), wrong.err.constData());
  };
  said("train --runn x", "did you mean --run?");
  said("trainability --jsn", "did you mean --json?");
  said("trainability now", "one word too many");
  for (const auto& [words, hint] : {std::pair("rat-layr", "did you mean 'rat-layer'?"),
                                    std::pair("rat-layer --stps 3", "did you mean --steps?")}) {
    const Ended wrong = ran(kBenches, QString::fromLatin1(words).split(' '));
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.startsWith("error: ") && wrong.err.contains(hint), wrong.err.constData());
  }
  QCOMPARE(engine({QStringLiteral("train")}).code, 2);
  for (const char* count : {"-3", "0", "x"}) {
    for (const QStringList& words : {QStringList{QStringLiteral("init-report")},
                                     QStringList{QStringLiteral("describe"), QStringLiteral("--model")}}) {
      const Ended wrong = engine(words + QStringList{QStringLiteral("--vocabulary"), QLatin1String(count)});
      QCOMPARE(wrong.code, 2);
      QVERIFY2(wrong.err.contains("whole number from 1"), wrong.err.constData());
    }
  }
  // An option that an analysis does not use is wrong usage, whatever the run.
  for (const char* analysis : {"beta_dependency", "gradient_norm", "output_shift", "attention_maps"}) {
    const Ended unused =
        engine({QStringLiteral("probe"), QStringLiteral("--run"), path(QStringLiteral("nowhere")),
                QStringLiteral("--analysis"), QLatin1String(analysis), QStringLiteral("--examples"),
                QStringLiteral("50")});
    QCOMPARE(unused.code, 2);
    QVERIFY2(unused.err.contains(analysis) && unused.err.contains("it takes: "), unused.err.constData());
  }
  // What is wrong with a file is not wrong with the command line, and nothing is wrong with the disk.
  std::ofstream(path(QStringLiteral("wrong.json")).toStdString())
      << R"({"format":1,"options":{"seed":"abc"}})";
  for (const char* file : {"nowhere.json", "data", "wrong.json"}) {
    const Ended wrong = engine({QStringLiteral("train"), QStringLiteral("--run"), path(QStringLiteral("new")),
                                QStringLiteral("--config"), path(QLatin1String(file))});
    QCOMPARE(wrong.code, 30);
    QVERIFY2(wrong.err.contains(file), wrong.err.constData());
  }
  QCOMPARE(engine({QStringLiteral("train"), QStringLiteral("--evnts"), QStringLiteral("stdout")}).code, 2);
  const Ended none =
      engine({QStringLiteral("resume"), QStringLiteral("--run"), path(QStringLiteral("nowhere"))});
  QVERIFY(none.code != 0 && none.err.contains("nowhere"));
}

// Tasks, the form of their lines and what --task takes stand in the help, from the list of tasks.
void TestEngineShell::helpNamesTheTasks() {
  const QByteArray predict = engine({QStringLiteral("predict"), QStringLiteral("--help")}).out,
                   serve = engine({QStringLiteral("serve"), QStringLiteral("--help")}).out,
                   sample = engine({QStringLiteral("sample"), QStringLiteral("--help")}).out;
  for (const TaskEntry& task : taskEntries()) {
    QVERIFY2(!task.inputForm.empty(), task.id.c_str());
    for (const QByteArray& help : {predict, serve}) {
      QVERIFY2(help.contains(task.id.c_str()), help.constData());
      QVERIFY2(help.contains(task.inputForm.c_str()), help.constData());
    }
    if (task.madeData.write == nullptr) continue;
    for (const Json& file : task.madeData.files("")) {
      const std::string name = std::filesystem::path(file.get<std::string>()).filename().string();
      QVERIFY2(sample.contains(name.c_str()), name.c_str());
    }
    QVERIFY2(sample.contains(task.id.c_str()), sample.constData());
  }
  const Ended unknown =
      engine({QStringLiteral("sample"), QStringLiteral("--out"), path(QStringLiteral("none")),
              QStringLiteral("--task"), QStringLiteral("squd")});
  QCOMPARE(unknown.code, 2);
  QVERIFY2(unknown.err.contains("squad"), unknown.err.constData());
}

// --set takes one assignment, and says so.
void TestEngineShell::oneAssignmentEach() {
  const QByteArray help = engine({QStringLiteral("train"), QStringLiteral("--help")}).out;
  QVERIFY2(help.contains("--set KEY=VALUE ") && !help.contains("KEY=VALUE ..."), help.constData());
  const Ended two = engine({QStringLiteral("train"), QStringLiteral("--run"), path(QStringLiteral("two")),
                            QStringLiteral("--set"), QStringLiteral("seed=1"), QStringLiteral("threads=1")});
  QCOMPARE(two.code, 2);
  QVERIFY2(two.err.contains("--set threads=1"), two.err.constData());
  const Ended repeated = engine({QStringLiteral("train"), QStringLiteral("--dump"), QStringLiteral("minimal"),
                                 QStringLiteral("--set"), QStringLiteral("seed=7"), QStringLiteral("--set"),
                                 QStringLiteral("threads=1")});
  QVERIFY2(
      repeated.code == 0 && repeated.out.contains("\"seed\": 7") && repeated.out.contains("\"threads\": 1"),
      (repeated.out + repeated.err).constData());
}

// The engine and this test are made by one compiler.
void TestEngineShell::theCompilerIsNamed() {
  const Json json = parseJson(engine({QStringLiteral("describe")}).out.toStdString()).value();
#ifdef __clang__
  const std::string name = "clang++ " + std::to_string(__clang_major__) + ".";
#else
  const std::string name = "g++ " + std::to_string(__GNUC__) + ".";
#endif
  const std::string found = json.at("libraries").at("compiler").get<std::string>();
  QVERIFY2(found.starts_with(name) && found.find("Debian Clang") == std::string::npos, found.c_str());
}

// What the engine describes is what this program knows without it.
void TestEngineShell::metricsAreDescribed() {
  const Json json = parseJson(engine({QStringLiteral("describe")}).out.toStdString()).value();
  QCOMPARE(metricsFromJson(json.at("metrics")), programMetrics());
}

// What a peer needs is not on every machine: one sentence says so, and the bench goes on without it.
void TestEngineShell::anAbsentPeerIsASentence() {
  const auto without = [&](const QString& python, const QString& script) {
    const Ended ended = ran(kBenches, {QStringLiteral("optimizer-step"), QStringLiteral("--pairs"),
                                       QStringLiteral("1"), QStringLiteral("--tensors"), QStringLiteral("4"),
                                       QStringLiteral("--elements"), QStringLiteral("65536"),
                                       QStringLiteral("--python"), python, QStringLiteral("--peer"), script});
    if (ended.code != 0 || !ended.err.isEmpty()) qWarning("%s", ended.err.constData());
    const Json json = parseJson(ended.out.toStdString()).value();
    return QString::fromStdString(json.at("check").at("peer").get<std::string>());
  };
  const QString script = path(QStringLiteral("peer.sh"));
  const auto write = [&](const char* text) { std::ofstream(script.toStdString()) << text; };
  write("");
  QVERIFY(without(QStringLiteral("no-such-python"), script).contains(QStringLiteral("cannot be started")));
  write(
      "echo 'Traceback (most recent call last):' >&2\n"
      "echo \"ModuleNotFoundError: No module named 'torch'\" >&2\nexit 1\n");
  const QString absent = without(QStringLiteral("sh"), script);
  QVERIFY2(absent.contains(QStringLiteral("no module 'torch'")) &&
               absent.contains(QStringLiteral("bench-peers.sh")),
           qPrintable(absent));
  write("echo 'one line' >&2\necho 'the last word' >&2\nexit 3\n");
  const QString failed = without(QStringLiteral("sh"), script);
  QVERIFY2(failed.endsWith(QStringLiteral("the last word")), qPrintable(failed));
}

// The trained run of the first test, its own copy.
QString TestEngineShell::copyOfRun(const QString& name) const {
  std::filesystem::copy(path(QStringLiteral("run")).toStdString(), path(name).toStdString(),
                        std::filesystem::copy_options::recursive);
  return path(name);
}

// What could not be written is an error, whatever printed it.
void TestEngineShell::fullDeviceIsNotAResult() {
  std::ofstream(path(QStringLiteral("one.txt")).toStdString()) << "drei\n";
  const QString run = path(QStringLiteral("run"));
  for (const QString& words :
       {QStringLiteral("describe"), QStringLiteral("init-report --vocabulary 50 --set encoder.layers=1"),
        QStringLiteral("evaluate --run '%1'").arg(run), QStringLiteral("--help"),
        QStringLiteral("predict --run '%1' --input '%2'").arg(run, path(QStringLiteral("one.txt"))),
        QStringLiteral("probe --run '%1' --analysis input_norm --examples 8").arg(run)}) {
    const Ended ended =
        ran(QStringLiteral("bash"),
            {QStringLiteral("-c"), QStringLiteral("'%1' %2 > /dev/full").arg(kEngine, words)});
    QVERIFY2(ended.code == 50, qPrintable(words + QString::fromUtf8(ended.err)));
    QVERIFY2(ended.err.contains("could not be written"), ended.err.constData());
  }
}

// A limit that the shell set is told like a full disk, and nothing half-made stays.
void TestEngineShell::fileSizeLimitIsAnError() {
  const QString run = path(QStringLiteral("run")), bin = QStringLiteral(FATHOM_BIN_DIR "/");
  QDir().mkpath(path(QStringLiteral("small")));
  const QString out = path(QStringLiteral("small/out"));
  for (const QString& words : {QStringLiteral("fathom-engine average --run '%1' --out '%2'").arg(run, out),
                               QStringLiteral("fathom-engine sample --out '%1'").arg(out)}) {
    const Ended ended =
        ran(QStringLiteral("bash"), {QStringLiteral("-c"), QStringLiteral("ulimit -f 4; ") + bin + words});
    QVERIFY2(ended.code == 50, qPrintable(words + QString::fromUtf8(ended.err)));
    QVERIFY2(ended.err.contains("ulimit -f"), ended.err.constData());
    QCOMPARE(QDir(path(QStringLiteral("small"))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList());
  }
}

// The descriptor itself is read, not the file behind it from its beginning; nothing is no error.
void TestEngineShell::standardInputIsWhatIsLeftOfIt() {
  std::ofstream(path(QStringLiteral("three.txt")).toStdString()) << "drei\nvier\nacht\n";
  const QString predict = QStringLiteral("'%1' predict --run '%2' --set predict.beam=1")
                              .arg(kEngine, path(QStringLiteral("run")));
  const auto lines = [&](const QString& command) {
    const Ended ended = ran(QStringLiteral("bash"), {QStringLiteral("-c"), command});
    return ended.code == 0 ? static_cast<int>(ended.out.count('\n')) : -1;
  };
  QCOMPARE(
      lines(QStringLiteral("{ read first; %1; } < '%2'").arg(predict, path(QStringLiteral("three.txt")))), 2);
  QCOMPARE(lines(predict + QStringLiteral(" < /dev/null")), 0);
}

void TestEngineShell::inputIsReadStrictly_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QByteArray>("said");
  QTest::newRow("latin-1") << QByteArray("drei\nf\xfcnf\n") << QByteArray("input:2: not UTF-8 at byte 2");
  QTest::newRow("utf-16") << QByteArray(
                                 "\xff\xfe"
                                 "d\0r\0",
                                 6)
                          << QByteArray("UTF-16");
  QTest::newRow("binary") << QByteArray(
                                 "\x7f"
                                 "ELF\0\0",
                                 6)
                          << QByteArray("NUL");
  QTest::newRow("late nul") << QByteArray(5000, 'a') + QByteArray("\nb\0\n", 4) << QByteArray("input:2");
  QTest::newRow("folder") << QByteArray() << QByteArray("folder");
  QTest::newRow("missing") << QByteArray("missing") << QByteArray("no such file");
}

void TestEngineShell::inputIsReadStrictly() {
  QFETCH(QByteArray, bytes);
  QFETCH(QByteArray, said);
  QTemporaryDir folder;
  QString name = folder.filePath(QStringLiteral("input"));
  if (bytes.isEmpty()) {
    name = folder.path();
  } else if (bytes != "missing") {
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  const Ended ended = engine({QStringLiteral("predict"), QStringLiteral("--run"), path(QStringLiteral("run")),
                              QStringLiteral("--input"), name});
  QVERIFY2(ended.err.contains(said), ended.err.constData());
  QCOMPARE(ended.code, 30);
}

void TestEngineShell::longLinesAreTold() {
  const QString command = QStringLiteral(
      "printf 'drei\\ndrei\\ndrei\\n' | '%1' predict --run '%2' --set data.max_length=2 --set "
      "predict.beam=1");
  const Ended ended =
      ran(QStringLiteral("bash"), {QStringLiteral("-c"), command.arg(kEngine, path(QStringLiteral("run")))});
  QVERIFY2(ended.code == 0, ended.err.constData());
  QCOMPARE(ended.out.count('\n'), 3);
  QVERIFY2(ended.err.contains("3 of 3 lines were cut: they are longer than data.max_length=2"),
           ended.err.constData());
}

// Who reads a run leaves it as it is, and says that the newest weights are not those that were used.
void TestEngineShell::damagedCheckpointIsPassedOverLoudly() {
  const QString run = copyOfRun(QStringLiteral("damaged"));
  const QString newest = run + QStringLiteral("/checkpoints/0001-00000012");
  QFile file(newest + QStringLiteral("/model.safetensors"));
  QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 5) && file.write("?") == 1);
  file.close();
  std::ofstream(path(QStringLiteral("one.txt")).toStdString()) << "drei\n";
  const QStringList of = {QStringLiteral("--run"), run};
  const QStringList named = of + QStringList{QStringLiteral("--checkpoint"), QStringLiteral("12")};
  const QStringList input = {QStringLiteral("--input"), path(QStringLiteral("one.txt"))};
  const QStringList evaluate = {QStringLiteral("evaluate")}, predict = {QStringLiteral("predict")};
  for (const QStringList& words :
       {evaluate + of, predict + of + input, QStringList{QStringLiteral("average")} + of}) {
    const Ended ended = engine(words);
    QVERIFY2(ended.code == 0, ended.err.constData());
    QVERIFY2(ended.err.contains("0001-00000012 is damaged") && ended.err.contains("0001-00000008"),
             ended.err.constData());
    QVERIFY(QFile::exists(newest + QStringLiteral("/model.safetensors")));
    if (words.first() == QLatin1String("predict")) continue;
    QCOMPARE(Json::parse(ended.out.toStdString()).at("damaged").dump(), std::string("[\"0001-00000012\"]"));
  }
  for (const QStringList& words : {evaluate + named, predict + named + input}) {
    const Ended ended = engine(words);
    QCOMPARE(ended.code, 30);
    QVERIFY2(ended.err.contains("damaged"), ended.err.constData());
  }
}

// T-Fixup (its paper, §3): output maps of a 2-layer encoder are scaled by .67 * 2^-1/4, queries not at all.
void TestEngineShell::initialisationIsReported() {
  const QStringList ask = {QStringLiteral("init-report"),
                           QStringLiteral("--vocabulary"),
                           QStringLiteral("50"),
                           QStringLiteral("--set"),
                           QStringLiteral("init=t_fixup"),
                           QStringLiteral("--set"),
                           QStringLiteral("encoder.layers=2"),
                           QStringLiteral("--set"),
                           QStringLiteral("model.width=64"),
                           QStringLiteral("--set"),
                           QStringLiteral("encoder.residual=unnormalised"),
                           QStringLiteral("--set"),
                           QStringLiteral("decoder.residual=unnormalised")};
  const Ended json = engine(ask + QStringList{QStringLiteral("--json")});
  QVERIFY2(json.code == 0, json.err.constData());
  const Json report = Json::parse(json.out.toStdString());
  QCOMPARE(report.at("init").get<std::string>(), std::string("t_fixup"));
  int found = 0;
  for (const Json& row : report.at("rows")) {
    const std::string name = row.at("name").get<std::string>();
    const double base = row.at("base_std").get<double>(), factor = row.at("factor").get<double>();
    if (name == "encoder.layers.1.self_attention.output.weight") {
      QVERIFY(std::abs(factor - 0.67 * std::pow(2, -0.25)) < 1e-9);
      QVERIFY(std::abs(row.at("std").get<double>() / (base * factor) - 1) < 0.05);
      QCOMPARE(row.at("shape").dump(), std::string("[64,64]"));
      ++found;
    } else if (name == "encoder.layers.1.self_attention.query.weight") {
      QCOMPARE(factor, 1.0);
      ++found;
    }
  }
  QCOMPARE(found, 2);
  const Ended table = engine(ask);
  QVERIFY(table.out.startsWith("name") &&
          table.out.contains("encoder.layers.1.self_attention.output.weight"));
  QCOMPARE(table.out.count('\n'), static_cast<qsizetype>(report.at("rows").size()) + 1);
}

QTEST_GUILESS_MAIN(TestEngineShell)
#include "tst_engine_shell.moc"
