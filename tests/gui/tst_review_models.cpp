// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QTest>

#include "core/spider/data/made_spider.h"
#include "views/panels/errors/question_links.h"
#include "views/panels/errors/schema_use.h"
#include "views/panels/errors/sql_alignment.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/query_result.h"

using namespace fathom;

// What stands behind the panels of the Errors workspace: alignment of SQL, links of questions, the schema's
// use, pairing of results, and the tables.
class ReviewModelsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void clausesStandBesideEachOther();
  void aliasesAreNoDifference();
  void valuesAreMarkedApart();
  void refusedSqlIsStillShown();
  void noByteIsLost_data();
  void noByteIsLost();
  void questionWordsFindTheirNames();
  void joinsAndColumnsAreFound();
  void rowsArePaired();
  void tablesOfNothing();

 private:
  static SpiderSchema schema();
  static QStringList lines(const SqlSide& side) { return QString::fromStdString(side.text).split(u'\n'); }
  static QStringList words(const std::string& sql, const std::vector<SourceSpan>& spans) {
    QStringList out;
    for (const SourceSpan& span : spans)
      out.append(QString::fromStdString(sql.substr(span.begin, span.end - span.begin)));
    return out;
  }
};

SpiderSchema ReviewModelsTest::schema() {
  const std::string json = R"([{"db_id": "music",
    "table_names": ["singer", "singer in concert"], "table_names_original": ["singer", "singer_in_concert"],
    "column_names": [[-1, "*"], [0, "singer id"], [0, "name"], [0, "birth year"], [1, "singer id"], [1, "place"]],
    "column_names_original": [[-1, "*"], [0, "Singer_ID"], [0, "Name"], [0, "Birth_Year"], [1, "Singer_ID"],
                              [1, "Place"]],
    "column_types": ["text", "number", "text", "number", "number", "text"],
    "primary_keys": [1], "foreign_keys": [[4, 1]]}])";
  return parseSpiderTables(json, "tables.json").value().at("music");
}

void ReviewModelsTest::clausesStandBesideEachOther() {
  const SpiderSchema music = schema();
  const std::string gold = "SELECT name FROM singer WHERE birth_year > 1990 ORDER BY name LIMIT 3";
  const std::string predicted = "SELECT name FROM singer ORDER BY birth_year LIMIT 3";
  const AlignedSql aligned =
      alignSql(gold, parseScopedSql(gold, music), predicted, parseScopedSql(predicted, music));
  QCOMPARE(lines(aligned.gold), QStringList({"SELECT name", "FROM singer", "WHERE birth_year > 1990",
                                             "ORDER BY name", "LIMIT 3"}));
  QCOMPARE(lines(aligned.predicted),
           QStringList({"SELECT name", "FROM singer", "", "ORDER BY birth_year", "LIMIT 3"}));
  QCOMPARE(aligned.lineDiffers, std::vector<bool>({false, false, true, true, false}));
  QCOMPARE(words(predicted, aligned.predicted.differences), QStringList({"birth_year"}));
}

void ReviewModelsTest::aliasesAreNoDifference() {
  const SpiderSchema music = schema();
  const std::string gold =
      "SELECT T1.name FROM singer AS T1 JOIN singer_in_concert AS T2 ON T1.singer_id = T2.singer_id";
  const std::string predicted =
      "SELECT a.Name FROM singer AS a JOIN singer_in_concert AS b ON a.singer_id = b.singer_id";
  const AlignedSql aligned =
      alignSql(gold, parseScopedSql(gold, music), predicted, parseScopedSql(predicted, music));
  QVERIFY2(aligned.gold.differences.empty(), qPrintable(words(gold, aligned.gold.differences).join(u'|')));
  QVERIFY(aligned.predicted.differences.empty());
  QCOMPARE(aligned.gold.lines.size(), std::size_t(3));  // the join has a line of its own
}

void ReviewModelsTest::valuesAreMarkedApart() {
  const SpiderSchema music = schema();
  const std::string gold = "SELECT name FROM singer WHERE birth_year = 1990 AND name = 'x'";
  const std::string predicted = "SELECT name FROM singer WHERE birth_year = 1991 AND name = 'x'";
  const AlignedSql aligned =
      alignSql(gold, parseScopedSql(gold, music), predicted, parseScopedSql(predicted, music));
  QVERIFY(aligned.predicted.differences.empty());
  QCOMPARE(words(predicted, aligned.predicted.values), QStringList({"1991"}));
}

void ReviewModelsTest::refusedSqlIsStillShown() {
  const SpiderSchema music = schema();
  const std::string gold = "SELECT name FROM singer", predicted = "SELECT name FRM (singer WHERE";
  const ScopedParse broken = parseScopedSql(predicted, music);
  QVERIFY(!broken.ok());
  const AlignedSql aligned = alignSql(gold, parseScopedSql(gold, music), predicted, broken);
  QVERIFY(aligned.predicted.text.find("FRM") != std::string::npos);
  QVERIFY(!aligned.predicted.differences.empty());
  QCOMPARE(aligned.gold.lines.size(), aligned.predicted.lines.size());
}

void ReviewModelsTest::noByteIsLost_data() {
  QTest::addColumn<QString>("sql");
  const char* texts[] = {
      "",
      "SELECT 1;",
      "select count(*) , max(a) from t",
      "SELECT a FROM t WHERE x BETWEEN 1 AND 2 AND y IN (SELECT z FROM u) UNION SELECT b FROM w",
      "SELECT 'it''s' FROM t -- comment",
      "(SELECT",
      "\xc3\xa9\xe4\xb8\xad"};
  for (const char* text : texts) QTest::newRow(text) << QString::fromUtf8(text);
}

void ReviewModelsTest::noByteIsLost() {
  QFETCH(QString, sql);
  const std::string text = sql.toStdString();
  const AlignedSql aligned = alignSql(text, parseSqlSyntax(text), text, parseSqlSyntax(text));
  std::string joined = aligned.gold.text;
  std::string bare = text;
  const auto isBlank = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  std::erase_if(joined, isBlank);
  std::erase_if(bare, isBlank);
  QCOMPARE(joined, bare);
  QVERIFY(aligned.gold.differences.empty());
}

void ReviewModelsTest::questionWordsFindTheirNames() {
  const QString question = QStringLiteral("What are the birth years of all singers in 2014?");
  const auto links = questionLinks(question, schema());
  QStringList found;
  for (const QuestionLink& link : links) found.append(question.mid(link.begin, link.length));
  QCOMPARE(found, QStringList({"birth years", "singers"}));
  QVERIFY(links[0].exact && !links[0].table);
  QVERIFY(links[1].exact && links[1].table);
  const QString html = questionHtml(QStringLiteral("a < singers"), questionLinks("a < singers", schema()),
                                    QStringLiteral("#000000"), QStringLiteral("#111111"));
  QVERIFY(html.contains(QStringLiteral("&lt;")));
}

void ReviewModelsTest::joinsAndColumnsAreFound() {
  const SpiderSchema music = schema();
  const PreparedSql query = prepareSql(
      "SELECT T1.name FROM singer AS T1 JOIN singer_in_concert AS T2 ON T1.singer_id = T2.singer_id", music);
  const SchemaUse use = schemaUse(query);
  QCOMPARE(use.tables, std::set<int>({0, 1}));
  QCOMPARE(use.columns, std::set<int>({1, 2, 4}));
  QCOMPARE(use.joins.size(), std::size_t(1));
  const auto cells = placeTables(music, 2);
  QCOMPARE(cells.size(), std::size_t(2));
  QVERIFY(cells[0].column != cells[1].column);
}

void ReviewModelsTest::rowsArePaired() {
  const QVector<QStringList> gold = {{"a", "1"}, {"b", "2"}, {"b", "2"}};
  const QVector<QStringList> predicted = {{"2", "b"}, {"c", "3"}};
  const auto pairs = pairRows(gold, predicted, false);
  int both = 0, goldOnly = 0, predictedOnly = 0;
  for (const RowPair& pair : pairs) {
    both += pair.gold >= 0 && pair.predicted >= 0;
    goldOnly += pair.predicted < 0;
    predictedOnly += pair.gold < 0;
  }
  QCOMPARE(both, 1);  // the columns stand the other way round
  QCOMPARE(goldOnly, 2);
  QCOMPARE(predictedOnly, 1);
  QVERIFY(pairs.last().gold >= 0 && pairs.last().predicted >= 0);  // what differs comes first
  QCOMPARE(pairRows(gold, gold, true).size(), 3);
  QueryResultModel model(true);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setResult({true, {}, {"x", "y"}, gold, 3, 0.1}, pairs);
  QCOMPARE(model.rowCount(), int(pairs.size()));
  QCOMPARE(model.columnCount(), 2);
}

void ReviewModelsTest::tablesOfNothing() {
  SelectionModel selection;
  ReviewedPredictions review(&selection);
  PredictionTableModel model(&review);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.nextWrong(-1, 1), -1);
  QCOMPARE(PredictionTableModel::modelLetter(0), QStringLiteral("A"));
  QCOMPARE(PredictionTableModel::modelLetter(26), QStringLiteral("AA"));
  QVERIFY(model.filter().setText(QStringLiteral("a b")));
  QString problem;
  QVERIFY(!model.filter().setText(QStringLiteral("/[/"), &problem));
  QVERIFY(!problem.isEmpty());
}

QTEST_MAIN(ReviewModelsTest)
#include "tst_review_models.moc"
