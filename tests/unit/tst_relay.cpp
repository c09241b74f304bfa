// SPDX-License-Identifier: Apache-2.0
// A relay and a copy talk with each other, without a connection: cut anywhere, the copy is equal in the
// end.
#include <signal.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_relay.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::Connection;
using test::contentOf;
using test::kRelayRun;
using test::put;
using test::waitFor;

class RelayTest : public QObject {
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
  void framesComeInAnyPieces();
  void damageIsSeen();
  void chatterIsSkipped();
  void pathsHaveKinds();
  void aCutCopyIsEqualInTheEnd();
  void aFileThatBeginsAnewIsSentAnew();
  void anOutcomeComesLast();
  void aStartIsOnce();
  void checksAndStartsHaveOneShell();
  void anEngineOutlivesItsRelay();
  void aKillEndsAll();
  void wishesNameWhoAsks();
  void commandsAreAnswered();
  void dataAreSentOnce();
  void sendersOfTheSameAgree();
  void aFullDiskIsNamed();
  void strangersGetNoPath();

 private:
  std::string script(const char* name, const std::string& text) const {
    const std::string path = m_root + "/" + name;
    put(path, "#!/bin/sh\n" + text);
    ::chmod(path.c_str(), 0755);
    return path;
  }
  Json started(Connection& connection, const std::string& program, const std::string& token) const {
    return connection.ask({{"verb", "start"},
                           {"token", token},
                           {"run", kRelayRun},
                           {"engine", program},
                           {"arguments", {"%RUN%", "%CONFIG%"}}},
                          "{\"name\": \"a\"}");
  }
  std::unique_ptr<QTemporaryDir> m_folder;
  std::string m_root, m_run, m_copy;
};

void RelayTest::framesComeInAnyPieces() {
  std::mt19937 random(7);
  std::string bytes;
  std::vector<std::string> bodies;
  for (int i = 0; i < 40; ++i) {
    bodies.emplace_back(random() % 5000, static_cast<char>(random()));
    bytes += frameBytes({{"number", i}, {"text", "a\n\0ü"}}, bodies.back());
  }
  FrameReader reader;
  std::size_t got = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = std::min<std::size_t>(random() % 3000, bytes.size() - at);
    reader.feed(std::string_view(bytes).substr(at, count));
    at += count;
    while (auto frame = reader.next().value()) {
      QCOMPARE(frame->head["number"].get<std::size_t>(), got);
      QVERIFY(frame->body == bodies[got++]);
    }
  }
  QCOMPARE(got, bodies.size());
}

void RelayTest::damageIsSeen() {
  const std::string whole = frameBytes({{"verb", "hello"}}, "a body of some bytes");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    FrameReader reader;
    reader.feed(bytes + std::string(100, 'x'));
    const auto frame = reader.next();
    QVERIFY2(!frame.ok() || !frame->has_value(), qPrintable(QString::number(i)));
  }
}

void RelayTest::chatterIsSkipped() {
  GreetingReader reader;
  QVERIFY(reader.feed("Welcome!\nFATHOM-REL") == GreetingReader::Kind::More);
  QVERIFY(reader.feed("AX\nno end of lineFATHOM-RELAY 1\r\nFRLYrest") == GreetingReader::Kind::Ready);
  QCOMPARE(reader.takeRest(), std::string("FRLYrest"));
  GreetingReader wanting;
  QVERIFY(wanting.feed("\nFATHOM-WANTS\n") == GreetingReader::Kind::Wants);
  QVERIFY(wanting.feed("\nFATHOM-TROUBLE no room\n") == GreetingReader::Kind::Trouble);
  QCOMPARE(wanting.words(), std::string("no room"));
  GreetingReader other;
  QVERIFY(other.feed("chatterFATHOM-MACHINE Linux aarch64\n") == GreetingReader::Kind::OtherMachine);
  QCOMPARE(other.words(), std::string("Linux aarch64"));
  GreetingReader later;
  QVERIFY(later.feed("FATHOM-RELAY 2\n") == GreetingReader::Kind::OtherVersion);
  GreetingReader endless;
  GreetingReader::Kind kind = GreetingReader::Kind::More;
  for (int i = 0; i < 2000 && kind == GreetingReader::Kind::More; ++i)
    kind = endless.feed(std::string(1023, 'y') + "\n");
  QVERIFY(kind == GreetingReader::Kind::TooMuch);
}

void RelayTest::pathsHaveKinds() {
  const auto kind = [](const char* path, bool folder) { return runPathKind(path, folder, false); };
  QVERIFY(kind("attempts/0001/events.jsonl", false) == RunPathKind::Grows);
  QVERIFY(kind("attempts/0001/stderr.2.log", false) == RunPathKind::Grows);
  QVERIFY(kind("attempts/0001/outcome.json", false) == RunPathKind::Replaced);
  QVERIFY(kind("predictions/a.jsonl", false) == RunPathKind::Replaced);
  QVERIFY(kind("analyses/jsd/abc", true) == RunPathKind::Finished);
  for (const char* path : {"lock", "mirror.json", "attempts/.new", "a.tmp", "control/1.stop", "run.sock"})
    QVERIFY2(kind(path, false) == RunPathKind::Never, path);
  QVERIFY(kind("checkpoints/0001-10", true) == RunPathKind::Never);
  QVERIFY(runPathKind("checkpoints/0001-10", true, true) == RunPathKind::Finished);
  QVERIFY(runPathKind("checkpoints/0001-10.tmp", true, true) == RunPathKind::Never);
}

void RelayTest::aCutCopyIsEqualInTheEnd() {
  const unsigned seed = std::getenv("SEED") ? static_cast<unsigned>(std::atoi(std::getenv("SEED"))) : 11;
  qInfo("SEED=%u", seed);
  std::mt19937 random(seed);
  const std::string events = m_run + "/attempts/0001/events.jsonl";
  put(m_run + "/lock", "{}");
  put(m_run + "/run.json", "{\"uuid\": 1}");
  put(m_run + "/attempts/0001/config.json.tmp-here-1-1-1", "half");
  std::map<std::string, std::uint64_t> grown;
  for (int cut = 0; cut < 60; ++cut) {
    const int lines = static_cast<int>(random() % 4000);
    std::string text;
    for (int i = 0; i < lines; ++i) text += "{\"wort\": \"größer 字\", \"i\": " + std::to_string(i) + "}\n";
    put(events, text.substr(0, text.size() - (text.empty() ? 0 : random() % 9)), true);
    put(m_run + "/attempts/0001/stderr.log", std::string(random() % 3000, 'e'), true);
    if (cut % 7 == 3) {
      put(m_run + "/aside", "{\"uuid\": " + std::string(random() % 300000, '1') + "}");
      std::filesystem::rename(m_run + "/aside", m_run + "/run.json");
      const std::string analysis = m_run + "/analyses/jsd/" + std::to_string(cut);
      put(analysis + ".tmp/result.json", std::string(random() % 400000, 'r'));
      put(analysis + ".tmp/deep/values.npy", std::string(random() % 1000, 'v'));
      std::filesystem::rename(analysis + ".tmp", analysis);
    }
    RunMirror mirror(m_copy);
    Connection connection(m_root, &mirror);
    connection.follow();
    connection.hear(random() % 600000);
    for (const auto& [file, bytes] : connection.grown) grown[file] += bytes;
    if (!fileExists(m_copy + "/attempts/0001/events.jsonl")) continue;
    const std::string there = readFile(events).value(),
                      here = readFile(m_copy + "/attempts/0001/events.jsonl").value();
    QVERIFY(there.starts_with(here));
  }
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow();
  connection.hear(SIZE_MAX);
  for (const auto& [file, bytes] : connection.grown) grown[file] += bytes;
  QVERIFY(contentOf(m_copy) == contentOf(m_run));
  for (const auto& [file, bytes] : grown) QCOMPARE(bytes, fileBytes(m_run + "/" + file));  // nothing twice
  QVERIFY(!fileExists(m_copy + "/lock"));
  // Once more there is nothing to send.
  Connection again(m_root, &mirror);
  again.follow();
  again.hear(SIZE_MAX);
  QVERIFY(again.files.empty());
}

void RelayTest::aFileThatBeginsAnewIsSentAnew() {
  const std::string events = "/attempts/0001/events.jsonl";
  put(m_run + events, std::string(9000, 'a'));
  const auto round = [&] {
    RunMirror mirror(m_copy);
    Connection connection(m_root, &mirror);
    connection.follow();
    connection.hear(SIZE_MAX);
    QVERIFY(readFile(m_copy + events).value() == readFile(m_run + events).value());
  };
  round();
  put(m_run + events, std::string(12000, 'b'));  // longer, with other bytes
  round();
  put(m_run + events, "short\n");
  round();
  put(m_run + events, "");
  round();
}

void RelayTest::anOutcomeComesLast() {
  put(m_run + "/run.json", "{}");
  put(m_run + "/attempts/0001/outcome.json", "{}");
  put(m_run + "/attempts/0001/events.jsonl", std::string(700000, 'e'));
  put(m_run + "/attempts/0001/stderr.log", "words\n");
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.follow();
  connection.hear(SIZE_MAX);
  QCOMPARE(connection.files.back(), std::string("attempts/0001/outcome.json"));
  QVERIFY(waitFor([&] {
    connection.hear(SIZE_MAX);
    return connection.state.is_object() && memberFlag(connection.state, "outcome", false);
  }));
}

void RelayTest::aStartIsOnce() {
  const std::string program = script("engine", "echo x >>'" + m_root + "/calls'\ncat \"$2\" >&2\nexit 20\n");
  RunMirror mirror(m_copy);
  Connection first(m_root, &mirror);
  QVERIFY(memberFlag(started(first, program, "one")["answer"], "started", false));
  Connection second(m_root, &mirror);  // the answer was lost, and it is asked for again
  QVERIFY(!memberFlag(started(second, program, "one")["answer"], "started", true));
  second.follow(CheckpointWish::None, "one");
  QVERIFY(waitFor([&] {
    second.hear(SIZE_MAX);
    return second.state.is_object() && second.state.contains("code") &&
           !memberFlag(second.state, "alive", true);
  }));
  QCOMPARE(second.state["code"].get<int>(), 20);
  QVERIFY(memberText(second.state, "words").find("\"name\": \"a\"") != std::string::npos);
  QCOMPARE(readFile(m_root + "/calls").value(), std::string("x\n"));
  second.ask({{"verb", "forget"}, {"token", "one"}});
  QVERIFY(!fileExists(m_root + "/start/one.claim"));
}

// What makes the engine start makes the check succeed, and nothing else does.
void RelayTest::checksAndStartsHaveOneShell() {
  const std::string program = script("engine", "echo \"engine $FATHOM_SAID:$LD_LIBRARY_PATH\"\n");
  const QByteArray mine = qgetenv("LD_LIBRARY_PATH");
  qputenv("LD_LIBRARY_PATH", "/of/host");
  Json head = {{"engine", program},
               {"libraries", "/my libs"},
               {"before",
                {"# its modules", "echo chatter", "if [[ ab == a* ]]; then", "export FATHOM_SAID=yes", "fi"}},
               {"run", kRelayRun},
               {"token", "shell"}};
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  head["verb"] = "engine";
  const Json facts = connection.ask(head)["answer"];
  head["verb"] = "start";
  connection.ask(head);
  if (mine.isNull())
    qunsetenv("LD_LIBRARY_PATH");
  else
    qputenv("LD_LIBRARY_PATH", mine);
  EngineJobs jobs(m_root);
  QVERIFY(waitFor([&] { return jobs.state(m_run, "shell").contains("code"); }));
  QVERIFY(waitFor([&] { return jobs.state(m_run, "shell").contains("words"); }));
  const std::string words = memberText(jobs.state(m_run, "shell"), "words");
  QVERIFY2(words.ends_with("engine yes:/my libs:/of/host\n"), words.c_str());
  QCOMPARE(memberText(facts, "version"), std::string("libs:/of/host"));
}

void RelayTest::anEngineOutlivesItsRelay() {
  const std::string program =
      script("engine", "while [ ! -e '" + m_root + "/go' ]; do sleep 0.05; done\nexit 0\n");
  RunMirror mirror(m_copy);
  {
    Connection connection(m_root, &mirror);
    started(connection, program, "two");
  }
  EngineJobs jobs(m_root);
  QVERIFY(memberFlag(jobs.state(m_run, "two"), "alive", false));
  put(m_root + "/go", "");
  QVERIFY(waitFor([&] { return jobs.state(m_run, "two").contains("code"); }));
}

void RelayTest::aKillEndsAll() {
  const std::string program = script("engine", "sleep 300\n");
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  started(connection, program, "three");
  EngineJobs jobs(m_root);
  QVERIFY(memberFlag(jobs.state(m_run, "three"), "alive", false));
  QVERIFY(connection.ask({{"verb", "kill"}, {"run", kRelayRun}, {"token", "three"}}).contains("answer"));
  QVERIFY(waitFor([&] { return !memberFlag(jobs.state(m_run, "three"), "alive", true); }));
  QVERIFY(!jobs.state(m_run, "three").contains("code"));
}

void RelayTest::wishesNameWhoAsks() {
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  connection.ask({{"verb", "wish"}, {"run", kRelayRun}, {"command", "stop"}, {"by", "ana@laptop"}});
  std::set<std::string> heeded;
  const auto wishes = takeWishes(m_run, heeded);
  QCOMPARE(wishes.size(), std::size_t{1});
  QCOMPARE(wishes[0].command, std::string("stop"));
  QCOMPARE(wishes[0].asker, std::string("ana@laptop"));
  QVERIFY(connection.ask({{"verb", "wish"}, {"run", kRelayRun}, {"command", "explode"}}).contains("error"));
}

void RelayTest::dataAreSentOnce() {
  const std::string bytes(300000, 'd'), sum = sha256Hex(bytes);
  const Json file = {{"sha256", sum}, {"bytes", bytes.size()}, {"name", "train.tsv"}};
  const auto question = [&](const char* verb, Json more = Json::object()) {
    Json head = file;
    head["verb"] = verb;
    head.update(more);
    return head;
  };
  RunMirror mirror(m_copy);
  {
    Connection connection(m_root, &mirror);
    QCOMPARE(connection.ask(question("data"))["answer"]["have"].get<int>(), 0);
    connection.ask(question("put", {{"at", 0}}), std::string_view(bytes).substr(0, 100000));
  }
  Connection connection(m_root, &mirror);  // goes on where the other one was cut
  QCOMPARE(connection.ask(question("data"))["answer"]["have"].get<int>(), 100000);
  const Json last = connection.ask(question("put", {{"at", 100000}}), std::string_view(bytes).substr(100000));
  const std::string path = memberText(last["answer"], "path");
  QCOMPARE(path, m_root + "/data/" + sum + "/train.tsv");
  QVERIFY(readFile(path).value() == bytes);
  QCOMPARE(memberText(connection.ask(question("data"))["answer"], "path"), path);
  // The host has it at the very path that was named.
  put(m_root + "/mine", bytes);
  QCOMPARE(memberText(connection.ask(question("data", {{"path", m_root + "/mine"}}))["answer"], "path"),
           m_root + "/mine");
  // A folder is made of what is there.
  const Json folder = connection.ask({{"verb", "folder"},
                                      {"sha256", sha256Hex("list")},
                                      {"name", "databases"},
                                      {"files", {{"a/b.sqlite", sum}}}});
  QVERIFY(readFile(memberText(folder["answer"], "path") + "/a/b.sqlite").value() == bytes);
  // Another content than was said is not kept.
  Json wrong = question("put", {{"at", 0}});
  wrong["sha256"] = sha256Hex("other");
  QVERIFY(connection.ask(wrong, bytes).contains("error"));
  QVERIFY(!folderExists(m_root + "/data/" + sha256Hex("other")));
}

void RelayTest::sendersOfTheSameAgree() {
  const std::string bytes(3000, 'd'), sum = sha256Hex(bytes), part = m_root + "/data/" + sum + ".part";
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  Json head = {{"sha256", sum}, {"bytes", bytes.size()}, {"name", "a"}, {"verb", "put"}, {"at", 2000}};
  // What was there was taken away: it goes on where it has to.
  const Json behind = connection.ask(head, bytes.substr(2000))["answer"];
  QCOMPARE(behind["have"].get<int>(), 0);
  QCOMPARE(memberText(behind, "path"), std::string());
  // All of it is there, but for its name.
  put(part, bytes);
  head["verb"] = "data";
  const std::string path = memberText(connection.ask(head)["answer"], "path");
  QVERIFY(!path.empty() && readFile(path).value() == bytes && !fileExists(part));
  // Another one sends on what has come meanwhile.
  head["verb"] = "put";
  QCOMPARE(memberText(connection.ask(head, bytes.substr(2000))["answer"], "path"), path);
  QVERIFY(!fileExists(part));
  // Other bytes under its name are sent again.
  const std::string other(3000, 'o'), otherSum = sha256Hex(other);
  put(m_root + "/data/" + otherSum + ".part", bytes);
  head = {{"sha256", otherSum}, {"bytes", other.size()}, {"name", "o"}, {"verb", "data"}};
  QCOMPARE(connection.ask(head)["answer"]["have"].get<int>(), 0);
  QVERIFY(!fileExists(m_root + "/data/" + otherSum + ".part"));
  // A folder of what is not here is none.
  QVERIFY(connection
              .ask({{"verb", "folder"},
                    {"sha256", sha256Hex("l")},
                    {"name", "f"},
                    {"files", {{"a", sha256Hex("nowhere")}}}})
              .contains("error"));
}

void RelayTest::aFullDiskIsNamed() {
  const std::string bytes(300000, 'd'), sum = sha256Hex(bytes);
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, true);
  const Json answer =
      connection.ask({{"verb", "put"}, {"sha256", sum}, {"bytes", bytes.size()}, {"name", "x"}, {"at", 0}},
                     std::string_view(bytes).substr(0, 1000));
  FileFaults::clear();
  const Error there = relayErrorFromJson(answer["error"]);
  QVERIFY(isDiskError(there));
  QVERIFY2(there.text().find("No space left") != std::string::npos, there.text().c_str());
  QVERIFY2(there.text().find(m_root + "/data/" + sum) != std::string::npos, there.text().c_str());
  // Here: what was written of a piece is taken back, and the next connection goes on.
  put(m_run + "/attempts/0001/events.jsonl", std::string(5000, 'e'));
  RelayFrame frame{{{"run", "r"}, {"file", "attempts/0001/events.jsonl"}, {"kind", "grows"}, {"at", 0}},
                   std::string(5000, 'e')};
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, true);
  const Status full = mirror.take(frame);
  FileFaults::clear();
  QVERIFY(!full.ok() && isDiskError(full.error()));
  Connection next(m_root, &mirror);
  next.follow();
  next.hear(SIZE_MAX);
  QCOMPARE(fileBytes(m_copy + "/attempts/0001/events.jsonl"), std::uintmax_t{5000});
}

// Commands of a batch system, and files of what is given to it.
void RelayTest::commandsAreAnswered() {
  RunMirror mirror(m_copy);
  Connection connection(m_root, &mirror);
  const auto run = [&](const Json& words, int seconds) {
    return connection.ask({{"verb", "command"}, {"words", words}, {"seconds", seconds}})["answer"];
  };
  const Json both = run({"/bin/sh", "-c", "echo \"$1\"; echo words >&2; exit 3", "sh", "a 'b'"}, 20);
  QCOMPARE(memberText(both, "out"), std::string("a 'b'\n"));
  QCOMPARE(memberText(both, "err"), std::string("words\n"));
  QCOMPARE(memberInteger(both, "code"), std::int64_t{3});
  QCOMPARE(memberInteger(run({"no-such-program-here"}, 20), "code"), std::int64_t{127});
  const Json late = run({"/bin/sh", "-c", "echo first; exec sleep 60"}, 1);
  QVERIFY(memberFlag(late, "timed_out", false));
  QCOMPARE(memberText(late, "out"), std::string("first\n"));
  // One that only a login shell finds.
  const QByteArray path = qgetenv("PATH"), home = qgetenv("HOME");
  put(m_root + "/.bash_profile", "echo chatter\nexport PATH=\"" + m_root + "/there:$PATH\"\n");
  std::filesystem::create_directories(m_root + "/there");
  script("there/far-command", "echo found\n");
  qputenv("HOME", QByteArray::fromStdString(m_root));
  const Json found =
      connection.ask({{"verb", "command"}, {"needs", "far-command"}, {"words", {"far-command"}}})["answer"];
  qputenv("HOME", home);
  qputenv("PATH", path);
  QCOMPARE(memberText(found, "out"), std::string("found\n"));
  connection.ask({{"verb", "write"}, {"folder", "slurm/a"}, {"files", {{"b/c", "one"}, {"../d", "no"}}}});
  connection.ask({{"verb", "write"}, {"folder", "slurm/a"}, {"keep", true}, {"files", {{"b/c", "two"}}}});
  QVERIFY(!fileExists(m_root + "/slurm/d"));
  const Json read = connection.ask(
      {{"verb", "read"}, {"folder", "slurm/a"}, {"files", {"b/c", "none", "../../run"}}})["answer"]["files"];
  QCOMPARE(read.dump(), std::string("{\"b/c\":\"one\"}"));
}

// Whoever answers must not be able to write elsewhere.
void RelayTest::strangersGetNoPath() {
  RunMirror mirror(m_copy);
  mirror.known(CheckpointWish::None).value();
  for (const char* file : {"../x", "/etc/x", "attempts/../../x.log", "attempts//x.log", "lock", "mirror.json",
                           "control/1.stop", "attempts/0001/.x.log"})
    for (const char* kind : {"grows", "whole"})
      QVERIFY2(!mirror.take({{{"file", file}, {"kind", kind}, {"at", 0}, {"of", 1}}, "x"}).ok(), file);
  for (const char* folder : {"..", "analyses", "attempts/0001", "../checkpoints/x"})
    QVERIFY2(!mirror.take({{{"folder", folder}, {"kind", "dropped"}}, {}}).ok(), folder);
  QVERIFY(!mirror
               .take({{{"file", "run.json"}, {"kind", "whole"}, {"at", 0}, {"of", 1}, {"folder", "attempts"}},
                      "x"})
               .ok());
  QVERIFY(std::filesystem::is_empty(m_copy));
  Connection connection(m_root, &mirror);
  QVERIFY(
      connection.ask({{"verb", "put"}, {"sha256", "../../x"}, {"bytes", 1}, {"name", "n"}, {"at", 0}}, "x")
          .contains("error"));
  QVERIFY(connection.ask({{"verb", "start"}, {"token", "../x"}, {"run", kRelayRun}, {"engine", "/bin/true"}})
              .contains("error"));
  QVERIFY(connection.ask({{"verb", "no such"}}).contains("error"));
}

QTEST_GUILESS_MAIN(RelayTest)
#include "tst_relay.moc"
