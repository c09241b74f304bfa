// SPDX-License-Identifier: Apache-2.0
// ctest: sqlrun threads
// Executed gold and predictions: the two comparison rules, gold's values in a prediction's places, evidence
// for the categories, and the execution column of the published reports. Needs fathom-sqlrun beside the
// tests.
#include <sqlite3.h>
#include <sys/resource.h>

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/threads/sanitizers.h"
#include "core/execution/spider_execution.h"
#include "core/spider/data/text_lines.h"
#include "core/spider/judgement/spider_review.h"
#include "core/spider/scoped/value_plugin.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_program.h"

using namespace fathom;

namespace {

const std::string kProgram = std::string(FATHOM_BIN_DIR) + "/fathom-sqlrun";
const std::string kData = fixtures::dataFolder();

SpiderSchemas clubSchemas() {
  const char* text = R"([{"db_id":"clubs","table_names_original":["person"],
      "column_names_original":[[-1,"*"],[0,"id"],[0,"name"],[0,"age"],[0,"city"]],"primary_keys":[1],"foreign_keys":[]}])";
  return parseSpiderTables(text, "made").value();
}

}  // namespace

class TestSpiderExecution : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;

  std::unique_ptr<SqlRunPool> pool(double seconds = 5) const {
    SqlRunPoolOptions options;
    options.program = kProgram;
    options.workers = 2;
    options.limits.seconds = seconds;
    return std::move(SqlRunPool::start(options)).value();
  }
  ExecutionOutcome one(const char* gold, const char* predicted, ExecutionOptions options = {}) const {
    Progress progress;
    options.databases = m_folder.path().toStdString();
    return executePairs(*pool(), {{"clubs", gold, predicted}}, clubSchemas(), options, progress)
        .value()
        .at(0);
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY2(std::filesystem::exists(kProgram), "fathom-sqlrun must be built beside the tests");
    std::filesystem::create_directory(m_folder.filePath("clubs").toStdString());
    sqlite3* database = nullptr;
    sqlite3_open(m_folder.filePath("clubs/clubs.sqlite").toUtf8().constData(), &database);
    const char* sql =
        "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, city TEXT);"
        "INSERT INTO person VALUES (1, 'Ann', 30, 'x'), (2, 'Bob', 41, 'y'), (3, 'Cid', 41, 'x');"
        "CREATE TABLE worth (id INTEGER, market_value REAL, kind TEXT);"
        "INSERT INTO worth VALUES (1, 2.5, 'good value'), (2, 7, 'good 1');"
        "CREATE TABLE many (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO many WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i, 'name ' || i FROM n;";
    QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  void rules_data() {
    QTest::addColumn<QByteArray>("gold");
    QTest::addColumn<QByteArray>("predicted");
    QTest::addColumn<QByteArray>("testSuite");
    QTest::addColumn<QByteArray>("official");
    const auto row = [](const char* name, const char* gold, const char* predicted, const char* suite,
                        const char* official) {
      QTest::newRow(name) << QByteArray(gold) << QByteArray(predicted) << QByteArray(suite)
                          << QByteArray(official);
    };
    row("same", "SELECT name FROM person", "SELECT name FROM person", "right", "right");
    row("order of rows", "SELECT name FROM person", "SELECT name FROM person ORDER BY name DESC", "right",
        "wrong");
    row("order asked for", "SELECT name FROM person ORDER BY name",
        "SELECT name FROM person ORDER BY name DESC", "wrong", "wrong");
    row("order of columns", "SELECT name, age FROM person", "SELECT age, name FROM person", "right", "right");
    row("other column, same values", "SELECT id FROM person WHERE id = 3", "SELECT count(*) FROM person",
        "right", "wrong");
    row("DISTINCT", "SELECT age FROM person", "SELECT DISTINCT age FROM person", "right", "wrong");
    row("fewer rows", "SELECT name FROM person", "SELECT name FROM person WHERE age > 30", "wrong", "wrong");
    row("refused by the official parser", "SELECT name FROM person", "SELECT p.name FROM person p", "right",
        "wrong");
    row("no such column", "SELECT name FROM person", "SELECT nickname FROM person", "sql error", "sql error");
    row("gold fails", "SELECT nickname FROM person", "SELECT name FROM person", "gold error", "gold error");
    row("a write", "SELECT name FROM person", "DELETE FROM person", "denied", "denied");
    row("nothing", "SELECT name FROM person", "", "sql error", "sql error");
  }
  void rules() {
    QFETCH(QByteArray, gold);
    QFETCH(QByteArray, predicted);
    QFETCH(QByteArray, testSuite);
    QFETCH(QByteArray, official);
    for (const bool suite : {true, false}) {
      ExecutionOptions options;
      options.rule = suite ? ExecutionRule::TestSuite : ExecutionRule::Official;
      const auto outcome = one(gold.constData(), predicted.constData(), options);
      QVERIFY2(outcome.name() == (suite ? testSuite : official).toStdString(),
               (outcome.name() + " " + outcome.message).c_str());
    }
  }

  // DISTINCT is deleted as the test suite does, unless it is kept; equal only so is no evidence.
  void distinctIsKept() {
    const char *gold = "SELECT count(*) FROM person", *predicted = "SELECT count(DISTINCT age) FROM person";
    ExecutionOptions keep;
    keep.keepDistinct = true;
    const auto without = one(gold, predicted), kept = one(gold, predicted, keep);
    QVERIFY(without.right() && without.distinctIgnored);
    QVERIFY(without.evidence().equal && !without.evidence().comparable && without.evidence().distinctIgnored);
    QCOMPARE(kept.name(), std::string("wrong"));
    QVERIFY(kept.evidence().comparable && !kept.evidence().equal);
    // The same DISTINCT on both sides changes nothing.
    const char* both = "SELECT DISTINCT age FROM person";
    QVERIFY(!one(both, both).distinctIgnored && one(both, both).evidence().comparable);
    QVERIFY(one("SELECT age FROM person", both).distinctIgnored);
    // Also of a prediction with gold's values in it.
    ExecutionOptions plug;
    plug.plugValues = true;
    const auto plugged = one("SELECT age FROM person WHERE id > 1",
                             "SELECT DISTINCT age FROM person WHERE id > 'terminal'", plug);
    QVERIFY(plugged.right() && !plugged.pluggedSql.empty() && plugged.distinctIgnored);
    // What only the preparation breaks ("value" becomes 1) is no refusal.
    QVERIFY(one(gold, "SELECT nickname FROM person").evidence().refused);
    const auto alias = one(gold, "SELECT total_value FROM (SELECT count(*) AS total_value FROM person)");
    QVERIFY(!alias.evidence().refused);
    // Different with DISTINCT left out of both, equal as they are written: that is what a category is told.
    const auto grouped = one("SELECT DISTINCT age FROM person", "SELECT age FROM person GROUP BY age");
    QCOMPARE(grouped.name(), std::string("wrong"));
    QVERIFY(grouped.asWritten.right() && grouped.evidence().equal && grouped.evidence().comparable);
  }

  // "value" is 1 for the official verdict wherever these letters stand, and stays a name as it is written.
  void valueIsReplacedOnlyAsALiteral() {
    const char* market = "SELECT max(market_value) FROM worth";
    const auto same = one(market, market);
    QCOMPARE(same.name(), std::string("sql error"));
    QCOMPARE(same.executed, std::string("SELECT max(market_1) FROM worth"));
    QVERIFY(same.asWritten.right());
    QCOMPARE(same.asWritten.executed, std::string(market));
    QVERIFY(same.evidence().comparable && same.evidence().equal && !same.evidence().refused);
    const auto counts = allExecutionJson({same}, false);
    QCOMPARE(counts["as_predicted"].dump(), std::string(R"({"sql error":1})"));
    QCOMPARE(counts["as_written"].dump(), std::string(R"({"right":1})"));
    QVERIFY(!counts.contains("with_gold_values"));
    // Inside a text, too: another one is asked for.
    const auto text = one("SELECT id FROM worth WHERE kind = 'good value'",
                          "SELECT id FROM worth WHERE kind = 'good value'");
    QCOMPARE(text.name(), std::string("wrong"));
    QVERIFY(text.asWritten.right() && text.evidence().equal);
    // As a literal it is one, without a column of this name.
    const auto literal =
        one("SELECT name FROM person WHERE id = 1", "SELECT name FROM person WHERE id = value");
    QVERIFY(literal.right() && literal.asWritten.right());
    QCOMPARE(literal.asWritten.executed, std::string("SELECT name FROM person WHERE id = 1"));
    const auto unlike =
        one("SELECT name FROM person WHERE id > 0", "SELECT name FROM person WHERE id >  value");
    QVERIFY(!unlike.asWritten.right() && !unlike.evidence().comparable);
  }

  void asWritten() {
    const auto schema = [](const char* column) {
      SpiderSchema made;
      made.columns.push_back({-1, "*", "*", "*", "text"});
      made.columns.push_back({0, column, column, column, "text"});
      return made;
    };
    const SpiderSchema other = schema("price"), named = schema("value");
    QCOMPARE(queryAsWritten("SELECT a FROM t WHERE b > = value AND c ! = 'x > = value' -- value", other),
             std::string("SELECT a FROM t WHERE b >= 1 AND c != 'x > = value' -- value"));
    QCOMPARE(queryAsWritten("SELECT a FROM t WHERE b < value LIMIT value", other),
             std::string("SELECT a FROM t WHERE b < 1 LIMIT 1"));
    for (const char* sql :
         {"SELECT value FROM t WHERE t.value = evaluate", "SELECT max(a) AS value FROM t HAVING 3 < value",
          "SELECT 'value', \"value\", market_value FROM t", "SELECT 'open value"})
      QCOMPARE(queryAsWritten(sql, other), std::string(sql));
    QCOMPARE(queryAsWritten("SELECT a FROM t WHERE b = value", named),
             std::string("SELECT a FROM t WHERE b = value"));
    QVERIFY(hasPlaceholders("SELECT a FROM t WHERE b = value", &other));
    QVERIFY(!hasPlaceholders("SELECT a FROM t WHERE b = value", &named));
    QVERIFY(hasPlaceholders("SELECT a FROM t WHERE b = 'terminal'", &named));
    QCOMPARE(queryAsWritten("SELECT year(curdate()) - y FROM t", other),
             std::string("SELECT 2020 - y FROM t"));
  }

  // Line breaks end comments; what is behind a statement is nothing.
  void linesAndCommentsStay() {
    const char* sql = "-- names\nSELECT name FROM person; -- all of them";
    const auto outcome = one("SELECT name FROM person", sql);
    QVERIFY2(outcome.right() && outcome.asWritten.right(), outcome.message.c_str());
    // The script takes the first statement; as it is written there are two.
    const auto two = one("SELECT name FROM person", "SELECT name FROM person; SELECT 1");
    QVERIFY(two.right());
    QCOMPARE(two.asWritten.name(), std::string("multiple statements"));
    QVERIFY(!two.evidence().comparable);
  }

  void otherDatabasesOfASuite() {
    const std::string folder = m_folder.path().toStdString() + "/suite";
    std::filesystem::create_directories(folder + "/a");
    std::filesystem::create_directories(folder + "/b");
    for (const char* name : {"/a/a.sqlite", "/a/a_1.sqlite", "/a/a_2.sqlite3", "/a/a.sqlite-wal",
                             "/a/schema.sql", "/b/b.sqlite"})
      std::ofstream(folder + name) << "x";
    const SuiteDatabases suite = suiteDatabases(folder, {"a", "b", "nowhere"});
    QCOMPARE(suite.executed, std::size_t{2});
    QCOMPARE(suite.there, std::size_t{4});
    QVERIFY(suite.note().english().starts_with("2 of 4 databases"));
    QVERIFY(suiteDatabases(folder, {"b"}).note().empty());
  }

  // Results are forgotten once they are compared: hundreds of megabytes of them come, few are there at once.
  void largeResultsAreNotKept() {
    constexpr int kPairs = kSanitized ? 4 : 24;  // memory is not looked at under a sanitizer
    const auto query = [](int k, const char* condition) {
      return "SELECT a.id, b.id, c.id, d.id, a.name, " + std::to_string(k) +
             " FROM many a, many b, many c, many d WHERE a.id " + condition + " LIMIT 90000";
    };
    std::vector<SpiderPair> pairs;
    for (int k = 0; k < kPairs; ++k) pairs.push_back({"clubs", query(k, "> 0"), query(k, ">= 1")});
    ExecutionOptions options;
    options.databases = m_folder.path().toStdString();
    Progress progress;
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    const auto outcomes = executePairs(*pool(60), pairs, clubSchemas(), options, progress).value();
    getrusage(RUSAGE_SELF, &after);
    for (const auto& outcome : outcomes) {
      QVERIFY2(outcome.right(), (outcome.name() + " " + outcome.message).c_str());
      QCOMPARE(outcome.goldRows, std::size_t{90000});
    }
    const long grown = (after.ru_maxrss - before.ru_maxrss) / 1024;
    qInfo("%d results of 90,000 rows in %ld MiB", 2 * kPairs, grown);
    if (!kSanitized) QVERIFY2(grown < 400, "results are kept: all of them together take 1.6 GiB");
  }

  // A query of many literals has fewer variants; the first that is right ends the trying.
  void variantsAreTriedInTurns() {
    ExecutionOptions plug;
    plug.plugValues = true;
    const auto late =
        one("SELECT name FROM person WHERE age = 41 AND city = 'x' AND id = 3 AND name = 'Cid'",
            "SELECT name FROM person WHERE name = 'a' AND id = 0 AND city = 'b' AND age = 9", plug);
    QVERIFY2(late.right(), late.pluggedSql.c_str());
    QVERIFY(late.pluggedSql.find("name = 'Cid'") != std::string::npos);
    // Bounded in time the trying ends before; what was right as it stands or at once stays right.
    plug.plugSeconds = 1e-9;
    QVERIFY(!one("SELECT name FROM person WHERE age = 41 AND city = 'x' AND id = 3 AND name = 'Cid'",
                 "SELECT name FROM person WHERE name = 'a' AND id = 0 AND city = 'b' AND age = 9", plug)
                 .right());
    QVERIFY(
        one("SELECT name FROM person WHERE age = 41", "SELECT name FROM person WHERE age = 9", plug).right());
  }

  void valuesArePutIn() {
    const char* gold = "SELECT name FROM person WHERE age = 41 AND city = 'x'";
    for (const char* predicted : {"SELECT name FROM person WHERE age = 'terminal' AND city = \"terminal\"",
                                  "SELECT name FROM person WHERE city = 'terminal' AND age = 'terminal'",
                                  "SELECT name FROM person WHERE age = value AND city = value"}) {
      QVERIFY(!one(gold, predicted).right());
      ExecutionOptions options;
      options.plugValues = true;
      const auto outcome = one(gold, predicted, options);
      QVERIFY2(outcome.right(), predicted);
      QVERIFY(outcome.pluggedSql.find("41") != std::string::npos);
      QVERIFY(outcome.evidence().comparable && outcome.evidence().equal);
    }
    // Without values a difference is no evidence.
    const auto bare = one(gold, "SELECT name FROM person WHERE age = 'terminal' AND city = 'terminal'");
    QVERIFY(!bare.evidence().comparable);
  }

  void pluggedVariants() {
    const auto variants = pluggedQueries("SELECT a FROM t WHERE b = 'x' AND c > 3 LIMIT 1",
                                         "SELECT a FROM t WHERE c > 1 AND b LIKE \"y\" LIMIT 1");
    QCOMPARE(variants.front(), std::string("SELECT a FROM t WHERE c > 'x' AND b LIKE 3 LIMIT 1"));
    QVERIFY(std::find(variants.begin(), variants.end(),
                      "SELECT a FROM t WHERE c > 3 AND b LIKE 'x' LIMIT 1") != variants.end());
    QCOMPARE(variants.size(), std::size_t{27});  // three values in three places
    QCOMPARE(
        pluggedQueries("SELECT a FROM t WHERE b = 1 AND c = 2", "SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9, 0").size(),
        std::size_t{1000});
    QVERIFY(pluggedQueries("SELECT a FROM t", "SELECT a FROM t WHERE b = 1").empty());
    // Names in quotes are no literals where only a name can stand.
    QCOMPARE(literalSlots("SELECT \"a\" FROM \"t\" WHERE t.\"b\" = \"x\"").size(), std::size_t{1});
    QVERIFY(hasPlaceholders("SELECT a FROM t WHERE b = value"));
    QVERIFY(!hasPlaceholders("SELECT value FROM t WHERE t.value = 3"));
  }

  void evidenceWeighsTheCategory() {
    const SpiderPair pair = {"clubs", "SELECT name FROM person WHERE age > 30",
                             "SELECT name FROM person WHERE age >= 41"};
    const auto outcome = one(pair.gold.c_str(), pair.predicted.c_str());
    QVERIFY(outcome.right());
    const auto schemas = clubSchemas();
    const auto evaluation = evaluateSpider({pair}, schemas).value();
    const auto alone = categoriseAll({pair}, evaluation, schemas, {categoryPresets()[0], 1, {}}).value()[0];
    const auto weighed =
        categoriseAll({pair}, evaluation, schemas, {categoryPresets()[0], 1, {outcome.evidence()}})
            .value()[0];
    QCOMPARE(weighed.category, alone.category);
    QVERIFY(weighed.confidence <= 0.5 && weighed.confidence < alone.confidence);
    QCOMPARE(weighed.reasons.back().rule, std::string("F12"));
    // Two empty results say nothing, an error does.
    QVERIFY(!one("SELECT name FROM person WHERE age = 1", "SELECT name FROM person WHERE age = 2")
                 .evidence()
                 .comparable);
    const auto error = one("SELECT name FROM person", "SELECT nickname FROM person").evidence();
    QVERIFY(error.comparable && !error.equal && error.words.english().find("nickname") != std::string::npos);
  }

  void factsOfTheDatabase() {
    auto schemas = clubSchemas();
    QVERIFY(!schemas.at("clubs").factsKnown);
    const auto running = pool();
    const auto notes = addDatabaseFacts(*running, m_folder.path().toStdString(),
                                        {{"clubs", "", ""}, {"nowhere", "", ""}}, schemas);
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY(notes[0].find("nowhere") != std::string::npos);
    QVERIFY(schemas.at("clubs").factsKnown);
    QVERIFY(schemas.at("clubs").columns[2].notNull && !schemas.at("clubs").columns[3].notNull);
    QVERIFY(schemas.at("clubs").isKey(1) && !schemas.at("clubs").tables[0].empty);
  }

  // The official script's single-database comparison, 15 s a query; NA where values or data are missing.
  void publishedExecution_data() {
    QTest::addColumn<QString>("system");
    QTest::newRow("graphix") << "graphix_t5_3b_picard";
    QTest::newRow("din-sql") << "din_sql_gpt4";
    QTest::newRow("codes") << "codes_1b";
  }
  void publishedExecution() {
    QFETCH(QString, system);
    const std::string archive = kData + "/spider/databases.tar.gz";
    if (!std::ifstream(archive).good()) QSKIP("no Spider data");
    const QString databases = m_folder.filePath("spider");
    if (!QDir(databases).exists()) {
      QVERIFY(QDir().mkpath(databases));
      QCOMPARE(tests::runProgram({"tar", "xzf", archive, "-C", databases.toStdString()}).code, 0);
    }
    const std::string folder = kData + "/spider_predictions/" + system.toStdString();
    const auto schemas = readSpiderTables(kData + "/spider/tables.json").value();
    const auto gold = readGoldFile(kData + "/spider/dev_gold.sql").value();
    const auto file = readPredictionFile(folder + "/pred.sql").value();
    const auto pairs = pairPredictions(gold, file, PredictionPairing::Official).value().pairs;
    const auto table = splitTextLines(readFile(folder + "/per_example.tsv").value()).lines;
    ExecutionOptions options;
    options.databases = databases.toStdString() + "/database";
    options.rule = ExecutionRule::Official;
    QElapsedTimer timer;
    timer.start();
    Progress progress;
    const auto running = pool(15);
    const auto outcomes = executePairs(*running, pairs, schemas, options, progress).value();
    qInfo("2 x %zu queries in %.1f s (%s)", pairs.size(), static_cast<double>(timer.elapsed()) / 1000,
          running->sandboxText().c_str());
    int compared = 0, right = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::string expected = splitTabs(table.at(i + 1))[5];
      if (expected == "NA") continue;
      ++compared;
      right += outcomes[i].right();
      QVERIFY2(outcomes[i].right() == (expected == "1"),
               (std::to_string(i) + " " + outcomes[i].name() + " " + outcomes[i].message + "\n" +
                pairs[i].gold + "\n" + pairs[i].predicted)
                   .c_str());
    }
    QCOMPARE(compared, 972);
    qInfo("%d of %d right", right, compared);
  }
};

QTEST_GUILESS_MAIN(TestSpiderExecution)
#include "tst_spider_execution.moc"
