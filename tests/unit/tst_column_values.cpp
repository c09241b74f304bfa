// SPDX-License-Identifier: Apache-2.0
// ctest: sqlrun threads
// Texts of foreign databases through fathom-sqlrun: what is read, what is cut and said, what is damaged, and
// the prepared file that linking reads. Needs the program built beside the tests.
#include <sqlite3.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/review/spider_values.h"
#include "core/sqlrun/column_values.h"

using namespace fathom;

namespace {

const std::string kValuesProgram = std::string(FATHOM_BIN_DIR) + "/fathom-sqlrun";

SqlRunPoolOptions valuesPool() {
  SqlRunPoolOptions options;
  options.program = kValuesProgram;
  return options;
}

Json columnNamed(const Json& database, const char* name) {
  for (const Json& column : database["columns"]) {
    if (column["column"] == name) return column;
  }
  return {};
}

}  // namespace

class TestColumnValues : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;

  std::string make(const char* id, const char* sql) const {
    QDir(m_folder.path()).mkpath(id);
    const std::string path = (m_folder.path() + "/" + id + "/" + id + ".sqlite").toStdString();
    QFile::remove(QString::fromStdString(path));
    sqlite3* database = nullptr;
    const bool made = sqlite3_open(path.c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
    if (!made) qFatal("%s", sqlite3_errmsg(database));
    sqlite3_close(database);
    return path;
  }

  std::vector<Json> read(const std::vector<std::string>& databases, const ValueLimits& limits = {}) const {
    Progress progress;
    return readColumnValues(valuesPool(), databases, limits, progress).value();
  }

 private Q_SLOTS:
  void textsOnceInLowerCase() {
    const auto path =
        make("clubs",
             "CREATE TABLE person (id INTEGER, name TEXT, \"odd \"\"name\" TEXT, data BLOB, any);"
             "INSERT INTO person VALUES (1, 'Ann Lee', 'x', x'4142', 7);"
             "INSERT INTO person VALUES (2, 'ANN LEE', NULL, 'text', 'Rome');"
             "INSERT INTO person VALUES (3, 'Bob', 'y', NULL, 2.5);"
             "CREATE TABLE \"a table\" (name TEXT);"
             "CREATE VIEW seen AS SELECT name FROM person");
    const auto out = read({path});
    QVERIFY(out[0]["database"] == Json("clubs"));
    QCOMPARE(out[0]["sha256"].get<std::string>().size(), std::size_t{64});
    QVERIFY(columnNamed(out[0], "name")["values"] == Json::array({"ann lee", "bob"}));
    QVERIFY(columnNamed(out[0], "odd \"name")["values"] == Json::array({"x", "y"}));
    QVERIFY(columnNamed(out[0], "data")["values"] == Json::array({"text"}));
    QVERIFY(columnNamed(out[0], "any")["values"] == Json::array({"rome"}));
    QVERIFY(columnNamed(out[0], "id")["values"].empty());
    QCOMPARE(out[0]["columns"].size(), std::size_t{6});  // tables only
    for (const Json& column : out[0]["columns"]) QVERIFY(!column.contains("cut"));
  }

  void whatIsOverTheLimitsIsSaid() {
    const auto path = make("many",
                           "CREATE TABLE t (v TEXT, w TEXT);"
                           "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 500)"
                           " INSERT INTO t SELECT 'v' || x, 'w' FROM c;"
                           "INSERT INTO t VALUES ('v1', 'ä234567890z')");
    ValueLimits limits;
    limits.values = 100;
    limits.characters = 10;
    const Json many = read({path}, limits)[0];
    QCOMPARE(columnNamed(many, "v")["values"].size(), std::size_t{100});
    QVERIFY(columnNamed(many, "v")["cut"].get<std::string>().find("first 100") != std::string::npos);
    QVERIFY(columnNamed(many, "w")["values"] == Json::array({"w", "ä234567890"}));
    QVERIFY(columnNamed(many, "w")["cut"].get<std::string>().find("1 values") != std::string::npos);
    limits = {};
    limits.bytes = 50;
    limits.columns = 1;
    const Json few = read({path}, limits)[0];
    QVERIFY(columnNamed(few, "v")["values"].size() < 20);
    QVERIFY(columnNamed(few, "v")["cut"].get<std::string>().find("bytes") != std::string::npos);
    QVERIFY(few["cut"] == Json("1 of 2 columns"));
    limits = {};
    limits.seconds = 0.05;
    const auto slow = make("slow",
                           "CREATE TABLE t (v TEXT);"
                           "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000)"
                           " INSERT INTO t SELECT 'same' FROM c");
    const Json timed = read({slow}, limits)[0];
    QVERIFY2(columnNamed(timed, "v")["cut"].get<std::string>().find("timeout") != std::string::npos,
             timed.dump().c_str());
  }

  void damagedDatabasesAreNamedAndTheOthersGoOn() {
    const auto sound = make("sound", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Rome')");
    const std::string text = m_folder.filePath("text.sqlite").toStdString();
    QVERIFY(writeFileAtomically(text, "this is no database").ok());
    const std::string missing = m_folder.filePath("missing.sqlite").toStdString();
    // Pages that say nonsense behind a sound head.
    std::string bytes =
        readFile(make("pages", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Rome')")).value();
    for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
    const std::string pages = m_folder.filePath("broken.sqlite").toStdString();
    QVERIFY(writeFileAtomically(pages, bytes).ok());
    const auto out = read({text, sound, missing, pages});
    for (const std::size_t i : {0u, 2u, 3u}) {
      QVERIFY2(!out[i]["error"].get<std::string>().empty() && !out[i].contains("columns"),
               out[i].dump().c_str());
    }
    QVERIFY(columnNamed(out[1], "v")["values"] == Json::array({"rome"}));
    const std::string errors = m_folder.filePath("errors.txt").toStdString();
    const auto program = tests::runProgram({kValuesProgram, "--values", text, sound}, {}, errors);
    QCOMPARE(program.code, 0);
    QVERIFY(readFile(errors)->find("text.sqlite") != std::string::npos);
    const std::string& lines = program.output;
    const auto values = parseStoredValues(lines, "made", {"sound", "text", "nowhere"}).value();
    QCOMPARE(values.at("sound").columns.at(0).values, std::vector<std::string>{"rome"});
    QVERIFY(!values.at("text").fault.empty() && !values.contains("nowhere"));
    QVERIFY(storedValueNotes(values).at(0).find("text") != std::string::npos);
    QCOMPARE(tests::runProgram({kValuesProgram, "--values", text}).code, 1);
  }

  void preparedFileIsOfTheseVeryDatabases() {
    make("one", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Rome')");
    make("two", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Oslo')");
    const ValueSources sources = {m_folder.path().toStdString(), m_folder.filePath("v.jsonl").toStdString()};
    Progress progress;
    const auto get = [&](const SpiderDatabaseIds& ids) {
      return spiderValues(sources, ids, {"one", "two", "three"}, valuesPool(), progress).value();
    };
    const auto first = get({"one", "three"});
    QVERIFY(first.made && first.values.contains("one"));
    QCOMPARE(first.notes.size(), std::size_t{1});
    QVERIFY(first.notes[0].find("three") != std::string::npos);
    QVERIFY(!get({"two"}).made);  // it was made of all
    make("two", "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Bern')");
    const auto changed = get({"two"});
    QVERIFY(changed.made);
    QCOMPARE(changed.values.at("two").columns.at(0).values, std::vector<std::string>{"bern"});
    const auto alone = spiderValues({"", sources.file}, {"one"}, {}, valuesPool(), progress).value();
    QCOMPARE(alone.values.at("one").columns.at(0).values, std::vector<std::string>{"rome"});
    const auto none = spiderValues({}, {"one"}, {}, valuesPool(), progress).value();
    QVERIFY(none.values.empty() && none.notes.size() == 1);
    QVERIFY(!spiderValues({"/nowhere", ""}, {"one"}, {}, valuesPool(), progress).ok());
  }
};

QTEST_GUILESS_MAIN(TestColumnValues)
#include "tests/unit/support_program.h"
#include "tst_column_values.moc"
