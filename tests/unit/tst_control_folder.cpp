// SPDX-License-Identifier: Apache-2.0
// Wishes to a run as files in its folder: who leaves them, what is taken, what is heeded once, what stays.
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "core/base/files/process_identity.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

using namespace fathom;
namespace fs = std::filesystem;

class ControlFolderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }
  void noFolderIsNoWish();
  void whatIsLeftIsTaken();
  void filesOfPeople();
  void otherNamesStay();
  void whatCannotBeRemovedIsHeededOnce();
  void otherHostsGetFiles();

 private:
  std::string run() const { return m_folder->path().toStdString(); }
  std::string control(const std::string& name) const { return run() + "/control/" + name; }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(run() + "/control");
    std::ofstream(control(name)) << text;
  }
  std::vector<ControlWish> take() { return takeWishes(run(), m_heeded); }
  std::unique_ptr<QTemporaryDir> m_folder;
  std::set<std::string> m_heeded;
};

void ControlFolderTest::noFolderIsNoWish() {
  QVERIFY(take().empty());
  std::ofstream(run() + "/control") << "no folder";
  QVERIFY(take().empty());
}

void ControlFolderTest::whatIsLeftIsTaken() {
  for (const char* command : {"checkpoint", "stop", "abort"}) QVERIFY(leaveWish(run(), command).ok());
  QVERIFY(!leaveWish(run(), "dance").ok());
  const auto wishes = take();
  QCOMPARE(wishes.size(), std::size_t{3});
  for (std::size_t i = 0; i < 3; ++i) {  // in their order
    QCOMPARE(wishes[i].command, std::string(std::vector{"checkpoint", "stop", "abort"}[i]));
    QVERIFY2(wishes[i].asker.ends_with("@" + hostName()) && wishes[i].asker.size() > hostName().size() + 1,
             wishes[i].asker.c_str());
  }
  QVERIFY(fs::is_empty(run() + "/control") && take().empty());
}

void ControlFolderTest::filesOfPeople() {
  write("1.stop", "");
  write("2.stop", "not JSON");
  write("3.stop", R"({"by": 7})");
  write("4.stop", R"({"by": "ana@login1"})");
  write("5.stop", std::string(1 << 20, 'x'));
  write("6.stop", "{\"by\": \"" + std::string(3000, 'y') + "\"}");
  QCOMPARE(::mkfifo(control("7.stop").c_str(), 0600), 0);
  const auto wishes = take();
  QCOMPARE(wishes.size(), std::size_t{7});
  const std::string owner = wishes[0].asker;
  QVERIFY(!owner.empty());
  QCOMPARE(wishes[1].asker, owner);
  QCOMPARE(wishes[2].asker, owner);
  QCOMPARE(wishes[3].asker, std::string("ana@login1"));
  QCOMPARE(wishes[4].asker, owner);
  QVERIFY(wishes[5].asker.starts_with("yyy") && wishes[5].asker.size() < 300);
  QCOMPARE(wishes[6].command, std::string("stop"));
  QVERIFY(fs::is_empty(run() + "/control"));
}

void ControlFolderTest::otherNamesStay() {
  const std::vector<std::string> names = {"stop", "1.halt", "1.stop.tmp", ".stop", "readme.txt"};
  for (const std::string& name : names) write(name, "");
  QVERIFY(take().empty());
  for (const std::string& name : names) QVERIFY2(fs::exists(control(name)), name.c_str());
}

void ControlFolderTest::whatCannotBeRemovedIsHeededOnce() {
  write("2.stop", "");
  fs::create_directories(control("1.checkpoint/within"));
  QCOMPARE(take().size(), std::size_t{2});
  QVERIFY(take().empty());
  QVERIFY(fs::exists(control("1.checkpoint")));
}

// Where the disk is shared and the socket is not, and only with who says that he looks.
void ControlFolderTest::otherHostsGetFiles() {
  const std::string run = this->run() + "/run";
  fs::create_directories(run + "/attempts/0001");
  std::ofstream(RunFolder(run).eventsPath(1))
      << "{\"v\":1,\"seq\":0,\"t\":" << std::time(nullptr) << ",\"k\":\"heartbeat\",\"step\":0}\n";
  const auto hold = [&](const char* more) {
    std::ofstream(run + "/lock") << R"({"pid":1,"host":"lab-3","boot_id":"b","start_time":"1","socket":"")"
                                 << more << "}\n";
  };
  hold("");
  QVERIFY(sendControl(run, "stop").error().text().find("lab-3") != std::string::npos);
  QVERIFY(!fs::exists(run + "/control"));
  hold(R"(,"control":true)");
  QVERIFY(runLockHolder(run)->looksForWishes);
  QVERIFY(sendControl(run, "stop").ok());
  const auto wishes = takeWishes(run, m_heeded);
  QCOMPARE(wishes.size(), std::size_t{1});
  QCOMPARE(wishes[0].command, std::string("stop"));
}

QTEST_APPLESS_MAIN(ControlFolderTest)
#include "tst_control_folder.moc"
