// SPDX-License-Identifier: Apache-2.0
// The commands that show, compare, draw, measure and exchange what runs have, from the shell on a fixture
// project.
#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>
#include <vector>

#include "app/command.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/runs/run_listing.h"
#include "core/record/formats/array_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_command_trial.h"
#include "views/tables/run_abilities.h"

using namespace fathom;

class ResultCommandsTest : public QObject, private test::CommandTrial {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    begin();
    QVERIFY(!train("good").empty());
    ask({"retry", "good", "--name", "again", "--set", "seed=5", "--wait"});
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
    const Json error = ask({"retry", "post_ln"}, 30);
    QVERIFY(error["error"]["message"].get<std::string>().find("imported") != std::string::npos);
  }

  // Of a run that another program trained: two states, shown by every door that shows ours.
  void attentionOfAnotherProgramIsImported() {
    const QString csv = m_fixture->file("with_attention.csv");
    QFile file(csv);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("step,loss\n40,3\n80,2\n");
    file.close();
    ask({"import-run", csv, "--name", "brought"});
    const QString array = m_fixture->file("encoder.self_attention.npy");
    const std::vector<float> thirds(2 * 2 * 3 * 3, 1.0f / 3);
    QVERIFY(writeArrayFile(array.toStdString(), {2, 2, 3, 3}, thirds).ok());
    ask({"analyse", "attention_entropy", "--run", "brought"}, 2);  // the fake engine knows no such analysis
    RunItem item;
    item.folder = QString::fromStdString(ask({"show", "brought"})["run"]["path"].get<std::string>());
    item.origin = QStringLiteral("csv");
    QVERIFY(!whyNoStates(item).isEmpty());
    const Json first = ask({"import-attention", array, "--run", "brought", "--checkpoint", "40"});
    QCOMPARE(first["checkpoint"].get<std::string>(), std::string("0001-00000040"));
    QVERIFY(!whyNoStates(item).isEmpty());  // what the disk holds is not asked for here
    item.brought = broughtParts(item.folder);
    QVERIFY(whyNoStates(item).isEmpty());  // it can be chosen in Attention
    QCOMPARE(first["tokens"].get<int>(), 3);
    QCOMPARE(first["results"].size(), std::size_t{3});
    ask({"import-attention", array, "--run", "brought", "--checkpoint", "checkpoint-80", "--maps", "0"});
    const Json again = ask({"import-attention", array, "--run", "brought", "--checkpoint", "40"});
    QVERIFY(again["results"] == first["results"]);
    const Json all = ask({"analyse", "attention_entropy", "--run", "brought", "--checkpoint", "all"});
    QCOMPARE(all["results"].size(), std::size_t{2});
    const Json& head = all["results"][0]["result"]["attentions"][0]["layers"][1][1];
    QVERIFY(std::abs(head["mean"].get<double>() - std::log(3.0)) < 1e-6);
    QVERIFY(ask({"analyse", "attention_entropy", "--run",
                 "brought"})["results"][0]["request"]["checkpoint"] == Json("0001-00000080"));
    const QString drawn = m_fixture->file("brought.pdf");
    ask({"analyse", "attention_jsd", "--run", "brought", "--checkpoint", "40", "--figure", drawn});
    QVERIFY(QFile::exists(drawn));
    for (const char* figure : {"attention_maps", "over_training"})
      ask({"export-figure", "--figure", figure, "--runs", "brought", "--out",
           m_fixture->file(figure) + ".pdf"});
    const Json wrong = ask({"import-attention", array, "--run", "brought", "--checkpoint", "best"}, 2);
    QCOMPARE(wrong["error"]["key"].get<std::string>(), std::string("checkpoint"));
    const Json none = ask({"import-attention", csv, "--run", "brought", "--checkpoint", "40"}, 30);
    QCOMPARE(none["error"]["file"].get<std::string>(), csv.toStdString());
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
    // Two columns with the values of `show`, and how far the second is from the first.
    const Json score = json["scores"][0];
    QCOMPARE(score["columns"].size(), std::size_t{2});
    const std::string metric = score["metric"];
    const double first = ask({"show", "good"})["run"]["last"][metric],
                 second = ask({"show", "again"})["run"]["last"][metric];
    QCOMPARE(score["columns"][0]["value"].get<double>(), first);
    QCOMPARE(score["columns"][1]["difference"].get<double>(), second - first);
    QCOMPARE(ask({"compare", "good", "again", "--group-seeds"})["columns"].size(), std::size_t{1});
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
         "--set", "y=fake.milliseconds", "--out", m_fixture->file("grid.svg")});
    QVERIFY(QFile::exists(m_fixture->file("grid.svg")));
    ask({"export-figure", "--figure", "stability_grid", "--runs", "grid:h", "--out",
         m_fixture->file("h.svg")},
        30);
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
    ask({"grid", "--show", "h"}, 30);
  }

  void tableOfTasks() {
    const Json table = ask({"task-table", "First=good", "again", "--latex"})["table"];
    QVERIFY2(table["columns"] == Json({"First", "again"}), table.dump().c_str());
    QCOMPARE(table["lines"][0]["cells"][0]["finished"].get<int>(), 1);
    const Json once = ask({"task-table", "good", "good"})["table"];  // a run that is named twice is one run
    QCOMPARE(once["lines"][0]["cells"][0]["finished"].get<int>(), 1);
    // Values of a grid's axes are columns; failed runs are counted in theirs.
    const Json grid = ask({"task-table", "grid:g", "--by", "fake.behaviour"})["table"];
    QVERIFY2(grid["columns"] == Json({"finish", "diverge"}), grid.dump().c_str());
    QCOMPARE(grid["lines"][0]["cells"][0]["finished"].get<int>(), 2);
    ask({"task-table", "grid:nothing"}, 30);
    ask({"task-table", "good", "--by", "nothing"}, 2);
    ask({"task-table"}, 2);
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
    page.uuid = saveFigureComposition(*library, page).value();
    QByteArray first;
    for (const char* name : {"page.pdf", "again.pdf"}) {
      const QString path = m_fixture->file(name);
      const Json json = ask({"export-figure", "--composition", "both", "--out", path});
      QCOMPARE(json["composition"]["panels"].size(), std::size_t{2});
      QVERIFY(json["texts_cut"].is_array());
      QCOMPARE(json["too_high_mm"].get<double>(), 0.0);
      QFile written(path);
      QVERIFY(written.open(QIODevice::ReadOnly));
      const QByteArray bytes = written.readAll();
      QVERIFY(bytes.contains("/CreationDate (D:20260101000000"));
      if (first.isEmpty()) first = bytes;
      QVERIFY(bytes == first);
    }
    QVERIFY(QFile::exists(m_fixture->file("page.csv")));
    // What a page of a paper has no room for is made and said.
    page.heightMm = 300;
    QVERIFY(saveFigureComposition(*library, page).ok());
    const Json high = ask({"export-figure", "--composition", "both", "--out", m_fixture->file("high.pdf")});
    QVERIFY(high["too_high_mm"].get<double>() > 0);
    ask({"export-figure", "--composition", "bot", "--out", m_fixture->file("c.pdf")}, 30);
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
    ask({"analyse", "beta_dependency", "--run", "good", "--checkpoint", "4"}, 30);
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

  // Keep last.
  void everyCommandWasTried() { triedAllOf(Part::Results); }
};

QTEST_GUILESS_MAIN(ResultCommandsTest)
#include "tst_result_commands.moc"
