// SPDX-License-Identifier: Apache-2.0
// Every command of commands.list from the shell on a fixture project: those of runs and of the program
// itself. tst_result_commands and tst_sql_commands have the others.
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/command.h"
#include "app/runs/training_request.h"
#include "core/base/files/hash.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_command_trial.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class CommandsTest : public QObject, private test::CommandTrial {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { begin(); }

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
    const Json preset = ask({"train", "--preset", "sample_smal"}, 30);
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
    const Json error = ask({"resume", QString::fromStdString(run.path())}, 30);
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
    const ShellResult resumed =
        m_fixture->fathom({"resume", "slow", "--project", QString::fromStdString(m_fixture->path())});
    QCOMPARE(resumed.exitCode, 0);
    QVERIFY2(resumed.err.contains("no checkpoint: it starts at update 0"), qPrintable(resumed.err));
    QVERIFY(waitFor([&] { return runLockHolder(path).has_value(); }));
    ask({"resume", "slow"}, 30);
    ask({"delete", "slow"}, 30);
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
    const Json error = ask({"show", "god"}, 30);
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
    ask({"restore", "unwanted"}, 30);
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
    ask({"colour", "nobody", "--to", "green"}, 30);
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

  void dataIsToldByItsFiles() {
    const QString folder = m_fixture->file("rte");
    std::filesystem::create_directories(folder.toStdString());
    std::ofstream(folder.toStdString() + "/train.tsv") << "index\tsentence1\tsentence2\tlabel\n";
    const Json json = ask({"data", folder});
    QCOMPARE(json["kind"].get<std::string>(), std::string("glue"));
    QCOMPARE(json["options"]["glue.task"].get<std::string>(), std::string("rte"));
    QCOMPARE(json["missing"].size(), std::size_t{2});
    QCOMPARE(json["missing"][1]["key"].get<std::string>(), std::string("text.vocabulary.file"));
    const ShellResult text = m_fixture->fathom({"data", folder});
    QVERIFY2(text.out.contains("fathom train --preset glue_quick --data"), qPrintable(text.out));
    QVERIFY2(text.out.contains("https://gluebenchmark.com"), qPrintable(text.out));
    const ShellResult none = m_fixture->fathom({"data", m_fixture->file("nothing")});
    QCOMPARE(none.exitCode, 30);
    QVERIFY2(none.err.contains("nothing"), qPrintable(none.err));
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

  void aRunThatCannotBeReadHasTheNameOfItsFolder() {
    const std::string folder = m_fixture->path() + "/runs/handmade";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/run.json") << "{\"format\":9}";
    const ShellResult runs =
        m_fixture->fathom({"runs", "--project", QString::fromStdString(m_fixture->path())});
    QVERIFY2(runs.out.contains("\nhandmade  handmade"), qPrintable(runs.out));
    std::filesystem::remove_all(folder);
  }

  void setTakesOneAssignment() {
    const QStringList words{"train", "--project", QString::fromStdString(m_fixture->path()),
                            "--set", "seed=1",    "threads=1"};
    const ShellResult two = m_fixture->fathom(words);
    QCOMPARE(two.exitCode, 2);
    QVERIFY2(two.err.contains("--set threads=1"), qPrintable(two.err));
    QVERIFY(m_fixture->fathom({"train", "--help"}).out.contains("--set KEY=VALUE"));
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

  // Keep last: a command without a test of its own is a mistake. Trained by tst_quick_start_slow with the
  // real engine; tst_review_shell, tst_places, tst_ssh, tst_source_list.
  void everyCommandWasTried() {
    triedAllOf(Part::Runs, {"train-script", "quick-start", "open-sample", "review", "places", "add-place",
                            "remove-place", "check-place", "prepare-place", "fetch", "sources"});
  }
};

QTEST_GUILESS_MAIN(CommandsTest)
#include "tst_commands.moc"
