// SPDX-License-Identifier: Apache-2.0
// ctest: sqlrun threads
// fathom-sqlrun against queries nobody should run: nothing is changed, nothing outlives its deadline, and
// every item has a verdict (docs/reliability.md §6). Needs the program built beside the tests.
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/files/hash.h"
#include "core/base/threads/sanitizers.h"
#include "core/sqlrun/result_comparison.h"
#include "core/sqlrun/sqlrun_pool.h"
#include "core/sqlrun/suite_preparation.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_program.h"

using namespace fathom;

namespace {

const std::string kProgram = std::string(FATHOM_BIN_DIR) + "/fathom-sqlrun";

std::vector<std::string> hostileQueries() {
  std::vector<std::string> all = {
      "INSERT INTO person VALUES (9, 'x', 1)",
      "UPDATE person SET age = 0",
      "DELETE FROM person",
      "DROP TABLE person",
      "CREATE TABLE t (a)",
      "CREATE TEMP TABLE t (a)",
      "CREATE TABLE t AS SELECT * FROM person",
      "CREATE VIEW v AS SELECT 1",
      "CREATE INDEX i ON person (age)",
      "CREATE TRIGGER t AFTER INSERT ON person BEGIN SELECT 1; END",
      "ALTER TABLE person RENAME TO p",
      "REPLACE INTO person VALUES (1, 'y', 2)",
      "INSERT INTO person SELECT * FROM person",
      "DELETE FROM person RETURNING *",
      "UPDATE person SET age = 1 RETURNING age",
      "WITH x AS (SELECT 1) DELETE FROM person",
      "VACUUM",
      "VACUUM INTO 'copy.sqlite'",
      "REINDEX",
      "ANALYZE",
      "BEGIN",
      "COMMIT",
      "ROLLBACK",
      "SAVEPOINT a",
      "RELEASE a",
      "ATTACH 'other.sqlite' AS o",
      "ATTACH ':memory:' AS m",
      "ATTACH '/etc/passwd' AS p",
      "DETACH main",
      "PRAGMA writable_schema = 1",
      "PRAGMA journal_mode = WAL",
      "PRAGMA table_info(person)",
      "PRAGMA user_version = 7",
      "PRAGMA temp_store_directory = '/tmp'",
      "PRAGMA query_only = 0",
      "SELECT load_extension('evil.so')",
      "SELECT load_extension('evil.so', 'main')",
      "SELECT writefile('x', 'y')",
      "SELECT readfile('/etc/passwd')",
      "SELECT edit('x')",
      "SELECT fts3_tokenizer('simple')",
      "SELECT * FROM sqlite_master",
      "SELECT * FROM sqlite_schema",
      "SELECT * FROM sqlite_temp_master",
      "SELECT * FROM pragma_database_list",
      "SELECT * FROM pragma_table_info('person')",
      "SELECT * FROM dbstat",
      "SELECT * FROM sqlite_stmt",
      "SELECT sqlite_version()",
      "SELECT sqlite_source_id()",
      "SELECT sqlite_compileoption_get(1)",
      "SELECT randomblob(900000000)",
      "SELECT hex(zeroblob(400000000))",
      "SELECT zeroblob(2000000000)",
      "SELECT length(randomblob(1000000000))",
      "SELECT printf('%1000000000s', 'x')",
      "SELECT format('%.*c', 100000000, 'x')",
      "SELECT char(1, 2, 3)",
      "SELECT quote(zeroblob(100000000))",
      "EXPLAIN SELECT * FROM person",
      "EXPLAIN QUERY PLAN SELECT * FROM person",
      "SELECT 1; SELECT 2",
      "SELECT 1; DROP TABLE person",
      "SELECT 1;;; DELETE FROM person",
      "",
      " ",
      ";",
      "-- nothing",
      "/* open",
      "SELECT ?1",
      "SELECT :name",
      "SELECT * FROM person WHERE age = @x",
      "SELECT * FROM generate_series(1, 100000000)",
      "CREATE VIRTUAL TABLE v USING fts5(a)",
      "SELECT * FROM json_each('[1]')",
      "SELECT json('{')",
      "SELECT unknown(1)",
      "SELECT nothing FROM person",
      "SELECT * FROM nowhere",
      "SELEC 1",
      "SELECT 'open",
      "SELECT \"open",
      "SELECT [open",
      "SELECT x'0'",
      "SELECT 1e999999",
      "SELECT 99999999999999999999999",
      "SELECT abs(-9223372036854775808)",
      "SELECT sum(9223372036854775807) FROM person",
      "SELECT * FROM person ORDER BY 99",
      "SELECT name FROM person WHERE name REGEXP '(a+)+$'",
      "SELECT name FROM person WHERE name MATCH 'a'",
      "SELECT regexp('(a+)+$', name) FROM person",
      "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%ab'",
      "SELECT likelihood(1, 2), unlikely(1), soundex('a'), changes(), last_insert_rowid()",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
      "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c WHERE x < 100000000) SELECT max(x) FROM c",
      "SELECT group_concat(a.name) FROM big a, big b, big c",
      "SELECT count(*) FROM big a, big b, big c, big d, big e, big f",
      "SELECT a.name FROM big a, big b, big c ORDER BY random()",
      "SELECT a.name, b.name FROM big a, big b, big c, big d",
      "SELECT row_number() OVER (ORDER BY a.name) FROM big a, big b, big c",
      "SELECT DISTINCT a.name || b.name || c.name FROM big a, big b, big c",
      "SELECT max(replace(replace(replace(a.name, 'x', 'xxxxxxxxxxxxxxxx'), 'x', 'xxxxxxxxxxxxxxxx'), 'x', "
      "'xxxxxxxxxxxxxxxx')) FROM big a, big b"};
  const auto repeated = [](const std::string& part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  for (const std::size_t n : {10u, 200u, 5000u, 40000u}) {
    all.push_back("SELECT " + repeated("(", n) + "1" + repeated(")", n));
    all.push_back("SELECT 1" + repeated(" + 1", n));
    all.push_back("SELECT " + repeated("-", n) + "1");
    all.push_back("SELECT 1" + repeated(" UNION SELECT 1", n));
    all.push_back("SELECT 1 WHERE 1" + repeated(" AND 1", n));
    all.push_back("SELECT 1 WHERE 1 IN (1" + repeated(", 1", n) + ")");
    all.push_back("SELECT 1" + repeated(", 1", n));
    all.push_back("SELECT CASE" + repeated(" WHEN 1 THEN 1", n) + " END");
    all.push_back("SELECT '" + repeated("x", n * 25) + "'");
    all.push_back("SELECT 'a' LIKE '" + repeated("%a", n) + "'");
    all.push_back("SELECT '" + repeated("a", 2000) + "' GLOB '" +
                  repeated("*a", std::min<std::size_t>(n, 450)) + "b'");
    all.push_back("SELECT max(" + repeated("1, ", n) + "1)");
    all.push_back(repeated("SELECT * FROM (", n) + "SELECT 1" + repeated(")", n));
    all.push_back("SELECT 1 FROM person" + repeated(" JOIN person", n));
    all.push_back("SELECT \xff\xfe" + repeated("\xc3", n));
    all.push_back("SELECT '\xed\xa0\x80" + repeated("\xf8", n) + "'");
    all.push_back(std::string("SELECT 1") + std::string(n, '\0') + "; DROP TABLE person");
    all.push_back(repeated("\n", n) + "SELECT 1" + repeated(";", n));
    all.push_back("SELECT printf('%" + std::to_string(n) + "d', 1)");
    all.push_back("SELECT substr(name, " + std::to_string(n) + ") FROM person");
    all.push_back("WITH " + repeated("a AS (SELECT 1), ", n) + "b AS (SELECT 1) SELECT * FROM b");
    all.push_back("SELECT round(1.5, " + std::to_string(n) + "), strftime('%Y', 'now', '+" +
                  std::to_string(n) + " years')");
    all.push_back("ATTACH 'file" + std::to_string(n) + ".sqlite' AS f" + std::to_string(n));
    all.push_back("INSERT INTO person VALUES (" + std::to_string(n) + ", 'x', 1)");
    all.push_back("PRAGMA cache_size = " + std::to_string(n));
    all.push_back("SELECT randomblob(" + std::to_string(n * 100000) + ")");
  }
  all.push_back("SELECT '" + repeated("y", std::size_t{1} << 20) + "'");
  return all;
}

std::map<std::string, std::string> hashesOf(const QString& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.toStdString())) {
    if (entry.is_regular_file()) out[entry.path().string()] = sha256OfFile(entry.path().string()).value();
  }
  return out;
}

}  // namespace

class TestSqlrun : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  std::string m_database;

  std::unique_ptr<SqlRunPool> pool(double seconds, int workers = 2) const {
    SqlRunPoolOptions options;
    options.program = kProgram;
    options.workers = workers;
    options.limits.seconds = seconds;
    return std::move(SqlRunPool::start(options)).value();
  }
  // Time enough for whatever has an end, on a busy machine and under a sanitizer too.
  SqlRunResult one(const std::string& sql, double seconds = 60) const {
    return pool(seconds)->runAll({{m_database, sql}}).value().at(0);
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY2(std::filesystem::exists(kProgram), "fathom-sqlrun must be built beside the tests");
    m_database = m_folder.filePath("clubs.sqlite").toStdString();
    sqlite3* database = nullptr;
    sqlite3_open(m_database.c_str(), &database);
    const char* sql =
        "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);"
        "INSERT INTO person VALUES (1, 'Ann', 30), (2, 'Bob', NULL), (3, 'Cid', 41);"
        "CREATE TABLE big (name TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO big "
        "SELECT 'xxxx' || i FROM n;"
        "CREATE TABLE odd (t TEXT); INSERT INTO odd VALUES (CAST(x'41ff42' AS TEXT));";
    QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  void everyOfferedLayerIsActive() {
    const tests::EndedProgram check = tests::runProgram({kProgram, "--check", m_folder.path().toStdString()});
    QVERIFY2(check.code == 0, check.output.c_str());
    QVERIFY2(check.output.find("not active") == std::string::npos, check.output.c_str());
  }

  // The sandbox lets no file grow: what it says arrives in one all the same.
  void checkCanBeWrittenToAFile() {
    const QString path = m_folder.filePath("check.txt");
    const auto check =
        tests::runProgram({kProgram, "--check", m_folder.path().toStdString()}, path.toStdString());
    QCOMPARE(check.code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("limits"));
    QVERIFY(file.remove());
  }

  // A query of any length has a verdict, and the next one is answered.
  void longQueriesAreTooLarge() {
    std::vector<SqlRunTask> tasks;
    for (const std::size_t bytes :
         {kMaxSqlBytes, kMaxSqlBytes + 1, std::size_t{5} << 20, std::size_t{40} << 20}) {
      const std::string sql = "SELECT 1";
      tasks.push_back({m_database, sql + std::string(bytes - sql.size(), ' ')});
      tasks.push_back({m_database, "SELECT 2"});
    }
    const auto results = pool(1)->runAll(tasks).value();
    QCOMPARE(results.size(), tasks.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool fits = tasks[i].sql.size() <= kMaxSqlBytes;
      QVERIFY2(results[i].verdict == (fits ? SqlVerdict::Ok : SqlVerdict::TooLarge),
               (std::to_string(tasks[i].sql.size()) + " bytes: " + sqlVerdictName(results[i].verdict) + " " +
                results[i].message)
                   .c_str());
      if (!fits) QVERIFY(results[i].message.find(std::to_string(tasks[i].sql.size())) != std::string::npos);
    }
  }

  void honestQueries() {
    const auto rows = one("SELECT name, age FROM person ORDER BY id");
    QVERIFY2(rows.ok(), rows.message.c_str());
    QCOMPARE(rows.columns, (std::vector<std::string>{"name", "age"}));
    QCOMPARE(rows.rows.size(), std::size_t{3});
    QCOMPARE(cellText(rows.rows[1][1]), std::string("NULL"));
    // Blanks, semicolons and comments behind a statement are nothing, open comments too; those in front as
    // well.
    for (const char* sql : {"SELECT count(*) FROM person;  ", "SELECT count(*) FROM person; -- all",
                            "-- all\nSELECT 1", "SELECT count(*) FROM person;; /* a; b */ -- c\n ;",
                            "SELECT 1 /* open", "SELECT 1; /* open", "; SELECT 1", "/* a */; SELECT 1"})
      QVERIFY2(one(sql).ok(), (std::string(sql) + ": " + one(sql).message).c_str());
    QVERIFY(one("SELECT 1; -- a\nSELECT 2").verdict == SqlVerdict::MultipleStatements);
    QVERIFY(one("-- only this").verdict == SqlVerdict::SqlError);
    const auto odd = one("SELECT t FROM odd");
    QVERIFY(odd.ok() && odd.invalidUtf8);
    QCOMPARE(odd.rows[0][0].text, std::string("AB"));
  }

  void verdictsSayWhy() {
    const std::pair<const char*, SqlVerdict> expected[] = {
        {"SELECT nothing FROM person", SqlVerdict::SqlError},
        {"DELETE FROM person", SqlVerdict::Denied},
        {"SELECT 1; SELECT 2", SqlVerdict::MultipleStatements},
        {"EXPLAIN SELECT 1", SqlVerdict::NotAQuery},
        {"SELECT load_extension('x')", SqlVerdict::Denied},
        {"PRAGMA table_info(person)", SqlVerdict::Denied},
        {"SELECT count(*) FROM big a, big b, big c, big d", SqlVerdict::Timeout},
        {"SELECT a.name FROM big a, big b", SqlVerdict::TooLarge}};
    for (const auto& [sql, verdict] : expected) {
      const auto result = one(sql, verdict == SqlVerdict::Timeout ? 1 : 60);
      QVERIFY2(result.verdict == verdict,
               (std::string(sql) + ": " + sqlVerdictName(result.verdict) + " " + result.message).c_str());
      QVERIFY(!result.message.empty());
    }
  }

  void badDatabases() {
    const std::string text = m_folder.filePath("text.sqlite").toStdString();
    std::ofstream(text)
        << "this is no database, only text that is long enough to be read as one ...........................";
    const auto results = pool(1)
                             ->runAll({{text, "SELECT 1 FROM person"},
                                       {m_folder.filePath("missing.sqlite").toStdString(), "SELECT 1"}})
                             .value();
    QCOMPARE(results.size(), std::size_t{2});
    for (const auto& result : results)
      QVERIFY2(result.verdict == SqlVerdict::NoDatabase, result.message.c_str());
    std::filesystem::remove(text);
  }

  void facts() {
    const Json found = pool(1)->schemaFacts(m_database).value();
    const Json& columns = found["tables"][0]["columns"];
    QCOMPARE(columns[0]["unique"].get<bool>(), true);
    QCOMPARE(columns[1]["notnull"].get<bool>(), true);
    QCOMPARE(columns[2]["notnull"].get<bool>(), false);
  }

  void hostileCorpus() {
    const auto queries = hostileQueries();
    QVERIFY(queries.size() >= 200);
    const auto before = hashesOf(m_folder.path());
    std::vector<SqlRunTask> tasks;
    for (const auto& sql : queries) tasks.push_back({m_database, sql});
    QElapsedTimer timer;
    timer.start();
    const auto results = pool(0.3)->runAll(tasks).value();
    qInfo("%zu hostile queries in %.1f s", queries.size(), static_cast<double>(timer.elapsed()) / 1000);
    std::map<std::string, int> verdicts;
    for (std::size_t i = 0; i < results.size(); ++i) {
      ++verdicts[sqlVerdictName(results[i].verdict)];
      QVERIFY2(results[i].seconds <= 0.8, queries[i].substr(0, 80).c_str());
      // No worker leaves by itself: with a code it does after a sanitizer's report.
      QVERIFY2(results[i].message.find("ended with code") == std::string::npos,
               queries[i].substr(0, 80).c_str());
    }
    // Address space of a worker is capped at 512 MiB; what was resident in the largest one stays below.
    rusage usage{};
    QCOMPARE(getrusage(RUSAGE_CHILDREN, &usage), 0);
    qInfo("largest worker: %ld MiB", usage.ru_maxrss / 1024);
    // Under the address sanitizer nothing caps the address space (its shadow needs terabytes of it): what
    // SQLite may hold, 256 MiB of blocks freed but kept to find uses of them, and a byte of shadow for eight.
    // The thread sanitizer keeps four bytes about each that is used.
    constexpr long kMostMegabytes = kAddressSanitizer ? 1024 : 512;
    if (!kThreadSanitizer) QVERIFY(usage.ru_maxrss <= kMostMegabytes * 1024);
    for (const auto& [name, count] : verdicts) qInfo("  %s: %d", name.c_str(), count);
    QVERIFY(hashesOf(m_folder.path()) == before);
    QVERIFY(!std::filesystem::exists("copy.sqlite"));
  }

  void comparisons() {
    const auto a = one("SELECT name, age FROM person");
    const auto swapped = one("SELECT age, name FROM person ORDER BY id DESC");
    QCOMPARE(compareBags(a, swapped, false), ResultMatch::Equal);
    QCOMPARE(compareBags(a, swapped, true), ResultMatch::Different);
    QCOMPARE(compareBags(a, one("SELECT name, id FROM person"), false), ResultMatch::Different);
    QCOMPARE(compareBags(one("SELECT 1"), one("SELECT 1.0"), false), ResultMatch::Equal);
    QCOMPARE(compareBags(one("SELECT '1'"), one("SELECT 1"), false), ResultMatch::Different);
    // By exact value: 2^53 + 1 is neither 2^53 nor the real next to it.
    const std::tuple<const char*, const char*, bool> numbers[] = {
        {"9007199254740993", "9007199254740992", false},
        {"9007199254740993", "9007199254740992.0", false},
        {"9007199254740992", "9007199254740992.0", true},
        {"-9007199254740993", "-9007199254740992", false},
        {"9223372036854775807", "9223372036854775806", false},
        {"9223372036854775807", "9223372036854775807.0", false},
        {"-9223372036854775807 - 1", "-9223372036854775808.0", true},
        {"9007199254740993", "9007199254740993", true},
        {"0", "-0.0", true}};
    for (const auto& [a, b, equal] : numbers) {
      const auto first = one((std::string("SELECT ") + a).c_str()),
                 second = one((std::string("SELECT ") + b).c_str());
      QVERIFY2((compareBags(first, second, false) == ResultMatch::Equal) == equal, a);
      QVERIFY2((first.rows[0][0] == second.rows[0][0]) == equal, b);
    }
    QCOMPARE(compareByKeys(a, {"name", "age"}, swapped, {"age", "name"}),
             ResultMatch::Different);  // row order counts
    QCOMPARE(
        compareByKeys(a, {"name", "age"}, one("SELECT age, name FROM person ORDER BY id"), {"age", "name"}),
        ResultMatch::Equal);
    QCOMPARE(testSuiteQuery("SELECT DISTINCT a FROM t WHERE b = 'distinct' AND c > = 1", false, false),
             std::string("SELECT  a FROM t WHERE b = 'distinct' AND c >= 1"));
    QVERIFY(asksForOrder("SELECT a FROM t Order\nBy a") && !asksForOrder("SELECT a FROM t ORDER  BY a"));
    // Equal columns by the hundred: no search over permutations.
    SqlRunResult wide;
    for (int c = 0; c < 100; ++c) wide.columns.push_back("c");
    for (int r = 0; r < 1000; ++r) wide.rows.emplace_back(100, SqlCell{SqlCell::Kind::Integer, r, 0, ""});
    SqlRunResult other = wide;
    other.rows[5][99].integer = -1;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(compareBags(wide, wide, false), ResultMatch::Equal);
    QCOMPARE(compareBags(wide, other, false), ResultMatch::Different);
    QVERIFY(timer.elapsed() < (kSanitized ? 30000 : 5000));
  }

  // What the official script runs, for every text of the fixture but those whose statements sqlparse ends by
  // words (BEGIN, DECLARE, IF, CREATE … BEGIN).
  void preparedAsTheScriptDoes() {
    const std::string area = "test_suite";  // one of its cases: the others are still to be taken
    const auto all = fixtures::cases(area);
    const auto found = std::find_if(all.begin(), all.end(), [](const auto& one) {
      return one.name.find("preparation") != std::string::npos;
    });
    if (found == all.end()) QSKIP("no fixtures of the test suite");
    const Json fixture = fixtures::readJson(found->files.front());
    int compared = 0;
    for (const Json& text : fixture["texts"]) {
      const auto sql = text["text"].get<std::string>();
      if (sql.find("BEGIN") != std::string::npos || sql.starts_with("IF ")) continue;
      for (const bool keep : {false, true}) {
        const std::string run = testSuiteQuery(sql, keep, true),
                          right = text[keep ? "run_keep_distinct" : "run"];
        QVERIFY2(run == right, (sql + "\nruns " + run + "\nnot  " + right).c_str());
        ++compared;
      }
    }
    QVERIFY2(compared > 200, std::to_string(compared).c_str());
  }

  void damagedMessagesAreRefused() {
    SqlRunResult result = one("SELECT name, age FROM person");
    const std::string bytes = encodeResult(result);
    QVERIFY(decodeResult(bytes).ok());
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
      QVERIFY(!decodeResult(std::string_view(bytes).substr(0, cut)).ok());
    QVERIFY(!decodeRequest("abc").ok());
  }
};

QTEST_GUILESS_MAIN(TestSqlrun)
#include "tst_sqlrun.moc"
