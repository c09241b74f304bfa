// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// The corner cases of docs/error_categories.md §7, equivalence rules, the scoped
// parser, and the categories of the published systems where their predictions are there.
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <fstream>

#include "core/spider/data/prediction_file.h"
#include "core/spider/judgement/spider_error_category.h"
#include "tests/unit/support_club_schema.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;
using test::clubSchema;

namespace {

const std::string kData = fixtures::dataFolder();

CategoryVerdict judge(const std::string& gold, const std::string& predicted,
                      const CategoryPreset& preset = categoryPresets()[0]) {
  const auto g = parseOfficialSql(gold, clubSchema());
  const auto p = parseOfficialSql(predicted, clubSchema());
  const MatchResult match = exactMatch(p ? *p : SqlQuery{}, g.value(), clubSchema());
  return categorise(prepareSql(gold, clubSchema()), prepareSql(predicted, clubSchema()), match, clubSchema(),
                    preset);
}

}  // namespace

class TestSpiderCategory : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cornerCases_data() {
    QTest::addColumn<QString>("gold");
    QTest::addColumn<QString>("predicted");
    QTest::addColumn<QString>("paperLike");
    QTest::addColumn<QString>("tablesInferred");
    const auto row = [](const char* name, const char* gold, const char* predicted, const char* paperLike,
                        const char* inferred) {
      QTest::newRow(name) << gold << predicted << paperLike << inferred;
    };
    row("wrong operator", "SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE age >= 1",
        "Sketch", "Sketch");
    row("column of a joined table", "SELECT city FROM person",
        "SELECT T2.city FROM person AS T1 JOIN membership AS T3 ON T1.person_id = T3.person_id JOIN club AS "
        "T2 ON T3.club_id = T2.club_id",
        "Both", "Column");
    row("other table", "SELECT count(*) FROM person", "SELECT count(*) FROM membership", "Column:table/JOIN",
        "Column:table/JOIN");
    row("extra unused table", "SELECT name FROM person",
        "SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id", "Sketch",
        "Column:table/JOIN");
    row("missing join path",
        "SELECT T1.name, T3.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id JOIN "
        "club AS T3 ON T2.club_id = T3.club_id",
        "SELECT T1.name, T3.name FROM person AS T1 JOIN club AS T3 ON T1.city = T3.city", "Sketch",
        "Column:table/JOIN");
    row("extra selected column", "SELECT name FROM person", "SELECT name, age FROM person", "Both", "Sketch");
    row("aggregate missing", "SELECT avg(age) FROM person", "SELECT age FROM person", "Sketch", "Sketch");
    row("aggregate in the inner slot", "SELECT max(age) FROM person", "SELECT (max(age)) FROM person",
        "False negative:metric strictness", "False negative:metric strictness");
    row("values only", "SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE age > 2",
        "Correct", "Correct");
    row("nested LIMIT",
        "SELECT name FROM club WHERE club_id IN (SELECT home_club FROM game ORDER BY goals DESC LIMIT 1)",
        "SELECT name FROM club WHERE club_id IN (SELECT home_club FROM game ORDER BY goals DESC LIMIT 3)",
        "False negative:metric strictness", "False negative:metric strictness");
    row("order of AND and OR", "SELECT name FROM person WHERE age > 1 AND city = 'a' OR name = 'b'",
        "SELECT name FROM person WHERE age > 1 OR city = 'a' AND name = 'b'", "Correct?", "Correct?");
    row("wrong gold looks like any other", "SELECT city FROM person", "SELECT name FROM person", "Column",
        "Column");
    row("alias used again below",
        "SELECT name FROM person WHERE person_id IN (SELECT person_id FROM membership WHERE role = 'x')",
        "SELECT T1.name FROM person AS T1 WHERE T1.person_id IN (SELECT T1.person_id FROM membership AS T1 "
        "WHERE T1.role = 'x')",
        "False negative:metric strictness", "False negative:metric strictness");
    row("count(*) and count(key)", "SELECT count(*) FROM person", "SELECT count(person_id) FROM person",
        "False negative:F6", "False negative:F6");
    row("order of GROUP BY", "SELECT count(*) FROM person GROUP BY name, city",
        "SELECT count(*) FROM person GROUP BY city, name", "False negative:metric strictness",
        "False negative:metric strictness");
    row("empty", "SELECT name FROM person", "", "Both:invalid", "Both:invalid");
    row("refused by the official parser only", "SELECT name FROM person WHERE age > 1",
        "SELECT p.name FROM person p WHERE p.age > 1", "False negative:metric strictness",
        "False negative:metric strictness");
    row("left join", "SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id",
        "SELECT T1.name FROM person AS T1 LEFT JOIN membership AS T2 ON T1.person_id = T2.person_id",
        "Sketch:join kind", "Sketch:join kind");
    row("left join in a sub-query",
        "SELECT count(*) FROM (SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = "
        "T2.person_id)",
        "SELECT count(*) FROM (SELECT T1.name FROM person AS T1 LEFT JOIN membership AS T2 ON T1.person_id = "
        "T2.person_id)",
        "Sketch:join kind", "Sketch:join kind");
    row("columns at swapped places", "SELECT name, age FROM person ORDER BY name",
        "SELECT name, age FROM person ORDER BY age", "Column:swapped", "Column");
    row("columns swapped in the condition", "SELECT name FROM person WHERE age > 1 AND city = 'a'",
        "SELECT name FROM person WHERE city > 1 AND age = 'a'", "Column:swapped", "Column:swapped");
    row("ambiguous column",
        "SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id",
        "SELECT T1.name FROM person AS T1 JOIN club AS T3 ON name = T3.name", "Both:invalid", "Both:invalid");
    row("table named beside its alias", "SELECT name FROM person WHERE age > 1",
        "SELECT person.name FROM person p WHERE p.age > 1", "Both:invalid", "Both:invalid");
    row("bracket after UNION", "SELECT name FROM person UNION SELECT name FROM club",
        "SELECT name FROM person UNION (SELECT name FROM club WHERE city = 'x')", "Both:invalid",
        "Both:invalid");
    row("other join conditions",
        "SELECT name FROM club WHERE club_id IN (SELECT T1.home_club FROM game AS T1 JOIN club AS T2 ON "
        "T1.home_club = T2.club_id WHERE T2.city = 'x' LIMIT 1)",
        "SELECT name FROM club WHERE club_id IN (SELECT T1.home_club FROM game AS T1 JOIN club AS T2 ON "
        "T1.away_club = T2.club_id WHERE T2.city = 'x' LIMIT 2)",
        "Column:table/JOIN", "Column:table/JOIN");
  }

  void cornerCases() {
    QFETCH(QString, gold);
    QFETCH(QString, predicted);
    QFETCH(QString, paperLike);
    QFETCH(QString, tablesInferred);
    for (std::size_t preset = 0; preset < 2; ++preset) {
      const CategoryVerdict verdict =
          judge(gold.toStdString(), predicted.toStdString(), categoryPresets()[preset]);
      QString text = errorCategoryName(verdict.category);
      if (!verdict.subType.empty()) text += ":" + QString::fromStdString(verdict.subType);
      if (verdict.possibleFalsePositive) text += "?";
      const QString expected = preset == 0 ? paperLike : tablesInferred;
      QCOMPARE(text, expected);
      QVERIFY(verdict.category == ErrorCategory::Correct || !verdict.reasons.empty());
    }
  }

  // What the help says of each kind is what the program does, in either language.
  void examplesOfTheHelpPage() {
    static const QRegularExpression row(
        QStringLiteral("^\\| .*\\b(False negative|Column|Sketch|Both)\\b.*\\| `(.+)` \\| `(.+)` \\|$"),
        QRegularExpression::MultilineOption);
    for (const char* folder : {"/resources/help/", "/resources/help/zh_CN/"}) {
      QFile page(QStringLiteral(FATHOM_SOURCE_DIR) + folder + "error_categories.md");
      QVERIFY(page.open(QIODevice::ReadOnly));
      auto rows = row.globalMatch(QString::fromUtf8(page.readAll()));
      int found = 0;
      while (rows.hasNext()) {
        const auto match = rows.next();
        const CategoryVerdict verdict =
            judge(match.captured(2).toStdString(), match.captured(3).toStdString());
        QCOMPARE(QString(errorCategoryName(verdict.category)), match.captured(1));
        ++found;
      }
      QCOMPARE(found, 4);
    }
  }

  void scopedParser_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("slots_");
    QTest::newRow("derived table") << "SELECT t.n FROM (SELECT name AS n FROM club) AS t"
                                   << "from>select:6 select:6";
    QTest::newRow("common table") << "WITH c AS (SELECT city FROM person) SELECT city FROM c"
                                  << "from>select:4 select:4";
    QTest::newRow("result alias") << "SELECT count(*) AS n, city FROM person GROUP BY city ORDER BY n DESC"
                                  << "group:4 order:0 select:0,4";
    QTest::newRow("positions") << "SELECT city, count(*) FROM person GROUP BY 1 ORDER BY 2"
                               << "group:4 order:0 select:0,4";
    QTest::newRow("correlated") << "SELECT name FROM person AS p WHERE EXISTS (SELECT 1 FROM membership AS m "
                                   "WHERE m.person_id = p.person_id)"
                                << "select:2 where>select: where>where:8";
    QTest::newRow("comma join")
        << "SELECT p.name FROM person p, membership m WHERE p.person_id = m.person_id AND m.role = 'x'"
        << "select:2 where:10";
    QTest::newRow("quoted name") << "SELECT \"name\" FROM person WHERE city = \"name\""
                                 << "select:2 where:4";
    QTest::newRow("brackets")
        << "SELECT name FROM person WHERE (age > 1 OR city = 'a') AND NOT (name LIKE 'b%')"
        << "select:2 where:2,3,4";
    QTest::newRow("arithmetic") << "SELECT max(age) - min(age) FROM person"
                                << "select:3,3";
    QTest::newRow("case") << "SELECT sum(CASE WHEN age > 1 THEN 1 ELSE 0 END) FROM person"
                          << "select:3";
    QTest::newRow("constant first") << "SELECT name FROM person WHERE 3 < age"
                                    << "select:2 where:3";
    QTest::newRow("blank in an operator") << "SELECT name FROM person WHERE age > = 3"
                                          << "select:2 where:3";
    QTest::newRow("bracket after UNION") << "SELECT name FROM person UNION (SELECT name FROM club)"
                                         << "iue>select:6 select:2";
    QTest::newRow("placeholder") << "SELECT name FROM person WHERE age = value LIMIT value"
                                 << "select:2 where:3";
    QTest::newRow("not known") << "SELECT nickname FROM person"
                               << "error@7";
    QTest::newRow("open bracket") << "SELECT count(name FROM person"
                                  << "error@18";
    QTest::newRow("open quote") << "SELECT name FROM person WHERE city = 'x"
                                << "error@37";
    QTest::newRow("deep") << "SELECT " + QString(5000, '(') << "error@106";
    QTest::newRow("too many words") << "SELECT " + QString(60000, '(') << "error@10006";
    QTest::newRow("too many bytes") << "SELECT '" + QString(70000, 'x') + "'"
                                    << "error@0";
  }

  void scopedParser() {
    QFETCH(QString, sql);
    QFETCH(QString, slots_);
    const PreparedSql prepared = prepareSql(sql.toStdString(), clubSchema());
    QString text;
    if (!prepared.ok()) {
      QVERIFY(!prepared.parse.error.empty());
      text = "error@" + QString::number(prepared.parse.errorAt);
    }
    for (const auto& [path, columns] : columnSlots(prepared.canon)) {
      if (!prepared.ok()) break;
      QStringList list;
      for (const int column : columns) list << QString::number(column);
      const bool empty = columns.empty() && path.find('>') == std::string::npos;
      if (!empty && !(columns.empty() && !path.ends_with("select")))
        text += (text.isEmpty() ? "" : " ") + QString::fromStdString(path) + ":" + list.join(',');
    }
    QCOMPARE(text, slots_);
  }

  void reasonsPointAtTheText() {
    const std::string gold = "SELECT name FROM person WHERE age > 1",
                      predicted = "SELECT name FROM person WHERE city > 1";
    const CategoryVerdict verdict = judge(gold, predicted);
    QCOMPARE(verdict.category, ErrorCategory::Column);
    const CategoryReason& reason = verdict.reasons.at(0);
    QCOMPARE(reason.kind, ReasonKind::Column);
    QCOMPARE(gold.substr(reason.gold.begin, reason.gold.end - reason.gold.begin),
             std::string("WHERE age > 1"));
    QCOMPARE(predicted.substr(reason.predicted.begin, reason.predicted.end - reason.predicted.begin),
             std::string("WHERE city > 1"));
    QVERIFY(reason.text().find("person.age") != std::string::npos);
  }

  // The rules of docs/error_categories.md §4, and columns as each query has them: foreign keys of a group are
  // merged for the decision, not for the eye.
  void reasonsNameTheirRulesAndColumns() {
    const CategoryVerdict sketch =
        judge("SELECT name FROM person WHERE age > 1", "SELECT name FROM person WHERE age >= 1");
    QCOMPARE(sketch.category, ErrorCategory::Sketch);
    QCOMPARE(sketch.reasons.at(0).kind, ReasonKind::Sketch);
    QCOMPARE(sketch.reasons.at(0).rule, std::string("5.3(4)"));
    // game.home_club and club.club_id are one group, whose first is club.club_id.
    for (const CategoryPreset& preset : categoryPresets()) {
      const CategoryVerdict column = judge("SELECT home_club FROM game", "SELECT goals FROM game", preset);
      QCOMPARE(column.category, ErrorCategory::Column);
      const std::string text = column.reasons.at(0).text();
      QVERIFY2(text.find("game.home_club") != std::string::npos, text.c_str());
      QVERIFY2(text.find("club.club_id") == std::string::npos, text.c_str());
      QVERIFY2(text.find("game.goals") != std::string::npos, text.c_str());
    }
  }

  // A query that does not run has no results that could differ.
  void refusalIsItsOwnReason() {
    ExecutionEvidence refused;
    refused.comparable = refused.refused = true;
    refused.words = Phrase::words("no such function: age");
    const auto sql = [](const char* text) { return prepareSql(text, clubSchema()); };
    const CategoryVerdict verdict =
        categorise(sql("SELECT count(*) FROM person"), sql("SELECT count(name) FROM person"), MatchResult{},
                   clubSchema(), categoryPresets()[0], refused);
    QCOMPARE(verdict.subType, std::string("invalid"));
    QCOMPARE(verdict.reasons.size(), std::size_t{1});
    QCOMPARE(verdict.reasons[0].rule, std::string("5.3(2)"));
    QCOMPARE(verdict.reasons[0].text(),
             std::string("SQLite does not run the prediction: no such function: age"));
  }

  void executionChangesConfidenceOnly() {
    const std::string gold = "SELECT name FROM person WHERE age > 1",
                      predicted = "SELECT name FROM person WHERE age >= 1";
    const auto g = prepareSql(gold, clubSchema()), p = prepareSql(predicted, clubSchema());
    const auto verdict = categorise(g, p, MatchResult{}, clubSchema(), categoryPresets()[0],
                                    ExecutionEvidence{true, true, {}});
    QCOMPARE(verdict.category, ErrorCategory::Sketch);
    QVERIFY(verdict.confidence <= 0.5);
  }

  // Results that differ take a false negative back, unless its rule holds whatever is in the tables or the
  // tables are empty.
  void executionTakesBack() {
    const ExecutionEvidence differ{true, false, {}}, equal{true, true, {}};
    ExecutionEvidence refused, ignored{false, true, {}};
    refused.comparable = refused.refused = true;
    ignored.distinctIgnored = true;
    const auto judged = [](const char* gold, const char* predicted, const ExecutionEvidence& evidence,
                           const SpiderSchema& s) {
      return categorise(prepareSql(gold, s), prepareSql(predicted, s), MatchResult{}, s, categoryPresets()[0],
                        evidence);
    };
    const char *all = "SELECT count(*) FROM person", *names = "SELECT count(name) FROM person";
    QCOMPARE(judged(all, names, equal, clubSchema()).subType, std::string("F6"));
    QCOMPARE(judged(all, names, equal, clubSchema()).confidence, 1.0);
    const CategoryVerdict back = judged(all, names, differ, clubSchema());
    QCOMPARE(back.category, ErrorCategory::Column);
    QVERIFY(std::any_of(back.reasons.begin(), back.reasons.end(),
                        [](const auto& reason) { return reason.rule == "F6"; }));
    SpiderSchema empty = clubSchema();
    empty.tables[0].empty = true;
    QCOMPARE(judged(all, names, differ, empty).subType, std::string("F6"));
    QCOMPARE(judged("SELECT name FROM person WHERE age BETWEEN 1 AND 2",
                    "SELECT name FROM person WHERE age >= 1 AND age <= 2", differ, clubSchema())
                 .subType,
             std::string("F8"));
    // Nothing to see, and still other results.
    const char* nested = "SELECT name FROM club WHERE club_id IN (SELECT home_club FROM game)";
    QCOMPARE(judged(nested, nested, equal, clubSchema()).subType, std::string("metric strictness"));
    QCOMPARE(judged(nested, nested, differ, clubSchema()).subType, std::string("results differ"));
    QCOMPARE(judged(all, names, refused, clubSchema()).category, ErrorCategory::Both);
    QCOMPARE(judged(all, names, refused, clubSchema()).subType, std::string("invalid"));
    // Equal only without DISTINCT: no word for the category.
    const char* different = "SELECT count(DISTINCT city) FROM person";
    const CategoryVerdict alone =
        categorise(prepareSql(all, clubSchema()), prepareSql(different, clubSchema()), MatchResult{},
                   clubSchema(), categoryPresets()[0]);
    const CategoryVerdict weighed = judged(all, different, ignored, clubSchema());
    QCOMPARE(weighed.category, alone.category);
    QCOMPARE(weighed.confidence, alone.confidence);
    QCOMPARE(weighed.reasons.back().text(), std::string("the results are equal only with DISTINCT left out"));
  }

  void goldOfAllSplitsIsRead() {
    if (!std::ifstream(kData + "/spider/tables.json").good()) QSKIP("no Spider data");
    const auto schemas = readSpiderTables(kData + "/spider/tables.json").value();
    for (const char* file : {"/spider/dev_gold.sql", "/spider/train_gold.sql"}) {
      int refused = 0;
      const auto gold = readGoldFile(kData + file).value();
      for (const auto& line : gold) {
        const auto parse = parseScopedSql(line.sql, *findSchema(schemas, line.dbId));
        if (parse.ok()) continue;
        ++refused;
        qInfo("%s: %s: %s", line.dbId.c_str(), line.sql.c_str(), parse.error.c_str());
      }
      QVERIFY2(refused <= 1, file);  // train: the query over a table that does not exist
    }
  }

  void publishedSystems() {
    if (!std::ifstream(kData + "/spider/tables.json").good()) QSKIP("no Spider data");
    const auto schemas = readSpiderTables(kData + "/spider/tables.json").value();
    for (const char* system : {"editsql", "graphix_t5_3b_picard", "din_sql_gpt4", "codes_1b"}) {
      const auto gold = readGoldFile(kData + "/spider/dev_gold.sql").value();
      const auto file = readPredictionFile(kData + "/spider_predictions/" + system + "/pred.sql").value();
      const auto pairs = pairPredictions(gold, file).value().pairs;
      const auto evaluation = evaluateSpider(pairs, schemas).value();
      for (const auto& preset : categoryPresets()) {
        QElapsedTimer timer;
        timer.start();
        const auto verdicts = categoriseAll(pairs, evaluation, schemas, {preset, 1, {}}).value();
        const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        std::vector<ErrorCategory> categories;
        int flagged = 0;
        for (const auto& verdict : verdicts) {
          categories.push_back(verdict.category);
          flagged += verdict.possibleFalsePositive;
        }
        const auto counts = countCategories(categories);
        qInfo(
            "%s %s: FN %d, Column %d, Sketch %d, Both %d (%.0f/%.0f/%.0f %%), possible false positives %d, "
            "%.1f ms",
            system, preset.id.c_str(), counts.falseNegative, counts.column, counts.sketch, counts.both,
            100 * counts.share(ErrorCategory::Column), 100 * counts.share(ErrorCategory::Sketch),
            100 * counts.share(ErrorCategory::Both), flagged, ms);
        QCOMPARE(counts.correct, evaluation.exactCount);
        QCOMPARE(counts.goldError, 0);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestSpiderCategory)
#include "tst_spider_category.moc"
