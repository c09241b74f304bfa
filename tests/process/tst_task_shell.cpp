// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The seam of a task: one that is added by list lines alone (tests/fakes/majority) is described, checked,
// trained, drawn, compared, evaluated and used from the shell like those that Fathom brings.
#include <QFile>
#include <QTest>

#include "core/record/results/prediction_set.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

namespace {

// Learned within seconds; words too short to need a large model.
const QStringList kOptions = {"task=majority",
                              "model=bert",
                              "model.bert.head=classification",
                              "model.bert.classes=3",
                              "model.bert.max_positions=16",
                              "model.width=32",
                              "model.heads=2",
                              "model.feed_forward=64",
                              "encoder.layers=1",
                              "model.dropout=0",
                              "model.attention_dropout=0",
                              "optimizer=adam",
                              "lr_schedule=linear",
                              "lr_schedule.rate=0.003",
                              "lr_schedule.warmup=10",
                              "training.length=60u",
                              "validation.interval=20u",
                              "validation.score_interval=20u",
                              "checkpoint.interval=60u",
                              "device=cpu",
                              "threads=1"};

QStringList assigned(const QStringList& options) {
  QStringList words;
  for (const QString& option : options) words << "--set" << option;
  return words;
}

const Json* named(const Json& list, const char* member, const std::string& value) {
  for (const Json& item : list)
    if (item.value(member, "") == value) return &item;
  return nullptr;
}

}  // namespace

class TaskShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void engineDescribesIt();
  void aVerbIsAListLine();
  void trainability();
  void training();
  void curves();
  void grid();
  void evaluationIsAPredictionSet();
  void predictionOfFreeInput();
  void compareTestsInPairs();
  void otherTasksStay();

 private:
  ShellResult ask(const QStringList& words) const {
    return m_fixture->fathom(
        words + QStringList{"--project", QString::fromStdString(m_fixture->path()), "--json"}, {}, 240);
  }
  ShellResult engine(const QStringList& words) const {
    m_fixture->setProgram(made("fathom-engine"));
    ShellResult result = m_fixture->fathom(words, {}, 240);
    m_fixture->setProgram(made("fathom"));
    return result;
  }
  static QString made(const char* program) {
    return QStringLiteral(FATHOM_BIN_DIR "/../made/") + QLatin1String(program);
  }
  QString folderOf(const char* run) const {
    const Json json = ask({"show", run}).json();
    return QString::fromStdString(json["run"]["path"].get<std::string>());
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void TaskShellTest::initTestCase() {
  for (const char* program : {"fathom", "fathom-engine"})
    QVERIFY2(QFile::exists(made(program)), qPrintable(made(program)));
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_ENGINE", made("fathom-engine").toUtf8());
  m_fixture->setProgram(made("fathom"));
}

void TaskShellTest::engineDescribesIt() {
  const Json json = engine({"describe"}).json();
  const Json* task = named(json["entries"]["tasks"], "id", "majority");
  QVERIFY(task != nullptr);
  QVERIFY((*task)["trainable"] == true);
  QVERIFY(named((*task)["statistics"], "title", "Majorities") != nullptr);
  QVERIFY(named((*task)["texts"], "title", "Word") != nullptr);
  QCOMPARE((*task)["input_example"].get<std::string>(), std::string("a b a"));
  const Json* rank = named(json["metrics"], "id", "valid.mean_rank");
  QVERIFY(rank != nullptr);
  QCOMPARE((*rank)["direction"].get<std::string>(), std::string("lower"));
}

// A verb is a file and a list line, too: known to the help, to hints and to what runs it.
void TaskShellTest::aVerbIsAListLine() {
  QCOMPARE(engine({"greet", "--name", "you"}).out, QStringLiteral("hello you\n"));
  QVERIFY(engine({"--help"}).out.contains("greet"));
  QVERIFY(engine({"greed"}).err.contains("greet"));
  // So is a bench, of the program beside it.
  m_fixture->setProgram(made("fathom-bench-engine"));
  const QString measured = m_fixture->fathom({"nothing"}).out;
  m_fixture->setProgram(made("fathom"));
  QCOMPARE(measured, QStringLiteral("0 s\n"));
}

void TaskShellTest::trainability() {
  const ShellResult result = m_fixture->fathom(QStringList{"trainability", "--json"} + assigned(kOptions));
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json json = result.json();
  QCOMPARE(json["stacks"].size(), std::size_t{1});
  QVERIFY(!json["checks"].empty());
  // Its data are made: nothing was missing.
  QVERIFY(json["note"].get<std::string>().find("made data") == std::string::npos);
}

void TaskShellTest::training() {
  const ShellResult result = ask(QStringList{"train", "--name", "first", "--wait"} + assigned(kOptions));
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json scores = ask({"show", "first"}).json()["attempts"][0]["outcome"]["scores"];
  QVERIFY2(scores["valid.accuracy"].get<double>() > 50, scores.dump().c_str());
  QVERIFY(scores["valid.mean_rank"].get<double>() < 2);
  QVERIFY(!scores.contains("valid.ppl"));
}

void TaskShellTest::curves() {
  const ShellResult result = ask({"curves", "first", "--metric", "valid.mean_rank"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json series = result.json()["curves"];
  QCOMPARE(series.size(), std::size_t{1});
  QCOMPARE(series[0]["value"].size(), std::size_t{3});
  const QString file = m_fixture->file("curve.svg");
  const ShellResult drawn = ask({"export-figure", "--figure", "training_curve", "--runs", "first", "--set",
                                 "metric=valid.accuracy", "--out", file});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.out + drawn.err));
  QVERIFY(QFile(file).size() > 1000);
}

void TaskShellTest::grid() {
  const ShellResult result =
      ask(QStringList{"grid", "--name", "grown", "--over", "majority.longest=4,9", "--over", "seed=1,2"} +
          assigned(kOptions));
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json runs = result.json()["runs"];
  QCOMPARE(runs.size(), std::size_t{4});
  for (const Json& run : runs)
    QCOMPARE(m_fixture->waitForEnd(m_fixture->path() + "/runs/" + run.get<std::string>(), 240),
             RunState::Finished);
  const ShellResult shown = ask({"grid", "--show", "grown"});
  QVERIFY2(shown.exitCode == 0, qPrintable(shown.out + shown.err));
  const Json table = shown.json()["table"];
  QCOMPARE(table["metric"].get<std::string>(), std::string("valid.accuracy"));
  QCOMPARE(table["lines"].size(), std::size_t{2});
  for (const Json& line : table["lines"]) QCOMPARE(line["finished"].get<int>(), 2);
  // The engine's rules and the letters' own are asked before anything is queued.
  const ShellResult refused =
      ask(QStringList{"grid", "--name", "bad", "--over", "majority.letters=3,7"} + assigned(kOptions));
  QVERIFY(refused.exitCode != 0);
  QVERIFY2(refused.out.contains("class for every letter"), qPrintable(refused.out));
}

void TaskShellTest::evaluationIsAPredictionSet() {
  const QString folder = folderOf("first");
  QVERIFY(ask({"show", "first"}).json()["predictions"].empty());
  const ShellResult none = engine({"evaluate", "--run", folder, "--no-set"});
  QVERIFY2(none.exitCode == 0, qPrintable(none.err));
  QVERIFY(!none.json().contains("predictions"));
  QVERIFY(ask({"show", "first"}).json()["predictions"].empty());
  const ShellResult result = engine({"evaluate", "--run", folder, "--split", "test"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  const Json json = result.json(), show = ask({"show", "first"}).json();
  QCOMPARE(show["predictions"].size(), std::size_t{1});
  const Json set = show["predictions"][0];
  QVERIFY(set["path"] == json["predictions"]);
  QVERIFY(set["run_uuid"] == show["run"]["uuid"]);
  QVERIFY(set["checkpoint"] == show["checkpoints"][0]["name"]);
  QVERIFY(set["task"] == "majority" && set["split"] == "test" && set["chosen"] == false);
  const PredictedTexts texts = readPredictedTexts(readPredictionSet(set["path"]).value()).value();
  QCOMPARE(texts.predictions.size(), std::size_t{32});
  int right = 0;
  for (std::size_t i = 0; i < texts.predictions.size(); ++i)
    right += texts.predictions[i] == texts.references[i];
  QCOMPARE(100.0 * right / 32, json["values"]["accuracy"].get<double>());
}

void TaskShellTest::predictionOfFreeInput() {
  const QString folder = folderOf("first"), input = m_fixture->file("lines.txt");
  QFile file(input);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a a a a a a a\nb b b c b b b\n") > 0);
  file.close();
  const std::size_t before = ask({"show", "first"}).json()["predictions"].size();
  const ShellResult result = engine({"predict", "--run", folder, "--input", input});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  QCOMPARE(result.out, QStringLiteral("a\nb\n"));
  const Json sets = ask({"show", "first"}).json()["predictions"];
  QCOMPARE(sets.size(), before + 1);
  const Json* set = named(sets, "input", input.toStdString());
  QVERIFY(set != nullptr && (*set)["split"] == "");
  QFile stored(QString::fromStdString((*set)["path"].get<std::string>()));
  QVERIFY(stored.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = stored.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 3);
  const Json second = parseJson(lines[2].toStdString(), "line").value();
  QVERIFY(second["word"] == "b b b c b b b" && second["prediction"] == "b" && second["example"] == 1);
  const ShellResult wrong = engine({"predict", "--run", folder, "--input", made("fathom")});
  QVERIFY(wrong.exitCode != 0);
  QCOMPARE(ask({"show", "first"}).json()["predictions"].size(), before + 1);
}

void TaskShellTest::compareTestsInPairs() {
  const ShellResult trained = ask(QStringList{"train", "--name", "second", "--wait"} + assigned(kOptions) +
                                  QStringList{"--set", "training.length=12u"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.out + trained.err));
  const ShellResult result =
      ask({"compare", "first", "second", "--test", "bootstrap", "--resamples", "100", "--split", "test"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json pair = result.json()["test"]["pairs"][0];
  QVERIFY(pair["first_accuracy"].get<double>() > pair["second_accuracy"].get<double>());
  QVERIFY(pair["p_value"].get<double>() <= 1 && pair.contains("difference_interval"));
  // The set that evaluate has stored was taken, the other one made.
  QCOMPARE(ask({"show", "second"}).json()["predictions"].size(), std::size_t{1});
}

void TaskShellTest::otherTasksStay() {
  const ShellResult result = m_fixture->fathom(
      {"trainability", "--json", "--set", "model.width=32", "--set", "model.heads=2", "--set",
       "model.feed_forward=64", "--set", "encoder.layers=1", "--set", "decoder.layers=1", "--set",
       "training.length=10u", "--set", "device=cpu", "--set", "threads=1"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  QVERIFY(result.json()["note"].get<std::string>().find("made data") != std::string::npos);
}

QTEST_MAIN(TaskShellTest)
#include "tst_task_shell.moc"
