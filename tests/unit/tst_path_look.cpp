// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/base/files/path_look.h"
#include "core/record/results/analysis_store.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;
namespace fs = std::filesystem;

class PathLookTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void absentIsNoError() {
    QVERIFY(!isThere(path("nothing")).value());
    QVERIFY(!isThere(path("nothing/below")).value());
    QVERIFY(entriesIn(path("nothing")).value().empty());
    fs::create_symlink("nowhere", path("dangling"));
    QVERIFY(!isThere(path("dangling")).value());
  }
  void whatCannotBeLookedAtIsNamed() {
    fs::create_symlink("loop", path("loop"));
    for (const Error& error : {isThere(path("loop")).error(), entriesIn(path("loop")).error()}) {
      QCOMPARE(error.file, path("loop"));
      QVERIFY(error.resource == ResourceKind::Unavailable);
      QVERIFY2(error.text().find("Too many levels") != std::string::npos, error.text().c_str());
    }
    QVERIFY(writeFileAtomically(path("file"), "x").ok());
    QVERIFY(isThere(path("file")).value() && !entriesIn(path("file")).ok());
  }
  // A closed folder inside is an error of the whole, and named; a folder that has to be there is missed.
  void walksSayWhereTheyCannotLook() {
    const std::string tree = path("tree");
    fs::create_directories(tree + "/a/b");
    QVERIFY(writeFileAtomically(tree + "/a/b/file", "1234").ok());
    fs::create_symlink(tree, tree + "/a/again");
    QCOMPARE(treeBelow(tree)->size(), std::size_t{4});  // a, b, file, and the link that is not followed
    QCOMPARE(sizeBelow(tree).value(), std::uintmax_t{4});
    QCOMPARE(sizeBelow(path("none")).value(), std::uintmax_t{0});
    QCOMPARE(contentsOf(path("none")).error().file, path("none"));
    QCOMPARE(treeBelow(path("none")).error().file, path("none"));
    QVERIFY(seenIn(path("none")).empty());
    if (::geteuid() == 0) QSKIP("root looks into everything");
    fs::permissions(tree + "/a/b", fs::perms::none);
    const Error closed = treeBelow(tree).error(), size = sizeBelow(tree).error();
    fs::permissions(tree + "/a/b", fs::perms::owner_all);
    QCOMPARE(closed.file, tree + "/a/b");
    QCOMPARE(size.file, tree + "/a/b");
  }
  // What is kept beside runs is an error too, not an empty list, when its folder is no folder to look into.
  void listsOfARunSayWhereTheyCannotLook() {
    const std::string run = path("lists");
    fs::create_directories(run);
    fs::create_symlink("predictions", run + "/predictions");
    fs::create_symlink("kind", run + "/kind");
    QCOMPARE(predictionSets(run).error().file, run + "/predictions");
    QCOMPARE(listAnalysisRequests(run, "kind").error().file, run + "/kind");
    QVERIFY(predictionSets(path("none"))->empty() && listAnalysisRequests(run, "none")->empty());
  }
  // Parents of a run are never made: a project that was deleted meanwhile does not come back as a folder.
  void parentsOfARunAreNotMade() {
    const auto made = RunFolder::prepare(path("gone/runs/one"));
    QVERIFY(!made.ok() && made.error().resource == ResourceKind::Unavailable);
    QVERIFY(!fs::exists(path("gone")));
  }
  void checkpointsThatCannotBeSeenAreNoneAndNotDamaged() {
    const std::string run = path("run");
    QVERIFY(checkpointsCanBeSeen(run).ok());
    fs::create_directories(run);
    fs::create_symlink("checkpoints", run + "/checkpoints");
    QCOMPARE(checkpointsCanBeSeen(run).error().file, run + "/checkpoints");
    fs::remove(run + "/checkpoints");
    fs::create_directories(run + "/checkpoints");
    fs::create_symlink("0001-00000010", run + "/checkpoints/0001-00000010");
    QVERIFY(!checkpointsCanBeSeen(run).ok());
  }
  // A folder that is there keeps what it has.
  void filesComeToAFolder() {
    const auto fill = [](const std::string& text) {
      return [text](const std::string& to) -> Status {
        FATHOM_CHECK(makeFolders(to + "/part"));
        FATHOM_CHECK(writeFileAtomically(to + "/part/b", text));
        return writeFileAtomically(to + "/a", "a");
      };
    };
    const std::string folder = path("data");
    QVERIFY(fillFolder(folder, fill("b")).ok());
    fs::remove(folder + "/a");
    QVERIFY(writeFileAtomically(folder + "/mine", "mine").ok());
    QVERIFY(fillFolder(folder, fill("b")).ok());
    QCOMPARE(readFile(folder + "/a").value(), std::string("a"));
    fs::remove(folder + "/a");
    const Status refused = fillFolder(folder, fill("other"));
    QVERIFY(!refused.ok() && refused.error().resource == ResourceKind::Unavailable);
    QCOMPARE(refused.error().file, folder + "/part/b");
    QVERIFY(!fs::exists(folder + "/a"));
    QCOMPARE(readFile(folder + "/part/b").value(), std::string("b"));
    QCOMPARE(entriesIn(folder)->size(), std::size_t{2});  // mine, part
  }
  // What lies beside a new folder by chance is somebody's.
  void nothingBesideANewFolderIsTouched() {
    QVERIFY(makeFolders(path("new.partial")).ok());
    QVERIFY(writeFileAtomically(path("new.partial/mine"), "mine").ok());
    QVERIFY(makeNewFolder(path("new"), [](const std::string& to) {
              return writeFileAtomically(to + "/a", "a");
            }).ok());
    QVERIFY(fs::exists(path("new/a")) && fs::exists(path("new.partial/mine")));
  }

 private:
  std::string path(const char* name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(PathLookTest)
#include "tst_path_look.moc"
