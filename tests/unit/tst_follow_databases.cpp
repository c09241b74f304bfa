// SPDX-License-Identifier: Apache-2.0
// Databases of other programs while these write to them: trackio's and MLflow's.
#include <SQLiteCpp/Database.h>

#include <QTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/imports/foreign_database.h"
#include "core/record/events/system_samples.h"
#include "core/record/runs/logged_histogram.h"
#include "core/record/runs/run_config.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

// What another program does to its database.
class Owner {
 public:
  explicit Owner(const std::string& path, const std::string& journal = "WAL")
      : m_database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
    m_database.exec("PRAGMA journal_mode=" + journal);
    m_database.exec("PRAGMA wal_autocheckpoint=0");
  }
  void say(const std::string& sql) { m_database.exec(sql); }
  // Rows [first, last] of table metrics, as trackio has them.
  void rows(int first, int last, const std::string& run = "a") {
    for (int step = first; step <= last; ++step)
      say("INSERT INTO metrics(run_id, timestamp, run_name, step, metrics, log_id) VALUES('id-" + run +
          "', '2025-10-09T08:53:20+00:00', '" + run + "', " + std::to_string(step) + ", '{\"loss\": 1}', '" +
          run + std::to_string(step) + "')");
  }
  // Metrics [first, last] as MLflow has them.
  void points(int first, int last, const std::string& run) {
    for (int step = first; step <= last; ++step)
      say("INSERT INTO metrics VALUES('loss', 1, " + std::to_string(1760000000000 + step) + ", '" + run +
          "', " + std::to_string(step) + ", 0)");
  }

 private:
  SQLite::Database m_database;
};

const std::string kTrackio =
    "CREATE TABLE metrics(id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT "
    "NULL, "
    "run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL, log_id TEXT, space_id TEXT);"
    "CREATE TABLE configs(id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT "
    "NULL, "
    "config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id));";
const std::string kMlflow =
    "CREATE TABLE experiments(experiment_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(256));"
    "CREATE TABLE runs(run_uuid VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(250), status VARCHAR(9), "
    "start_time BIGINT, end_time BIGINT, lifecycle_stage VARCHAR(20), experiment_id INTEGER);"
    "CREATE TABLE metrics(key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT NULL, "
    "run_uuid VARCHAR(32) NOT NULL, step BIGINT NOT NULL, is_nan BOOLEAN NOT NULL, "
    "PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan));"
    "CREATE TABLE params(key VARCHAR(250), value VARCHAR(8000), run_uuid VARCHAR(32));"
    "CREATE TABLE tags(key VARCHAR(250), value VARCHAR(8000), run_uuid VARCHAR(32));"
    "INSERT INTO experiments VALUES(1, 'study');";

std::string mlflowRun(const std::string& id, const std::string& status) {
  return "INSERT INTO runs VALUES('" + id + "', 'run " + id + "', '" + status +
         "', 1760000000000, NULL, 'active', 1)";
}

// Names, sizes and times of all files of a folder.
std::string looksOf(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder))
    all.push_back(entry.path().filename().string() + " " + std::to_string(entry.file_size()) + " " +
                  std::to_string(entry.last_write_time().time_since_epoch().count()));
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

}  // namespace

class FollowDatabasesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void insideATransaction_data();
  void insideATransaction();
  void nothingIsWritten();
  void lockedByItsOwner_data();
  void lockedByItsOwner();
  void aWriterThatWasKilled();
  void checkpointsInBetween();
  void anotherProgramsDatabase();
  void aNewerSchema();
  void aSchemaThatIsRewritten();
  void anInboxThatIsMoved();
  void twoProjectsInAFolder();
  void oneDatabaseThatIsBroken();
  void rowsThatAreDeleted();
  void anotherDatabaseInItsPlace();
  void valuesOfEveryKind();
  void rowsThatAreNumberedAnew();
  void aRunOfMlflowThatEnds();
  void aStoreOfFiles();

 private:
  std::string folder(const std::string& name) const {
    fs::create_directories(m_files->path(name));
    return m_files->path(name);
  }
  std::unique_ptr<Following> m_files;
};

void FollowDatabasesTest::insideATransaction_data() {
  QTest::addColumn<QByteArray>("journal");
  for (const char* journal : {"WAL", "DELETE", "TRUNCATE", "PERSIST"})
    QTest::newRow(journal) << QByteArray(journal);
}

// What is not committed is not there, also where it lies in the file; and a reader holds no commit up.
void FollowDatabasesTest::insideATransaction() {
  QFETCH(QByteArray, journal);
  Owner owner(folder("log") + "/p.db", journal.toStdString());
  owner.say("PRAGMA busy_timeout=0");
  owner.say("PRAGMA cache_size=2");  // pages of a transaction go into the file before its end
  owner.say(kTrackio);
  owner.rows(1, 10);
  auto follower = m_files->open("log").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(10));
  int last = 10;
  for (const bool kept : {true, false, true}) {
    owner.say("BEGIN IMMEDIATE");
    owner.rows(last + 1, last + 500);
    for (int i = 0; i < 2; ++i) {
      const auto grown = follower->poll(StopToken());
      QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
      QCOMPARE(m_files->steps(), Following::upTo(last));
      follower.reset();
      follower = m_files->open("log").value();
    }
    owner.say(kept ? "COMMIT" : "ROLLBACK");
    if (kept) last += 500;
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
  }
}

// Neither a log nor an index of it comes to be beside a copy, and what is there stays as it is.
void FollowDatabasesTest::nothingIsWritten() {
  const std::string owned = folder("owned") + "/p.db";
  const std::string copy = folder("log") + "/p.db";
  Owner owner(owned);
  owner.say(kTrackio);
  owner.say("PRAGMA wal_checkpoint(TRUNCATE)");
  owner.rows(1, 20);
  for (const std::string end : {"", "-wal"}) fs::copy_file(owned + end, copy + end);
  const std::string before = looksOf(m_files->path("log"));
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(20));
  QCOMPARE(looksOf(m_files->path("log")), before);
  // Of a database in the same mode whose log was taken into it.
  owner.say("PRAGMA wal_checkpoint(TRUNCATE)");
  fs::copy_file(owned, folder("plain") + "/p.db");
  const std::string plain = looksOf(m_files->path("plain"));
  QCOMPARE(m_files->import("plain").front().points, std::int64_t{20});
  QCOMPARE(looksOf(m_files->path("plain")), plain);
}

void FollowDatabasesTest::lockedByItsOwner_data() {
  insideATransaction_data();
}

void FollowDatabasesTest::lockedByItsOwner() {
  QFETCH(QByteArray, journal);
  Owner owner(folder("log") + "/p.db", journal.toStdString());
  owner.say(kTrackio);
  owner.rows(1, 5);
  owner.say("PRAGMA locking_mode=EXCLUSIVE");
  owner.rows(6, 8);  // holds the lock from now on
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(8));
  owner.rows(9, 12);
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(12));
}

// Its last transaction lies half in the file, beside the journal that takes it back.
void FollowDatabasesTest::aWriterThatWasKilled() {
  const std::string owned = folder("owned") + "/p.db";
  const std::string copy = folder("log") + "/p.db";
  Owner owner(owned, "DELETE");
  owner.say("PRAGMA cache_size=2");
  owner.say(kTrackio);
  owner.rows(1, 10);
  owner.say("BEGIN IMMEDIATE");
  owner.say("UPDATE metrics SET step = step + 1000");
  owner.rows(11, 800);
  for (const std::string end : {"", "-journal"}) fs::copy_file(owned + end, copy + end);
  owner.say("ROLLBACK");
  const std::string before = looksOf(m_files->path("log"));
  QCOMPARE(m_files->import("log").front().points, std::int64_t{10});
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(10));
  QCOMPARE(looksOf(m_files->path("log")), before);
}

// The log is taken into the database and begun anew.
void FollowDatabasesTest::checkpointsInBetween() {
  Owner owner(folder("log") + "/p.db");
  owner.say(kTrackio);
  owner.rows(1, 3);
  const auto follower = m_files->open("log").value();
  int last = 3;
  for (const char* kind : {"PASSIVE", "FULL", "RESTART", "TRUNCATE"}) {
    owner.say(std::string("PRAGMA wal_checkpoint(") + kind + ")");
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
    owner.rows(last + 1, last + 5);
    last += 5;
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
  }
}

void FollowDatabasesTest::anotherProgramsDatabase() {
  const auto said = [this](const std::string& name, const ImportOptions& options) {
    Progress progress;
    const auto report =
        importRuns(m_files->path(name), m_files->path("imported"), options, progress, StopToken());
    return report.ok() ? std::string("imported") : report.error().text();
  };
  {
    Owner owner(m_files->path("mail.db"), "DELETE");
    owner.say("CREATE TABLE letters(a); CREATE TABLE stamps(b);");
    Owner empty(m_files->path("empty.db"), "DELETE");
    empty.say("PRAGMA user_version=1");
  }
  QVERIFY(said("mail.db", {})
              .find("mail.db: an SQLite database of neither trackio nor MLflow, with the tables "
                    "letters, stamps") != std::string::npos);
  ImportOptions mlflow;
  mlflow.format = "mlflow";
  QVERIFY(said("mail.db", mlflow).find("mail.db: an SQLite database, but not one of MLflow") !=
          std::string::npos);
  QVERIFY(said("empty.db", {}) != "imported");
  // Half of one is none yet, and no error while it is followed.
  const std::string whole = readFile(m_files->path("mail.db")).value();
  m_files->append("half.db", whole.substr(0, whole.size() / 2));
  QVERIFY(m_files->look("half.db").ok());
  QVERIFY(said("half.db", {}).find("half.db: the database is half written") != std::string::npos);
}

void FollowDatabasesTest::aNewerSchema() {
  {
    Owner owner(folder("log") + "/p.db");
    owner.say(kTrackio + "ALTER TABLE metrics ADD COLUMN colour TEXT; PRAGMA user_version=7;");
    owner.rows(1, 4);
  }
  const auto runs = m_files->import("log");
  QCOMPARE(runs.front().points, std::int64_t{4});
  QVERIFY(warnsOf(runs.front().warnings, "p.db: schema 7 of trackio is newer than 2"));
}

// A newer trackio gives an id to what had none: it is the same run.
void FollowDatabasesTest::aSchemaThatIsRewritten() {
  Owner owner(folder("log") + "/p.db");
  owner.say(
      "CREATE TABLE metrics(id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, run_name TEXT NOT "
      "NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL)");
  for (int step = 1; step <= 3; ++step)
    owner.say("INSERT INTO metrics(timestamp, run_name, step, metrics) VALUES('2025-10-09T08:53:20', 'a', " +
              std::to_string(step) + ", '{\"loss\": 1}')");
  QVERIFY(m_files->look("log").ok());
  owner.say(
      "ALTER TABLE metrics ADD COLUMN run_id TEXT; ALTER TABLE metrics ADD COLUMN log_id TEXT; "
      "UPDATE metrics SET run_id = 'id-a'; PRAGMA user_version=2;");
  owner.rows(4, 6);
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(6));
  QCOMPARE(m_files->runs().size(), std::size_t{1});
}

// Records of the inbox come into a database and are deleted: none is read twice.
void FollowDatabasesTest::anInboxThatIsMoved() {
  const auto records = [](int first, int last) {
    std::string text;
    for (int step = first; step <= last; ++step)
      text +=
          R"({"v":1,"kind":"metric","project":"p","run":"a","run_id":"id-a","metrics":{"loss":1},"step":)" +
          std::to_string(step) +
          R"(,"timestamp":"2025-10-09T08:53:20+00:00","config":{"lr":0.1,"_Group":"g"},)" + R"("log_id":"a)" +
          std::to_string(step) + "\"}\n";
    return text;
  };
  const std::string first = "log/inbox/w1/00000000.jsonl";
  m_files->append(first, records(1, 5) + records(6, 6).substr(0, 40));
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(5));
  Owner owner(m_files->path("log/p.db"));
  owner.say(kTrackio);
  owner.rows(1, 3);
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(5));
  owner.rows(4, 8);
  fs::remove(m_files->path(first));
  m_files->append("log/inbox/w1/00000001.jsonl", records(9, 10));
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(10));
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  const RunFolder run(m_files->runs().front());
  QCOMPARE(memberText(run.identity()->provenance, "group"), std::string("g"));
  QVERIFY(readRunConfig(run.configPath(1))->options == Json({{"lr", 0.1}}));
}

void FollowDatabasesTest::twoProjectsInAFolder() {
  for (const std::string name : {"p", "q"}) {
    Owner owner(folder("log") + "/" + name + ".db");
    owner.say(kTrackio);
    owner.rows(1, 3);
  }
  const auto runs = m_files->import("log");
  QCOMPARE(runs.size(), std::size_t{2});
  QCOMPARE(runs[0].name, std::string("a"));
  QCOMPARE(runs[1].name, std::string("q/a"));
}

void FollowDatabasesTest::oneDatabaseThatIsBroken() {
  {
    Owner owner(folder("log") + "/p.db");
    owner.say(kTrackio);
    owner.rows(1, 3);
  }
  std::string bytes = readFile(m_files->path("log/p.db")).value();
  for (std::size_t at = 200; at < bytes.size(); ++at) bytes[at] = static_cast<char>(0xEE);
  m_files->append("log/broken.db", bytes);
  const auto runs = m_files->import("log");
  QCOMPARE(runs.size(), std::size_t{1});
  QVERIFY(warnsOf(runs.front().warnings, "broken.db: the SQLite database cannot be read"));
}

// A person throws a run away; nothing of the others comes again.
void FollowDatabasesTest::rowsThatAreDeleted() {
  Owner owner(folder("log") + "/p.db");
  owner.say(kTrackio);
  owner.rows(1, 5);
  owner.rows(1, 5, "b");
  QVERIFY(m_files->look("log").ok());
  owner.say("DELETE FROM metrics WHERE run_name = 'b'");
  owner.rows(6, 8);
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps().size(), std::size_t{13});
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// Its runs begin anew; what it repeats gives way.
void FollowDatabasesTest::anotherDatabaseInItsPlace() {
  for (const int last : {10, 4}) {
    fs::remove_all(m_files->path("log"));
    Owner owner(folder("log") + "/p.db");
    owner.say(kTrackio);
    if (last == 4)
      owner.say("INSERT INTO metrics VALUES(NULL, 'id-a', '2026-01-01', 'a', 1, '{\"acc\": 1}', NULL, NULL)");
    owner.rows(1, last);
    owner.say(
        "CREATE TABLE system_metrics(run_id TEXT, run_name TEXT, metrics TEXT, timestamp TEXT);"
        "INSERT INTO system_metrics VALUES('id-a', 'a', '{\"x\": 1}', '2025-10-09T08:53:22.25'), "
        "('id-a', 'a', '{\"x\": 2}', '2025-10-09T08:53:32.25')");
    QVERIFY(m_files->look("log").ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
    const RunSystem system = readRunSystem(m_files->runs().front());
    QCOMPARE(system.find("trackio.x")->seconds, (std::vector<double>{0, 10}));
  }
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{2});
}

void FollowDatabasesTest::valuesOfEveryKind() {
  {
    Owner owner(folder("log") + "/p.db");
    owner.say(kTrackio);
    owner.say(
        R"(INSERT INTO metrics VALUES(NULL, 'i', '2025-10-09T08:53:20.5+02:00', 'a', 3, '{"x": "NaN", "y": "-Infinity",
      "deep": {"acc": 2, "picture": {"_type": "trackio.image", "size": 7}}, "none": null, "word": "text",
      "deep/h": {"_type": "trackio.histogram", "bins": [-1, 0, 2], "values": [3, 5]},
      "short": {"_type": "trackio.histogram", "bins": [1, 2], "values": [3, 5]}}', NULL, NULL))");
    owner.say(
        "CREATE TABLE system_metrics(run_id TEXT, run_name TEXT, metrics TEXT, timestamp TEXT);"
        "INSERT INTO system_metrics VALUES('i', 'a', '{}', ''), ('i', 'a', '{\"gpu/0\": {\"busy\": 40}}', "
        "'2025-10-09T08:53:22+00:00'), ('i', 'a', '{\"gpu/0\": {\"busy\": 50}}', "
        "'2025-10-09T08:53:32+00:00');"
        "CREATE TABLE traces(run_id TEXT, run_name TEXT);"
        "INSERT INTO traces VALUES('i', 'a')");
    owner.say(
        "CREATE TABLE alerts(run_id TEXT, timestamp TEXT, run_name TEXT, title TEXT, text TEXT, step "
        "INTEGER);"
        "INSERT INTO alerts VALUES('i', '2025-10-09T08:53:21+00:00', 'a', 'spike', 'it went up', 3)");
  }
  const auto runs = m_files->import("log");
  QVERIFY(warnsOf(runs.front().warnings, "2 tables, pictures and other values are no curves"));
  QVERIFY(warnsOf(runs.front().warnings, "3 texts and histograms lie in the folder artifacts"));
  QVERIFY(warnsOf(runs.front().warnings, "1 rows of the table traces are not read"));
  const RunSystem system = readRunSystem(runs.front().runPath);
  QCOMPARE(system.series.size(), std::size_t{1});
  QCOMPARE(system.find("trackio.gpu/0.busy")->values, (std::vector<double>{40, 50}));
  QCOMPARE(system.find("trackio.gpu/0.busy")->seconds, (std::vector<double>{0, 10}));
  const auto curves = readRunScalars(runs.front().runPath).value();
  std::map<std::string, double> values;
  for (const ScalarSeries& curve : curves) values[curve.metric] = curve.value.at(0);
  QCOMPARE(values.size(), std::size_t{3});
  QVERIFY(std::isnan(values.at("x")));
  QCOMPARE(values.at("y"), -INFINITY);
  QCOMPARE(values.at("deep.acc"), 2.0);
  const std::string texts = readFile(runs.front().runPath + "/artifacts/texts.jsonl").value();
  QVERIFY(texts.find("spike: it went up") != std::string::npos);
  QVERIFY(texts.find(R"("text":"text")") != std::string::npos);
  const LoggedHistograms spread = loggedHistograms(runs.front().runPath, {}).value();
  QCOMPARE(spread.tags, std::vector<std::string>{"deep/h"});
  QCOMPARE(spread.states.size(), std::size_t{1});
  QCOMPARE(spread.states[0].step, 3.0);
  QCOMPARE(spread.states[0].edges, (std::vector<double>{-1, 0, 2}));
  QCOMPARE(spread.states[0].counts, (std::vector<double>{3, 5}));
}

// VACUUM gives other numbers to the rows of a table without a key of its own.
void FollowDatabasesTest::rowsThatAreNumberedAnew() {
  Owner owner(m_files->path("mlflow.db"));
  owner.say(kMlflow + mlflowRun("a", "RUNNING") + ";" + mlflowRun("b", "RUNNING"));
  for (int step = 1; step <= 10; ++step)
    for (const char* run : {"a", "b"}) owner.points(step, step, run);
  QVERIFY(m_files->look("mlflow.db").ok());
  QCOMPARE(m_files->steps(), Following::upTo(10, 2));
  owner.say("DELETE FROM metrics WHERE run_uuid = 'a'; DELETE FROM runs WHERE run_uuid = 'a'; VACUUM;");
  owner.points(11, 13, "b");
  QVERIFY(m_files->look("mlflow.db").ok());
  QVERIFY(m_files->look("mlflow.db").ok());
  std::vector<double> wanted = Following::upTo(13);
  for (int step = 1; step <= 10; ++step) wanted.push_back(step);
  std::sort(wanted.begin(), wanted.end());
  QCOMPARE(m_files->steps(), wanted);
}

void FollowDatabasesTest::aRunOfMlflowThatEnds() {
  Owner owner(m_files->path("mlflow.db"), "DELETE");
  owner.say(kMlflow + mlflowRun("a", "RUNNING") + ";" + mlflowRun("gone", "FINISHED"));
  owner.say("UPDATE runs SET lifecycle_stage = 'deleted' WHERE run_uuid = 'gone'");
  owner.points(1, 3, "gone");
  owner.points(1, 5, "a");
  owner.say(
      "INSERT INTO metrics VALUES('up', 1.7976931348623157e308, 1760000000000, 'a', 1, 0);"
      "INSERT INTO metrics VALUES('nan', 0, 1760000000000, 'a', 1, 1);");
  const auto follower = m_files->open("mlflow.db").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  const RunFolder run(m_files->runs().front());
  QCOMPARE(run.state(), RunState::Running);
  const auto curves = readRunScalars(run.path()).value();
  QCOMPARE(std::count_if(curves.begin(), curves.end(),
                         [](const ScalarSeries& curve) { return std::isinf(curve.value.at(0)); }),
           std::ptrdiff_t{1});
  owner.say(
      "INSERT INTO params VALUES('lr', '0.1', 'a'); INSERT INTO tags VALUES('mlflow.note.content', 'n', 'a');"
      "UPDATE runs SET status = 'FAILED', end_time = 1760000099000");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(run.state(), RunState::Failed);
  QVERIFY(follower->allEnded());
  QVERIFY(readRunConfig(run.configPath(1))->options == Json({{"lr", 0.1}}));
  QCOMPARE(memberText(run.identity()->provenance, "notes"), std::string("n"));
  QCOMPARE(memberText(run.identity()->provenance, "group"), std::string("study"));
  QCOMPARE(run.identity()->name, std::string("run a"));
}

// Lines of old releases have no step, those of new ones more fields.
void FollowDatabasesTest::aStoreOfFiles() {
  const std::string run = "mlruns/7/abc/";
  m_files->append("mlruns/7/meta.yaml", "name: study\nexperiment_id: '7'\n");
  m_files->append("mlruns/.trash/8/meta.yaml", "run_id: old\nstatus: 3\n");
  m_files->append("mlruns/.trash/8/metrics/loss", "1760000000000 1 1\n");
  m_files->append(run + "metrics/deep/loss",
                  "1760000000000 1 1 more fields\n1760000000000 nan 2\nnonsense here\n");
  m_files->append(run + "metrics/old", "1760000000000 1\n1760000001000 inf\n1760000002000 3");
  m_files->append(run + "params/model/layers", "6");
  m_files->append(run + "meta.yaml", "run_id: abc\nrun_name: one\nstatus: 1\n");
  for (const std::string path : {"mlruns", "mlruns/7", "mlruns/7/abc"}) {
    fs::remove_all(m_files->path("imported"));
    const auto runs = m_files->import(path);
    QCOMPARE(runs.size(), std::size_t{1});
    QCOMPARE(runs.front().name, std::string("one"));
    QCOMPARE(runs.front().points, std::int64_t{5});
    QVERIFY(runs.front().options == Json({{"model/layers", 6}}));
    QVERIFY(warnsOf(runs.front().warnings, "1 lines are not understood"));
    QVERIFY(warnsOf(runs.front().warnings, "MLflow calls the run a running one"));
  }
  auto follower = m_files->open("mlruns").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps("old"), (std::vector<double>{0, 1}));
  follower = nullptr;
  m_files->append(run + "metrics/old", "\n1760000003000 4\n");
  m_files->replace(run + "meta.yaml", "run_id: abc\nrun_name: one\nstatus: 5\nend_time: 1760000009000\n");
  QVERIFY(m_files->look("mlruns").ok());
  QCOMPARE(m_files->steps("old"), (std::vector<double>{0, 1, 2, 3}));
  QCOMPARE(RunFolder(m_files->runs().front()).state(), RunState::Killed);
}

QTEST_APPLESS_MAIN(FollowDatabasesTest)
#include "tst_follow_databases.moc"
