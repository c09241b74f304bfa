// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// The official exact-match evaluation against the reports of published systems (skipped where the data is not
// there) and against the hand-made pairs for docs/spider_evaluation.md §2, §3, §4.
#include <QElapsedTimer>
#include <QTest>
#include <fstream>
#include <sstream>

#include "core/base/files/atomic_file.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/text_lines.h"
#include "core/spider/official/spider_evaluation.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

const std::string kData = fixtures::dataFolder();

const SpiderSchemas& schemas() {
  static const SpiderSchemas loaded = readSpiderTables(kData + "/spider/tables.json").value();
  return loaded;
}

bool haveData() {
  return std::ifstream(kData + "/spider/tables.json").good();
}

std::vector<SpiderPair> load(const std::string& gold, const std::string& predictions) {
  const auto goldLines = readGoldFile(kData + "/" + gold).value();
  const auto file = readPredictionFile(kData + "/" + predictions).value();
  return pairPredictions(goldLines, file, PredictionPairing::Official).value().pairs;
}

std::string exampleRow(std::size_t index, const SpiderPair& pair, const SpiderVerdict& verdict) {
  std::ostringstream out;
  out << index << '\t' << pair.dbId << '\t' << hardnessName(verdict.hardness) << '\t' << verdict.match.exact
      << '\t' << !verdict.parseError.empty();
  for (const auto& c : verdict.match.components)
    out << '\t' << c.goldTotal << '/' << c.predictedTotal << '/' << c.score();
  return out.str();
}

}  // namespace

class TestSpiderOfficial : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void publishedSystems_data() {
    QTest::addColumn<QString>("gold");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<int>("right");
    QTest::addColumn<int>("refused");
    const QString old = "spider_predictions/dev_gold_before_june2020.sql";
    const QString now = "spider/dev_gold.sql";
    QTest::newRow("editsql") << old << "editsql"
                             << "" << 597 << 4;
    QTest::newRow("editsql, current gold") << now << "editsql"
                                           << ".gold2020" << 599 << 4;
    QTest::newRow("graphix") << now << "graphix_t5_3b_picard"
                             << "" << 797 << 11;
    QTest::newRow("din-sql") << now << "din_sql_gpt4"
                             << "" << 621 << 66;
    QTest::newRow("codes") << now << "codes_1b"
                           << "" << 741 << 22;
    QTest::newRow("repository example") << old << "spider_repo_example"
                                        << "" << 721 << 7;
  }

  void publishedSystems() {
    if (!haveData()) QSKIP("no Spider data");
    QFETCH(QString, gold);
    QFETCH(QString, folder);
    QFETCH(QString, suffix);
    QFETCH(int, right);
    QFETCH(int, refused);
    const std::string base = "spider_predictions/" + folder.toStdString();
    const auto pairs = load(gold.toStdString(), base + "/pred.sql");
    QCOMPARE(pairs.size(), std::size_t{1034});
    const auto evaluation = evaluateSpider(pairs, schemas()).value();
    // Every example, every column (the execution column is another command's).
    const auto table =
        splitTextLines(readFile(kData + "/" + base + "/per_example" + suffix.toStdString() + ".tsv").value())
            .lines;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      auto fields = splitTabs(table.at(i + 1));
      fields.erase(fields.begin() + 5);
      std::string expected;
      for (const auto& field : fields) expected += (expected.empty() ? "" : "\t") + field;
      const std::string ours = exampleRow(i, pairs[i], evaluation.verdicts[i]);
      if (ours != expected) qWarning("%s | %s", pairs[i].gold.c_str(), pairs[i].predicted.c_str());
      QCOMPARE(ours, expected);
    }
    QCOMPARE(evaluation.exactCount, right);
    QCOMPARE(evaluation.parseErrors, refused);
    const std::string expected =
        readFile(kData + "/" + base + "/official_report" + suffix.toStdString() + ".txt").value();
    QVERIFY(officialReport(pairs, evaluation) == expected);
  }

  // What Python's float() and int() say (3.11): decimal digits of every script are digits, nothing else is.
  void numbersOfOtherScripts() {
    double value = 0;
    for (const auto& [text, number] :
         {std::pair{"１２", 12.0}, std::pair{"٣", 3.0}, std::pair{"1２.５e１", 125.0},
          std::pair{"１_０", 10.0}, std::pair{"𝟏𝟐", 12.0}, std::pair{"-３", -3.0}, std::pair{"+３", 3.0},
          std::pair{"１e５", 1e5}}) {
      QVERIFY2(pythonFloat(text, value), text);
      QCOMPARE(value, number);
    }
    for (const char* text :
         {"²", "½", "Ⅷ", "１,０", "０x１", "nａn", "１＿０", "＋３", "１．５", "一", "\xEF\xBC"})
      QVERIFY2(!pythonFloat(text, value), text);
    std::int64_t whole = 0;
    QVERIFY(pythonInt("－１", whole) == false && pythonInt("１０", whole) && whole == 10);
    const auto schemas =
        parseSpiderTables(
            R"([{"db_id":"d","table_names_original":["t"],"column_names_original":[[-1,"*"],[0,"a"],
          [0,"b"]],"primary_keys":[1],"foreign_keys":[]}])",
            "made")
            .value();
    const std::vector<SpiderPair> pairs = {
        {"d", "SELECT a FROM t WHERE b > 20 LIMIT 3", "SELECT a FROM t WHERE b > ２０ LIMIT ３"},
        {"d", "SELECT count(*) FROM (SELECT a FROM t WHERE b > 20)",
         "SELECT count(*) FROM (SELECT a FROM t WHERE b > ２０)"},
        {"d", "SELECT count(*) FROM (SELECT a FROM t WHERE b > 20)",
         "SELECT count(*) FROM (SELECT a FROM t WHERE b > ２１)"},
        {"d", "SELECT a FROM t WHERE b > 20", "SELECT a FROM t WHERE b > Ⅷ"}};
    const auto evaluation = evaluateSpider(pairs, schemas).value();
    QVERIFY(evaluation.verdicts[0].match.exact && evaluation.verdicts[1].match.exact);
    QVERIFY(!evaluation.verdicts[2].match.exact && evaluation.verdicts[2].parseError.empty());
    QVERIFY(!evaluation.verdicts[3].parseError.empty());
  }

  // The same predictions as records in any order, with TABs for blanks: the same scores.
  void orderAndFormatChangeNothing() {
    if (!haveData()) QSKIP("no Spider data");
    const auto gold = readGoldFile(kData + "/spider/dev_gold.sql").value();
    const auto inOrder = load("spider/dev_gold.sql", "spider_predictions/codes_1b/pred.sql");
    std::string records, tabbed;
    for (std::size_t i = 0; i < inOrder.size(); ++i) {
      const std::size_t at = (i * 617) % inOrder.size();  // 617 and 1,034 share no factor
      records += Json{{"index", at}, {"predicted", inOrder[at].predicted}}.dump() + "\n";
      std::string sql = inOrder[i].predicted;
      if (i == 3) sql.replace(sql.find(' '), 1, "\t");
      tabbed += sql + "\n";
    }
    SpiderDatabaseIds known;
    for (const auto& [id, schema] : schemas()) known.insert(id);
    for (const auto pairing : {PredictionPairing::Official, PredictionPairing::Careful}) {
      const auto paired = parsePredictions(records, "p.jsonl", {}, gold, known, pairing).value();
      for (std::size_t i = 0; i < inOrder.size(); ++i)
        QCOMPARE(paired.pairs[i].predicted, oneLine(inOrder[i].predicted));
      QCOMPARE(evaluateSpider(paired.pairs, schemas()).value().exactCount, 741);
      QVERIFY(!paired.notes.empty());
      // One line with a TAB is no reason to refuse the file.
      const auto lines = parsePredictions(tabbed, "p.sql", {}, gold, known, pairing);
      QVERIFY2(lines.ok(), lines ? "" : lines.error().text().c_str());
      QVERIFY(!lines->notes.empty());
      QCOMPARE(lines->pairs[3].predicted == inOrder[3].predicted, false);
      if (pairing == PredictionPairing::Careful)
        QCOMPARE(evaluateSpider(lines->pairs, schemas()).value().exactCount, 741);
    }
  }

  void goldAgainstItself() {
    if (!haveData()) QSKIP("no Spider data");
    const auto pairs = load("spider/dev_gold.sql", "spider/dev_gold.sql");
    QElapsedTimer timer;
    timer.start();
    const auto evaluation = evaluateSpider(pairs, schemas()).value();
    qInfo("1,034 pairs in %.1f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
    const int counts[] = {248, 446, 174, 166, 1034};
    for (std::size_t level = 0; level < 5; ++level) {
      QCOMPARE(evaluation.levels[level].count, counts[level]);
      QCOMPARE(evaluation.levels[level].exact, 1.0);
    }
    const auto& iuen = evaluation.levels[0].partial[static_cast<std::size_t>(MatchComponent::Iuen)];
    QCOMPARE(iuen.accuracy, 0.0);
    QCOMPARE(iuen.f1, 1.0);
  }

  void trainGoldLevels() {
    if (!haveData()) QSKIP("no Spider data");
    const auto gold = readGoldFile(kData + "/spider/train_gold.sql").value();
    int counts[4] = {0, 0, 0, 0}, refused = 0;
    for (const auto& line : gold) {
      const auto parsed = parseOfficialSql(line.sql, *findSchema(schemas(), line.dbId));
      if (parsed) {
        ++counts[static_cast<int>(hardnessOf(*parsed))];
      } else {
        ++refused;
      }
    }
    QCOMPARE(counts[0], 1983);
    QCOMPARE(counts[1], 2999);
    QCOMPARE(counts[2], 1921);
    QCOMPARE(counts[3], 1755);
    QCOMPARE(refused, 1);
  }

  void foreignKeyGroups() {
    if (!haveData()) QSKIP("no Spider data");
    int sameTable = 0;
    std::vector<std::string> unmerged;
    for (const auto& [id, schema] : schemas()) {
      std::vector<int> root(schema.columns.size());
      for (std::size_t i = 0; i < root.size(); ++i) root[i] = static_cast<int>(i);
      const auto find = [&](int c) {
        while (root[static_cast<std::size_t>(c)] != c) c = root[static_cast<std::size_t>(c)];
        return c;
      };
      for (const auto& [a, b] : schema.foreignKeys) {
        const int low = std::min(find(a), find(b)), high = std::max(find(a), find(b));
        root[static_cast<std::size_t>(high)] = low;
      }
      bool differs = false;
      std::map<std::pair<int, int>, int> members;  // (group, table) -> columns
      for (std::size_t c = 1; c < root.size(); ++c) {
        differs = differs || find(static_cast<int>(c)) != schema.keyGroup[c];
        ++members[{schema.keyGroup[c], schema.columns[c].table}];
      }
      for (const auto& [key, count] : members) sameTable += count > 1;
      if (differs) unmerged.push_back(id);
    }
    QCOMPARE(unmerged, std::vector<std::string>{"cre_Drama_Workshop_Groups"});
    QCOMPARE(sameTable, 25);
  }

  void handMadePairs_data();
  void handMadePairs() {
    if (!haveData()) QSKIP("no Spider data");
    QFETCH(QString, database);
    QFETCH(QString, gold);
    QFETCH(QString, predicted);
    QFETCH(int, exact);
    const std::vector<SpiderPair> pairs = {
        {database.toStdString(), gold.toStdString(), predicted.toStdString()}};
    const auto evaluation = evaluateSpider(pairs, schemas()).value();
    QVERIFY2(!evaluation.verdicts[0].goldError, evaluation.verdicts[0].parseError.c_str());
    QCOMPARE(static_cast<int>(evaluation.verdicts[0].match.exact), exact);
  }

  void hardnessGrid() {
    using H = SpiderHardness;
    const auto E = H::Easy, M = H::Medium, D = H::Hard, X = H::Extra;
    const H grid[2][5][5] = {
        {{E, M, M, D, D}, {E, M, M, D, D}, {M, M, X, D, D}, {D, D, D, X, X}, {X, X, X, X, X}},
        {{D, X, X, X, X}, {D, X, X, X, X}, {X, X, X, X, X}, {X, X, X, X, X}, {X, X, X, X, X}}};
    for (int c2 = 0; c2 < 2; ++c2) {
      for (int c1 = 0; c1 < 5; ++c1) {
        for (int others = 0; others < 5; ++others)
          QCOMPARE(hardnessFromCounts(c1, c2, others), grid[c2][c1][others]);
      }
    }
    QCOMPARE(hardnessFromCounts(0, 2, 0), X);
  }
};

void TestSpiderOfficial::handMadePairs_data() {
  QTest::addColumn<QString>("database");
  QTest::addColumn<QString>("gold");
  QTest::addColumn<QString>("predicted");
  QTest::addColumn<int>("exact");
  int number = 0;
  const auto pair = [&](const char* gold, const char* predicted, int exact,
                        const char* database = "concert_singer") {
    QTest::addRow("%d", ++number) << database << gold << predicted << exact;
  };
  const char* in =
      "SELECT name FROM singer WHERE singer_id NOT IN (SELECT %1 singer_id FROM singer_in_concert %2)";
  const auto nested = [&](const char* a, const char* b) { return QString(in).arg(a, b); };
  pair("SELECT name FROM singer WHERE age > 20", "SELECT name FROM singer WHERE age > 99", 1);
  pair("SELECT name FROM singer", "SELECT DISTINCT name FROM singer", 1);
  pair("SELECT count(DISTINCT country) FROM singer", "SELECT count(country) FROM singer", 1);
  QTest::addRow("%d", ++number) << "concert_singer" << nested("DISTINCT", "") << nested("", "") << 0;
  QTest::addRow("%d", ++number) << "concert_singer" << nested("", "LIMIT 1") << nested("", "LIMIT 2") << 0;
  pair("SELECT name FROM singer ORDER BY age LIMIT 1", "SELECT name FROM singer ORDER BY age LIMIT 5", 1);
  const char* join =
      "SELECT T2.name FROM singer_in_concert AS T1 JOIN singer AS T2 ON T1.singer_id = T2.singer_id";
  pair(join, "SELECT T2.name FROM singer_in_concert AS T1 JOIN singer AS T2 ON T1.concert_id = T2.age", 1);
  pair("SELECT T1.stadium_id FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
       "SELECT T2.stadium_id FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id", 1);
  pair("SELECT name FROM singer WHERE age = 1 AND country = 'b' OR name = 'c'",
       "SELECT name FROM singer WHERE age = 1 OR country = 'b' AND name = 'c'", 1);
  pair("SELECT name FROM singer WHERE age = 1 OR country = 'b' OR name = 'c'",
       "SELECT name FROM singer WHERE age = 1 OR country = 'b' AND name = 'c'", 0);
  pair("SELECT count(*) FROM singer GROUP BY name, country",
       "SELECT count(*) FROM singer GROUP BY country, name", 0);
  pair("SELECT name, country FROM singer", "SELECT country, name FROM singer", 1);
  for (const char* glued : {"age>=20", "age >=20", "age=20", "age <> 20"}) {
    QTest::addRow("13 %s", glued) << "concert_singer"
                                  << "SELECT name FROM singer WHERE age >= 20"
                                  << QString("SELECT name FROM singer WHERE %1").arg(glued) << 0;
  }
  number = 13;
  pair("SELECT name FROM singer", "SELECT name FROM singer;", 1);
  pair("SELECT name FROM singer", "SELECT name FROM singer s", 0);
  pair(join,
       "SELECT T2.name FROM singer_in_concert AS T1 LEFT JOIN singer AS T2 ON T1.singer_id = T2.singer_id",
       0);
  pair("SELECT max(age) FROM singer", "SELECT age FROM singer ORDER BY age DESC LIMIT 1", 0);
  pair("SELECT name FROM singer ORDER BY age DESC, name ASC",
       "SELECT name FROM singer ORDER BY age ASC, name ASC", 1);
  pair("SELECT count(*) FROM (SELECT name FROM singer WHERE age > 20)",
       "SELECT count(*) FROM (SELECT name FROM singer WHERE age > 30)", 0);
  pair("SELECT name FROM singer WHERE age > 1 INTERSECT SELECT name FROM singer WHERE country = 'a'",
       "SELECT name FROM singer WHERE country = 'a' INTERSECT SELECT name FROM singer WHERE age > 1", 0);
  pair("SELECT country FROM singer GROUP BY country HAVING count(*) > 2",
       "SELECT country FROM singer GROUP BY country HAVING count(singer_id) > 2", 0);
  pair("SELECT name FROM singer WHERE age > 3 AND age < 9",
       "SELECT name FROM singer WHERE age BETWEEN 3 AND 9", 0);
  pair("SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer)",
       "SELECT name FROM singer WHERE age > 5", 0);
  pair("SELECT name FROM singer WHERE age > 5", "SELECT name FROM singer WHERE age > country", 1);
  pair("SELECT name FROM singer", "SELECT name FROM singer JOIN singer", 0);
  pair("SELECT count(*) FROM singer", "SELECT count(*) FROM stadium", 0);
  pair("SELECT age FROM singer WHERE name = \"x\"", "SELECT age FROM singer WHERE name = \"O'Neil\"", 0);
  pair("SELECT name FROM singer ORDER BY age LIMIT 1", "SELECT name FROM singer ORDER BY age LIMIT value", 0);
  pair("SELECT name FROM singer WHERE age = 1", "SELECT name FROM singer WHERE age = 'terminal'", 1);
  pair("SELECT count(*) FROM flights WHERE sourceairport = 'A'",
       "SELECT count(*) FROM flights WHERE destairport = 'A'", 1, "flight_2");
  pair("SELECT name FROM singer WHERE age NOT BETWEEN 1 AND 2",
       "SELECT name FROM singer WHERE age NOT BETWEEN 3 AND 9", 1);
  pair("SELECT singer_id FROM singer", "SELECT singer_id FROM singer_in_concert", 0);
  pair("SELECT name FROM singer", "SELECT name FROM singer AS s", 1);
  pair(join, "SELECT T2.name FROM singer_in_concert AS T1 JOIN singer AS T2", 1);
  pair(join, "SELECT T2.name FROM singer_in_concert AS T1, singer AS T2 WHERE T1.singer_id = T2.singer_id",
       0);
  pair(join,
       "SELECT T2.name FROM singer_in_concert AS T1 INNER JOIN singer AS T2 ON T1.singer_id = T2.singer_id",
       0);
  pair("SELECT name FROM singer WHERE age = 1", "SELECT name FROM singer WHERE age = value", 0);
}

QTEST_APPLESS_MAIN(TestSpiderOfficial)
#include "tst_spider_official.moc"
