// SPDX-License-Identifier: Apache-2.0
// Packed sources while they are followed: whole, grown by a member, larger than what comes out at a time.
#include <QTest>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/lines/compressed_file.h"
#include "core/imports/formats/event_file_writer.h"
#include "core/imports/run_import.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

std::string packed(const Following& files, const std::string& ending, const std::string& bytes) {
  const std::string path = files.path("packing." + ending);
  const auto writer = PackedWriter::create(path).value();
  writer->write(bytes).value();
  writer->finish().value();
  return readFile(path).value();
}

std::string packedEvents(int last) {
  constexpr double kFrom = 1700000000;
  EventFileWriter file(kFrom);
  for (int step = 1; step <= last; ++step) file.scalar("loss", step, kFrom + step, float(step));
  return file.content();
}

}  // namespace

class FollowPackedTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void packedFilesWhole_data();
  void packedFilesWhole();
  void packedFilesThatGrow_data();
  void packedFilesThatGrow();
  void packedFilesInParts();

 private:
  std::unique_ptr<Following> m_files;
};

void FollowPackedTest::packedFilesWhole_data() {
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
    row("csv", "step,loss\n" + followedRows(1, 20, ",1\n"));
    row("csv without an end", "step,loss\n" + followedRows(1, 19, ",1\n") + "20,1");
    row("tensorboard", packedEvents(20));
  }
}

void FollowPackedTest::packedFilesWhole() {
  QFETCH(QByteArray, ending);
  QFETCH(QByteArray, text);
  const std::string bytes = packed(*m_files, ending.toStdString(), text.toStdString());
  const std::string name = "log." + ending.toStdString();
  m_files->append(name, bytes);
  QCOMPARE(readRunScalars(m_files->import(name).front().runPath)->front().step, Following::upTo(20));
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

void FollowPackedTest::packedFilesThatGrow_data() {
  QTest::addColumn<QByteArray>("ending");
  QTest::newRow("gz") << QByteArray("gz");
  QTest::newRow("zst") << QByteArray("zst");
}

// Another member is put behind it; an event file is compared by its packed size, too.
void FollowPackedTest::packedFilesThatGrow() {
  QFETCH(QByteArray, ending);
  const std::string end = ending.toStdString();
  const std::string first = packedEvents(10), both = packedEvents(25);
  const std::vector<std::pair<std::string, std::vector<std::string>>> sources = {
      {"log.jsonl." + end, {jsonLines(1, 10), jsonLines(11, 25)}},
      {"log.csv." + end, {"step,loss\n" + followedRows(1, 10, ",1\n"), followedRows(11, 25, ",1\n")}},
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
void FollowPackedTest::packedFilesInParts() {
  const std::string note(9000, 'x');
  std::string text;
  for (int step = 1; step <= 2000; ++step)
    text += "{\"step\": " + std::to_string(step) + ", \"loss\": 1, \"note\": \"" + note + "\"}\n";
  text.pop_back();
  m_files->append("log.jsonl.gz", packed(*m_files, "gz", text));
  QCOMPARE(readRunScalars(m_files->import("log.jsonl.gz").front().runPath)->front().step,
           Following::upTo(2000));
  QVERIFY(m_files->look("log.jsonl.gz").ok());
  QCOMPARE(m_files->steps(), Following::upTo(2000));
}

QTEST_APPLESS_MAIN(FollowPackedTest)
#include "tst_follow_packed.moc"
