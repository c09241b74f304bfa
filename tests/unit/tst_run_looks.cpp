// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/Database.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <set>

#include "core/base/numbers/series_look.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"
#include "core/library/runs/run_looks.h"
#include "core/library/runs/run_trash.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;

class RunLooksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void numbersAreLooks();
  void configurationsHaveHuesAndSeedsDashes();
  void whatWasGivenStays();
  void manyRunsAreGivenDifferentNumbers();
  void configurationWords();
  void chosenColours();
  void listedRunsKeepTheirLooks();
  void anOlderProjectGetsThem();
  void twoProgramsAgree();

 private:
  std::string makeRun(const std::string& name, const Json& options);
  std::map<std::string, int> listed();
  std::unique_ptr<QTemporaryDir> m_dir;
  std::string m_project;
};

void RunLooksTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  m_project = m_dir->path().toStdString() + "/p.fathom";
  QVERIFY(ProjectLibrary::create(m_project).ok());
}

// A run of one attempt; returns its UUID.
std::string RunLooksTest::makeRun(const std::string& name, const Json& options) {
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = name;
  identity.created = isoTimeNow();
  const auto run = RunFolder::create(m_project + "/runs/" + identity.uuid, identity);
  RunConfig config;
  config.name = name;
  config.options = options;
  const auto attempt = run.ok() ? run->beginAttempt(runConfigToJson(config)) : Result<int>(run.error());
  return attempt.ok() ? identity.uuid : std::string();
}

std::map<std::string, int> RunLooksTest::listed() {
  auto library = ProjectLibrary::open(m_project).value();
  std::map<std::string, int> looks;
  for (const RunRow& row : RunListing(*library).rows().value()) looks[row.identity.uuid] = row.look;
  return looks;
}

void RunLooksTest::numbersAreLooks() {
  QCOMPARE(seriesLook(3).hue, 3);
  QCOMPARE(seriesLook(3).dash, 0);
  QCOMPARE(seriesLook(3 + 7).dash, 1);
  QCOMPARE(seriesLook(3 + 7 * 4).shade, 1);
  QCOMPARE(seriesLook(3 + 7 * 4).dash, 0);
  QCOMPARE(seriesLook(-5).hue, 0);
  std::set<std::tuple<int, int, int>> looks;
  for (int number = 0; number < kSeriesHues * kSeriesVariants; ++number) {
    const SeriesLook look = seriesLook(number);
    looks.insert({look.hue, look.shade, look.dash});
  }
  QCOMPARE(int(looks.size()), kSeriesHues * kSeriesVariants);
  // Another colour keeps the dashes.
  const int chosen = inColour(2 + 7 * 5, 0xaa3377);
  QCOMPARE(seriesLook(chosen).rgb, std::optional<std::uint32_t>(0xaa3377));
  QCOMPARE(seriesLook(chosen).variant(), 5);
  QCOMPARE(seriesLook(inColour(chosen, kSeriesPalette[1])).hue, 1);
  QCOMPARE(inColour(chosen, kSeriesPalette[1]), 1 + 7 * 5);
  for (const int number : {0, 6, 7 * 3 + 2, chosen}) {
    const SeriesLook before = seriesLook(number), after = seriesLook(withOtherDash(number));
    QVERIFY(before.dash != after.dash && before.shade == after.shade);
    QVERIFY(before.hue == after.hue && before.rgb == after.rgb);
  }
}

void RunLooksTest::configurationsHaveHuesAndSeedsDashes() {
  LookGiver giver;
  const auto look = [&giver](const std::string& uuid, double rate, int seed) {
    return seriesLook(giver.numberOf(uuid, {{"rate", rate}, {"seed", seed}}, ""));
  };
  const SeriesLook first = look("a", 0.1, 1), second = look("b", 0.2, 1), again = look("c", 0.1, 2);
  QCOMPARE(first.hue, 0);
  QCOMPARE(second.hue, 1);
  QCOMPARE(again.hue, 0);
  QVERIFY(first.dash == 0 && second.dash == 0 && again.dash == 1);
  QCOMPARE(giver.takeFresh(), (std::vector<std::string>{"a", "b", "c"}));
  look("a", 0.1, 1);
  QVERIFY(giver.takeFresh().empty());
}

void RunLooksTest::whatWasGivenStays() {
  LookGiver giver({{"old", {"some", 2}}, {"gone", {"other", 0}}});
  QCOMPARE(giver.numberOf("old", {{"rate", 5}}, ""), 2);
  QCOMPARE(seriesLook(giver.numberOf("new", {{"rate", 5}}, "")).hue, 1);  // the rarest
}

void RunLooksTest::manyRunsAreGivenDifferentNumbers() {
  LookGiver giver;
  std::set<int> numbers;
  for (int i = 0; i < 2000; ++i)
    numbers.insert(giver.numberOf("u" + std::to_string(i), {{"rate", i / 5}, {"seed", i % 5}}, ""));
  QCOMPARE(numbers.size(), std::size_t(2000));
}

void RunLooksTest::configurationWords() {
  const Json options = {{"rate", 0.1}, {"seed", 1}, {"device", "cpu"}};
  const std::string word = configurationWord("u", options, "");
  QCOMPARE(configurationWord("v", {{"device", "cuda:0"}, {"seed", 2}, {"rate", 0.1}}, ""), word);
  QVERIFY(configurationWord("u", {{"rate", 0.2}}, "") != word);
  QVERIFY(configurationWord("u", options, "csv") != word);
  QVERIFY(configurationWord("u", Json::object(), "") != configurationWord("v", Json::object(), ""));
  QCOMPARE(configurationWord("u", {{"seed", 1}}, "csv"), configurationWord("v", {{"seed", 2}}, "csv"));
}

void RunLooksTest::chosenColours() {
  QCOMPARE(shownLook(9, ""), 9);
  QCOMPARE(shownLook(9, "#D55E00"), 1 + 7);
  QCOMPARE(seriesLook(shownLook(9, "#123456")).rgb, std::optional<std::uint32_t>(0x123456));
  QCOMPARE(shownLook(9, "reddish"), 9);
  QCOMPARE(colourText("green").value(), std::string("#009e73"));
  QCOMPARE(colourText("#ABCDEF").value(), std::string("#abcdef"));
  QCOMPARE(colourText("automatic").value(), std::string());
  const auto wrong = colourText("#12345");
  QVERIFY(!wrong.ok() && wrong.error().message.find("'#12345'") != std::string::npos);
}

void RunLooksTest::listedRunsKeepTheirLooks() {
  const std::string a = makeRun("a", {{"rate", 1}, {"seed", 1}}),
                    b = makeRun("b", {{"rate", 2}, {"seed", 1}});
  QVERIFY(!a.empty() && !b.empty());
  const auto before = listed();
  QCOMPARE(seriesLook(before.at(a)).hue + seriesLook(before.at(b)).hue, 1);
  const std::string c = makeRun("c", {{"rate", 1}, {"seed", 2}});
  auto library = ProjectLibrary::open(m_project).value();
  QVERIFY(trashRun(*library, m_project + "/runs/" + b).ok());
  auto now = listed();
  QCOMPARE(now.at(a), before.at(a));
  QCOMPARE(seriesLook(now.at(c)).hue, seriesLook(now.at(a)).hue);
  QVERIFY(seriesLook(now.at(c)).dash != seriesLook(now.at(a)).dash);
  // Chosen by a person: that one, with the dashes it had; and taken back.
  RunNotes notes;
  notes.colour = "#cc79a7";
  QVERIFY(library->setRunNotes(c, notes).ok());
  QCOMPARE(listed().at(c), 3 + 7 * seriesLook(now.at(c)).variant());
  QVERIFY(library->setRunNotes(c, {}).ok());
  QCOMPARE(listed().at(c), now.at(c));
  // The index has nothing to do with it, and what comes back has what it had.
  QVERIFY(restoreRun(*library, m_project + "/trash/" + b).ok());
  QCOMPARE(listed().at(b), before.at(b));
  QCOMPARE(shownLooks(*library).value(), listed());
}

// A project of schema 3 opens with what people did, and its runs get their looks.
void RunLooksTest::anOlderProjectGetsThem() {
  const std::string a = makeRun("a", {{"rate", 1}, {"seed", 1}});
  {
    auto library = ProjectLibrary::open(m_project).value();
    RunNotes notes;
    notes.name = "renamed";
    notes.colour = "#009e73";
    QVERIFY(library->setRunNotes(a, notes).ok());
  }
  {
    SQLite::Database raw(m_project + "/library.sqlite", SQLite::OPEN_READWRITE);
    raw.exec("DROP TABLE run_look");
    raw.exec("PRAGMA user_version=3");
  }
  QCOMPARE(seriesLook(listed().at(a)).hue, 2);
  QVERIFY(QFile::exists(QString::fromStdString(m_project + "/library.sqlite.v3.bak")));
  auto library = ProjectLibrary::open(m_project).value();
  QCOMPARE(library->allRunNotes()->at(a).name, std::string("renamed"));
  QCOMPARE(int(storedLooks(*library)->size()), 1);
}

void RunLooksTest::twoProgramsAgree() {
  const std::string a = makeRun("a", {{"rate", 1}});
  auto one = ProjectLibrary::open(m_project).value(), two = ProjectLibrary::open(m_project).value();
  QVERIFY(storeLooks(*one, {{a, {"x", 4}}}).ok());
  QVERIFY(storeLooks(*two, {{a, {"y", 5}}}).ok());  // too late
  QCOMPARE(storedLooks(*two)->at(a).number, 4);
  QCOMPARE(RunListing(*two).rows()->front().look, 4);
}

QTEST_GUILESS_MAIN(RunLooksTest)
#include "tst_run_looks.moc"
