// SPDX-License-Identifier: Apache-2.0
// The commands of Text-to-SQL from the shell.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "app/command.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_command_trial.h"

using namespace fathom;

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

class SqlCommandsTest : public QObject, private test::CommandTrial {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { begin(); }

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
  }

  // One test of two systems, whoever asks: an example whose gold query the official parser refuses is left
  // out of both, and said. Counts of executed results have one name each.
  void sameNumbersBothWays() {
    QTemporaryDir folder;
    const QString sample = folder.filePath("sample");
    ask({"spider-sample", "--folder", sample});
    const auto lengthened = [&](const QString& from, const char* name, const std::string& line) {
      const QString to = folder.filePath(name);
      QFile in(from);
      std::ofstream out(to.toStdString());
      if (in.open(QIODevice::ReadOnly)) out << in.readAll().toStdString() << line << "\n";
      return to;
    };
    const std::string refused = "SELECT count(*) FROM reader WHERE reader_id IS NULL";
    const QStringList files = {
        "--gold",
        lengthened(sample + "/dev_gold.sql", "gold.sql", refused + "\ttown_library"),
        "--tables",
        sample + "/tables.json",
        "--predictions",
        lengthened(sample + "/predictions/hasty.sql", "hasty.sql", refused),
        lengthened(sample + "/predictions/careful.sql", "careful.sql", "SELECT count(*) FROM reader")};
    const Json compared = ask(QStringList{"spider-compare"} + files);
    const Json reviewed = ask(QStringList{"review", "--kind", "sql"} + files);
    const Json &one = compared["pairs"][0], &other = reviewed["pairs"][0];
    QCOMPARE(one["gold_errors_left_out"].get<int>(), 1);
    QCOMPARE(one["examples"].get<std::size_t>() + 1, reviewed["examples"].get<std::size_t>());
    QCOMPARE(one["only_first"], other["only_first"]);
    QCOMPARE(one["mcnemar_p"], other["p"]);
    const auto near = [](const Json& ours, const Json& theirs) {
      return std::abs(ours.get<double>() - theirs.get<double>()) < 1e-9;
    };
    for (const Json& model : compared["models"]) {
      const double points = 100 * model["right"].get<double>() / model["examples"].get<double>();
      QVERIFY(model["low"].get<double>() < points && points < model["high"].get<double>());
    }
    const Json bars = *compared["wrong_in_any"]["remove_if_false_negative_for_any_model"].begin();
    QVERIFY(near(bars["column_share"], 100 * bars["column"].get<double>() / bars["examples"].get<double>()));
    QVERIFY(near(one["difference"], other["difference"]) && one["difference"].get<double>() < 0);
    QVERIFY(near(one["bootstrap_low"], other["low"]) && near(one["bootstrap_high"], other["high"]));
    QVERIFY(one["bootstrap_p"].get<double>() >= 1.0 / (one["resamples"].get<double>() + 1));
    // As predicted, with gold's values, as written: in all three commands.
    const QStringList executed = {"--databases", sample + "/database"};
    const Json alone = ask(QStringList{"spider-execute"} + files.first(6) + executed);
    const Json sorted = ask(QStringList{"spider-categorize"} + files.first(6) + executed);
    const Json both = ask(QStringList{"spider-compare"} + files + executed);
    QCOMPARE(alone["executed"]["as_predicted"], alone["verdicts"]);
    QVERIFY(!alone["executed"].contains("with_gold_values"));
    for (const Json* json : {&sorted, &both["models"][0]}) {
      QCOMPARE((*json)["executed"]["as_predicted"], alone["executed"]["as_predicted"]);
      QCOMPARE((*json)["executed"]["as_written"], alone["executed"]["as_written"]);
      QCOMPARE((*json)["executed"]["with_gold_values"], (*json)["execution"]);
    }
    QCOMPARE(alone["databases"]["executed"], alone["databases"]["there"]);
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
    ask(words + QStringList{"--checkpoint", "7"}, 30);
    ask({"ask", "--run", "asked"}, 2);
  }

  // Keep last.
  void everyCommandWasTried() { triedAllOf(Part::Sql); }
};

QTEST_GUILESS_MAIN(SqlCommandsTest)
#include "tst_sql_commands.moc"
