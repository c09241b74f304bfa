// SPDX-License-Identifier: Apache-2.0
// Queries that mean the same: every rule, its precondition, and what keys allow.
#include <QTest>

#include "core/spider/judgement/spider_error_category.h"
#include "tests/unit/support_club_schema.h"

using namespace fathom;
using test::clubSchema;

class TestSqlEquivalence : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void equivalenceRules_data() {
    QTest::addColumn<QString>("gold");
    QTest::addColumn<QString>("predicted");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* rule, const char* gold, const char* predicted) {
      QTest::addRow("%s %s", rule, predicted) << gold << predicted << rule;
    };
    row("F1", "SELECT max(age) FROM person", "SELECT age FROM person ORDER BY age DESC LIMIT 1");
    row("F1", "SELECT min(age) FROM person", "SELECT age FROM person ORDER BY age LIMIT 1");
    row("", "SELECT min(age) FROM person", "SELECT age FROM person ORDER BY age DESC LIMIT 1");
    row("", "SELECT max(city) FROM person", "SELECT city FROM person ORDER BY city DESC LIMIT 1");
    row("?F2", "SELECT name FROM person WHERE age = (SELECT max(age) FROM person)",
        "SELECT name FROM person ORDER BY age DESC LIMIT 1");
    row("F3", "SELECT name FROM person UNION SELECT name FROM club",
        "SELECT name FROM club UNION SELECT name FROM person");
    row("", "SELECT name FROM person EXCEPT SELECT name FROM club",
        "SELECT name FROM club EXCEPT SELECT name FROM person");
    row("F4", "SELECT club_id FROM club EXCEPT SELECT home_club FROM game",
        "SELECT club_id FROM club WHERE club_id NOT IN (SELECT home_club FROM game)");
    row("", "SELECT name FROM club EXCEPT SELECT role FROM membership",
        "SELECT name FROM club WHERE name NOT IN (SELECT role FROM membership)");
    row("?F5", "SELECT name FROM person WHERE age > 1 UNION SELECT name FROM person WHERE city = 'a'",
        "SELECT name FROM person WHERE age > 1 OR city = 'a'");
    row("F6", "SELECT count(*) FROM person", "SELECT count(name) FROM person");
    row("", "SELECT count(*) FROM person", "SELECT count(city) FROM person");
    row("F7", "SELECT name FROM person GROUP BY person_id",
        "SELECT name FROM person GROUP BY person_id, name");
    row("", "SELECT name FROM person GROUP BY city", "SELECT name FROM person GROUP BY city, name");
    row("F8", "SELECT name FROM person WHERE age BETWEEN 1 AND 2",
        "SELECT name FROM person WHERE age >= 1 AND age <= 2");
    row("F8", "SELECT name FROM person WHERE NOT age > 1", "SELECT name FROM person WHERE age <= 1");
    row("F8", "SELECT name FROM person WHERE city IN ('a', 'b')",
        "SELECT name FROM person WHERE city = 'a' OR city = 'b'");
    row("F9", "SELECT year FROM membership",
        "SELECT T1.year FROM membership AS T1 JOIN club AS T2 ON T1.club_id = T2.club_id");
    row("", "SELECT name FROM club",
        "SELECT T1.name FROM club AS T1 JOIN membership AS T2 ON T1.club_id = T2.club_id");
    row("F10", "SELECT T1.city FROM person AS T1 JOIN club AS T2 ON T1.city = T2.city",
        "SELECT T2.city FROM person AS T1 JOIN club AS T2 ON T1.city = T2.city");
    row("", "SELECT T1.city FROM person AS T1 LEFT JOIN club AS T2 ON T1.city = T2.city",
        "SELECT T2.city FROM person AS T1 LEFT JOIN club AS T2 ON T1.city = T2.city");
  }

  void equivalenceRules() {
    QFETCH(QString, gold);
    QFETCH(QString, predicted);
    QFETCH(QString, rule);
    const PreparedSql g = prepareSql(gold.toStdString(), clubSchema());
    const PreparedSql p = prepareSql(predicted.toStdString(), clubSchema());
    QVERIFY2(g.ok(), g.parse.error.c_str());
    QVERIFY2(p.ok(), p.parse.error.c_str());
    for (const auto& [a, b] : {std::pair{&g, &p}, std::pair{&p, &g}}) {
      const auto found = findEquivalence(a->canon, b->canon, clubSchema());
      QCOMPARE(QString(found.probable ? "?" : "") + QString::fromStdString(found.rule), rule);
      QCOMPARE(found.equivalent, !rule.isEmpty() && !rule.startsWith('?'));
    }
  }

  // F13: a sub-query that selects a key as a join; F14: a set operator over a key; joins without ON.
  void rulesAboutKeys_data() {
    QTest::addColumn<QString>("gold");
    QTest::addColumn<QString>("predicted");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* name, const char* rule, const char* gold, const char* predicted) {
      QTest::newRow(name) << gold << predicted << rule;
    };
    row("IN as join", "F13",
        "SELECT year FROM membership WHERE club_id IN (SELECT club_id FROM club WHERE city = 'x')",
        "SELECT T1.year FROM membership AS T1 JOIN club AS T2 ON T1.club_id = T2.club_id WHERE T2.city = "
        "'x'");
    row("= as join", "F13",
        "SELECT year FROM membership WHERE club_id = (SELECT club_id FROM club WHERE name = 'x')",
        "SELECT T1.year FROM membership AS T1 JOIN club AS T2 ON T1.club_id = T2.club_id WHERE T2.name = "
        "'x'");
    row("below NOT IN", "F13",
        "SELECT name FROM person WHERE person_id NOT IN (SELECT T1.person_id FROM membership AS T1 JOIN club "
        "AS "
        "T2 ON T1.club_id = T2.club_id WHERE T2.city = 'x')",
        "SELECT name FROM person WHERE person_id NOT IN (SELECT person_id FROM membership WHERE club_id IN "
        "(SELECT club_id FROM club WHERE city = 'x'))");
    row("not a key", "",
        "SELECT name FROM person WHERE person_id IN (SELECT person_id FROM membership WHERE role = 'x')",
        "SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id WHERE T2.role "
        "= "
        "'x'");
    row("rows would come twice", "",
        "SELECT name FROM person WHERE person_id IN (SELECT T1.person_id FROM person AS T1 JOIN membership "
        "AS T2 "
        "ON T1.person_id = T2.person_id WHERE T2.role = 'x')",
        "SELECT T1.name FROM person AS T1 JOIN membership AS T2 ON T1.person_id = T2.person_id WHERE T2.role "
        "= "
        "'x'");
    row("star", "", "SELECT * FROM membership WHERE club_id IN (SELECT club_id FROM club WHERE city = 'x')",
        "SELECT * FROM membership AS T1 JOIN club AS T2 ON T1.club_id = T2.club_id WHERE T2.city = 'x'");
    row("OR", "",
        "SELECT year FROM membership WHERE role = 'a' OR club_id IN (SELECT club_id FROM club WHERE city = "
        "'x')",
        "SELECT T1.year FROM membership AS T1 JOIN club AS T2 ON T1.club_id = T2.club_id WHERE T1.role = 'a' "
        "OR "
        "T2.city = 'x'");
    row("INTERSECT of filters", "F14",
        "SELECT person_id FROM person WHERE age > 1 INTERSECT SELECT person_id FROM person WHERE city = 'x'",
        "SELECT person_id FROM person WHERE age > 1 AND city = 'x'");
    row("INTERSECT of filters, not a key", "?F5",
        "SELECT city FROM person WHERE age > 1 INTERSECT SELECT city FROM person WHERE name = 'x'",
        "SELECT city FROM person WHERE age > 1 AND city IN (SELECT city FROM person WHERE name = 'x')");
    row("INTERSECT as IN", "F14", "SELECT club_id FROM club INTERSECT SELECT home_club FROM game",
        "SELECT club_id FROM club WHERE club_id IN (SELECT home_club FROM game)");
    row("EXCEPT with a join", "F14",
        "SELECT T1.game_id FROM game AS T1 JOIN club AS T2 ON T1.home_club = T2.club_id WHERE T2.city = 'x' "
        "EXCEPT SELECT game_id FROM game WHERE goals > 1",
        "SELECT T1.game_id FROM game AS T1 JOIN club AS T2 ON T1.home_club = T2.club_id WHERE T2.city = 'x' "
        "AND "
        "T1.game_id NOT IN (SELECT game_id FROM game WHERE goals > 1)");
    row("joins without ON", "F9+ON", "SELECT year FROM membership",
        "SELECT T1.year FROM membership AS T1 JOIN club AS T2");
    row("joins without ON, column of the other side", "F10+ON",
        "SELECT T1.person_id, T2.name FROM membership AS T1 JOIN person AS T2 ON T1.person_id = T2.person_id",
        "SELECT T2.person_id, T2.name FROM membership AS T1 JOIN person AS T2");
    row("two foreign keys to choose from", "", "SELECT goals FROM game",
        "SELECT T1.goals FROM game AS T1 JOIN club AS T2");
  }

  void rulesAboutKeys() { equivalenceRules(); }

  // tables.json names one column of a key of several; what a database declares wins in both
  // directions.
  void keysOfSeveralColumns() {
    SpiderSchema s =
        parseSpiderTables(R"([{"db_id":"c","table_names_original":["singer","concert","singer_in_concert"],
      "column_names_original":[[-1,"*"],[0,"singer_id"],[0,"name"],[1,"concert_id"],[1,"year"],[2,"concert_id"],
        [2,"singer_id"]],"primary_keys":[1,3,5],"foreign_keys":[[6,1],[5,3]]}])",
                          "made")
            .value()
            .at("c");
    const auto ruleOf = [&](const char* gold, const char* predicted) {
      const auto found = findEquivalence(prepareSql(gold, s).canon, prepareSql(predicted, s).canon, s);
      return (found.probable ? "?" : "") + found.rule;
    };
    const char* all = "SELECT count(*) FROM singer_in_concert";
    const char* different = "SELECT count(DISTINCT concert_id) FROM singer_in_concert";
    const char* byKey = "SELECT singer_id FROM singer_in_concert GROUP BY concert_id";
    const char* byBoth = "SELECT singer_id FROM singer_in_concert GROUP BY concert_id, singer_id";
    QVERIFY(!s.isKey(5) && s.isKey(1) && s.isKey(3));
    QCOMPARE(ruleOf(all, different), std::string("?F6"));
    QCOMPARE(ruleOf(byKey, byBoth), std::string("?F7"));
    // A database that declares the key of both columns, and no key for singer.
    applySchemaFacts(s, Json::parse(R"({"tables":[{"name":"singer_in_concert","columns":[
      {"name":"concert_id","notnull":true,"unique":false},{"name":"singer_id","notnull":true,"unique":false}]},
      {"name":"singer","columns":[{"name":"singer_id","notnull":false,"unique":false}]}]})"));
    QCOMPARE(ruleOf(all, different), std::string());
    QCOMPARE(ruleOf(byKey, byBoth), std::string());
    QCOMPARE(ruleOf(all, "SELECT count(concert_id) FROM singer_in_concert"), std::string("F6"));
    QVERIFY(!s.isKey(1));
    QCOMPARE(ruleOf("SELECT count(*) FROM singer", "SELECT count(singer_id) FROM singer"), std::string());
    // One that declares the single column unique.
    applySchemaFacts(s, Json::parse(R"({"tables":[{"name":"singer_in_concert","columns":[
      {"name":"concert_id","notnull":true,"unique":true}]}]})"));
    QCOMPARE(ruleOf(all, different), std::string("F6"));
    QCOMPARE(ruleOf(byKey, byBoth), std::string("F7"));
  }

  // tables.json often knows one column of a key of several: such a table refers to its parent, never the
  // other way round, and joining it multiplies rows.
  void aTableThatRefersIsNotDropped() {
    SpiderSchema s = parseSpiderTables(R"([{"db_id":"w","table_names_original":["country","language"],
      "column_names_original":[[-1,"*"],[0,"code"],[0,"name"],[1,"code"],[1,"language"]],
      "primary_keys":[1,3],"foreign_keys":[[3,1]]}])",
                                       "made")
                         .value()
                         .at("w");
    s.factsKnown = true;
    const PreparedSql joined = prepareSql(
        "SELECT T1.name FROM country AS T1 JOIN language AS T2 ON T1.code = T2.code GROUP BY T1.name", s);
    const PreparedSql single = prepareSql("SELECT name FROM country GROUP BY name", s);
    QVERIFY(joined.ok() && single.ok());
    QVERIFY(!findEquivalence(joined.canon, single.canon, s).equivalent);
    const PreparedSql child =
        prepareSql("SELECT T2.language FROM country AS T1 JOIN language AS T2 ON T1.code = T2.code", s);
    QVERIFY(findEquivalence(child.canon, prepareSql("SELECT language FROM language", s).canon, s).equivalent);
  }
};

QTEST_APPLESS_MAIN(TestSqlEquivalence)
#include "tst_sql_equivalence.moc"
