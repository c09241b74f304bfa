// SPDX-License-Identifier: Apache-2.0
// Sources as programs write them while they are followed: written anew in their place, packed, of several
// files with one that is none, with names that are no text.
#include <QTest>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/imports/run_import.h"
#include "core/imports/tfrecord_reader.h"
#include "core/record/formats/compressed_file.h"
#include "tests/unit/support_event_files.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

constexpr double kStart = 1700000000;

std::string packed(const Following& files, const std::string& ending, const std::string& bytes) {
  const std::string path = files.path("packing." + ending);
  const auto writer = PackedWriter::create(path).value();
  writer->write(bytes).value();
  writer->finish().value();
  return readFile(path).value();
}

std::string csvRows(int first, int last, const std::string& end) {
  std::string text;
  for (int step = first; step <= last; ++step) text += std::to_string(step) + end;
  return text;
}

std::string events(int last, double from = kStart) {
  EventFile file(from);
  for (int step = 1; step <= last; ++step) file.scalar("loss", step, from + step, float(step));
  return file.content();
}

bool warns(const std::vector<Phrase>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Phrase& warning) {
    return warning.english().find(words) != std::string::npos;
  });
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
  void tablesWrittenAnew();
  void aTableCaughtTwice();
  void aTableOfAnotherTraining();
  void columnsOfTheRecord();
  void tablesThatBeginWithTheirHeader();
  void tablesInUtf16();
  void quotesInsideOfFields();
  void commasInTables();
  void packedFilesWhole_data();
  void packedFilesWhole();
  void packedFilesThatGrow_data();
  void packedFilesThatGrow();
  void packedFilesInParts();
  void anEventFileCopiedAnew();
  void aDamagedLengthThatIsMended();
  void aRecordOfAMillionValues();
  void textsBeforeTheFirstPoint();
  void aFolderOfNobodyYet();
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
  // As an import, which leaves nothing beside the runs.
  std::vector<RunImport> import(const std::string& source) {
    Progress progress;
    return importRuns(m_files->path(source), m_files->path("imported"), {}, progress, StopToken())
        .value()
        .runs;
  }
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
      return name == "log.csv" ? "step,loss\n" + csvRows(first, last, ",1\n") : jsonLines(first, last);
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
    m_files->replace(name, name == "log.csv" ? "step,acc,loss\n3,1,\n" + csvRows(1, 4, ",,1\n")
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

// A program that writes its table anew for a new column: only that is new.
void FollowSourcesTest::tablesWrittenAnew() {
  m_files->append("wide.csv", "step,loss\n" + csvRows(1, 5, ",1\n"));
  QVERIFY(m_files->look("wide.csv").ok());
  m_files->replace("wide.csv", "step,loss,acc\n" + csvRows(1, 8, ",1,0\n"));
  QVERIFY(m_files->look("wide.csv").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(8));
  QCOMPARE(m_files->steps("acc"), Following::upTo(8));
  m_files = std::make_unique<Following>();
  m_files->append("long.csv", "step,metric,value\n" + csvRows(1, 5, ",loss,1\n"));
  QVERIFY(m_files->look("long.csv").ok());
  m_files->replace("long.csv", "step,metric,value,host\n" + csvRows(1, 8, ",loss,1,a\n"));
  QVERIFY(m_files->look("long.csv").ok());
  QCOMPARE(m_files->steps(), Following::upTo(8));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// It is seen while it is being written anew, shorter than it was, once and again, by one follower and the
// next.
void FollowSourcesTest::aTableCaughtTwice() {
  m_files->append("log.csv", "step,loss\n" + csvRows(1, 50, ",1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  for (const char* begun :
       {"", "step,lo", "step,loss,acc\n1,1,1\n2,1,1\n", "step", "step,loss,acc\n1,1,1\n"}) {
    fs::remove(m_files->path("log.csv"));
    m_files->append("log.csv", begun);
    QVERIFY(m_files->look("log.csv").ok());
  }
  m_files->replace("log.csv", "step,loss,acc\n" + csvRows(1, 60, ",1,1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  QCOMPARE(m_files->steps("loss"), Following::upTo(60));
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// It begins as the old one did, and goes on in another way.
void FollowSourcesTest::aTableOfAnotherTraining() {
  m_files->replace("log.csv", "step,loss\n0,9\n" + csvRows(1, 5, ",1\n"));
  QVERIFY(m_files->look("log.csv").ok());
  for (const int last : {2, 8}) {
    m_files->replace("log.csv", "step,loss,acc\n0,9,1\n" + csvRows(1, last, ",2,1\n"));
    QVERIFY(m_files->look("log.csv").ok());
  }
  const auto curves = readRunScalars(m_files->runs().front()).value();
  const auto loss = std::find_if(curves.begin(), curves.end(),
                                 [](const ScalarSeries& curve) { return curve.metric == "loss"; });
  QVERIFY(loss != curves.end());
  QCOMPARE(loss->value, (std::vector<double>{9, 2, 2, 2, 2, 2, 2, 2, 2}));
  QCOMPARE(m_files->steps("acc").size(), std::size_t{9});
}

// A column that is not there is an error, with a record as without one, and so is another than the table was
// begun with.
void FollowSourcesTest::columnsOfTheRecord() {
  m_files->append("log.csv", "step,other,loss\n1,2,1\n");
  ImportOptions options;
  options.stepColumn = "other";
  QVERIFY(m_files->look("log.csv", options).ok());
  m_files->append("log.csv", "1,3,1\n");
  options.stepColumn = "ohter";
  const auto grown = m_files->look("log.csv", options);
  QVERIFY(!grown.ok());
  QVERIFY2(grown.error().text().find("no column \"ohter\"") != std::string::npos,
           grown.error().text().c_str());
  options.stepColumn = "step";
  const auto refused = m_files->look("log.csv", options);
  QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::Usage);
  QVERIFY2(refused.error().text().find("by other columns") != std::string::npos,
           refused.error().text().c_str());
  for (const char* name : {"", "other"}) {
    options.stepColumn = name;
    QVERIFY(m_files->look("log.csv", options).ok());
  }
  QCOMPARE(m_files->steps(), (std::vector<double>{2, 3}));
}

void FollowSourcesTest::tablesThatBeginWithTheirHeader() {
  m_files->append("log.tsv", "step\tloss\n");
  const auto follower = m_files->open("log.tsv").value();
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log.tsv", "1\t0,5\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(1));
  QCOMPARE(readRunScalars(m_files->runs().front())->front().value, (std::vector<double>{0.5}));
}

void FollowSourcesTest::tablesInUtf16() {
  std::string text = "\xFF\xFE";
  for (const char c : std::string("step,loss\n1,1\n")) text += std::string{c, '\0'};
  m_files->append("log.csv", text);
  const auto grown = m_files->look("log.csv");
  QVERIFY(!grown.ok());
  QVERIFY2(grown.error().text().find("UTF-16") != std::string::npos, grown.error().text().c_str());
}

// A quote in the middle of a field is a letter like any other: what comes behind is no row that waits.
void FollowSourcesTest::quotesInsideOfFields() {
  m_files->append("log.csv", "step,loss,note\n1,1,5\" disk\n2,1,\"a \"\"b\"\",\nc\"\n");
  const auto follower = m_files->open("log.csv").value();
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->append("log.csv", "3,1,\"cut\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->append("log.csv", "off\"\n");
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->steps(), Following::upTo(3));
}

void FollowSourcesTest::commasInTables() {
  const auto values = [this](const std::string& name, const std::string& text) {
    m_files->append(name, text);
    const auto runs = import(name);
    const auto curves = readRunScalars(runs.front().runPath).value();
    return curves.empty() ? std::vector<double>() : curves.front().value;
  };
  QCOMPARE(values("points.tsv", "step\tloss\tn\n1\t2.5\t1,234\n2\t1.5\t1,235\n"),
           (std::vector<double>{2.5, 1.5}));
  QCOMPARE(values("comma.tsv", "step\tloss\n1\t2,345\n2\t0,5\n"), (std::vector<double>{2.345, 0.5}));
  QCOMPARE(values("semicolon.csv", "step;loss\n1;2,345\n2;1,234\n"), (std::vector<double>{2.345, 1.234}));
  // 1,234 points are no 1.234.
  m_files->append("thousands.tsv", "step\tn\tloss\n1\t1,234\t3\n2\t1,235\t2\n");
  const auto runs = import("thousands.tsv");
  QCOMPARE(runs.front().metrics, (std::vector<std::string>{"loss"}));
  QVERIFY(warns(runs.front().warnings, "column \"n\": 2 fields are not numbers"));
}

void FollowSourcesTest::packedFilesWhole_data() {
  QTest::addColumn<QByteArray>("ending");
  QTest::addColumn<QByteArray>("text");
  for (const char* ending : {"gz", "zst"}) {
    const std::string lines = jsonLines(1, 20);
    const auto row = [&](const char* kind, const std::string& text) {
      QTest::newRow((std::string(kind) + " " + ending).c_str())
          << QByteArray(ending) << QByteArray::fromStdString(text);
    };
    row("json", lines);
    row("json without an end", lines.substr(0, lines.size() - 1));
    std::string list = "[";
    for (int step = 1; step <= 20; ++step)
      list += (step > 1 ? ", " : "") + std::string("{\"step\": ") + std::to_string(step) + ", \"loss\": 1}";
    row("list", list + "]");
    row("csv", "step,loss\n" + csvRows(1, 20, ",1\n"));
    row("csv without an end", "step,loss\n" + csvRows(1, 19, ",1\n") + "20,1");
    row("tensorboard", events(20));
  }
}

void FollowSourcesTest::packedFilesWhole() {
  QFETCH(QByteArray, ending);
  QFETCH(QByteArray, text);
  const std::string bytes = packed(*m_files, ending.toStdString(), text.toStdString());
  const std::string name = "log." + ending.toStdString();
  m_files->append(name, bytes);
  QCOMPARE(readRunScalars(import(name).front().runPath)->front().step, Following::upTo(20));
  // Half of it is not there yet; the whole is read once.
  fs::resize_file(m_files->path(name), bytes.size() / 2);
  (void)m_files->look(name);
  m_files->replace(name, bytes);
  for (int i = 0; i < 3; ++i) {
    const auto grown = m_files->look(name);
    QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
  }
  QCOMPARE(m_files->steps(), Following::upTo(20));
}

void FollowSourcesTest::packedFilesThatGrow_data() {
  QTest::addColumn<QByteArray>("ending");
  QTest::newRow("gz") << QByteArray("gz");
  QTest::newRow("zst") << QByteArray("zst");
}

// Another member is put behind it; an event file is compared by its packed size, too.
void FollowSourcesTest::packedFilesThatGrow() {
  QFETCH(QByteArray, ending);
  const std::string end = ending.toStdString();
  const std::string first = events(10), both = events(25);
  const std::vector<std::pair<std::string, std::vector<std::string>>> sources = {
      {"log.jsonl." + end, {jsonLines(1, 10), jsonLines(11, 25)}},
      {"log.csv." + end, {"step,loss\n" + csvRows(1, 10, ",1\n"), csvRows(11, 25, ",1\n")}},
      {"events.out.tfevents.1." + end, {first, both.substr(first.size())}}};
  int times = 0;
  for (const auto& [name, parts] : sources) {
    const auto follower = [&, file = name, part = parts[0]] {
      m_files->append(file, packed(*m_files, end, part));
      return m_files->open(file).value();
    }();
    for (int i = 0; i < 3; ++i) QVERIFY(follower->poll(StopToken()).ok());
    m_files->append(name, packed(*m_files, end, parts[1]));
    for (int i = 0; i < 3; ++i) QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(25, ++times));
  }
}

// More than comes out of it at a time.
void FollowSourcesTest::packedFilesInParts() {
  const std::string note(9000, 'x');
  std::string text;
  for (int step = 1; step <= 2000; ++step)
    text += "{\"step\": " + std::to_string(step) + ", \"loss\": 1, \"note\": \"" + note + "\"}\n";
  text.pop_back();
  m_files->append("log.jsonl.gz", packed(*m_files, "gz", text));
  QCOMPARE(readRunScalars(import("log.jsonl.gz").front().runPath)->front().step, Following::upTo(2000));
  QVERIFY(m_files->look("log.jsonl.gz").ok());
  QCOMPARE(m_files->steps(), Following::upTo(2000));
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
  EventFile file(kStart);
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
  EventFile other(kStart), early(kStart);
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

void FollowSourcesTest::moreTextsThanARunKeeps() {
  EventFile file(kStart);
  file.scalar("loss", 1, kStart, 1);
  for (int i = 0; i < 10'003; ++i) file.text("note", i, kStart, "x");
  m_files->append("log/events.out.tfevents.1", file.content());
  const auto runs = import("log");
  QVERIFY(warns(runs.front().warnings, "10000 texts and histograms lie in the folder artifacts"));
  QVERIFY(warns(runs.front().warnings, "3 texts and histograms are left out"));
  const std::string texts = readFile(runs.front().runPath + "/artifacts/texts.jsonl").value();
  QCOMPARE(std::count(texts.begin(), texts.end(), '\n'), std::ptrdiff_t{10'000});
}

void FollowSourcesTest::oneFileThatIsNone() {
  m_files->append("log/events.out.tfevents.1", "this is no event file at all, but a text");
  m_files->append("log/events.out.tfevents.2", events(5));
  const auto runs = import("log");
  QCOMPARE(runs.front().points, std::int64_t{5});
  QVERIFY(warns(runs.front().warnings, "not a TensorBoard event file"));
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
  for (const RunImport& run : import("log"))
    QCOMPARE(warns(run.warnings, "not a TensorBoard event file"), run.name == "exp10");
  // Of W&B the same; nobody's is heard by the first.
  m_files->append("hf/a/trainer_state.json", "{\"log_history\": [{\"loss\": 7, \"step\": 1}]}");
  m_files->append("hf/b/trainer_state.json", "{\"log_history\": [{\"loss\":");
  const auto states = import("hf");
  QCOMPARE(states.size(), std::size_t{1});
  QVERIFY(warns(states.front().warnings, "hf/b/trainer_state.json"));
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
  QVERIFY(warns(import("hf").front().warnings, "hf/a/trainer_state.json"));
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
  const auto runs = import("log.jsonl");
  QCOMPARE(runs.size(), std::size_t{1});
  QVERIFY(warns(runs.front().warnings, "3 lines are left out"));
}

QTEST_APPLESS_MAIN(FollowSourcesTest)
#include "tst_follow_sources.moc"
