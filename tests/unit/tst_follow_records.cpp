// SPDX-License-Identifier: Apache-2.0
// What is kept of a source that is followed, and what a person puts beside one.
#include <QTest>
#include <chrono>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_config.h"
#include "tests/unit/support_following.h"

using namespace fathom;

namespace {

Json optionsIn(const std::string& path) {
  const RunFolder run(path);
  return readRunConfig(run.configPath(run.lastAttempt())).value().options;
}

RunIdentity identityOf(const std::string& path) {
  return RunFolder(path).identity().value();
}

}  // namespace

class FollowRecordsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void namesThatAreLatin1();
  void growthIsTold();
  void growthIsKept();
  void whatIsNotUsedIsSaid();
  void aSidecarSuppliesWhatIsLacking();
  void aSidecarTakesNothingAway();
  void sidecarsOfSubFolders();
  void sidecarOfRunsById();
  void aSidecarThatIsWrong_data();
  void aSidecarThatIsWrong();
  void aSidecarThatComesLater();

 private:
  std::unique_ptr<Following> m_files;
};

// A column whose name is no UTF-8 is the same metric after the follower was started again.
void FollowRecordsTest::namesThatAreLatin1() {
  const std::string name = "verlust \xFC";
  m_files->append("log.csv", "step," + name + ",art\n" + followedRows(1, 3, ",1,gro\xDF\n"));
  for (int last = 4; last <= 6; ++last) {
    QVERIFY(m_files->look("log.csv").ok());
    m_files->append("log.csv", followedRows(last, last, ",1,gro\xDF\n"));
  }
  QVERIFY(m_files->look("log.csv").ok());
  const auto curves = readRunScalars(m_files->runs().front()).value();
  QCOMPARE(curves.size(), std::size_t{1});
  QCOMPARE(curves.front().metric, std::string("verlust \xC3\xBC"));
  QCOMPARE(curves.front().step, Following::upTo(6));
  QVERIFY(optionsIn(m_files->runs().front()) == Json({{"art", "gro\xC3\x9F"}}));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  // Written anew in its place, with all there was.
  m_files->replace("log.csv", "step," + name + ",art\n" + followedRows(1, 8, ",1,gro\xDF\n"));
  QVERIFY(m_files->look("log.csv").ok());
  QCOMPARE(readRunScalars(m_files->runs().front())->front().step, Following::upTo(8));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

void FollowRecordsTest::growthIsTold() {
  const auto told = [](double grew, double every, double now) {
    return SourceGrowth{grew, every}.phrase(now).english();
  };
  QCOMPARE(told(1000, 15, 1012), std::string("last grew 12 s ago, this source writes every 15 s"));
  QCOMPARE(told(1000, 0, 1600), std::string("last grew 10 min ago"));
  QCOMPARE(told(1000, 0.25, 1000 + 3 * 3600), std::string("last grew 3 h ago, this source writes every 1 s"));
  QCOMPARE(told(0, 0, 1000), std::string());
}

// In the record, for whoever shows the run; over restarts.
void FollowRecordsTest::growthIsKept() {
  const std::string project = m_files->path("");
  m_files->append("log.jsonl", jsonLines(1, 1));
  auto follower = m_files->open("log.jsonl").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(follower->growth().grew > 0);
  QCOMPARE(follower->growth().every, 0.0);
  for (int step = 2; step <= 4; ++step) {
    QTest::qWait(20);  // the gap between two growths is what is measured
    m_files->append("log.jsonl", jsonLines(step, step));
    QVERIFY(follower->poll(StopToken()).ok());
  }
  const SourceGrowth growth = follower->growth();
  QVERIFY(growth.every >= 0.02 && growth.every < 60);
  follower = nullptr;
  const auto kept =
      growthOf(m_files->path("").substr(0, m_files->path("").size() - 1), m_files->path("log.jsonl"));
  QVERIFY(kept.has_value());
  QVERIFY(std::abs(kept->grew - growth.grew) < 1e-3 && std::abs(kept->every - growth.every) < 1e-3);
  QVERIFY(!growthOf(m_files->path("elsewhere"), m_files->path("log.jsonl")).has_value());
  follower = m_files->open("log.jsonl").value();
  QVERIFY(std::abs(follower->growth().every - growth.every) < 1e-3);
}

void FollowRecordsTest::whatIsNotUsedIsSaid() {
  m_files->append("log.jsonl", jsonLines(1, 3));
  ImportOptions options;
  options.name = "mine";
  QVERIFY(m_files->look("log.jsonl", options).ok());
  const auto notes = [&](const std::string& name, const std::string& format) {
    ImportOptions asked;
    asked.name = name;
    asked.format = format;
    return m_files->open("log.jsonl", asked).value()->notes();
  };
  QVERIFY(notes("mine", "auto").empty());
  QVERIFY(notes("", "json").empty());
  QVERIFY(warnsOf(notes("other", "auto"), "its runs have their names already: the name other is not used"));
  QVERIFY(warnsOf(notes("mine", "csv"),
                  "it is followed as json since it was first read: the format csv is not used"));
  QCOMPARE(identityOf(m_files->runs().front()).name, std::string("mine"));
}

void FollowRecordsTest::aSidecarSuppliesWhatIsLacking() {
  m_files->append("out/log.jsonl", jsonLines(1, 3));
  m_files->append("out/fathom.json", R"({"name": "tuned", "group": "study", "tags": ["big", "slow"],
    "options": {"lr": 0.1, "model": {"layers": 6}, "seed": 4}})");
  const auto runs = m_files->import("out/log.jsonl");
  QCOMPARE(runs.front().name, std::string("tuned"));
  QVERIFY(runs.front().warnings.empty());
  QVERIFY(runs.front().options == Json({{"seed", 4}, {"lr", 0.1}, {"model.layers", 6}}));
  const Json provenance = identityOf(runs.front().runPath).provenance;
  QCOMPARE(memberText(provenance, "group"), std::string("study"));
  QVERIFY(memberList(provenance, "tags") == Json({"big", "slow"}));
  QVERIFY(m_files->look("out/log.jsonl").ok());
  QVERIFY(optionsIn(m_files->runs().front()) == runs.front().options);
}

// What the source says itself stays, and several runs are not called alike.
void FollowRecordsTest::aSidecarTakesNothingAway() {
  m_files->append("log.jsonl", R"({"config": {"lr": 3}})"
                               "\n" +
                                   jsonLines(1, 3));
  m_files->append("fathom.json", R"({"options": {"lr": 0.1, "layers": 6}})");
  QVERIFY(m_files->import("log.jsonl").front().options == Json({{"layers", 6}, {"lr", 3}}));
  m_files->append("two.jsonl", jsonLines(1, 3, {"a", "b"}));
  m_files->replace("fathom.json", R"({"name": "mine", "group": "g"})");
  const auto runs = m_files->import("two.jsonl");
  QCOMPARE(runs[0].name, std::string("a"));
  QCOMPARE(runs[1].name, std::string("b"));
  for (const RunImport& run : runs)
    QCOMPARE(memberText(identityOf(run.runPath).provenance, "group"), std::string("g"));
}

void FollowRecordsTest::sidecarsOfSubFolders() {
  const auto state = [](int step) {
    return "{\"log_history\": [{\"loss\": 1, \"step\": " + std::to_string(step) + "}]}\n";
  };
  for (const std::string run : {"a", "b", "c"})
    m_files->append("out/" + run + "/trainer_state.json", state(1));
  m_files->append("out/fathom.json", R"({"options": {"seed": 1}, "group": "all"})");
  m_files->append("out/b/fathom.json", R"({"name": "second", "options": {"seed": 2}})");
  const auto runs = m_files->import("out");
  QCOMPARE(runs.size(), std::size_t{3});
  QCOMPARE(runs[0].name, std::string("a"));
  QCOMPARE(runs[1].name, std::string("second"));
  QVERIFY(runs[0].options == Json({{"seed", 1}}) && runs[2].options == Json({{"seed", 1}}));
  QVERIFY(runs[1].options == Json({{"seed", 2}}));
  QVERIFY(!identityOf(runs[1].runPath).provenance.contains("group"));
}

// Runs that lie in one file are told apart by what the source calls them.
void FollowRecordsTest::sidecarOfRunsById() {
  m_files->append("log.csv", "run,step,loss\nx1,1,3\ny2,1,4\nz3,1,5\n");
  m_files->append("fathom.json", R"({"group": "all", "options": {"lr": 1},
    "runs": {"x1": {"options": {"seed": 1, "lr": 2}}, "y2": {"group": "own", "options": {"seed": 2}}}})");
  const auto runs = m_files->import("log.csv");
  QCOMPARE(runs.size(), std::size_t{3});
  QVERIFY(runs[0].options == Json({{"seed", 1}, {"lr", 2}}));
  QVERIFY(runs[1].options == Json({{"seed", 2}, {"lr", 1}}));
  QVERIFY(runs[2].options == Json({{"lr", 1}}));
  QVERIFY(runs[0].warnings.empty());
}

void FollowRecordsTest::aSidecarThatIsWrong_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("said");
  const auto row = [](const char* name, const char* text, const char* said) {
    QTest::newRow(name) << QByteArray(text) << QByteArray(said);
  };
  row("no JSON", "{\n\"name\": \"x\",\n\"group\" 5}", "fathom.json:3: ");
  row("a list", "[1]", "fathom.json:1: it is no JSON object");
  row("name", "{\n\"name\": 5}", "fathom.json:2: \"name\" is no text");
  row("options", "{\"group\": \"g\",\n\n\"options\": [1]}", "fathom.json:3: \"options\" is no object");
  row("tags", "{\"tags\": [\"a\", 1]}", "fathom.json:1: \"tags\" is no list of texts");
  row("unknown", "{\n\"grup\": \"g\"}", "fathom.json:2: the member \"grup\" is none of name, group");
  row("runs", "{\n\"runs\": 5}", "fathom.json:2: \"runs\" is no object");
  row("a run", "{\"runs\": {\n\"x\": 5}}", "fathom.json:2: \"x\" is no object");
}

// Named with its line; the run comes in without it.
void FollowRecordsTest::aSidecarThatIsWrong() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, said);
  m_files->append("out/log.jsonl", jsonLines(1, 3));
  m_files->append("out/fathom.json", text.toStdString());
  const auto runs = m_files->import("out/log.jsonl");
  QCOMPARE(runs.front().points, std::int64_t{3});
  QVERIFY(warnsOf(runs.front().warnings, said.toStdString()));
  QCOMPARE(runs.front().warnings.size(), std::size_t{1});
}

void FollowRecordsTest::aSidecarThatComesLater() {
  m_files->append("out/log.jsonl", jsonLines(1, 3));
  const auto follower = m_files->open("out/log.jsonl").value();
  QVERIFY(follower->poll(StopToken()).ok());
  const std::string run = m_files->runs().front();
  QCOMPARE(identityOf(run).name, std::string("log"));
  m_files->append("out/fathom.json", R"({"name": "tuned", "options": {"lr": 0.1}})");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(identityOf(run).name, std::string("tuned"));
  QVERIFY(optionsIn(run) == Json({{"lr", 0.1}}));
  m_files->replace("out/fathom.json", R"({"name": "tuned", "options": {"lr": 0.2}})");
  m_files->append("out/log.jsonl", jsonLines(4, 5));
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(optionsIn(run) == Json({{"lr", 0.2}}));
  QCOMPARE(m_files->steps(), Following::upTo(5));
  QCOMPARE(Following::attempts(run), std::size_t{1});
}

QTEST_APPLESS_MAIN(FollowRecordsTest)
#include "tst_follow_records.moc"
