// SPDX-License-Identifier: Apache-2.0
// Prediction files as people have them.
#include <QTest>
#include <algorithm>

#include "core/spider/data/prediction_file.h"
#include "core/spider/data/text_lines.h"

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
    QTest::newRow("CRLF and BOM") << QByteArray("\xEF\xBB\xBFSELECT a\r\nSELECT b\r\n") << "p.sql";
    QTest::newRow("json texts") << QByteArray("[\"SELECT a\", \"\\n SELECT b \"]") << "p.json";
    QTest::newRow("json objects")
        << QByteArray("[{\"db_id\":\"x\",\"predicted_sql\":\"SELECT a\"},{\"predicted_sql\":\"SELECT b\"}]")
        << "p.json";
    QTest::newRow("json in an object")
        << QByteArray("{\"predictions\":[\"SELECT a\",\"SELECT b\"]}") << "p.json";
    QTest::newRow("jsonl")
        << QByteArray(
               "{\"index\":0,\"predicted\":\"SELECT a\"}\n\n{\"index\":1,\"predicted\":\"SELECT b\"}\n")
        << "predictions.jsonl";
    QTest::newRow("set of a run")
        << QByteArray(
               "{\"format\":1,\"checkpoint\":\"0001-00000020\",\"split\":\"test\",\"decoding\":{}}\n"
               "{\"example\":0,\"prediction\":\"SELECT a\"}\n{\"example\":1,\"prediction\":\"SELECT b\"}\n")
        << "0a1b.jsonl";
    QTest::newRow("csv")
        << QByteArray("question,PREDICTED SQL\n\"x, y\",SELECT a\n\"say \"\"z\"\"\",\"\nSELECT b\n\"\n")
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

  // SQL is taken as it was given: a line break ends a comment, blanks inside a text are its own.
  void lineBreaksStay() {
    const std::string sql = "-- x\nSELECT a,\n\t'b  c'", json = Json(sql).dump();
    for (const auto& [text, name] :
         {std::pair{"[" + json + "]", "p.json"}, std::pair{"{\"predicted\":" + json + "}\n", "p.jsonl"},
          std::pair{"sql\n\"" + sql + "\"\n", "p.csv"}}) {
      const auto file = parsePredictionText(text, name);
      QVERIFY2(file.ok(), file ? "" : file.error().text().c_str());
      QCOMPARE(sqlOf(*file), std::vector<std::string>{sql});
    }
  }

  // A column chooser asks what there is; reading needs a choice where no name is usual.
  // What a run's set tells about its search is no column to choose, and gold is not taken for the prediction.
  void detailsOfASetAreLeftOut() {
    const char* text =
        "{\"format\":1,\"checkpoint\":\"0001-00000010\",\"split\":\"validation\"}\n"
        "{\"example\":1,\"question\":\"q\",\"sql\":\"SELECT 2\",\"database\":\"d\",\"prediction\":\"SELECT "
        "1\","
        "\"score\":-1.5,\"details\":{\"hypotheses\":[]}}\n";
    const PredictionFile file = parsePredictionText(text, "set.jsonl").value();
    QCOMPARE(file.lines.size(), std::size_t{1});
    QCOMPARE(file.lines[0].sql, std::string("SELECT 1"));
    QCOMPARE(file.lines[0].index.value(), std::int64_t{1});
    QVERIFY(std::find(file.columns.begin(), file.columns.end(), "details") == file.columns.end());
  }

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
    QVERIFY(other.error().message.find("3 of 3") != std::string::npos);
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

  // A text file says nothing about what stands behind a TAB; the data set does.
  void databasesBehindTabs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("careful");   // what is judged, lines joined by |
    QTest::addColumn<QByteArray>("official");  // what the script makes of it
    const auto row = [](const char* name, const char* text, const char* careful, const char* official) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(careful) << QByteArray(official);
    };
    row("all name it", "SELECT a\tsinger\nSELECT b\tsinger\nSELECT c\tpets\n", "SELECT a|SELECT b|SELECT c",
        "SELECT a|SELECT b|SELECT c");
    row("none does, one has TABs", "SELECT\ta FROM\tt\nSELECT b\nSELECT c\n",
        "SELECT\ta FROM\tt|SELECT b|SELECT c", "SELECT|SELECT b|SELECT c");
    row("TABs and the database", "SELECT\ta\tsinger\nSELECT b\tsinger\nSELECT c\tpets\n",
        "SELECT\ta|SELECT b|SELECT c", "SELECT|SELECT b|SELECT c");
    row("a table called like a database", "SELECT a FROM\tsinger\nSELECT b\nSELECT c\n",
        "SELECT a FROM\tsinger|SELECT b|SELECT c", "SELECT a FROM|SELECT b|SELECT c");
    row("a value called like one", "SELECT a FROM t WHERE b =\tsinger\nSELECT b\tsinger\nSELECT c\tpets\n",
        "SELECT a FROM t WHERE b =\tsinger|SELECT b|SELECT c", "SELECT a FROM t WHERE b =|SELECT b|SELECT c");
    row("one of another database", "SELECT a\ttown\nSELECT b\tsinger\nSELECT c\tpets\n",
        "SELECT a|SELECT b|SELECT c", "SELECT a|SELECT b|SELECT c");
    row("one of a database nobody knows", "SELECT a\tmoon\nSELECT b\tsinger\nSELECT c\tpets\n",
        "SELECT a\tmoon|SELECT b|SELECT c", "SELECT a|SELECT b|SELECT c");
    row("no SQL, only the database", "\tsinger\nSELECT b\tsinger\nSELECT c\tpets\n", "|SELECT b|SELECT c",
        "singer|SELECT b|SELECT c");
  }
  void databasesBehindTabs() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, careful);
    QFETCH(QByteArray, official);
    const auto gold = parseGoldText("SELECT a\tsinger\nSELECT b\tsinger\nSELECT c\tpets\n", "gold").value();
    const auto read = [&](PredictionPairing pairing) {
      return parsePredictions(text.toStdString(), "p.sql", {}, gold, {"town"}, pairing);
    };
    for (const auto pairing : {PredictionPairing::Careful, PredictionPairing::Official}) {
      const auto paired = read(pairing);
      QVERIFY2(paired.ok(), paired ? "" : paired.error().text().c_str());
      QByteArrayList judged;
      for (const auto& pair : paired->pairs) judged.append(QByteArray::fromStdString(pair.predicted));
      const QByteArray joined = judged.join('|');
      QCOMPARE(joined, pairing == PredictionPairing::Careful ? careful : official);
      // TABs in the SQL and other databases are told.
      const bool odd = careful.contains('\t') || text.contains("town");
      QCOMPARE(paired->notes.empty(), !odd);
    }
  }

  void mostPredictionsDecideAboutTheSplit() {
    std::string gold, known, unknown, few;
    for (int i = 0; i < 10; ++i) {
      gold += "SELECT a\tsinger\n";
      known += "SELECT a\ttown\n";
      unknown += "SELECT a\tmoon\n";
      few += i < 4 ? "SELECT a\ttown\n" : "SELECT a\n";
    }
    const auto lines = parseGoldText(gold, "gold").value();
    const auto read = [&](const std::string& text) {
      return parsePredictions(text, "p.sql", {}, lines, {"town"}, PredictionPairing::Careful);
    };
    for (const auto& [text, name] : {std::pair{known, "\"town\""}, std::pair{unknown, "\"moon\""}}) {
      const auto other = read(text);
      QVERIFY(!other && other.error().message.find(name) != std::string::npos);
      QCOMPARE(other.error().file, std::string("p.sql"));
    }
    const auto noted = read(few);
    QVERIFY2(noted.ok(), noted ? "" : noted.error().text().c_str());
    QCOMPARE(noted->notes.size(), std::size_t{1});
    QVERIFY(noted->notes.front().english().find("4 of 10") != std::string::npos);
  }

  // One reader for every command: an index counts in both ways of pairing.
  void indexPlacesThePredictions_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("expected");  // "" = an error
    QTest::addColumn<QString>("said");         // by a note or the error
    const auto row = [](const char* title, const char* text, const char* name, const char* expected,
                        const char* said) {
      QTest::newRow(title) << QByteArray(text) << QString(name) << QByteArray(expected) << QString(said);
    };
    const char* abc = "SELECT a|SELECT b|SELECT c";
    row("shuffled",
        "{\"index\":2,\"sql\":\"SELECT c\"}\n{\"index\":0,\"sql\":\"SELECT "
        "a\"}\n{\"index\":1,\"sql\":\"SELECT b\"}\n",
        "p.jsonl", abc, "order of the file is not");
    row("in order",
        "{\"index\":0,\"sql\":\"SELECT a\"}\n{\"index\":1,\"sql\":\"SELECT "
        "b\"}\n{\"index\":2,\"sql\":\"SELECT c\"}\n",
        "p.jsonl", abc, "");
    row("as texts",
        "[{\"index\":\"2\",\"sql\":\"SELECT c\"},{\"index\":\"0\",\"sql\":\"SELECT "
        "a\"},{\"index\":\"1\",\"sql\":\"SELECT b\"}]",
        "p.json", abc, "order of the file is not");
    row("csv from 1", "index,sql\n3,SELECT c\n1,SELECT a\n2,SELECT b\n", "p.csv", abc, "counts from 1");
    row("one is missing", "index,sql\n2,SELECT c\n0,SELECT a\n", "p.csv", "SELECT a||SELECT c",
        "1 of 3 examples have no prediction");
    row("twice", "index,sql\n2,SELECT c\n0,SELECT a\n2,SELECT b\n", "p.csv", "",
        "record 3 has \"index\" 2, as record 1");
    row("out of range", "index,sql\n0,SELECT a\n1,SELECT b\n7,SELECT c\n", "p.csv", "",
        "record 3 has \"index\" 7");
    row("not a number", "index,sql\n0,SELECT a\n1,SELECT b\nx,SELECT c\n", "p.csv", "",
        "record 3 has no whole number");
    row("ids of questions", "id,sql\n70,SELECT a\n71,SELECT b\n72,SELECT c\n", "p.csv", abc,
        "order of the file counts");
    row("names instead of numbers", "index,sql\nq1,SELECT a\nq2,SELECT b\nq3,SELECT c\n", "p.csv", abc,
        "order of the file counts");
    row("an empty record keeps its place", "[\"SELECT a\",\"\",\"SELECT c\"]", "p.json", "SELECT a||SELECT c",
        "");
  }
  void indexPlacesThePredictions() {
    QFETCH(QByteArray, text);
    QFETCH(QString, name);
    QFETCH(QByteArray, expected);
    QFETCH(QString, said);
    const auto gold = parseGoldText("SELECT a\tx\nSELECT b\tx\nSELECT c\ty\n", "gold").value();
    for (const auto pairing : {PredictionPairing::Careful, PredictionPairing::Official}) {
      const auto paired = parsePredictions(text.toStdString(), name.toStdString(), {}, gold, {}, pairing);
      QCOMPARE(paired.ok(), !expected.isEmpty());
      QByteArray joined;
      QString notes = paired ? QString() : QString::fromStdString(paired.error().text());
      if (paired) {
        for (const auto& pair : paired->pairs)
          joined += (joined.isNull() ? "" : "|") + QByteArray(pair.predicted.c_str());
        for (const auto& note : paired->notes) notes += QString::fromStdString(note.english()) + "\n";
      }
      QCOMPARE(joined, expected);
      QVERIFY2(said.isEmpty() ? notes.isEmpty() : notes.contains(said), qPrintable(notes));
    }
  }

  void otherCountsAreTold() {
    const auto gold = parseGoldText("SELECT a\tx\nSELECT b\tx\nSELECT c\ty\n", "gold").value();
    for (const char* text : {"SELECT a\nSELECT b\n", "SELECT a\n\nSELECT b\nSELECT c\n",
                             "SELECT a\nSELECT b\nSELECT c\nSELECT d\n"})
      QVERIFY(!parsePredictions(text, "p.sql", {}, gold, {}, PredictionPairing::Official)->notes.empty());
  }
};

QTEST_APPLESS_MAIN(TestPredictionFile)
#include "tst_prediction_file.moc"
