// SPDX-License-Identifier: Apache-2.0
// Prediction files as people have them; significance tests against values worked out by hand.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/tasks/spider/prediction_file.h"
#include "core/tasks/spider/spider_significance.h"
#include "core/tasks/spider/text_lines.h"

using namespace fathom;

namespace {

std::vector<std::string> sqlOf(const PredictionFile& file) {
  std::vector<std::string> out;
  for (const auto& line : file.lines) out.push_back(line.sql);
  return out;
}
const std::vector<std::string> kTwo = {"SELECT a", "SELECT b"};

}  // namespace

class TestPredictionFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void formats_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("lines") << QByteArray("SELECT a\nSELECT b\n") << "p.sql";
    QTest::newRow("lines with database") << QByteArray("SELECT a\tdb\nSELECT b\tdb") << "p.txt";
    QTest::newRow("CRLF and BOM") << QByteArray("\xEF\xBB\xBFSELECT a\r\nSELECT b\r\n") << "p.sql";
    QTest::newRow("json texts") << QByteArray("[\"SELECT a\", \"SELECT\\n  b\"]") << "p.json";
    QTest::newRow("json objects")
        << QByteArray("[{\"db_id\":\"x\",\"predicted_sql\":\"SELECT a\"},{\"predicted_sql\":\"SELECT b\"}]")
        << "p.json";
    QTest::newRow("json in an object")
        << QByteArray("{\"predictions\":[\"SELECT a\",\"SELECT b\"]}") << "p.json";
    QTest::newRow("jsonl")
        << QByteArray(
               "{\"index\":0,\"predicted\":\"SELECT a\"}\n\n{\"index\":1,\"predicted\":\"SELECT b\"}\n")
        << "predictions.jsonl";
    QTest::newRow("csv")
        << QByteArray("question,PREDICTED SQL\n\"x, y\",SELECT a\n\"say \"\"z\"\"\",\"SELECT\n b\"\n")
        << "p.csv";
    QTest::newRow("UTF-16") << QByteArray::fromHex("fffe530045004c0045004300540020006100") +
                                   QByteArray::fromHex("0a00530045004c0045004300540020006200")
                            << "p.sql";
  }
  void formats() {
    QFETCH(QByteArray, text);
    QFETCH(QString, name);
    const auto file = parsePredictionText(
        std::string_view(text.constData(), static_cast<std::size_t>(text.size())), name.toStdString());
    QVERIFY2(file.ok(), file ? "" : file.error().text().c_str());
    QCOMPARE(sqlOf(*file), kTwo);
  }

  // A column chooser asks what there is; reading needs a choice where no name is usual.
  void columnsAreOfferedWithoutUsualNames_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("csv") << QByteArray("no,answer\n1,SELECT a\n2,SELECT b\n") << "p.csv";
    QTest::newRow("json") << QByteArray(R"([{"no":1,"answer":"SELECT a"},{"no":2,"answer":"SELECT b"}])")
                          << "p.json";
    QTest::newRow("jsonl") << QByteArray("{\"no\":1,\"answer\":\"SELECT a\"}\n{\"answer\":\"SELECT b\"}\n")
                           << "p.jsonl";
  }
  void columnsAreOfferedWithoutUsualNames() {
    QFETCH(QByteArray, text);
    QFETCH(QString, name);
    const auto parse = [&](const PredictionOptions& options) {
      return parsePredictionText(text.toStdString(), name.toStdString(), options);
    };
    PredictionOptions options;
    const auto unnamed = parse(options);
    QVERIFY(!unnamed.ok());
    QVERIFY(unnamed.error().text().find("answer") != std::string::npos);
    options.anyColumns = true;
    const auto offered = parse(options);
    QVERIFY2(offered.ok(), offered ? "" : offered.error().text().c_str());
    QVERIFY(offered->sqlColumn.empty());
    QVERIFY(std::find(offered->columns.begin(), offered->columns.end(), "answer") != offered->columns.end());
    options.sqlColumn = "answer";
    QCOMPARE(sqlOf(*parse(options)), kTwo);
  }

  void whatIsWrongIsNamed() {
    PredictionOptions options;
    options.sqlColumn = "answer";
    const auto column = parsePredictionText("[{\"sql\":\"SELECT a\"}]", "p.json", options);
    QVERIFY(!column && column.error().text().find("answer") != std::string::npos &&
            column.error().text().find("sql") != std::string::npos);
    QVERIFY(!parsePredictionText("", "p.sql"));
    QVERIFY(!parsePredictionText("a,b\n\"open", "p.csv"));
    QVERIFY(!parsePredictionText("{\"a\":1}\n{broken\n", "p.jsonl"));
    QCOMPARE(parsePredictionText("{\"sql\":\"x\"}\n{broken\n", "p.jsonl").error().line, std::int64_t{2});
    QVERIFY(!parseGoldText("SELECT a\n", "gold.sql"));
    const auto invalid = parsePredictionText("SELECT '\xff'\n", "p.sql").value();
    QCOMPARE(invalid.notes.size(), std::size_t{1});
  }

  void pairing() {
    const auto gold = parseGoldText("SELECT a\tx\n\nSELECT b\tx\nSELECT c\ty\n", "gold.sql").value();
    QCOMPARE(gold.size(), std::size_t{3});
    // The official script drops blank lines and shifts what follows; the careful way keeps the place.
    const auto blank = parsePredictionText("SELECT a\n\nSELECT c\n", "p.sql").value();
    const auto shifted = pairPredictions(gold, blank, PredictionPairing::Official).value();
    QCOMPARE(shifted.pairs.size(), std::size_t{2});
    QCOMPARE(shifted.pairs[1].predicted, std::string("SELECT c"));
    const auto kept = pairPredictions(gold, blank).value();
    QCOMPARE(kept.pairs.size(), std::size_t{3});
    QCOMPARE(kept.pairs[1].predicted, std::string());
    QVERIFY(!kept.notes.empty());
    // Counts and databases that do not fit.
    QVERIFY(!pairPredictions(gold, parsePredictionText("SELECT a\n", "p.sql").value()));
    const auto other = pairPredictions(
        gold, parsePredictionText("SELECT a\tq\nSELECT b\tq\nSELECT c\tq\n", "p.sql").value());
    QVERIFY(!other && other.error().message.find("\"q\"") != std::string::npos);
    // By index.
    const auto indexed =
        parsePredictionText("{\"index\":2,\"sql\":\"SELECT c\"}\n{\"index\":0,\"sql\":\"SELECT a\"}\n",
                            "p.jsonl")
            .value();
    const auto placed = pairPredictions(gold, indexed).value();
    QCOMPARE(placed.pairs[0].predicted, std::string("SELECT a"));
    QCOMPARE(placed.pairs[1].predicted, std::string());
    QCOMPARE(placed.pairs[2].predicted, std::string("SELECT c"));
  }

  void significance() {
    std::vector<int> first(10, 1), second = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    const auto test = mcnemarTest(first, second);
    QCOMPARE(test.onlyFirst, 6);
    QVERIFY(std::abs(test.pExact - 2.0 / 64) < 1e-12);
    QVERIFY(std::abs(test.chiSquare - 25.0 / 6) < 1e-12);
    QCOMPARE(mcnemarTest(first, first).pExact, 1.0);
    const auto interval = wilsonInterval(8, 10);
    QVERIFY(std::abs(interval.low - 0.490162) < 1e-5 && std::abs(interval.high - 0.943318) < 1e-5);
    const auto boot = pairedBootstrap(first, second, 2000, 7);
    QCOMPARE(boot.difference, 0.6);
    QVERIFY(boot.interval.low > 0.2 && boot.interval.high < 1.0 && boot.p < 0.01);
    QCOMPARE(boot.interval.low, pairedBootstrap(first, second, 2000, 7).interval.low);
  }
};

QTEST_APPLESS_MAIN(TestPredictionFile)
#include "tst_prediction_file.moc"
