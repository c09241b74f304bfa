// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <poll.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/figures/figure_recipe.h"
#include "core/library/records/annotations.h"
#include "core/library/records/library_migrations.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_trash.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

using namespace fathom;
namespace fs = std::filesystem;

class ProjectLibraryTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void createAndOpen();
  void settingsOfTheFile();
  void refusals();
  void aStrangersTriggersAndViewsAreOff();
  void migration();
  void readOnly();
  void notesUndo();
  void gridsAndDocuments();
  void figureRecipes();
  void figureRecipesPinResults();
  void compositions();
  void panelsChangePlaces();
  void twoWriters();
  void killedWriter();
  void trash();
  void sameRunTwiceInTheTrash();
  void linkedRunIsOnlyUnlinked();
  void overrides();
  void exampleNotes();

 private:
  std::string project() const { return m_dir->path().toStdString() + "/p.fathom"; }
  std::unique_ptr<ProjectLibrary> library() const { return ProjectLibrary::openOrCreate(project()).value(); }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void ProjectLibraryTest::createAndOpen() {
  auto made = ProjectLibrary::create(project());
  QVERIFY(made.ok());
  for (const char* folder : {"/runs", "/queue", "/trash"}) QVERIFY(fs::is_directory(project() + folder));
  QVERIFY(!ProjectLibrary::create(project()).ok());  // not empty
  QVERIFY(ProjectLibrary::open(project()).ok());
  const auto nothing = ProjectLibrary::open(m_dir->path().toStdString());
  QCOMPARE(static_cast<int>(exitCodeFor(nothing.error())), 30);
}

void ProjectLibraryTest::settingsOfTheFile() {
  const auto open = library();
  const auto pragma = [&](const std::string& name) {
    return open->database().execAndGet("PRAGMA " + name).getString();
  };
  QCOMPARE(pragma("journal_mode"), std::string("truncate"));
  QCOMPARE(pragma("synchronous"), std::string("2"));
  QCOMPARE(pragma("trusted_schema"), std::string("0"));
  QCOMPARE(pragma("application_id"), std::to_string(kLibraryApplicationId));
  QCOMPARE(pragma("user_version"), std::to_string(kLibrarySchema));
  int defensive = 0;
  sqlite3_db_config(open->database().getHandle(), SQLITE_DBCONFIG_DEFENSIVE, -1, &defensive);
  QCOMPARE(defensive, 1);
}

void ProjectLibraryTest::refusals() {
  library().reset();
  const std::string file = project() + "/library.sqlite";
  {
    SQLite::Database raw(file, SQLite::OPEN_READWRITE);
    raw.exec("PRAGMA user_version=99");
  }
  const auto newer = ProjectLibrary::open(project());
  QCOMPARE(newer.error().kind, ErrorKind::Data);
  QVERIFY(newer.error().text().find("newer Fathom") != std::string::npos);
  {
    SQLite::Database raw(file, SQLite::OPEN_READWRITE);
    raw.exec("PRAGMA application_id=1");
  }
  QVERIFY(!ProjectLibrary::open(project()).ok());
  std::ofstream(file, std::ios::trunc) << std::string(8192, 'x');
  const auto damaged = ProjectLibrary::open(project());
  QCOMPARE(damaged.error().kind, ErrorKind::Data);
  QVERIFY(damaged.error().text().find("library.sqlite") != std::string::npos);
}

// What somebody else's file would like to do when we write, and what it gives in place of a table.
void ProjectLibraryTest::aStrangersTriggersAndViewsAreOff() {
  GridRecord grid;
  grid.uuid = "g";
  QVERIFY(library()->setGrid(grid).ok());
  const std::string file = project() + "/library.sqlite";
  {
    SQLite::Database raw(file, SQLite::OPEN_READWRITE);
    raw.exec("CREATE TRIGGER harm AFTER INSERT ON run BEGIN DELETE FROM grid; END");
    raw.exec(
        "CREATE TRIGGER loop AFTER INSERT ON run_tag BEGIN INSERT INTO setting SELECT hex(randomblob(9)), "
        "hex(zeroblob(1000000)) FROM grid; END");
  }
  RunNotes notes;
  notes.notes = "ours";
  notes.tags = {"one", "two"};
  QVERIFY(library()->setRunNotes("run-1", notes).ok());
  QCOMPARE(library()->grids()->size(), std::size_t{1});
  {
    SQLite::Database raw(file, SQLite::OPEN_READONLY);
    QCOMPARE(raw.execAndGet("SELECT count(*) FROM setting").getInt(), 0);
  }
  {
    SQLite::Database raw(file, SQLite::OPEN_READWRITE);
    raw.exec("DROP TABLE linked_run");
    raw.exec(
        "CREATE VIEW linked_run AS WITH RECURSIVE n(path) AS (SELECT '/a' UNION ALL SELECT path || 'a' FROM "
        "n) "
        "SELECT path FROM n");
  }
  const auto opened = ProjectLibrary::open(project());
  QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
  int trigger = 1, view = 1;
  sqlite3_db_config((*opened)->database().getHandle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, -1, &trigger);
  sqlite3_db_config((*opened)->database().getHandle(), SQLITE_DBCONFIG_ENABLE_VIEW, -1, &view);
  QVERIFY(trigger == 0 && view == 0);
  const auto linked = (*opened)->linkedRuns();  // would never end
  QVERIFY(!linked.ok());
  QCOMPARE(linked.error().kind, ErrorKind::Data);
  QVERIFY2(linked.error().text().find("library.sqlite") != std::string::npos, linked.error().text().c_str());
  QCOMPARE((*opened)->allRunNotes()->at("run-1").notes, std::string("ours"));
}

// A library of schema 1 as it was: migrated, with a backup that still is schema 1.
void ProjectLibraryTest::migration() {
  RunNotes notes;
  notes.notes = "kept";
  QVERIFY(library()->setRunNotes("run-1", notes).ok());
  const std::string file = project() + "/library.sqlite";
  {
    SQLite::Database raw(file, SQLite::OPEN_READWRITE);
    raw.exec("DROP TABLE override_change");
    raw.exec("DROP TABLE example_note");
    raw.exec("DROP TABLE run_look");
    raw.exec("PRAGMA user_version=1");
  }
  const auto open = ProjectLibrary::open(project());
  QVERIFY2(open.ok(), open.ok() ? "" : open.error().text().c_str());
  QCOMPARE((*open)->allRunNotes()->at("run-1").notes, std::string("kept"));
  QVERIFY(setExampleNote(**open, "d", 1, "sql", "x").ok());
  SQLite::Database backup(file + ".v1.bak", SQLite::OPEN_READONLY);
  QCOMPARE(backup.execAndGet("PRAGMA user_version").getInt(), 1);
  QCOMPARE(backup.execAndGet("SELECT notes FROM run").getString(), std::string("kept"));
}

void ProjectLibraryTest::readOnly() {
  QVERIFY(library()->setSetting("a", 5).ok());
  const auto readable = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                        fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(fs::path(project()).parent_path(), readable | fs::perms::owner_write);
  fs::permissions(project(), readable);
  const uid_t user = ::geteuid();  // root may write everywhere
  QVERIFY2(user != 0 || ::setresuid(65534, 65534, 0) == 0, "root's rights cannot be given up here");
  const auto open = ProjectLibrary::open(project());
  const bool good = open.ok() && (*open)->readOnly() && (*open)->setting("a", 0).value() == Json(5);
  const bool refused = good && !(*open)->setSetting("a", 6).ok();
  if (user == 0) QCOMPARE(::setresuid(0, 0, 0), 0);
  fs::permissions(project(), fs::perms::owner_all);
  QVERIFY(good && refused);
}

void ProjectLibraryTest::notesUndo() {
  const auto open = library();
  RunNotes first;
  first.name = "baseline";
  first.notes = "said \"this\"; -- and that\n";
  first.colour = "#0072b2";
  first.starred = true;
  first.tags = {"alpha", "\xE4\xB8\xAD"};
  QVERIFY(open->setRunNotes("r", first).value() == RunNotes());
  RunNotes second = first;
  second.tags = {"beta"};
  second.starred = false;
  const RunNotes before = open->setRunNotes("r", second).value();
  QVERIFY(before == first);
  QVERIFY(open->allRunNotes()->at("r") == second);
  QVERIFY(open->setRunNotes("r", before).value() == second);  // undo
  QVERIFY(open->allRunNotes()->at("r") == first);
  const auto counter = open->changeCounter().value();
  QCOMPARE(open->changeCounter().value(), counter);
  QVERIFY(library()->setRunNotes("other", first).ok());
  QVERIFY(open->changeCounter().value() != counter);
}

void ProjectLibraryTest::gridsAndDocuments() {
  const auto open = library();
  GridRecord grid;
  grid.uuid = "g";
  grid.name = "depth";
  grid.axes = {{{"key", "seed"}, {"values", {1, 2}}}};
  grid.runs = {"a", "b"};
  QVERIFY(!open->setGrid(grid).value());
  grid.runs.push_back("c");
  QCOMPARE(open->setGrid(grid).value()->runs.size(), std::size_t{2});
  QCOMPARE(open->grids()->at(0).runs.size(), std::size_t{3});
  QVERIFY(open->grids()->at(0).axes == grid.axes);
  QVERIFY(!open->grids()->at(0).created.empty());
  QVERIFY(open->removeGrid("g").value());
  QVERIFY(open->grids()->empty());
  QVERIFY(!open->setDocument("selection", {"s", "mine", "", {{"run", "a"}}}).value());
  QVERIFY(open->documents("figure")->empty());
  QVERIFY(open->documents("selection")->at(0).content["run"] == "a");
  QVERIFY(open->removeDocument("selection", "s").value());
  QVERIFY(open->setting("disk.budget_bytes", 7).value() == Json(7));
  QVERIFY(open->setSetting("disk.budget_bytes", 9).value().is_null());
  QVERIFY(open->setting("disk.budget_bytes", 7).value() == Json(9));
}

void ProjectLibraryTest::figureRecipes() {
  const auto open = library();
  FigureRecipe recipe;
  recipe.name = "Fig. 1";
  recipe.figure = "training_curve";
  recipe.runs = {"a", "b"};
  recipe.options = {{"metric", "loss"}};
  recipe.style = "paper_acl";
  const std::string uuid = saveFigureRecipe(*open, recipe).value();
  QCOMPARE(figureRecipe(*open, "Fig. 1")->uuid, uuid);
  QCOMPARE(figureRecipe(*open, uuid)->runs, recipe.runs);
  QVERIFY(figureRecipe(*open, uuid)->created.ends_with("Z"));
  const auto missing = figureRecipe(*open, "Fig. 2");
  QVERIFY(missing.error().text().find("Fig. 1") != std::string::npos);
  QVERIFY(!figureRecipeFromJson({{"format", 2}, {"figure", "x"}}).ok());
  QVERIFY(!figureRecipeFromJson({{"format", 1}}).ok());
}

// What a figure was made of is kept with it, and makes it another one; a recipe of an older Fathom gets it.
void ProjectLibraryTest::figureRecipesPinResults() {
  const auto open = library();
  FigureRecipe recipe;
  recipe.name = "Fig. 1";
  recipe.figure = "beta_dependency";
  recipe.runs = {"a"};
  QVERIFY(!figureRecipeFromJson(recipe.toJson())->pins);
  const std::string uuid = keepFigureRecipe(*open, recipe).value();
  const std::string created = figureRecipe(*open, uuid)->created;
  FigureRecipe pinned = recipe;
  pinned.uuid.clear();
  pinned.pins.emplace();
  pinned.pins->results.push_back({"a",
                                  "beta_dependency",
                                  "",
                                  Json::object(),
                                  "init",
                                  "0123456789abcdef",
                                  std::string(64, '0'),
                                  {{"examples", 100}}});
  pinned.pins->results.push_back({"a", "beta_dependency", "<=300", {{"example", 7}}, "", "", "", Json()});
  pinned.pins->lists.push_back({"a", "beta_dependency", {"init", "0001-00000300"}});
  QCOMPARE(keepFigureRecipe(*open, pinned).value(), uuid);
  QCOMPARE(figureRecipe(*open, uuid)->created, created);
  QVERIFY(figureRecipe(*open, uuid)->pins == pinned.pins);
  FigureRecipe other = pinned;
  other.uuid.clear();
  other.pins->results.front().sha256 = std::string(64, '1');
  QVERIFY(keepFigureRecipe(*open, other).value() != uuid);
  QVERIFY(figureRecipe(*open, "Fig. 1").error().text().find("2 figures are named") != std::string::npos);
  Json damaged = pinned.toJson();
  damaged["pins"]["results"][0].erase("key");
  QVERIFY(figureRecipeFromJson(damaged).error().text().find("pins") != std::string::npos);
  damaged["pins"] = "none";
  QVERIFY(!figureRecipeFromJson(damaged).ok());
}

// Two processes on one project: both get all their commits in.
void ProjectLibraryTest::compositions() {
  const auto open = library();
  FigureComposition made;
  made.name = "Fig. 3";
  made.widthMm = 100;
  made.shareX = true;
  made.panels.resize(2);
  made.panels[0].recipe.figure = made.panels[1].recipe.figure = "training_curve";
  made.panels[0].recipe.runs = {"a", "b"};
  made.panels[1].column = 1;
  made.panels[1].title = "x < y";
  const std::string uuid = saveFigureComposition(*open, made).value();
  const FigureComposition back = figureComposition(*open, "Fig. 3").value();
  QCOMPARE(back.uuid, uuid);
  QVERIFY(back.created.ends_with("Z"));
  made.uuid = uuid;
  made.created = back.created;
  QVERIFY(back.toJson() == made.toJson());
  QCOMPARE(figureCompositions(*open).value().size(), std::size_t{1});
  const auto missing = figureComposition(*open, "Fig. 4");
  QVERIFY(missing.error().text().find("Fig. 3") != std::string::npos);
  // Nothing wrong is stored or read.
  made.panels[1].column = 0;
  QVERIFY(!saveFigureComposition(*open, made).ok());
  Json json = back.toJson();
  const std::vector<std::pair<std::string, Json>> mistakes = {
      {"format", 2},     {"width_mm", "wide"},
      {"width_mm", -1},  {"letters", "i."},
      {"font", "comic"}, {"panels", 3},
      {"share_x", 1},    {"panels", Json::array({Json({{"row", 0}})})}};
  for (const auto& [key, value] : mistakes) {
    Json wrong = json;
    wrong[key] = value;
    const auto read = figureCompositionFromJson(wrong);
    QVERIFY2(!read.ok() && read.error().kind == ErrorKind::Data, key.c_str());
  }
  QVERIFY(removeFigureComposition(*open, uuid).ok());
  QVERIFY(!removeFigureComposition(*open, uuid).ok());
}

void ProjectLibraryTest::panelsChangePlaces() {
  FigureComposition made;
  made.panels.resize(2);
  made.panels[1].column = 1;
  CompositionPanel wanted = made.panels[1];
  wanted.column = 0;
  QVERIFY(placePanel(made, 1, wanted));
  QCOMPARE(made.panels[1].column, 0);
  QCOMPARE(made.panels[0].column, 1);
  // Two columns wide it would push the other to where it is itself.
  wanted.columnSpan = 2;
  const Json before = made.toJson();
  QVERIFY(!placePanel(made, 1, wanted));
  wanted.columnSpan = 1;
  wanted.row = -1;
  QVERIFY(!placePanel(made, 1, wanted));
  QVERIFY(made.toJson() == before);
  QCOMPARE(freePlace(made).row, 1);
  QCOMPARE(freePlace(made).column, 0);
}

void ProjectLibraryTest::twoWriters() {
  library().reset();
  const int each = 100;
  const auto work = [&](const std::string& who) {
    const auto open = ProjectLibrary::open(project());
    if (!open.ok()) return 1;
    for (int i = 0; i < each; ++i) {
      RunNotes notes;
      notes.notes = who;
      if (!(*open)->setRunNotes(who + std::to_string(i), notes).ok()) return 2;
    }
    return 0;
  };
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work("child"));
  QCOMPARE(work("parent"), 0);
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(status, 0);
  QCOMPARE(library()->allRunNotes()->size(), std::size_t{2 * each});
}

// kill -9 at random moments: what was committed is there, the file is sound.
void ProjectLibraryTest::killedWriter() {
  library().reset();
  int pipe[2];
  QVERIFY(::pipe(pipe) == 0);
  int acknowledged = 0;
  for (int round = 0; round < 10; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto open = ProjectLibrary::open(project());
      for (int i = 0; open.ok(); ++i) {
        if (!(*open)->setSetting(std::to_string(round) + "." + std::to_string(i), i).ok()) ::_exit(1);
        if (::write(pipe[1], &i, sizeof i) != sizeof i) ::_exit(1);
      }
      ::_exit(1);
    }
    pollfd written{pipe[0], POLLIN, 0};  // the first round lasts until something is acknowledged
    ::poll(&written, 1, 10000);
    ::usleep(static_cast<useconds_t>(20000 + 3700 * round));  // the moment of the kill is what is tried
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ::close(pipe[1]);
  for (int i = 0; ::read(pipe[0], &i, sizeof i) == sizeof i;) ++acknowledged;
  const auto open = library();
  QCOMPARE(open->database().execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
  const int stored = open->database().execAndGet("SELECT count(*) FROM setting").getInt();
  QVERIFY(stored >= acknowledged && stored <= acknowledged + 10);
  QVERIFY(acknowledged > 0);
}

void ProjectLibraryTest::trash() {
  const auto open = library();
  const auto run = RunFolder::create(open->runsPath() + "/one", {"u1", "one", "", {}, {}});
  std::ofstream(run->path() + "/big") << std::string(5000, 'x');
  auto lock = RunLock::acquire(run->path(), "");
  QVERIFY(!trashRun(*open, run->path()).ok());  // running
  lock->reset();
  const std::string trashed = trashRun(*open, run->path()).value();
  QVERIFY(!fs::exists(run->path()) && fs::exists(trashed));
  QCOMPARE(restoreRun(*open, trashed).value(), run->path());
  std::ofstream(run->path() + "/run.json") << "{\"uuid\": 3";  // cannot be read
  const std::string broken = trashRun(*open, run->path()).value();
  QVERIFY(!fs::exists(run->path()));
  QCOMPARE(restoreRun(*open, broken).value(), run->path());
  QVERIFY(!trashRun(*open, project()).ok());
}

// Twice in the trash, once in the project: nothing is lost, and one UUID is there once.
void ProjectLibraryTest::sameRunTwiceInTheTrash() {
  const auto open = library();
  const auto make = [&] { return RunFolder::create(open->runsPath() + "/u1", {"u1", "one", "", {}, {}}); };
  const std::string first = trashRun(*open, make()->path()).value();
  const std::string second = trashRun(*open, make()->path()).value();
  QVERIFY(first != second && fs::exists(first) && fs::exists(second));
  QCOMPARE(restoreRun(*open, second).value(), open->runsPath() + "/u1");
  const auto refused = restoreRun(*open, first);
  QVERIFY(!refused.ok() && refused.error().text().find("/runs/u1") != std::string::npos);
  QVERIFY(!refused.error().hint.empty() && fs::exists(first));
  // Another run has taken the folder's name.
  fs::remove_all(open->runsPath() + "/u1");
  QVERIFY(RunFolder::create(open->runsPath() + "/u1", {"u2", "two", "", {}, {}}).ok());
  const std::string beside = restoreRun(*open, first).value();
  QVERIFY(beside != open->runsPath() + "/u1" && fs::exists(beside + "/run.json"));
}

// Its folder belongs to somebody else.
void ProjectLibraryTest::linkedRunIsOnlyUnlinked() {
  const auto open = library();
  fs::create_directories(m_dir->path().toStdString() + "/elsewhere");
  const auto run = RunFolder::create(m_dir->path().toStdString() + "/elsewhere/r", {"u9", "r", "", {}, {}});
  QVERIFY(open->linkRun(run->path()).ok());
  const std::string path = trashRun(*open, run->path()).value();
  QCOMPARE(path, run->path());
  QVERIFY(fs::exists(path + "/run.json") && open->linkedRuns()->empty());
  QCOMPARE(restoreRun(*open, path).value(), path);
  QCOMPARE(open->linkedRuns()->size(), std::size_t{1});
}

void ProjectLibraryTest::overrides() {
  const auto open = library();
  const OverrideKey key{"spider-dev", 17, "select a from b", "paper_like/1"};
  CategoryOverride value{key, "column", "sketch", "alias only", "me", "", "deep"};
  QVERIFY(!setOverride(*open, value).value());
  value.category = "both";
  QCOMPARE(setOverride(*open, value).value()->category, std::string("column"));
  QCOMPARE(findOverride(*open, key).value()->category, std::string("both"));
  QCOMPARE(findOverride(*open, key).value()->note, std::string("alias only"));
  // Another SQL for the same example: nothing in force.
  OverrideKey changed = key;
  changed.normalisedSql = "select c from b";
  QVERIFY(!findOverride(*open, changed).value());
  OverrideKey otherPreset = key;
  otherPreset.preset = "paper_like/2";
  QVERIFY(!findOverride(*open, otherPreset).value());
  QCOMPARE(overridesOf(*open, "spider-dev", "paper_like/1")->size(), std::size_t{1});
  value.category = "";
  QCOMPARE(setOverride(*open, value).value()->category, std::string("both"));
  QVERIFY(!findOverride(*open, key).value());
  QVERIFY(overridesOf(*open, "spider-dev", "paper_like/1")->empty());
  const auto history = overrideHistory(*open, key).value();
  QCOMPARE(history.size(), std::size_t{3});
  QCOMPARE(history[1].value.category, std::string("both"));
  QVERIFY(history[0].id > history[1].id);
}

void ProjectLibraryTest::exampleNotes() {
  const auto open = library();
  QCOMPARE(setExampleNote(*open, "d", 3, "sql", "SELECT 1").value(), std::string());
  QCOMPARE(setExampleNote(*open, "d", 3, "remark", "odd").value(), std::string());
  QCOMPARE(setExampleNote(*open, "d", 3, "sql", "SELECT 2").value(), std::string("SELECT 1"));
  QCOMPARE(exampleNote(*open, "d", 3, "sql").value(), std::string("SELECT 2"));
  QCOMPARE(setExampleNote(*open, "d", 3, "sql", "").value(), std::string("SELECT 2"));
  QCOMPARE(exampleNote(*open, "d", 3, "sql").value(), std::string());
}

QTEST_APPLESS_MAIN(ProjectLibraryTest)
#include "tst_project_library.moc"
