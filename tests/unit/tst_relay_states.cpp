// SPDX-License-Identifier: Apache-2.0
// States of runs as a relay tells them, without a connection.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/files/path_facts.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_relay.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::Connection;
using test::contentOf;
using test::kRelayRun;
using test::put;
using test::waitFor;

class RelayStatesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_root = m_folder->filePath("host").toStdString();
    m_run = m_root + "/" + kRelayRun;
    m_copy = m_folder->filePath("copy").toStdString();
    std::filesystem::create_directories(m_run);
  }
  void anAnswerComesAfterWhatWasThere();
  void aRunThatAlwaysWritesTellsItsState();
  void aRunThatBeginsLaterIsSeenSoon();
  void anotherRunIsNotSent();

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
  std::string m_root, m_run, m_copy;
};

// A run that somebody else starts: its state is told when it is asked for, behind all that was there before.
void RelayStatesTest::anAnswerComesAfterWhatWasThere() {
  put(m_run + "/run.json", "{}");
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow();
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return connection.state.is_object();
  }));
  QCOMPARE(connection.mark, std::int64_t{0});
  put(m_run + "/attempts/0001/events.jsonl", std::string(900000, 'e'));
  connection.say({{"verb", "look"}, {"run", "r"}, {"mark", 7}});
  QVERIFY(waitFor([&] {
    connection.hear(100000);
    return connection.mark == 7;
  }));
  QCOMPARE(fileBytes(m_copy + "/attempts/0001/events.jsonl"), std::uintmax_t{900000});
  QVERIFY(connection.ask({{"verb", "look"}, {"run", "another"}, {"mark", 8}}).contains("error"));
  // Left alone, nothing of it comes any more.
  connection.ask({{"verb", "leave"}, {"run", "r"}});
  QVERIFY(connection.ask({{"verb", "look"}, {"run", "r"}, {"mark", 9}}).contains("error"));
}

// At every look there is something new to send.
void RelayStatesTest::aRunThatAlwaysWritesTellsItsState() {
  put(m_run + "/run.json", "{}");
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow();
  const auto attempt = [&] {
    put(m_run + "/attempts/0001/events.jsonl", "{}\n", true);
    connection.hear(SIZE_MAX);
    return connection.state.is_object() ? memberInteger(connection.state, "attempt") : 0;
  };
  QVERIFY(waitFor([&] { return attempt() == 1; }));
  std::filesystem::create_directories(m_run + "/attempts/0002");
  QVERIFY(waitFor([&] { return attempt() == 2; }));
}

// Its job waits in a batch system when it is followed.
void RelayStatesTest::aRunThatBeginsLaterIsSeenSoon() {
  std::filesystem::remove_all(m_run);
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow();
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return connection.state.is_object();
  }));
  put(m_run + "/run.json", "{}");
  put(m_run + "/attempts/0001/events.jsonl", "{}\n");
  const auto seen = [&] {
    connection.hear(SIZE_MAX);
    return fileBytes(m_copy + "/attempts/0001/events.jsonl") > 0;
  };
  QVERIFY(waitFor(seen, 3));
}

// Somebody has put another run into the folder: nothing of that one is sent, and no wish reaches it.
void RelayStatesTest::anotherRunIsNotSent() {
  const auto make = [&](const char* uuid, const std::string& events) {
    QVERIFY(RunFolder::create(m_run, {uuid, "a run", "", Json::object(), {}}).ok());
    put(m_run + "/attempts/0001/events.jsonl", events);
  };
  make("one", std::string(700, '1'));
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow(CheckpointWish::None, {}, {{"uuid", "one"}});
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return connection.state.is_object();
  }));
  const auto content = contentOf(m_copy);
  QCOMPARE(content.at("attempts/0001/events.jsonl"), std::string(700, '1'));
  std::filesystem::rename(m_run, m_run + ".moved");
  make("two", std::string(9000, '2'));
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return memberFlag(connection.state, "other", false);
  }));
  QVERIFY(!memberFlag(connection.state, "exists", true));
  QVERIFY(contentOf(m_copy) == content);
  const Json wish = {
      {"verb", "wish"}, {"run", kRelayRun}, {"command", "stop"}, {"by", "ana"}, {"uuid", "one"}};
  QVERIFY(connection.ask(wish).contains("error"));
  QVERIFY(!folderExists(m_run + "/control"));
  QVERIFY(connection
              .ask({{"verb", "start"},
                    {"token", "t"},
                    {"run", kRelayRun},
                    {"engine", "/bin/true"},
                    {"uuid", "one"}})
              .contains("error"));
  // It is back, and has grown meanwhile.
  std::filesystem::remove_all(m_run);
  std::filesystem::rename(m_run + ".moved", m_run);
  put(m_run + "/attempts/0001/events.jsonl", "more\n", true);
  Connection again(m_root, &mirror);
  again.follow(CheckpointWish::None, {}, {{"uuid", "one"}});
  QVERIFY(waitFor([&] {
    again.hear(SIZE_MAX);
    return fileBytes(m_copy + "/attempts/0001/events.jsonl") == 705;
  }));
  QVERIFY(contentOf(m_copy) == contentOf(m_run));
}

QTEST_GUILESS_MAIN(RelayStatesTest)
#include "tst_relay_states.moc"
