// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// A Text-to-SQL run of the made data from the shell: what its validations leave behind is what the
// commands for predictions read, with the same numbers; execution accuracy through the sandbox.
#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/record/results/prediction_set.h"
#include "core/spider/data/made_spider.h"
#include "core/spider/grammar/search_details.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

namespace {

// Learns the shortest of the sample's queries within seconds.
const QStringList kParser = {"task=text_to_sql",
                             "spider.vocabulary.kind=wordpiece",
                             "spider.vocabulary.lower_case=true",
                             "spider.linking=stems",
                             "spider.item_order=fixed",
                             "spider.max_train=320",
                             "spider.max_validation=0",
                             "model=sql_sp",
                             "encoder.layers=1",
                             "model.width=32",
                             "model.heads=2",
                             "model.feed_forward=32",
                             "model.dropout=0",
                             "model.bert.max_positions=256",
                             "spider.max_pieces=256",
                             "extra.layers=1",
                             "extra.attention=relation_aware",
                             "model.extra_layers.heads=2",
                             "model.extra_layers.feed_forward=32",
                             "model.sql_sp.width=64",
                             "model.sql_sp.hidden=64",
                             "model.sql_sp.vector=48",
                             "model.sql_sp.decoder_heads=4",
                             "model.sql_sp.action_width=32",
                             "model.sql_sp.type_width=8",
                             "model.sql_sp.question_dropout=0",
                             "model.sql_sp.schema_dropout=0",
                             "model.sql_sp.vector_dropout=0",
                             "init=xavier",
                             "optimizer=adam",
                             "lr_schedule=linear",
                             "lr_schedule.rate=0.004",
                             "lr_schedule.warmup=10",
                             "batch.examples=16",
                             "validation.beam=3",
                             "predict.beam=3",
                             "validation.max_steps=50",
                             "predict.max_steps=50",
                             "device=cpu",
                             "threads=1"};

QStringList set(const QStringList& options) {
  QStringList words;
  for (const QString& option : options) words << "--set" << option;
  return words;
}

}  // namespace

class SqlRunShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void validationIsExecuted();
  void setHoldsTheBeam();
  void commandsReadTheSet();
  void evaluationSaysTheSame();
  void predictionsHoldTheBeam();
  void missingSandboxIsASentence();
  void withoutDatabasesNothingIsExecuted();

 private:
  ShellResult engine(const QStringList& words, const QStringList& environment = {}) const {
    const QString sandbox = QStringLiteral("FATHOM_SQLRUN=" FATHOM_BIN_DIR "/fathom-sqlrun");
    const test::Ended ended = m_forks.run(words, QStringList{sandbox} + environment);
    return {ended.code, QString::fromUtf8(ended.out), QString::fromUtf8(ended.err)};
  }
  QString at(const char* name) const { return m_fixture.file(name); }
  QStringList options(const char* length, const QStringList& more = {}) const {
    QStringList all = kParser;
    all << "data.train=" + at("sample/train.json") << "data.validation=" + at("sample/validation.json")
        << "spider.tables=" + at("sample/tables.json")
        << "spider.vocabulary.file=" + at("sample/vocabulary.txt");
    for (const char* key : {"training.length", "validation.interval", "checkpoint.interval"})
      all << QLatin1String(key) + "=" + QLatin1String(length);
    all << "validation.score_interval=" + QLatin1String(length);
    if (QLatin1String(length) == QLatin1String("2u")) all << "lr_schedule.warmup=1";
    return set(all + more);
  }
  QString databases() const { return "spider.databases=" + at("sample/database"); }
  // The numbers of the last validation.
  Json validation(const QString& run) const;
  std::string setPath(const char* run) const { return predictionSets(at(run).toStdString())->at(0).path; }
  ProjectFixture m_fixture;
  mutable test::EngineForks m_forks;
};

Json SqlRunShellTest::validation(const QString& run) const {
  QFile events(run + "/attempts/0001/events.jsonl");
  if (!events.open(QIODevice::ReadOnly)) return {};
  Json found;
  for (const QByteArray& line : events.readAll().split('\n')) {
    const auto event = parseJson(line.toStdString());
    if (event.ok() && event->value("k", "") == "validation") found = event->value("m", Json());
  }
  return found;
}

void SqlRunShellTest::initTestCase() {
  const ShellResult made = engine({"sample", "--task", "text_to_sql", "--out", at("sample")});
  QVERIFY2(made.exitCode == 0, qPrintable(made.err));
  const std::string folder = at("databases").toStdString();
  QVERIFY(writeMadeSpider(makeSpiderData(), folder).ok());
  QVERIFY(QDir().rename(at("databases/database"), at("sample/database")));
  const ShellResult trained =
      engine(QStringList{"train", "--run", at("trained")} + options("120u", {databases()}));
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
}

void SqlRunShellTest::validationIsExecuted() {
  const Json values = validation(at("trained"));
  QVERIFY(values.contains("valid.exact_match") && values.contains("valid.execution"));
  const double exact = values["valid.exact_match"], execution = values["valid.execution"];
  QVERIFY2(exact > 0 && exact < 100, std::to_string(exact).c_str());
  // What is gold's query by exact match has, with gold's values, gold's result.
  QVERIFY2(execution >= exact && execution <= 100, std::to_string(execution).c_str());
}

void SqlRunShellTest::setHoldsTheBeam() {
  const std::string path = setPath("trained");
  std::size_t finished = 0;
  for (int example = 0; example < 20; ++example) {
    const SearchDetails details = searchDetailsFromJson(readPredictionDetails(path, example).value()).value();
    QVERIFY(!details.tokens.empty() && !details.database.empty());
    QVERIFY(!details.hypotheses.empty() && details.hypotheses.size() <= 3);
    for (const ExplainedHypothesis& one : details.hypotheses) {
      double sum = 0;
      for (const ExplainedAction& action : one.actions)
        sum += action.logProbability * (action.column ? 3 : 1);
      QVERIFY(std::abs(sum - one.score) < 1e-4);
      finished += one.finished && !one.sql.empty() ? 1 : 0;
    }
  }
  QVERIFY(finished > 0);
}

void SqlRunShellTest::commandsReadTheSet() {
  const QString predictions = QString::fromStdString(setPath("trained"));
  // Gold as Spider's own text file.
  const auto records = readJsonFile(at("sample/validation.json").toStdString()).value();
  std::string gold;
  for (const Json& record : records)
    gold += record["query"].get<std::string>() + "\t" + record["db_id"].get<std::string>() + "\n";
  QVERIFY(writeFileAtomically(at("dev_gold.sql").toStdString(), gold).ok());
  const double exact = validation(at("trained"))["valid.exact_match"];
  for (const QString& file : {at("dev_gold.sql"), at("sample/validation.json")}) {
    const QStringList files = {"--gold",    file,       "--predictions",
                               predictions, "--tables", at("sample/tables.json")};
    const Json scored = m_fixture.fathom(QStringList{"spider-evaluate", "--json"} + files).json();
    const double right = scored["right"], all = scored["examples"];
    QVERIFY(std::abs(100 * right / all - exact) < 1e-6);
    const ShellResult categories = m_fixture.fathom(QStringList{"spider-categorize"} + files);
    QVERIFY2(categories.exitCode == 0, qPrintable(categories.err));
    QVERIFY2(
        categories.out.contains(QStringLiteral("%1 right, %2 wrong").arg(int(right)).arg(int(all - right))),
        qPrintable(categories.out));
  }
}

void SqlRunShellTest::evaluationSaysTheSame() {
  const ShellResult result = engine({"evaluate", "--run", at("trained"), "--split", "validation"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  const Json json = result.json();
  const Json trained = validation(at("trained"));
  QCOMPARE(json["values"]["exact_match"].get<double>(), trained["valid.exact_match"].get<double>());
  QCOMPARE(json["values"]["execution"].get<double>(), trained["valid.execution"].get<double>());
  const Json& last = json["scores"].back();
  QCOMPARE(last["id"].get<std::string>(), std::string("execution"));
  QCOMPARE(last["details"]["all"].get<int>(), 120);
  QVERIFY(last["details"]["verdicts"].contains("right"));
  QVERIFY(!readPredictionDetails(json["predictions"].get<std::string>(), 0).value().is_null());
}

void SqlRunShellTest::predictionsHoldTheBeam() {
  QVERIFY(
      writeFileAtomically(at("asked.txt").toStdString(), "town_library\tHow many readers are there?\n").ok());
  const ShellResult result = engine({"predict", "--run", at("trained"), "--input", at("asked.txt")});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  for (const PredictionSet& stored : predictionSets(at("trained").toStdString()).value()) {
    if (!stored.split.empty()) continue;
    const SearchDetails details =
        searchDetailsFromJson(readPredictionDetails(stored.path, 0).value()).value();
    QCOMPARE(details.tokens, (std::vector<std::string>{"How", "many", "readers", "are", "there", "?"}));
    QCOMPARE(details.hypotheses.front().sql + "\n", result.out.toStdString());
    return;
  }
  QFAIL("no set of free input");
}

void SqlRunShellTest::missingSandboxIsASentence() {
  const ShellResult result = engine(
      QStringList{"train", "--run", at("alone")} + options("2u", {databases(), "spider.max_validation=8"}),
      {"FATHOM_SQLRUN=" + at("nowhere")});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  QCOMPARE(result.err.count("execution accuracy is not computed: fathom-sqlrun is not there"), 1);
  QVERIFY(validation(at("alone")).contains("valid.exact_match"));
  QVERIFY(!validation(at("alone")).contains("valid.execution"));
}

void SqlRunShellTest::withoutDatabasesNothingIsExecuted() {
  const ShellResult none =
      engine(QStringList{"train", "--run", at("none")} + options("2u", {"spider.max_validation=8"}));
  QVERIFY2(none.exitCode == 0, qPrintable(none.err));
  QCOMPARE(none.err.count("execution accuracy is not computed: no folder of databases is named"), 1);
  QVERIFY(!validation(at("none")).contains("valid.execution"));
  const ShellResult away =
      engine(QStringList{"train", "--run", at("away")} +
             options("2u", {"spider.max_validation=8", "spider.databases=" + at("no/such/folder")}));
  QVERIFY2(away.exitCode == 0, qPrintable(away.err));
  QCOMPARE(away.err.count("execution accuracy is not computed: there is no folder"), 1);
  const ShellResult off =
      engine(QStringList{"train", "--run", at("off")} +
             options("2u", {"spider.max_validation=8", databases(), "validation.execution=false"}));
  QVERIFY2(off.exitCode == 0, qPrintable(off.err));
  QVERIFY(!off.err.contains("execution accuracy"));
  QVERIFY(!validation(at("off")).contains("valid.execution"));
}

QTEST_GUILESS_MAIN(SqlRunShellTest)
#include "tst_sql_run_shell.moc"
