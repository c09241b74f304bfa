// SPDX-License-Identifier: Apache-2.0
// ctest: sqlrun threads
// Which words of a question name which tables and columns (docs/schema_linking.md): the rules of both papers,
// hostile sizes, and the shares on Spider's dev set where it is.
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/path_facts.h"
#include "core/spider/linking/linking_report.h"
#include "core/spider/linking/rat_linking.h"
#include "core/spider/linking/word_forms.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_program.h"
#include "tests/unit/support_schema_links.h"

using namespace fathom;
using namespace fathom::linking_case;

namespace {

// Words whose bodies are their lower case.
std::vector<QuestionToken> plainTokens(const Words& words) {
  std::vector<QuestionToken> tokens;
  for (const auto& word : words) tokens.push_back({word, numberBody(unicodeLower(word))});
  return tokens;
}

NamedSchema namesOf(const Words& tables, const Words& columns) {
  NamedSchema schema;
  for (const auto& name : tables) schema.tables.add(name);
  for (const auto& name : columns) schema.columns.add(name);
  return schema;
}

const std::string kRealWordnet = kWordnetFolder;

}  // namespace

class TestSchemaLinking : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wordsOfQuestions() {
    const auto joined = [](const Words& words) {
      std::string out;
      for (const auto& word : questionWords(words)) out += word + "/";
      return out;
    };
    QCOMPARE(
        normalisedQuestion({"id", "Id", ",", "ID", "iD", "of", "ids", "idle", "|d", "i|", "d", "id", "?"}),
        std::string("ID Id , ID iD of ids idle 'd i' d ID ?"));
    QCOMPARE(joined({"``", "Colorado", "''", "?"}), std::string("'/Colorado/'/?/"));
    QCOMPARE(joined({"'catnip", "'", "it", "'s", "x'"}), std::string("'/catnip/'/it/'s/x/'/"));
    QVERIFY(questionWords({" ", ""}).empty());
    QCOMPARE(wordsOfText("How many \"old\" singers don't live in the U.S.? Ann's, 3.5."),
             (Words{"How", "many", "\"", "old", "\"", "singers", "do", "n't", "live", "in", "the", "U.S.",
                    "?", "Ann", "'s", ",", "3.5", "."}));
    for (const auto& [body, expected] : std::map<std::string, std::string>{{"1599", "number"},
                                                                           {"1600", "year"},
                                                                           {"2199", "year"},
                                                                           {"2200", "number"},
                                                                           {"12:30", "number"},
                                                                           {"-3.5", "number"},
                                                                           {"1,000", "1,000"},
                                                                           {"x1", "x1"},
                                                                           {".", "."},
                                                                           {"", ""}})
      QCOMPARE(numberBody(body), expected);
    QCOMPARE(unicodeLower("ÄRA Łódź"), std::string("ära łódź"));
  }

  void firstWhoWritesWins() {
    // "name" of "first name" is exact with its neighbour; later partial links leave it alone.
    NamedSchema schema = namesOf({}, {"first name", "name"});
    const auto links = linkNames(schema, plainTokens({"first", "name", "name"})).links;
    QCOMPARE(columnRow(links, 0), std::string("221"));
    QCOMPARE(columnRow(links, 1), std::string("002"));  // several tokens matched: the scan jumped over them
  }

  void quotesWrapAround() {
    NamedSchema schema = namesOf({}, {"title"});
    schema.values.add(0, "jazz");
    schema.values.add(0, "fusion");
    // Position 0 looks at the last word; a quote of two words is seen as a whole, one of three is not.
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"odd", "jazz", "'", "x", "'"})).links, 0),
             std::string("33000"));
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"'", "odd", "fusion", "'"})).links, 0),
             std::string("0330"));
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"'", "odd", "old", "fusion", "'"})).links, 0),
             std::string("00030"));
  }

  void partsOfNames() {
    NamedSchema schema = namesOf({}, {"average salary"});
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"age", "the", "average", "a"})).links, 0),
             std::string("1010"));
    NamedSchema whole{NameIndex(PartialRule::WholeWords), NameIndex(PartialRule::WholeWords), {}};
    whole.columns.add("average salary");
    QCOMPARE(columnRow(linkNames(whole, plainTokens({"age", "salary", "average", "salary"})).links, 0),
             std::string("0122"));
  }

  void synonymsLeaveAPartAlone() {
    NamedSchema schema;
    schema.columns.add("nation code", {"nation", "state"});
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"nation", "state"})).links, 0), std::string("12"));
  }

  void longNamesAreJumpedOver() {
    NamedSchema schema = namesOf({"red wine list"}, {"color", "wine"});
    schema.values.add(0, "red");
    const auto found = linkNames(schema, plainTokens({"Red", "Wine", "List", "red"}));
    QCOMPARE(found.consumed, (std::vector<bool>{true, true, true, false}));
    QCOMPARE(columnRow(found.links, 0), std::string("0003"));  // no values where a table's name stands
    QCOMPARE(columnRow(found.links, 1), std::string("0200"));
  }

  void ratSqlNames() {
    RatSchema schema;
    schema.columns = 4;
    schema.tables = 1;
    const char* names[] = {"name of the singer", "singer name", "age-group", "the"};
    for (int i = 0; i < 4; ++i) schema.columnNames.add(i, names[i]);
    const auto links = linkRat(schema, plainTokens({"name", "of", "singer", "name", "age", "the"}));
    QCOMPARE(columnRow(links, 0), std::string("110100"));  // only what begins the name, in whole words
    QCOMPARE(columnRow(links, 1), std::string("002200"));
    QCOMPARE(columnRow(links, 2), std::string("000010"));
    QCOMPARE(columnRow(links, 3), std::string("000002"));  // stop words are equal, never a part
    QVERIFY(isRatStopWord("the") && isRatStopWord("?") && !isRatStopWord("singer") && !isRatStopWord("--"));
  }

  void ratSqlCells() {
    QVERIFY(isRatNumber("12") && isRatNumber("-1.5e3") && isRatNumber("+7") && isRatNumber("inf"));
    QVERIFY(!isRatNumber("1,000") && !isRatNumber("x") && !isRatNumber("") && !isRatNumber("+-1"));
    RatSchema schema;
    schema.columns = 4;
    schema.numberColumns = {0};
    schema.timeColumns = {1};
    schema.columnNames.add(2, "york");
    for (const char* value : {"New York City", "o'neil", "100%", "a b_c"}) schema.cells.add(3, value);
    schema.cells.add(2, "york");
    const auto links =
        linkRat(schema, plainTokens({"12", "York", "o'neil", "new", "the", "city", "1_0_", "b%"}));
    QCOMPARE(columnRow(links, 0), std::string("40000000"));
    QCOMPARE(columnRow(links, 1), std::string("50000000"));
    QCOMPARE(columnRow(links, 2), std::string("02000000"));  // names go before cells
    QCOMPARE(columnRow(links, 3),
             std::string("03030333"));  // a quote breaks the query, _ and % are wildcards
    QVERIFY(matchesLike("abc", "a%") && matchesLike("abc", "_b_") && matchesLike("", "%"));
    QVERIFY(matchesLike("ä", "_") && !matchesLike("abc", "b%") && !matchesLike("ab", "a"));
    QVERIFY(!matchesLike(std::string(5000, 'a'), "%a%a%a%a%a%a%a%a%b"));
  }

  // Expanded ids: 0 the global star, 1 and 2 those of the tables, then the columns.
  void itemsAndValuesOfASchema() {
    QTemporaryDir folder;
    writeSmallWordNet(folder.path());
    const SpiderSchemas schemas = singerSchemas();
    const StoredValues values = singerValues();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.values = &values;
    sources.wordnet = folder.path().toStdString();
    const Words words = {"Name", "of", "singers", "of", "1990", "in", "New", "York", ",", "metropolis"};
    const auto opened = openSchemaLinker("dt_fixup_like", sources).value();
    const auto linked = opened.linker->link("concert", words).value();
    QCOMPARE(linked.links.columns, 9);
    QCOMPARE(linked.links.tables, 3);
    QCOMPARE(linked.tokens[2], (QuestionToken{"singers", "singer"}));
    QCOMPARE(linked.tokens[4], (QuestionToken{"1990", "year"}));
    QCOMPARE(columnRow(linked.links, 0), std::string("0000000000"));
    QCOMPARE(columnRow(linked.links, 3), std::string("0010000000"));  // singer id
    QCOMPARE(columnRow(linked.links, 4), std::string("2000000000"));  // name
    QCOMPARE(columnRow(linked.links, 5), std::string("0000100000"));  // birth year
    QCOMPARE(columnRow(linked.links, 7), std::string("0000003302"));  // city: values, a synonym
    QCOMPARE(linked.links.tableLink(0, 2), LinkCode::Exact);
    const auto rat = openSchemaLinker("rat_sql_like", sources).value().linker->link("concert", words).value();
    QCOMPARE(rat.tokens[4].body, std::string("1990"));
    QCOMPARE(columnRow(rat.links, 3), std::string("0010400000"));
    QCOMPARE(columnRow(rat.links, 5), std::string("0000400000"));
    QCOMPARE(columnRow(rat.links, 7), std::string("0000003300"));
    for (const char* unknown : {"nowhere", ""}) QVERIFY(!opened.linker->link(unknown, words).ok());
    QVERIFY(!opened.linker->link("concert", {}).ok());
    QVERIFY(!opened.linker->link("concert", {" "}).ok());
  }

  void examplesThatCannotBeLinkedAreNamed() {
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    SpiderDataset data;
    data.examples = {{"concert", "Names of singers?", "SELECT name FROM singer", {}},
                     {"nowhere", "Who?", "SELECT 1", {"Who"}},
                     {"concert", " ", "SELECT name FROM singer", {}},
                     {"concert", "All", "SELEC x", {"All"}}};
    Progress progress;
    const auto opened = openSchemaLinker("stems", sources).value();
    const auto report =
        linkDataset(*opened.linker, data, schemas, true, progress, {}, {true, true, true, false}).value();
    QCOMPARE(report.shares.examples, 2);
    QCOMPARE(report.chosen.examples, 1);
    QCOMPARE(report.chosen.withGold, 1);
    QCOMPARE(report.shares.withGold, 1);
    QCOMPARE(report.shares.goldColumns[0], 1);
    QCOMPARE(report.shares.goldTables[0], 1);
    QCOMPARE(LinkingShares::share(report.shares.goldColumns, 0), 100.0);
    QCOMPARE(report.notes.size(), std::size_t{3});
    QVERIFY(report.notes[0].find("\"nowhere\"") != std::string::npos);
    QVERIFY(report.notes[1].find("example 2") != std::string::npos);
    QCOMPARE(std::count(report.lines.begin(), report.lines.end(), '\n'), 2);
    const StopToken stop;
    stop.requestStop();
    QCOMPARE(linkDataset(*opened.linker, data, schemas, true, progress, stop).error().kind,
             ErrorKind::Interrupted);
  }

  // A question of 10,000 words and a schema of 1,000 columns.
  void hugeQuestionsAndSchemas() {
    Json names = Json::array({Json::array({-1, "*"})});
    for (int i = 0; i < 1000; ++i) names.push_back({0, "column " + std::to_string(i) + " of the big table"});
    names.push_back({0, std::string(100000, 'x')});
    const Json entry = {{"db_id", "big"},
                        {"table_names_original", {"t"}},
                        {"column_names_original", names},
                        {"column_types", Json::array()},
                        {"primary_keys", Json::array()},
                        {"foreign_keys", Json::array()}};
    const SpiderSchemas schemas = parseSpiderTables(Json::array({entry}).dump(), "made").value();
    LinkingSources sources;
    sources.schemas = &schemas;
    Words words;
    for (int i = 0; i < 10000; ++i)
      words.push_back(i % 3 == 0 ? "Column" : i % 3 == 1 ? "W" + std::to_string(i) : "big");
    words.emplace_back(200000, 's');
    for (const char* linking : {"stems", "rat_sql_like", "dt_fixup_like"}) {
      QElapsedTimer timer;
      timer.start();
      const auto opened = openSchemaLinker(linking, sources).value();
      const auto linked = opened.linker->link("big", words).value();
      QCOMPARE(linked.links.tokens, 10001);
      QCOMPARE(linked.links.columnLink(2, 0), LinkCode::Partial);
      qInfo("%s: %.1f s", linking, static_cast<double>(timer.elapsed()) / 1000);
      QVERIFY(timer.elapsed() < 120000);
    }
  }

  // How often gold's columns and tables are found on Spider's dev set (docs/schema_linking.md §1).
  void sharesOnSpider_data() {
    QTest::addColumn<QList<double>>("columns");  // exact, value, partial, none
    QTest::addColumn<QList<double>>("tables");   // exact, partial, none
    QTest::addColumn<double>("tolerance");
    QTest::newRow("dt_fixup_like") << QList<double>{44.1, 7.0, 34.4, 14.5} << QList<double>{68.9, 18.0, 13.1}
                                   << 1.0;
    QTest::newRow("stems") << QList<double>{43.9, 7.8, 32.1, 16.1} << QList<double>{69.0, 13.0, 18.0} << 1.5;
  }

  void sharesOnSpider() {
    QFETCH(QList<double>, columns);
    QFETCH(QList<double>, tables);
    QFETCH(double, tolerance);
    const std::string archive = fixtures::dataPath("spider/databases.tar.gz");
    if (archive.empty()) QSKIP("no Spider data");
    const std::string linking = QTest::currentDataTag();
    if (linking == "dt_fixup_like" && !folderExists(kRealWordnet)) QSKIP("no WordNet");
    static const QTemporaryDir databases;
    if (!QDir(databases.filePath("database")).exists())
      QCOMPARE(tests::runProgram({"tar", "xzf", archive, "-C", databases.path().toStdString()}).code, 0);
    const auto data = readSpiderDataset(fixtures::dataPath("spider/dev.json")).value();
    SpiderDatabaseIds ids;
    for (const auto& example : data.examples) ids.insert(example.dbId);
    const auto schemas = readSpiderTablesOf(fixtures::dataPath("spider/tables.json"), ids).value();
    SqlRunPoolOptions pool;
    pool.program = std::string(FATHOM_BIN_DIR) + "/fathom-sqlrun";
    Progress progress;
    const auto values =
        spiderValues({databases.filePath("database").toStdString(), ""}, ids, ids, pool, progress).value();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.values = &values.values;
    const auto opened = openSchemaLinker(linking, sources).value();
    QCOMPARE(opened.used, linking);
    QElapsedTimer timer;
    timer.start();
    const auto report = linkDataset(*opened.linker, data, schemas, true, progress).value();
    qInfo("%lld examples in %.1f s", static_cast<long long>(report.shares.examples),
          static_cast<double>(timer.elapsed()) / 1000);
    QCOMPARE(report.shares.withGold, 1034);
    const FoundBy kinds[] = {FoundBy::Exact, FoundBy::Value, FoundBy::Partial, FoundBy::Nothing};
    for (int i = 0; i < 4; ++i) {
      const double share =
          LinkingShares::share(report.shares.goldColumns, static_cast<std::size_t>(kinds[i]));
      QVERIFY2(std::abs(share - columns[i]) <= tolerance, qPrintable(QString::number(share)));
    }
    const FoundBy tableKinds[] = {FoundBy::Exact, FoundBy::Partial, FoundBy::Nothing};
    for (int i = 0; i < 3; ++i) {
      const double share =
          LinkingShares::share(report.shares.goldTables, static_cast<std::size_t>(tableKinds[i]));
      QVERIFY2(std::abs(share - tables[i]) <= tolerance, qPrintable(QString::number(share)));
    }
  }
};

QTEST_GUILESS_MAIN(TestSchemaLinking)
#include "tst_schema_linking.moc"
