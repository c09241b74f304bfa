// SPDX-License-Identifier: Apache-2.0
// Sources as programs write them while they are followed: written anew in their place, packed, of several
// files with one that is none, with names that are no text.
#include <QTest>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/imports/formats/event_file_writer.h"
#include "core/imports/formats/tfrecord_reader.h"
#include "core/imports/run_import.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

constexpr double kStart = 1700000000;

std::string events(int last, double from = kStart) {
  EventFileWriter file(from);
  for (int step = 1; step <= last; ++step) file.scalar("loss", step, from + step, float(step));
  return file.content();
}

}  // namespace

class FollowSourcesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void writtenAnewInItsPlace_data();
  void writtenAnewInItsPlace();
  void anotherTrainingInItsPlace();
  void aLogPutAside();
  void twoRunsWrittenAnew();
  void listsThatGrow();
  void anEventFileCopiedAnew();
  void aDamagedLengthThatIsMended();
  void aRecordOfAMillionValues();
  void textsBeforeTheFirstPoint();
  void aFolderOfNobodyYet();
  void aFolderThatIsNoSourceYet();
  void moreTextsThanARunKeeps();
  void oneFileThatIsNone();
  void theRunThatIsToHear();
  void statesOfTheTrainer();
  void anOldStateBesideNewerOnes();
  void oneStateThatIsNone();
  void namesThatPeopleGave();
  void namesThatAreNoText();
  void boundsOfJson();

 private:
  std::unique_ptr<Following> m_files;
};

void FollowSourcesTest::writtenAnewInItsPlace_data() {
  QTest::addColumn<QByteArray>("kind");
  for (const char* kind : {"json", "fairseq", "csv"}) QTest::newRow(kind) << QByteArray(kind);
}

// With all there was and more, aside and renamed: the same run goes on, whether the follower lives on or not.
void FollowSourcesTest::writtenAnewInItsPlace() {
  QFETCH(QByteArray, kind);
  const auto written = [&](int last) {
    std::string text = kind == "csv" ? "step,loss\n" : "";
    for (int step = 1; step <= last; ++step)
      text += kind == "json"  ? jsonLines(step, step)
              : kind == "csv" ? std::to_string(step) + ",1\n"
                              : "| epoch 001:  2 / 5 loss=8.1, num_updates=" + std::to_string(step) + "\n";
    return text;
  };
  m_files->replace("log.txt", written(10));
  auto follower = m_files->open("log.txt").value();
  for (int last = 10; last <= 40; last += 5) {
    m_files->replace("log.txt", written(last));
    if (last % 2 == 0) {
      follower.reset();
      follower = m_files->open("log.txt").value();
    }
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
    QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  }
}

// What does not begin as before is another attempt, however long it is.
void FollowSourcesTest::anotherTrainingInItsPlace() {
  m_files->replace("log.jsonl", jsonLines(1, 10));
  const auto follower = m_files->open("log.jsonl").value();
  QVERIFY(follower->poll(StopToken()).ok());
  // The last bytes of what was read are the same in both.
  std::string other = jsonLines(1, 30);
  other.replace(other.find("\"loss\": 1"), 9, "\"loss\": 2");
  m_files->replace("log.jsonl", other);
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(30));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{2});
}

// A log that is put aside when it is full: its name goes on, from where it was.
void FollowSourcesTest::aLogPutAside() {
  for (const std::string name : {"log.jsonl", "log.csv"}) {
    m_files = std::make_unique<Following>();
    const auto written = [&](int first, int last) {
      return name == "log.csv" ? "step,loss\n" + followedRows(first, last, ",1\n") : jsonLines(first, last);
    };
    m_files->replace(name, written(1, 10));
    const auto follower = m_files->open(name).value();
    QVERIFY(follower->poll(StopToken()).ok());
    m_files->replace(name, "\n");
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(10));
    m_files->replace(name, written(11, 15));
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(15));
    // One metric begins before the one that comes first.
    m_files->replace(name, name == "log.csv" ? "step,acc,loss\n3,1,\n" + followedRows(1, 4, ",,1\n")
                                             : "{\"step\": 3, \"acc\": 1}\n" + jsonLines(1, 4));
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(4));
  }
}

// Of one of them nothing is there yet when the follower goes: it is another attempt, all the same.
void FollowSourcesTest::twoRunsWrittenAnew() {
  m_files->append("log.jsonl", jsonLines(1, 9, {"a", "b"}));
  QVERIFY(m_files->look("log.jsonl").ok());
  m_files->replace("log.jsonl", jsonLines(1, 2, {"b"}));
  QVERIFY(m_files->look("log.jsonl").ok());
  m_files->append("log.jsonl", jsonLines(1, 4, {"a"}) + jsonLines(3, 4, {"b"}));
  QVERIFY(m_files->look("log.jsonl").ok());
  QCOMPARE(m_files->steps(), Following::upTo(4, 2));
}

// A list is written anew for every point, in its place: half of it is none yet, an older one takes nothing
// away, another one is another training.
void FollowSourcesTest::listsThatGrow() {
  const auto list = [](int last, const std::string& loss) {
    std::string text;
    for (int step = 1; step <= last; ++step)
      text += (step > 1 ? ",\n " : "[") + std::string("{\"step\": ") + std::to_string(step) +
              ", \"loss\": " + loss + "}";
    return text + "]";
  };
  const auto write = [this](const std::string& text) {
    fs::remove(m_files->path("log.json"));
    m_files->append("log.json", text);
  };
  for (const int last : {3, 4, 8}) {
    write(list(last, "1").substr(0, 50));
    QVERIFY(m_files->look("log.json").ok());
    write(list(last, "1"));
    QVERIFY(m_files->look("log.json").ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
  }
  write(list(5, "1"));
  QVERIFY(m_files->look("log.json").ok());
  QCOMPARE(m_files->steps(), Following::upTo(8));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  write(list(2, "2"));
  QVERIFY(m_files->look("log.json").ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{2});
}

// As rsync does it: aside, and renamed.
void FollowSourcesTest::anEventFileCopiedAnew() {
  const std::string name = "log/events.out.tfevents.1";
  m_files->replace(name, events(10));
  auto follower = m_files->open("log").value();
  QVERIFY(follower->poll(StopToken()).ok());
  for (const int last : {10, 15, 25}) {
    m_files->replace(name, events(last));
    if (last == 25) {
      follower.reset();
      follower = m_files->open("log").value();
    }
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(last));
    QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  }
}

// What was seen of it was not what was written: some file systems show zeros first, or another's bytes.
void FollowSourcesTest::aDamagedLengthThatIsMended() {
  const std::string name = "log/events.out.tfevents.1";
  m_files->append(name, events(5) + std::string(40, '\xAB'));
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(5));
  std::ofstream(m_files->path(name), std::ios::binary) << events(12);
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(12));
}

void FollowSourcesTest::aRecordOfAMillionValues() {
  const auto record = [](std::size_t values) {
    std::string summary, length;
    for (std::size_t i = 0; i < values; ++i) summary += std::string("\x0A\x00", 2);
    for (std::size_t left = summary.size(); left > 0; left >>= 7u)
      length += static_cast<char>((left & 0x7Fu) | (left > 0x7F ? 0x80u : 0u));
    return "\x2A" + length + summary;
  };
  TensorboardEvent event;
  QVERIFY(parseTensorboardEvent(record(1000), event));
  QCOMPARE(event.values.size(), std::size_t{1000});
  QVERIFY(!parseTensorboardEvent(record(1'000'001), event));
}

void FollowSourcesTest::textsBeforeTheFirstPoint() {
  EventFileWriter file(kStart);
  file.text("config", 0, kStart, "layers: 6");
  m_files->append("log/events.out.tfevents.1", file.content());
  std::size_t before = file.content().size();
  const auto follower = m_files->open("log").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(m_files->runs().empty());  // nothing that could be drawn
  file.text("config", 1, kStart, "heads: 4");
  file.scalar("loss", 1, kStart + 1, 1);
  m_files->append("log/events.out.tfevents.1", file.content().substr(before));
  QVERIFY(follower->poll(StopToken()).ok());
  const std::string texts = readFile(m_files->runs().front() + "/artifacts/texts.jsonl").value();
  QCOMPARE(std::count(texts.begin(), texts.end(), '\n'), std::ptrdiff_t{2});
}

// What a folder said before anybody knew what it is comes when it is known, after whatever happened.
void FollowSourcesTest::aFolderOfNobodyYet() {
  EventFileWriter other(kStart), early(kStart);
  other.scalar("loss", 1, kStart + 1, 1);
  early.text("config", 0, kStart, "layers: 6");
  m_files->append("log/b/events.out.tfevents.1", early.content());
  m_files->append("log/a/events.out.tfevents.1", other.content());
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  const std::size_t before = early.content().size();
  early.scalar("loss", 1, kStart + 1, 1);
  m_files->append("log/b/events.out.tfevents.1", early.content().substr(before));
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(1, 2));
  const std::string texts = readFile(m_files->path("runs/b/artifacts/texts.jsonl")).value();
  QVERIFY(texts.find("layers: 6") != std::string::npos);
}

// Its program makes it before it writes: nothing is there, then something of nobody's, then its first run.
void FollowSourcesTest::aFolderThatIsNoSourceYet() {
  fs::create_directories(m_files->path("log"));
  auto follower = m_files->open("log").value();
  QVERIFY(warnsOf(follower->notes(), "looked at until"));
  QCOMPARE(follower->format(), std::string());
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log/metrics.db", "");
  m_files->append("log/README", "nobody's\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(m_files->runs().empty());
  // Whoever goes on with it waits, too; a person who wants it no more is heard.
  QVERIFY(follower->handOn().ok());
  const auto record = [this] { return readJsonFile(m_files->record("log")).value(); };
  QVERIFY(memberFlag(record(), "followed", false));
  follower.reset();
  follower = m_files->open("log").value();
  QVERIFY(follower->leave(false).ok());
  QVERIFY(!memberFlag(record(), "followed", true));
  m_files->append("log/a/events.out.tfevents.1", events(3));
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(3));
  QCOMPARE(follower->format(), std::string("tensorboard"));
  follower.reset();
  // A file that is nobody's will not become another one.
  m_files->append("strange.bin", std::string("\0\1\2", 3));
  QVERIFY(!m_files->open("strange.bin").ok());
  QVERIFY(!m_files->open("nowhere").ok());
}

void FollowSourcesTest::moreTextsThanARunKeeps() {
  EventFileWriter file(kStart);
  file.scalar("loss", 1, kStart, 1);
  for (int i = 0; i < 10'003; ++i) file.text("note", i, kStart, "x");
  m_files->append("log/events.out.tfevents.1", file.content());
  const auto runs = m_files->import("log");
  QVERIFY(warnsOf(runs.front().warnings, "10000 texts and histograms lie in the folder artifacts"));
  QVERIFY(warnsOf(runs.front().warnings, "3 texts and histograms are left out"));
  const std::string texts = readFile(runs.front().runPath + "/artifacts/texts.jsonl").value();
  QCOMPARE(std::count(texts.begin(), texts.end(), '\n'), std::ptrdiff_t{10'000});
}

void FollowSourcesTest::oneFileThatIsNone() {
  m_files->append("log/events.out.tfevents.1", "this is no event file at all, but a text");
  m_files->append("log/events.out.tfevents.2", events(5));
  const auto runs = m_files->import("log");
  QCOMPARE(runs.front().points, std::int64_t{5});
  QVERIFY(warnsOf(runs.front().warnings, "not a TensorBoard event file"));
  m_files->append("none/events.out.tfevents.1", "this is no event file at all, but a text");
  Progress progress;
  const auto none = importRuns(m_files->path("none"), m_files->path("imported"), {}, progress, StopToken());
  QVERIFY(!none.ok());
  QVERIFY(none.error().text().find("not a TensorBoard event file") != std::string::npos);
}

// exp1 has nothing to do with exp10.
void FollowSourcesTest::theRunThatIsToHear() {
  m_files->append("log/exp1/events.out.tfevents.1", events(5));
  m_files->append("log/exp10/events.out.tfevents.1", events(5));
  m_files->append("log/exp10/more/events.out.tfevents.1", "this is no event file at all, but a text");
  for (const RunImport& run : m_files->import("log"))
    QCOMPARE(warnsOf(run.warnings, "not a TensorBoard event file"), run.name == "exp10");
  // Of W&B the same; nobody's is heard by the first.
  m_files->append("hf/a/trainer_state.json", "{\"log_history\": [{\"loss\": 7, \"step\": 1}]}");
  m_files->append("hf/b/trainer_state.json", "{\"log_history\": [{\"loss\":");
  const auto states = m_files->import("hf");
  QCOMPARE(states.size(), std::size_t{1});
  QVERIFY(warnsOf(states.front().warnings, "hf/b/trainer_state.json"));
}

void FollowSourcesTest::statesOfTheTrainer() {
  const auto state = [](const std::string& entries) { return "{\"log_history\": [" + entries + "]}"; };
  const std::string one = "{\"loss\": 1, \"step\": 1}", two = "{\"loss\": 1, \"step\": 2}";
  const std::string eval = "{\"eval_loss\": 1, \"step\": 2}", late = "{\"eval_loss\": 2, \"step\": 2}";
  m_files->append("out/checkpoint-2/trainer_state.json", state(one + "," + two + "," + eval));
  QVERIFY(m_files->look("out").ok());
  // An older one alone is left, and then the newer one again.
  m_files->replace("out/checkpoint-2/trainer_state.json", state(one));
  QVERIFY(m_files->look("out").ok());
  m_files->replace("out/checkpoint-2/trainer_state.json", state(one + "," + two + "," + eval));
  QVERIFY(m_files->look("out").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(2));
  QCOMPARE(m_files->steps("eval_loss"), (std::vector<double>{2}));
  // What is equal in both stays, also at the step from which they differ.
  m_files->replace("out/checkpoint-2/trainer_state.json", state(one + "," + two + "," + late));
  QVERIFY(m_files->look("out").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(2));
  QCOMPARE(m_files->steps("eval_loss"), (std::vector<double>{2}));
}

// trainer_state.json of a training that was gone on with lies in the output folder until it ends.
void FollowSourcesTest::anOldStateBesideNewerOnes() {
  const auto state = [](int last) {
    std::string entries;
    for (int step = 1; step <= last; ++step)
      entries +=
          (step > 1 ? ", " : "") + std::string("{\"loss\": 1, \"step\": ") + std::to_string(step) + "}";
    return "{\"global_step\": " + std::to_string(last) + ", \"log_history\": [" + entries + "]}";
  };
  m_files->replace("out/trainer_state.json", state(2));
  m_files->replace("out/checkpoint-2/trainer_state.json", state(2));
  const auto follower = m_files->open("out").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->replace("out/checkpoint-4/trainer_state.json", state(4));
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(4));
  m_files->replace("out/trainer_state.json", state(5));
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(5));
}

// The last of several states does not take the others along.
void FollowSourcesTest::oneStateThatIsNone() {
  m_files->append("hf/a/trainer_state.json", "{\"log_history\": [{\"loss\":");
  m_files->append("hf/b/trainer_state.json", "{\"log_history\": [{\"loss\": 7, \"step\": 1}]}");
  QVERIFY(warnsOf(m_files->import("hf").front().warnings, "hf/a/trainer_state.json"));
  Progress progress;
  fs::remove_all(m_files->path("hf/b"));
  const auto none = importRuns(m_files->path("hf"), m_files->path("imported"), {}, progress, StopToken());
  QVERIFY(!none.ok());
  QVERIFY2(none.error().text().find("trainer_state.json") != std::string::npos, none.error().text().c_str());
}

void FollowSourcesTest::namesThatPeopleGave() {
  ImportOptions named;
  named.name = "mine";
  m_files->append("run_exp1-tag-loss.csv", "Wall time,Step,Value\n1655000000.5,1,1.5\n");
  for (int step = 2; step <= 4; ++step) {
    QVERIFY(m_files->look("run_exp1-tag-loss.csv", step < 4 ? named : ImportOptions()).ok());
    QCOMPARE(RunFolder(m_files->runs().front()).identity()->name, std::string("mine"));
    m_files->append("run_exp1-tag-loss.csv", "1655000001.5," + std::to_string(step) + ",1.5\n");
  }
  QCOMPARE(m_files->runs().size(), std::size_t{1});
}

void FollowSourcesTest::namesThatAreNoText() {
  const std::string folder = "log/caf\xE9", name = folder + "/events.out.tfevents.1";
  m_files->append(name, events(5));
  m_files->append("log/z/events.out.tfevents.1", events(5));
  std::size_t before = events(5).size();
  for (int last = 6; last <= 8; ++last) {
    QVERIFY(m_files->look("log").ok());
    m_files->append(name, events(last).substr(before));
    before = events(last).size();
  }
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->runs().size(), std::size_t{2});
  QCOMPARE(m_files->steps().size(), std::size_t{5 + 8});
  fs::remove_all(m_files->path("log"));  // Qt does not find it
}

// A line that names its run by a book is left out and counted, and so is the 10,001st run.
void FollowSourcesTest::boundsOfJson() {
  m_files->append("log.jsonl", jsonLines(1, 3, {"a", std::string(2000, 'x')}));
  const auto runs = m_files->import("log.jsonl");
  QCOMPARE(runs.size(), std::size_t{1});
  QVERIFY(warnsOf(runs.front().warnings, "3 lines are left out"));
}

QTEST_APPLESS_MAIN(FollowSourcesTest)
#include "tst_follow_sources.moc"
