// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run that is followed or fetched: all, the best alone, or none.
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_choice.h"
#include "tests/unit/support_relay.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::Connection;
using test::contentOf;
using test::kRelayRun;
using test::put;
using test::waitFor;
using Names = std::vector<std::string>;

class RelayCheckpointsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_root = m_folder->filePath("host").toStdString();
    m_run = m_root + "/" + kRelayRun;
    m_copy = m_folder->filePath("copy").toStdString();
    std::filesystem::create_directories(m_run);
    std::filesystem::create_directories(m_copy);
  }
  void checkpointsComeByWish();
  void anEndComesAfterItsFolders();
  void aFolderThatCannotBeReadIsNotKept();
  void theBestTakesThePlaceOfTheBest();
  void whatWasWishedForStays();
  void whatCheckpointsShareComesOnce();
  void aFetchHasAnEnd();
  void aFetchBesideARunner();

 private:
  void checkpoint(int step, double score) const {
    auto writer = CheckpointWriter::begin(m_run, 1, step).value();
    QVERIFY(writeFileAtomically(writer.folder() + "/model.safetensors", std::string(3000, 'w')).ok());
    QVERIFY(writer.commit({{"score", score}}).ok());
  }
  std::vector<std::string> copied() const {
    std::vector<std::string> names;
    for (const CheckpointManifest& each : listCheckpoints(m_copy))
      if (verifyCheckpoint(each.path).ok()) names.push_back(each.name);
    return names;
  }
  std::unique_ptr<QTemporaryDir> m_folder;
  std::string m_root, m_run, m_copy;
};

void RelayCheckpointsTest::checkpointsComeByWish() {
  put(m_run + "/checkpoints/0001-10/model.safetensors", std::string(300000, 'w'));
  put(m_run + "/checkpoints/0001-20.tmp/model.safetensors", "half");
  RunMirror mirror(m_copy);
  Connection without(m_root, &mirror);
  without.follow();
  without.hear(SIZE_MAX);
  QVERIFY(!folderExists(m_copy + "/checkpoints"));
  Connection cut(m_root, &mirror);
  cut.follow(CheckpointWish::All);
  cut.hear(200000);
  QVERIFY(!folderExists(m_copy + "/checkpoints/0001-10"));
  Connection with(m_root, &mirror);
  with.follow(CheckpointWish::All);
  with.hear(SIZE_MAX);
  QCOMPARE(fileBytes(m_copy + "/checkpoints/0001-10/model.safetensors"), std::uintmax_t{300000});
  QVERIFY(!folderExists(m_copy + "/checkpoints/0001-20.tmp"));
}

void RelayCheckpointsTest::anEndComesAfterItsFolders() {
  put(m_run + "/attempts/0001/outcome.json", "{}");
  const std::string checkpoint = "/checkpoints/0001-10";
  for (const char* file : {"/a", "/b", "/c", "/d"})
    put(m_run + checkpoint + file, std::string(std::size_t{5} << 18, 'w'));
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::All);
  QVERIFY(waitFor([&] {
    for (int i = 0; i < 200 && connection.state.is_null(); ++i) connection.hear(1000);
    return !connection.state.is_null();
  }));
  QVERIFY(contentOf(m_copy) == contentOf(m_run));
}

void RelayCheckpointsTest::aFolderThatCannotBeReadIsNotKept() {
  put(m_run + "/checkpoints/0001-10/model", std::string(3000000, 'w'));
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::All);
  connection.hear(100);
  std::filesystem::resize_file(m_run + "/checkpoints/0001-10/model", 900);  // cut under our hands
  connection.hear(SIZE_MAX);
  QVERIFY(!folderExists(m_copy + "/checkpoints/0001-10"));
}

void RelayCheckpointsTest::theBestTakesThePlaceOfTheBest() {
  checkpoint(10, 3);
  checkpoint(20, 2);
  checkpoint(30, 2.5);
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::Best);
  connection.hear(SIZE_MAX);
  QCOMPARE(copied(), Names{"0001-00000020"});
  checkpoint(40, 2.2);
  checkpoint(50, 1);
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return copied() == Names{"0001-00000050"};
  }));
  // A connection that comes later sends no bytes of it again.
  Connection again(m_root, &mirror);
  again.files.clear();
  again.follow(CheckpointWish::Best);
  again.hear(SIZE_MAX);
  QVERIFY(again.files.empty());
  // One of the same score is none that is better, and one without a score is no best.
  checkpoint(60, 1);
  auto writer = CheckpointWriter::begin(m_run, 1, 70).value();
  QVERIFY(writer.commit(Json::object()).ok());
  Connection third(m_root, &mirror);
  third.follow(CheckpointWish::Best);
  third.hear(SIZE_MAX);
  QCOMPARE(copied(), Names{"0001-00000050"});
}

// The best goes for a better one only where it came as the best alone.
void RelayCheckpointsTest::whatWasWishedForStays() {
  checkpoint(10, 3);
  RunMirror mirror(m_copy);
  Connection best(m_root, &mirror);
  best.follow(CheckpointWish::Best);
  best.hear(SIZE_MAX);
  checkpoint(20, 4);
  Connection all(m_root, &mirror);
  all.follow(CheckpointWish::All);
  all.hear(SIZE_MAX);
  QCOMPARE(copied(), (Names{"0001-00000010", "0001-00000020"}));
  checkpoint(30, 1);
  Connection later(m_root, &mirror);
  later.follow(CheckpointWish::Best);
  later.hear(SIZE_MAX);
  QCOMPARE(copied(), (Names{"0001-00000010", "0001-00000020", "0001-00000030"}));
}

void RelayCheckpointsTest::whatCheckpointsShareComesOnce() {
  const std::string bytes(700000, 'f'), sum = sha256Hex(bytes), name = sharedFileName("frozen", sum);
  put(m_run + "/checkpoints/" + name, bytes);
  auto writer = CheckpointWriter::begin(m_run, 1, 10).value();
  writer.share({name, bytes.size(), sum});
  QVERIFY(writer.commit({{"score", 1}}).ok());
  RunMirror mirror(m_copy);
  Connection without(m_root, &mirror);
  without.follow();
  without.hear(SIZE_MAX);
  QVERIFY(!folderExists(m_copy + "/checkpoints"));
  for (const CheckpointWish wish : {CheckpointWish::Best, CheckpointWish::All}) {
    Connection connection(m_root, &mirror);
    connection.follow(wish);
    connection.hear(SIZE_MAX);
    QCOMPARE(copied(), Names{"0001-00000010"});
    QCOMPARE(connection.files.empty(), wish == CheckpointWish::All);
  }
}

void RelayCheckpointsTest::aFetchHasAnEnd() {
  put(m_run + "/run.json", "{}");
  put(m_run + "/attempts/0001/events.jsonl", std::string(300000, 'e'));
  checkpoint(10, 1);
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::All, {}, {{"once", true}});
  connection.hear(50000);
  QVERIFY(connection.fetched.is_null());
  connection.hear(SIZE_MAX);
  QVERIFY(memberFlag(connection.fetched, "there", false) && memberFlag(connection.fetched, "seen", false));
  QVERIFY(contentOf(m_copy) == contentOf(m_run));
  QVERIFY(connection.state.is_null());  // whoever fetches asks for no state
  // It is followed no more.
  put(m_run + "/attempts/0001/events.jsonl", "more", true);
  connection.hear(SIZE_MAX);
  QVERIFY(contentOf(m_copy) != contentOf(m_run));
  connection.follow(CheckpointWish::None, {}, {{"once", true}, {"run", "runs/nowhere"}});
  connection.fetched = {};
  connection.hear(SIZE_MAX);
  QCOMPARE(memberFlag(connection.fetched, "there", true), false);
}

// The runner has the logs: two that write them would be in each other's way.
void RelayCheckpointsTest::aFetchBesideARunner() {
  put(m_run + "/run.json", "{}");
  put(m_run + "/attempts/0001/events.jsonl", "events\n");
  checkpoint(10, 1);
  RunMirror mirror(m_copy, ".fetched.tmp");
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::All, {}, {{"once", true}, {"logs", false}});
  connection.hear(2000);
  QVERIFY(!folderExists(m_copy + "/checkpoints/0001-00000010.tmp"));
  connection.hear(SIZE_MAX);
  QVERIFY(memberFlag(connection.fetched, "seen", false));
  QCOMPARE(copied(), Names{"0001-00000010"});
  QVERIFY(!fileExists(m_copy + "/run.json") && !folderExists(m_copy + "/attempts"));
}

QTEST_APPLESS_MAIN(RelayCheckpointsTest)
#include "tst_relay_checkpoints.moc"
