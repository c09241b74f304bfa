// SPDX-License-Identifier: Apache-2.0
// Every command of commands.list from the shell on a fixture project.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/command.h"
#include "app/training_request.h"
#include "core/base/files/hash.h"
#include "core/library/figure_composition.h"
#include "core/library/run_listing.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

// The lines of a file of predictions as JSON lines with their index, last one first. Returns `to`.
std::string shuffledRecords(const std::string& from, const std::string& to) {
  std::ifstream in(from);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find('\t')));
  std::ofstream out(to);
  for (std::size_t i = lines.size(); i-- > 0;)
    out << Json{{"index", i}, {"predicted_sql", lines[i]}}.dump() << "\n";
  return to;
}

}  // namespace

class CommandsTest : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<ProjectFixture> m_fixture;
  QSet<QString> m_tried;

  // Runs a command on the project and checks its exit code; returns its JSON.
  Json ask(QStringList words, int exitCode = 0) {
    m_tried.insert(words.first());
    const Command* command = findCommand(words.first().toStdString());
    if (command && command->needsProject) words << "--project" << QString::fromStdString(m_fixture->path());
    // Pictures of every view in three looks take a while on a busy machine.
    const int patience = words.first() == QLatin1String("screenshots") ? 300 : 60;
    const ShellResult result = m_fixture->fathom(words << "--json", {}, patience);
    if (result.exitCode != exitCode) {
      QTest::qFail(qPrintable(words.join(' ') + ": exit code " + QString::number(result.exitCode) + "\n" +
                              result.out + result.err),
                   __FILE__, __LINE__);
      return Json::object();
    }
    return result.json();
  }
  std::string train(const char* name, const char* behaviour = "finish", int steps = 12, int exitCode = 0) {
    const Json json = ask({"train", "--name", name, "--set", QString("fake.behaviour=") + behaviour, "--set",
                           QString("fake.steps=%1").arg(steps), "--set", "fake.milliseconds=1", "--wait"},
                          exitCode);
    return json.contains("run") ? json["run"].value("uuid", "") : std::string();
  }
  Json runOf(const std::string& uuid) {
    const Json runs = ask({"runs"})["runs"];
    for (const Json& run : runs) {
      if (run["uuid"] == uuid) return run;
    }
    return Json::object();
  }
  std::string startSlow(const char* name) {
    const Json json =
        ask({"train", "--name", name, "--set", "fake.steps=4000", "--set", "fake.milliseconds=10"});
    const std::string path = json["run"]["path"];
    return waitFor([&] { return runLockHolder(path).has_value(); }) ? path : std::string();
  }

 private Q_SLOTS:
  void initTestCase() { m_fixture = std::make_unique<ProjectFixture>(); }

  void newProjectMakesOneAndRefusesTheSecond() {
    const QString path = m_fixture->file("second.fathom");
    QCOMPARE(ask({"new-project", "--out", path})["project"].get<std::string>(), path.toStdString());
    const Json error = ask({"new-project", path}, 2);
    QCOMPARE(error["error"]["kind"].get<std::string>(), std::string("usage"));
  }

  void trainReturnsTheEnginesExitCode() {
    const std::string uuid = train("good");
    QCOMPARE(runOf(uuid)["state"].get<std::string>(), std::string("finished"));
    train("bad", "bad", 12, 30);
    train("diverging", "diverge", 12, 20);
    train("crashing", "crash", 12, 134);
  }

  void trainRefusesBeforeQueueing() {
    const Json unknown = ask({"train", "--set", "fake.stepz=3"}, 2);
    QVERIFY(unknown["error"]["hint"].get<std::string>().find("fake.steps") != std::string::npos);
    ask({"train", "--set", "fake.steps=many"}, 2);
    const QString wrong = m_fixture->file("wrong.json");
    std::ofstream(wrong.toStdString()) << R"({"format":1,"options":{"fake.steps":"many"}})";
    ask({"train", "--config", wrong}, 30);
    ask({"train", "--config", m_fixture->file("nowhere.json")}, 30);
    const Json preset = ask({"train", "--preset", "sample_smal"}, 2);
    QVERIFY(preset["error"]["hint"].get<std::string>().find("sample_small") != std::string::npos);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

  void waitingCanBeInterrupted() {
    const std::string path = startSlow("patient");
    ask({"stop", "patient"});
    QCOMPARE(m_fixture->waitForEnd(path), RunState::Stopped);
  }

  // Nothing is left to do: refused before it is in the queue, and before there is an attempt.
  void doneWithoutLearningIsNotResumed() {
    RunIdentity identity;
    identity.uuid = makeUuid();
    identity.name = "flat";
    const RunFolder run = RunFolder::create(m_fixture->path() + "/runs/" + identity.uuid, identity).value();
    QCOMPARE(run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value(), 1);
    RunOutcome outcome;
    outcome.state = RunState::Diverged;
    outcome.cause = kNotLearning;
    outcome.step = 500;
    QVERIFY(run.writeOutcome(1, outcome).ok());
    const Json error = ask({"resume", QString::fromStdString(run.path())}, 2);
    QVERIFY(error["error"]["message"].get<std::string>().find("all its 500 updates") != std::string::npos);
    const auto entries = m_fixture->queue().entries().value();
    QVERIFY(std::none_of(entries.begin(), entries.end(),
                         [&](const QueueEntry& entry) { return entry.uuid == identity.uuid; }));
    QCOMPARE(run.lastAttempt(), 1);
    std::filesystem::remove_all(run.path());
  }

  void stopResumeAbort() {
    const std::string path = startSlow("slow");
    QCOMPARE(ask({"stop", "slow"})["runs"][0]["result"].get<std::string>(),
             std::string("asked to save and stop"));
    QCOMPARE(m_fixture->waitForEnd(path), RunState::Stopped);
    QVERIFY(waitFor([&] { return m_fixture->queue().entries()->empty(); }));
    ask({"resume", "slow"});
    QVERIFY(waitFor([&] { return runLockHolder(path).has_value(); }));
    ask({"resume", "slow"}, 2);
    ask({"delete", "slow"}, 2);
    ask({"abort", "slow"});
    QCOMPARE(m_fixture->waitForEnd(path), RunState::Killed);
    QCOMPARE(RunFolder(path).lastAttempt(), 2);
  }

  void retryMakesANewRun() {
    const Json first = ask({"retry", "good", "--name", "again", "--set", "seed=5", "--wait"});
    const Json run = ask({"show", "again"});
    QCOMPARE(run["run"]["options"]["seed"].get<int>(), 5);
    QCOMPARE(run["run"]["options"]["fake.steps"].get<int>(), 12);
    QVERIFY(first["run"]["uuid"] == run["run"]["uuid"]);
  }

  // The queue filled them in; whether somebody had asked for them is not known any more.
  void retrySaysWhatItDoesNotKeep() {
    RunConfig placed{.name = "placed", .options = Json{{"fake.steps", 3}, {"device", "cpu"}, {"threads", 3}}};
    const auto entry = m_fixture->queue().add(trainingEntry(m_fixture->path(), placed));
    QVERIFY(entry);
    QVERIFY(m_fixture->queue().setSettings({}));
    ask({"train", "--name", "after placed", "--set", "fake.steps=3", "--wait"});
    // The fake engine does not know these two: the run fails, and its configuration stays.
    QCOMPARE(m_fixture->waitForEnd(entry->runPath), RunState::Failed);
    const ShellResult again = m_fixture->fathom({"retry", "placed", "--name", "replaced", "--wait",
                                                 "--project", QString::fromStdString(m_fixture->path())});
    QCOMPARE(again.exitCode, 0);
    QVERIFY2(again.err.contains("device=cpu threads=3"), qPrintable(again.err));
    const ShellResult plain = m_fixture->fathom({"retry", "good", "--name", "plain", "--wait", "--project",
                                                 QString::fromStdString(m_fixture->path())});
    QCOMPARE(plain.exitCode, 0);
    QVERIFY2(!plain.err.contains("device="), qPrintable(plain.err));
  }

  void runsListsAll() {
    const Json json = ask({"runs"});
    QCOMPARE(json["format"].get<int>(), 1);
    QVERIFY(json["runs"].size() >= 5);
    for (const char* key :
         {"uuid", "name", "path", "state", "step", "total_updates", "last", "best", "tags"}) {
      QVERIFY2(json["runs"][0].contains(key), key);
    }
  }

  void showTellsAttemptsAndDiff() {
    const Json json = ask({"show", "good", "--against", "again"});
    QCOMPARE(json["attempts"].size(), std::size_t{1});
    QCOMPARE(json["attempts"][0]["outcome"]["state"].get<std::string>(), std::string("finished"));
    QCOMPARE(json["diff"]["options"][0]["key"].get<std::string>(), std::string("seed"));
    const Json error = ask({"show", "god"}, 2);
    QVERIFY(error["error"]["hint"].get<std::string>().find("good") != std::string::npos);
  }

  void showTellsOfAWaitingRun() {
    QVERIFY(m_fixture->queue().setSettings({.paused = true}));
    const Json options{{"fake.steps", 7}};
    QVERIFY(
        m_fixture->queue().add(trainingEntry(m_fixture->path(), {.name = "waiting", .options = options})));
    const Json run = ask({"show", "waiting"})["run"];
    ask({"stop", "waiting"});
    QVERIFY(m_fixture->queue().setSettings({}));
    QCOMPARE(run["state"].get<std::string>(), std::string("queued"));
    QCOMPARE(run["options"]["fake.steps"].get<int>(), 7);
  }

  void curvesGiveEveryPoint() {
    const Json json = ask({"curves", "good", "again", "--metric", "loss"});
    QCOMPARE(json["curves"].size(), std::size_t{2});
    QCOMPARE(json["curves"][0]["value"].size(), std::size_t{12});
    const ShellResult csv =
        m_fixture->fathom({"curves", "--project", QString::fromStdString(m_fixture->path()), "good",
                           "--metric", "loss", "--csv"});
    QCOMPARE(csv.exitCode, 0);
    QCOMPARE(csv.out.count('\n'), 13);
    QVERIFY(csv.out.startsWith("run,name,metric,step,epoch,tokens,seconds,value\n"));
    const Json error = ask({"curves", "good", "--metric", "nothing"}, 30);
    QVERIFY(error["error"]["hint"].get<std::string>().find("loss") != std::string::npos);
  }

  void exportedRunComesBackElsewhere() {
    const QString archive = m_fixture->file("good.tar.gz");
    ask({"export-run", "good", "--out", archive});
    ask({"import-run", archive}, 2);  // it is here already
    const QString other = m_fixture->file("other.fathom");
    QCOMPARE(m_fixture->fathom({"new-project", other}).exitCode, 0);
    const ShellResult result = m_fixture->fathom({"import-run", "--project", other, archive, "--json"});
    QVERIFY2(result.exitCode == 0, qPrintable(result.out));
    const ShellResult runs = m_fixture->fathom({"runs", "--project", other, "--json"});
    QCOMPARE(runs.json()["runs"][0]["name"].get<std::string>(), std::string("good"));
  }

  void curvesOfAnotherProgramAreImported() {
    QFile csv(m_fixture->file("log.csv"));
    QVERIFY(csv.open(QIODevice::WriteOnly));
    csv.write("step,time,loss\n1,0.5,3\n2,1.0,2\n3,1.5,1\n");
    csv.close();
    const Json json = ask({"import-run", csv.fileName(), "--name", "foreign"});
    QCOMPARE(json["points"].get<int>(), 3);
    QCOMPARE(json["metrics"].get<int>(), 1);
    QVERIFY(json["run"]["uuid"] == json["runs"][0]["uuid"]);
    QCOMPARE(ask({"curves", "foreign"})["curves"][0]["value"][2].get<double>(), 1.0);
    ask({"import-run", m_fixture->file("missing.csv")}, 30);
  }

  // One run a folder with the hyperparameters of each: differences, groups and filters have something to say.
  void severalRunsOfAnotherProgramAreImported() {
    const QString folder = QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures/import/tensorboard");
    const Json json = ask({"import-run", folder});
    QCOMPARE(json["runs"].size(), std::size_t{3});
    QVERIFY(!json.contains("run"));
    QCOMPARE(json["points"].get<int>(), 15);
    QCOMPARE(json["runs"][1]["name"].get<std::string>(), std::string("admin/seed2"));
    const Json one = ask({"show", "admin/seed1", "--against", "admin/seed2"});
    QCOMPARE(one["run"]["options"]["layers"].get<int>(), 18);
    QCOMPARE(one["diff"]["options"].size(), std::size_t{1});
    QCOMPARE(one["diff"]["options"][0]["key"].get<std::string>(), std::string("seed"));
    const Json other = ask({"show", "admin/seed1", "--against", "post_ln"});
    QCOMPARE(other["diff"]["options"].size(), std::size_t{2});  // arch, lr
    const ShellResult text = m_fixture->fathom(
        {"import-run", "--project", QString::fromStdString(m_fixture->path()), folder, "--name", "again"});
    QVERIFY2(text.out.startsWith("imported 3 runs (tensorboard)\n") && text.out.contains("again/post_ln"),
             qPrintable(text.out));
    const Json error = ask({"retry", "post_ln"}, 2);
    QVERIFY(error["error"]["message"].get<std::string>().find("imported") != std::string::npos);
  }

  // What `curves --csv` writes comes back as what it was.
  void ourOwnCurvesComeBackAsRuns() {
    const ShellResult csv =
        m_fixture->fathom({"curves", "--project", QString::fromStdString(m_fixture->path()), "good", "again",
                           "--metric", "loss", "--csv"});
    QFile file(m_fixture->file("curves.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(csv.out.toUtf8());
    file.close();
    const Json json = ask({"import-run", file.fileName(), "--name", "copy"});
    QCOMPARE(json["runs"].size(), std::size_t{2});
    const Json ours = ask({"curves", "good"})["curves"][0],
               theirs = ask({"curves", "copy/good"})["curves"][0];
    QVERIFY(ours["step"] == theirs["step"] && ours["value"] == theirs["value"] &&
            ours["epoch"] == theirs["epoch"]);
  }

  void compareSetsRunsSideBySide() {
    const Json json = ask({"compare", "good", "again"});
    QCOMPARE(json["runs"].size(), std::size_t{2});
    QCOMPARE(json["diff"]["options"][0]["key"].get<std::string>(), std::string("seed"));
    ask({"compare", "good"}, 2);
  }

  void bootstrapComparesStoredPredictions() {
    for (const char* name : {"good", "again"}) {
      const std::string path = ask({"show", name})["run"]["path"];
      QDir().mkpath(QString::fromStdString(path + "/predictions"));
      QFile file(QString::fromStdString(path + "/predictions/set.jsonl"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("{\"format\":1,\"split\":\"validation\",\"decoding\":{\"predict.beam\":5}}\n");
      for (int i = 0; i < 30; ++i) {
        const QByteArray word = i % 3 == 0 && name == QByteArray("good") ? "wrong" : "right";
        file.write("{\"example\":" + QByteArray::number(i) + ",\"reference\":\"one two three right " +
                   QByteArray::number(i) + "\",\"prediction\":\"one two three " + word + " " +
                   QByteArray::number(i) + "\"}\n");
      }
    }
    const Json test = ask({"compare", "good", "again", "--test", "bootstrap"})["test"];
    QCOMPARE(test["decoding"][1]["predict.beam"].get<int>(), 5);
    const Json pair = test["pairs"][0];
    QVERIFY(pair["second_bleu"].get<double>() > pair["first_bleu"].get<double>());
    QVERIFY(pair["p_value"].get<double>() < 0.05);
  }

  void gridIsOneObject() {
    const Json json = ask({"grid", "--name", "g", "--set", "fake.milliseconds=1", "--over",
                           "fake.behaviour=finish,diverge", "seed=1,2"});
    QCOMPARE(json["runs"].size(), std::size_t{4});
    for (const Json& run : json["runs"]) {
      m_fixture->waitForEnd(m_fixture->path() + "/runs/" + run.get<std::string>());
    }
    const Json lines = ask({"grid", "--show", "g", "--latex"})["table"]["lines"];
    QCOMPARE(lines.size(), std::size_t{2});
    QCOMPARE(lines[0]["finished"].get<int>(), 2);
    QCOMPARE(lines[1]["failed"].get<int>(), 2);
    QVERIFY(lines[0]["best"].get<bool>() && !lines[1]["best"].get<bool>());
    // A metric that no run has is not a failure of the runs.
    const Json unknown = ask({"grid", "--show", "g", "--metric", "nope"}, 2);
    QVERIFY(unknown["error"]["hint"].get<std::string>().find("valid.bleu") != std::string::npos);
    QCOMPARE(ask({"grid", "--show", "g"})["table"]["metric"].get<std::string>(), std::string("valid.bleu"));
    // All its runs by one word: a cell for each combination.
    ask({"export-figure", "--figure", "stability_grid", "--runs", "grid:g", "--set", "x=fake.behaviour",
         "y=fake.milliseconds", "--out", m_fixture->file("grid.svg")});
    QVERIFY(QFile::exists(m_fixture->file("grid.svg")));
    ask({"export-figure", "--figure", "stability_grid", "--runs", "grid:h", "--out",
         m_fixture->file("h.svg")},
        2);
    // Two options in one axis take the same value; their runs are as many as the values.
    const Json pair = ask({"grid", "--name", "pair", "--over", "fake.milliseconds+fake.steps=1,2"});
    QCOMPARE(pair["runs"].size(), std::size_t{2});
    const std::string second = pair["runs"][1].get<std::string>();
    m_fixture->waitForEnd(m_fixture->path() + "/runs/" + second);
    const Json options = ask({"show", QString::fromStdString(second)})["run"]["options"];
    QCOMPARE(options["fake.milliseconds"].get<int>(), 2);
    QCOMPARE(options["fake.steps"].get<int>(), 2);
    ask({"grid", "--over", "fake.milliseconds+nothing=1"}, 2);
    ask({"grid", "--over", "fake.behaviour"}, 2);
    ask({"grid", "--show", "h"}, 2);
  }

  void figureComesOutTheSameTwice() {
    QByteArray first;
    for (const char* name : {"a.pdf", "b.pdf"}) {
      const QString file = m_fixture->file(name);
      ask({"export-figure", "--figure", "training_curve", "--runs", "good", "again", "--style", "acl",
           "--out", file});
      QFile written(file);
      QVERIFY(written.open(QIODevice::ReadOnly));
      const QByteArray bytes = written.readAll();
      QVERIFY(bytes.startsWith("%PDF"));
      if (first.isEmpty()) first = bytes;
      QVERIFY(bytes == first);
    }
    for (const char* name : {"a.svg", "a.png", "a.tex"}) {
      ask({"export-figure", "--recipe", "training_curve", "--out", m_fixture->file(name)});
      QVERIFY(QFile::exists(m_fixture->file(name)));
    }
    ask({"export-figure", "--runs", "good", "--figure", "training_curv", "--out", m_fixture->file("c.pdf")},
        2);
    ask({"export-figure", "--runs", "good", "--out", m_fixture->file("c.doc")}, 2);
  }

  void compositionComesOutTheSameTwice() {
    const auto library = ProjectLibrary::open(m_fixture->path()).value();
    FigureComposition page;
    page.name = "both";
    page.created = "2026-01-01T00:00:00Z";
    page.panels.resize(2);
    for (CompositionPanel& panel : page.panels) {
      panel.recipe.figure = "training_curve";
      for (const RunRow& row : listRuns(*library).value())
        if (row.name == "good") panel.recipe.runs = {row.identity.uuid};
    }
    page.panels[1].column = 1;
    QVERIFY(saveFigureComposition(*library, page).ok());
    QByteArray first;
    for (const char* name : {"page.pdf", "again.pdf"}) {
      const QString path = m_fixture->file(name);
      const Json json = ask({"export-figure", "--composition", "both", "--out", path});
      QCOMPARE(json["composition"]["panels"].size(), std::size_t{2});
      QFile written(path);
      QVERIFY(written.open(QIODevice::ReadOnly));
      const QByteArray bytes = written.readAll();
      QVERIFY(bytes.contains("/CreationDate (D:20260101000000"));
      if (first.isEmpty()) first = bytes;
      QVERIFY(bytes == first);
    }
    QVERIFY(QFile::exists(m_fixture->file("page.csv")));
    ask({"export-figure", "--composition", "bot", "--out", m_fixture->file("c.pdf")}, 2);
    ask({"export-figure", "--composition", "both", "--out", m_fixture->file("c.doc")}, 2);
  }

  void analyseComputesOnceAndDraws() {
    const QStringList words = {"analyse", "beta_dependency", "--run", "good", "--checkpoint", "init"};
    const QString file = m_fixture->file("beta.pdf");
    const Json first = ask(words + QStringList{"--figure", file});
    QVERIFY(QFile::exists(file));
    const std::string path = first["results"][0]["path"];
    const QFileInfo result(QString::fromStdString(path) + "/result.json");
    QVERIFY(result.exists());
    const QDateTime written = result.lastModified();
    const Json again = ask(words);
    QCOMPARE(again["results"][0]["path"].get<std::string>(), path);
    QCOMPARE(QFileInfo(result.filePath()).lastModified(), written);
    QCOMPARE(again["results"][0]["result"]["stacks"][0]["tokens"].get<int>(), 7);
    // The stored result serves every figure.
    ask({"export-figure", "--figure", "beta_dependency", "--runs", "good", "--set", "form=diagonal", "--out",
         m_fixture->file("diagonal.svg")});
    const Json missing = ask({"export-figure", "--figure", "attention_entropy", "--runs", "good", "--out",
                              m_fixture->file("entropy.pdf")},
                             30);
    QVERIFY(missing["error"]["hint"].get<std::string>().find("fathom analyse attention_entropy") !=
            std::string::npos);
  }

  void analyseSaysWhatIsWrong() {
    const Json unknown = ask({"analyse", "beta", "--run", "good"}, 2);
    QVERIFY(unknown["error"]["hint"].get<std::string>().find("beta_dependency") != std::string::npos);
    ask({"analyse", "beta_dependency", "--run", "good", "--checkpoint", "4"}, 2);
    // An option that the analysis does not use: its name and what it takes instead.
    const Json unused =
        ask({"analyse", "beta_dependency", "--run", "good", "--checkpoint", "init", "--set", "sample=3"}, 2);
    QCOMPARE(unused["error"]["message"].get<std::string>(),
             std::string("beta_dependency has no option 'sample'"));
    QCOMPARE(unused["error"]["hint"].get<std::string>(), std::string("it takes: examples"));
    // A figure that cannot be written is refused before anything is computed.
    for (const QString& file : {m_fixture->file("no/such.pdf"), m_fixture->file("figure.doc")}) {
      ask({"analyse", "beta_dependency", "--run", "good", "--checkpoint", "init", "--examples", "29",
           "--figure", file},
          file.endsWith("doc") ? 2 : 30);
      QVERIFY(!QFile::exists(file));
    }
    const Json failed =
        ask({"analyse", "beta_dependency", "--run", "good", "--checkpoint", "init", "--examples", "13"}, 30);
    QCOMPARE(failed["error"]["message"].get<std::string>(), std::string("weights hold NaN"));
  }

  void trainabilityIsJudged() {
    const Json json = ask({"trainability", "--set", "fake.steps=5"});
    QCOMPARE(json["verdict"].get<std::string>(), std::string("doubtful"));
    QCOMPARE(json["stacks"][0]["mu"].get<double>(), 3.5);
    const ShellResult words = m_fixture->fathom({"trainability", "--set", "fake.steps=5"});
    QVERIFY(words.out.startsWith("verdict: doubtful"));
    QVERIFY(words.out.contains("would help: a lower learning rate") && words.out.contains("predicted"));
    const Json failed = ask({"trainability", "--set", "fake.steps=13"}, 30);
    QCOMPARE(failed["error"]["message"].get<std::string>(), std::string("there is no batch"));
    ask({"trainability", "--set", "fake.step=5"}, 2);
  }

  void benchMeasures() {
    const Json json = ask({"bench", "start"});
    QVERIFY(json.contains("milliseconds") && json["milliseconds"]["best"].get<double>() > 0);
    const Json drawn = ask({"bench", "figures", "--rounds", "1"})["milliseconds"];
    QCOMPARE(drawn.size(), std::size_t{3});
    for (const Json& figure : drawn)
      QVERIFY(figure["redraw"].get<double>() > 0 && figure["pdf"].get<double>() > 0);
  }

  void screenshotsAreWritten() {
    const QString folder = m_fixture->file("shots");
    const Json taken =
        ask({"screenshots", "--out", folder, "--views", "welcome", "train", "command_", "help_adam"});
    // In three looks each; what the fake engine and this project do not have is told.
    QVERIFY(taken["files"].size() >= 3 * 5);
    ask({"screenshots", "--out", folder, "--views", "nothing"}, 2);
    ask({"screenshots", "--out", folder, "--looks", "sepia"}, 2);
  }

  void deletedRunCanBeRestoredAndCleanedAway() {
    const std::string uuid = train("unwanted");
    ask({"delete", "unwanted"});
    QVERIFY(runOf(uuid).empty());
    QCOMPARE(ask({"restore"})["trash"][0]["name"].get<std::string>(), std::string("unwanted"));
    ask({"restore", "unwanted"});
    QVERIFY(ask({"restore"})["trash"].empty());
    QVERIFY(!runOf(uuid).empty());
    ask({"delete", "unwanted"});
    const Json dry = ask({"clean"});
    QCOMPARE(dry["applied"].get<bool>(), false);
    const auto trash = [](const Json& plan) {  // sockets of killed engines may lie about as well
      return std::ranges::count_if(plan["items"], [](const Json& item) { return item["kind"] == "trash"; });
    };
    QCOMPARE(trash(dry), 1);
    QCOMPARE(trash(ask({"clean", "--apply"})), 1);
    QVERIFY(ask({"clean"})["items"].empty());
    ask({"restore", "unwanted"}, 2);
  }

  void aRunHasTheColourThatSomebodyChose() {
    const std::string uuid = train("coloured");
    const auto colour = [&] { return runOf(uuid)["colour"].get<std::string>(); };
    QCOMPARE(colour(), std::string());
    QCOMPARE(ask({"colour", "coloured", "--to", "green"})["runs"][0]["uuid"].get<std::string>(), uuid);
    QCOMPARE(colour(), std::string("#009e73"));
    ask({"colour", "coloured", "--to", "#A0B0C0"});
    QCOMPARE(colour(), std::string("#a0b0c0"));
    ask({"colour", "coloured", "--to", "reddish"}, 2);
    ask({"colour", "nobody", "--to", "green"}, 2);
    QCOMPARE(colour(), std::string("#a0b0c0"));
    ask({"colour", "coloured", "--to", "automatic"});
    QCOMPARE(colour(), std::string());
  }

  void runQueueEndsWhenNothingIsLeft() {
    m_fixture->enqueue("finish", 5);
    QCOMPARE(ask({"run-queue"})["ended"].get<int>(), 1);
  }

  void describeAndCommands() {
    QCOMPARE(ask({"describe"})["engine"]["version"].get<std::string>(), std::string(FATHOM_VERSION));
    const Json commands = ask({"commands"})["commands"];
    QCOMPARE(commands.size(), commandEntries().size());
  }

  void helpOfEveryCommandNamesItsFields() {
    for (const Command& command : commandEntries()) {
      const ShellResult help = m_fixture->fathom({QString::fromStdString(command.id), "--help"});
      QCOMPARE(help.exitCode, 0);
      for (const OptionField& field : command.fields) QVERIFY(help.out.contains(("--" + field.key).c_str()));
      // What an option means is seen on a terminal of ordinary width.
      for (const QString& line : help.out.split(QLatin1Char('\n')))
        if (line.startsWith(QLatin1String("--"))) QVERIFY2(line.size() <= 140, qPrintable(line));
      for (const std::string& key : command.required) {
        QVERIFY(OptionSchema(command.fields, {}).find(key));
      }
    }
    const ShellResult general = m_fixture->fathom({"--help"});
    for (const Command& command : commandEntries()) QVERIFY(general.out.contains(command.id.c_str()));
  }

  void wrongWordsAreNamed() {
    QVERIFY(m_fixture->fathom({"trian"}).err.contains("fathom train"));
    QVERIFY(m_fixture->fathom({"runs", "--projct", "x"}).err.contains("--project"));
    QVERIFY(m_fixture->fathom({"runs"}).err.contains("--project DIR"));
    QVERIFY(m_fixture->fathom({"runs", "--project", m_fixture->file("nothing")}).err.contains("nothing"));
    QCOMPARE(m_fixture->fathom({"runs", "--project"}).exitCode, 2);
  }

  void brokenEngineIsExplained() {
    for (const char* how : {"crash", "half", "wrong_version"}) {
      const ShellResult result =
          m_fixture->fathom({"describe", "--refresh"}, {QStringLiteral("FATHOM_FAKE_DESCRIBE=") + how});
      QVERIFY(result.exitCode != 0);
      QVERIFY2(result.err.contains("fake_engine"), qPrintable(result.err));
    }
    const ShellResult missing =
        m_fixture->fathom({"train", "--project", QString::fromStdString(m_fixture->path())},
                          {"FATHOM_ENGINE=/nowhere/fathom-engine"});
    QVERIFY(missing.err.contains("/nowhere/fathom-engine"));
  }

  // Two processes write to one project at the same time: nothing is lost.
  void twoWritersOnOneProject() {
    QueueSettings settings;
    settings.paused = true;
    QVERIFY(m_fixture->queue().setSettings(settings).ok());
    const QStringList words = {"train", "--project", QString::fromStdString(m_fixture->path()), "--set",
                               "fake.steps=3"};
    std::vector<std::unique_ptr<QProcess>> writers;
    for (int i = 0; i < 8; ++i) {
      writers.push_back(std::make_unique<QProcess>());
      writers.back()->start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), words);
    }
    for (auto& writer : writers) {
      QVERIFY(writer->waitForFinished(60000));
      QCOMPARE(writer->exitCode(), 0);
    }
    QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{8});
    QVERIFY(m_fixture->queue().setSettings({}).ok());
    QCOMPARE(ask({"run-queue"})["ended"].get<int>(), 8);
  }

  // The Text-to-SQL commands, one after another on the sample that the program makes.
  void textToSqlOnItsSample() {
    QTemporaryDir folder;
    const QString sample = folder.filePath("sample");
    ask({"spider-sample", "--folder", sample});
    const auto scored = [&](const QString& command, QStringList more) {
      return ask(
          QStringList{command, "--gold", sample + "/dev_gold.sql", "--tables", sample + "/tables.json"} +
          more);
    };
    const QStringList hasty = {"--predictions", sample + "/predictions/hasty.sql"};
    const Json evaluated = scored("spider-evaluate", hasty);
    QVERIFY(evaluated["right"].get<int>() > 0 &&
            evaluated["right"].get<int>() < evaluated["examples"].get<int>());
    const QString table = folder.filePath("errors.csv");
    const Json sorted = scored("spider-categorize", hasty + QStringList{"--csv", table});
    int total = 0;
    for (const char* kind : {"correct", "false_negative", "column", "sketch", "both"}) {
      QVERIFY(sorted[kind].get<int>() > 0);
      total += sorted[kind].get<int>();
    }
    QCOMPARE(total, evaluated["examples"].get<int>());
    QVERIFY(QFile::exists(table));
    const Json compared = scored("spider-compare", hasty + QStringList{sample + "/predictions/careful.sql"});
    QCOMPARE(compared["models"].size(), std::size_t{2});
    QVERIFY(
        !scored("spider-slices", hasty + QStringList{"--questions", sample + "/dev.json"})["slices"].empty());
    const QStringList databases = {"--databases", sample + "/database"};
    const Json executed = scored("spider-execute", hasty + databases);
    QVERIFY(executed["verdicts"]["right"].get<int>() >= evaluated["right"].get<int>());
    const QString links = folder.filePath("links.jsonl"), values = folder.filePath("values.jsonl");
    const QStringList questions = {"spider-link", "--data", sample + "/dev.json", "--tables",
                                   sample + "/tables.json"};
    const Json linked = ask(questions + databases + QStringList{"--values", values, "--out", links});
    QVERIFY(linked["values_made"].get<bool>());
    QCOMPARE(linked["linking"]["with_gold"], linked["examples"]);
    for (const char* part : {"reading", "linker", "linking"})
      QVERIFY(linked["seconds"][part].get<double>() > 0);
    QVERIFY(linked["linking"]["gold_columns"]["exact"].get<double>() > 20);
    for (const char* use : {"training", "evaluation"}) {
      QCOMPARE(linked["filter"][use]["records"], linked["examples"]);
      QCOMPARE(linked["filter"][use]["kept"], linked["examples"]);
    }
    QCOMPARE(linked["relations"]["schemas"].get<int>(), 3);
    QCOMPARE(linked["relations"]["counts"][0].get<int>(), 3 * 17);  // expanded columns
    const Json read = ask(questions + QStringList{"--linking", "file", "--links", links});
    QCOMPARE(read["linking"]["gold_columns"], linked["linking"]["gold_columns"]);
    QVERIFY(!ask(questions + databases + QStringList{"--values", values})["values_made"].get<bool>());
    const Json stemmed = ask(questions + QStringList{"--wordnet", folder.filePath("nowhere")});
    QVERIFY(stemmed["linking"]["used"] == "stems");
    // The same predictions as records in another order: every command places them by their index, and says
    // so.
    const QStringList shuffled = {"--predictions", QString::fromStdString(shuffledRecords(
                                                       (sample + "/predictions/hasty.sql").toStdString(),
                                                       folder.filePath("hasty.jsonl").toStdString()))};
    const auto told = [](const Json& json) {
      return QString::fromStdString(json["notes"].dump()).contains("order of the file is not");
    };
    const Json again = scored("spider-evaluate", shuffled);
    QCOMPARE(again["levels"].dump(), evaluated["levels"].dump());
    QVERIFY(told(again) && !told(evaluated));
    const Json sortedAgain = scored("spider-categorize", shuffled);
    for (const char* kind : {"correct", "false_negative", "column", "sketch", "both"})
      QCOMPARE(sortedAgain[kind], sorted[kind]);
    const Json comparedAgain =
        scored("spider-compare", shuffled + QStringList{sample + "/predictions/careful.sql"});
    QCOMPARE(comparedAgain["models"][0]["right"], compared["models"][0]["right"]);
    const Json slicesAgain =
        scored("spider-slices", shuffled + QStringList{"--questions", sample + "/dev.json"});
    const Json executedAgain = scored("spider-execute", shuffled + databases);
    QCOMPARE(executedAgain["verdicts"], executed["verdicts"]);
    for (const Json* json : {&sortedAgain, &comparedAgain, &slicesAgain, &executedAgain})
      QVERIFY(told(*json));
    const Json weighed = scored("spider-categorize", hasty + databases);
    QCOMPARE(weighed["execution"]["right"].get<int>(), executed["verdicts"]["right"].get<int>());
    // A figure of the same files, and the same recipe again.
    for (const char* ending : {"pdf", "tex", "csv"}) {
      const QString file = folder.filePath(QString("table.") + ending);
      const Json drawn =
          scored("export-figure", hasty + QStringList{"--figure", "error_table", "--out", file});
      QVERIFY(QFile::exists(file) && QFile::exists(folder.filePath("table.csv")));
      const QString recipe = QString::fromStdString(drawn["recipe"]["uuid"].get<std::string>());
      ask({"export-figure", "--recipe", recipe, "--out", file});
    }
    ask({"export-figure", "--figure", "failure_venn", "--out", folder.filePath("venn.pdf")}, 2);
    const Json timed = scored("bench", QStringList{"--what", "spider-match", "--rounds", "1", "--predictions",
                                                   sample + "/dev_gold.sql"} +
                                           databases);
    QCOMPARE(timed["right"].get<int>(), timed["examples"].get<int>());
  }

  // The fake engine serves; tst_serve asks the real one.
  void askAnswersThroughAServer() {
    const std::string path = runOf(train("asked"))["path"];
    const QStringList words = {"ask", "How many readers are there?", "--run", "asked"};
    const Json early = ask(words, 30);  // no checkpoint yet
    QVERIFY(early["error"]["message"].get<std::string>().find("checkpoint") != std::string::npos);
    const std::string name = CheckpointWriter::begin(path, 1, 12)->commit(Json::object()).value().name;
    const Json json = ask(words + QStringList{"--database", "town_library"});
    QCOMPARE(json["results"][0]["text"].get<std::string>(), std::string("SELECT count(*) FROM reader"));
    QCOMPARE(json["results"][0]["input"]["database"].get<std::string>(), std::string("town_library"));
    QVERIFY(!ServeClient::connect(serveSocketPath(path, name).value()).ok());  // it went with the command
    ask(words + QStringList{"--checkpoint", "7"}, 2);
    ask({"ask", "--run", "asked"}, 2);
  }

  // Keep last: a command without a test of its own is a mistake.
  void everyCommandWasTried() {
    // Trained by tst_quick_start_slow with the real engine; tst_review_shell.
    const QSet<QString> elsewhere = {"quick-start", "open-sample", "review"};
    for (const Command& command : commandEntries()) {
      const QString id = QString::fromStdString(command.id);
      QVERIFY2(m_tried.contains(id) || elsewhere.contains(id), qPrintable(id));
    }
  }
};

QTEST_GUILESS_MAIN(CommandsTest)
#include "tst_commands.moc"
