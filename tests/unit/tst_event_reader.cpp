// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;

namespace {

std::string eventLine(int version, int seq, double time, const std::string& rest) {
  std::string line = "{\"v\":" + std::to_string(version) + ",\"seq\":" + std::to_string(seq) +
                     ",\"t\":" + jsonNumber(time) + "," + rest;
  closeEventLine(line);
  return line;
}

std::string stepLine(int seq, double time, int step, const std::string& loss) {
  return eventLine(1, seq, time,
                   "\"k\":\"step\",\"step\":" + std::to_string(step) + ",\"epoch\":1,\"tokens\":" +
                       std::to_string(100 * step) + ",\"lr\":0.001,\"m\":{\"loss\":" + loss + "}");
}

std::string validationLine(int seq, double time, int step) {
  return eventLine(1, seq, time,
                   "\"k\":\"validation\",\"step\":" + std::to_string(step) +
                       ",\"epoch\":1,\"tokens\":5,\"note\":[{\"a\":\"}]\"},2],\"m\":{\"valid.nll\":2.5}");
}

const ScalarSeries* named(const std::vector<ScalarSeries>& all, const std::string& name) {
  for (const auto& series : all) {
    if (series.metric == name) return &series;
  }
  return nullptr;
}

}  // namespace

class EventReaderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void everyCut();
  void growsByteByByte();
  void badLinesAndGaps();
  void longLine();
  void newerVersion();
  void damagedByte();
  void attemptsSupersede();
  void droppedTailIsKept();
  void clockSetBack();
  void nonFinite();
  void missingFile();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  void write(const std::string& name, const std::string& bytes, bool append = false) const {
    std::ofstream(path(name), append ? std::ios::app : std::ios::trunc) << bytes;
  }
  RunFolder run(const std::vector<std::string>& attempts) const {
    RunIdentity identity;
    identity.uuid = "11111111-2222-4333-8444-555555555555";
    auto folder = RunFolder::create(path("run"), identity).value();
    for (const std::string& text : attempts) {
      const int attempt = folder.beginAttempt(Json::object()).value();
      std::ofstream(folder.attemptPath(attempt) + "/events.jsonl") << text;
    }
    return folder;
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

// Cut anywhere: whole lines are read, the rest is a torn tail, nothing is bad.
void EventReaderTest::everyCut() {
  std::string text;
  std::vector<std::size_t> ends;
  for (int i = 0; i < 5; ++i) {
    text += stepLine(i, 10 + i, i + 1, "0.5");
    ends.push_back(text.size());
  }
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    write("e", text.substr(0, cut));
    EventReader reader(path("e"));
    const auto events = reader.poll();
    QVERIFY(events.ok());
    std::size_t whole = 0;
    while (whole < ends.size() && ends[whole] <= cut) ++whole;
    QCOMPARE(events->size(), whole);
    QCOMPARE(reader.badLines(), std::int64_t{0});
    write("e", text.substr(cut), true);
    QCOMPARE(reader.poll()->size(), 5 - whole);
    QVERIFY(reader.poll()->empty());
    QCOMPARE(reader.badLines(), std::int64_t{0});
  }
}

void EventReaderTest::growsByteByByte() {
  const std::string text = stepLine(0, 1, 1, "1") + stepLine(1, 2, 2, "2");
  write("e", text);
  EventReader reader(path("e"));
  std::size_t found = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) found += reader.poll(1)->size();
  QCOMPARE(found, std::size_t{2});
  QCOMPARE(reader.offset(), static_cast<std::int64_t>(text.size()));
}

void EventReaderTest::badLinesAndGaps() {
  std::string broken = stepLine(1, 2, 2, "2");
  broken[30] = static_cast<char>(broken[30] ^ 2);
  write("e", stepLine(0, 1, 1, "1") + broken + "garbage\n\n" + stepLine(2, 3, 3, "3") +
                 stepLine(2, 3, 3, "3") + stepLine(7, 4, 4, "4"));
  EventReader reader(path("e"));
  QCOMPARE(reader.poll()->size(), std::size_t{3});
  QCOMPARE(reader.badLines(), std::int64_t{4});       // broken, garbage, empty, repeated
  QCOMPARE(reader.missingEvents(), std::int64_t{5});  // 1 and 3 to 6
}

void EventReaderTest::longLine() {
  write("e", stepLine(0, 1, 1, "1") + std::string(5 * kMaxEventBytes, 'x') + "\n" + stepLine(1, 2, 2, "2"));
  EventReader reader(path("e"));
  QCOMPARE(reader.poll(1000)->size(), std::size_t{1});
  QCOMPARE(reader.poll()->size(), std::size_t{1});
  QCOMPARE(reader.badLines(), std::int64_t{1});
}

void EventReaderTest::newerVersion() {
  const std::string text =
      stepLine(0, 1, 1, "1") + eventLine(2, 1, 2, "\"k\":\"step\"") + stepLine(2, 3, 3, "3");
  write("e", text);
  EventReader reader(path("e"));
  QCOMPARE(reader.poll()->size(), std::size_t{1});
  const auto next = reader.poll();
  QVERIFY(!next.ok());
  QCOMPARE(next.error().kind, ErrorKind::Data);
  QVERIFY(next.error().text().find("newer Fathom") != std::string::npos);
  QVERIFY(!readRunScalars(run({text}).path()).ok());
}

// Any one byte changed: never a wrong number, never more than the lines it touches lost.
void EventReaderTest::damagedByte() {
  std::string text;
  for (int i = 0; i < 3; ++i) text += stepLine(i, 10 + i, i + 1, "0.125");
  const RunFolder folder = run({text});
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 7)));
    std::ofstream(folder.attemptPath(1) + "/events.jsonl", std::ios::trunc) << flipped;
    const auto all = readRunScalars(folder.path());
    QVERIFY(all.ok());
    const auto* loss = named(*all, "loss");
    QVERIFY(loss != nullptr && loss->value.size() >= 1);
    for (const double value : loss->value) QCOMPARE(value, 0.125);
    const auto events = EventReader(folder.attemptPath(1) + "/events.jsonl").poll();
    QCOMPARE(events->size(), loss->value.size());
  }
}

void EventReaderTest::attemptsSupersede() {
  std::string first, second;
  int seq = 0;
  first += eventLine(1, seq++, 1000, "\"k\":\"run_started\",\"attempt\":1");
  for (int step = 1; step <= 6; ++step) first += stepLine(seq++, 1000 + step, step, std::to_string(step));
  first += validationLine(seq++, 1006.5, 6);
  seq = 0;
  second += eventLine(1, seq++, 5000, "\"k\":\"run_started\",\"attempt\":2");
  for (int step = 4; step <= 5; ++step)
    second += stepLine(seq++, 5000 + step - 3, step, std::to_string(10 * step));
  const RunFolder folder = run({first, second});
  const auto all = readRunScalars(folder.path());
  QVERIFY(all.ok());
  const auto* loss = named(*all, "loss");
  QCOMPARE(loss->step, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  QCOMPARE(loss->value, (std::vector<double>{1, 2, 3, 40, 50, 6}));
  QCOMPARE(loss->time, (std::vector<double>{1, 2, 3, 4, 5, 6}));  // the gap between the attempts is gone
  QCOMPARE(loss->tokens[3], 400.0);
  QCOMPARE(named(*all, "valid.nll")->step, (std::vector<double>{6}));
  QCOMPARE(named(*all, "lr")->value.size(), std::size_t{6});
  const auto only = readRunScalars(folder.path(), "loss");
  QCOMPARE(only->size(), std::size_t{1});
  QCOMPARE(only->front().value, loss->value);
  // Where the history ends, what is written goes on: the same clock, line by line.
  ScalarsEnd end;
  QVERIFY(readRunScalars(folder.path(), {}, &end).ok());
  QCOMPARE(end.attempt, 2);
  QCOMPARE(end.start, 3.0);
  const auto live = EventReader(folder.attemptPath(2) + "/events.jsonl").poll();
  QCOMPARE(live->at(1).step, std::int64_t{4});
  QCOMPARE(end.start + live->at(1).seconds, loss->time[3]);
  QCOMPARE(live->at(1).scalars.front(), (std::pair<std::string, double>{"loss", 40}));
  QCOMPARE(live->at(1).scalars.back().first, std::string("lr"));
  QVERIFY(live->at(0).scalars.empty() && live->at(0).step < 0);
}

// What came after the checkpoint from which a later attempt went on, repeated or not.
void EventReaderTest::droppedTailIsKept() {
  const auto steps = [](double time, int from, int to, int factor) {
    std::string text;
    int seq = 0;
    for (int step = from; step <= to; ++step)
      text += stepLine(seq++, time + step, step, std::to_string(factor * step));
    return text;
  };
  const RunFolder folder = run({steps(1000, 1, 6, 1), steps(5000, 4, 5, 10)});
  auto dropped = readDroppedScalars(folder.path());
  QVERIFY(dropped.ok());
  QCOMPARE(dropped->end, 5.0);
  const ScalarSeries* loss = named(dropped->tails, "loss");
  QVERIFY(loss != nullptr);
  QCOMPARE(loss->step, (std::vector<double>{4, 5, 6}));
  QCOMPARE(loss->value, (std::vector<double>{4, 5, 6}));
  QVERIFY(named(dropped->tails, "lr") != nullptr);
  auto all = readRunScalars(folder.path(), "loss");
  cutAfter(all->front(), dropped->end);
  QCOMPARE(all->front().value, (std::vector<double>{1, 2, 3, 40, 50}));
  QCOMPARE(all->front().time.size(), std::size_t{5});
  QCOMPARE(readDroppedScalars(folder.path(), "loss")->tails.size(), std::size_t{1});
  // A run that began anew at 0, and one that was resumed where it ended.
  std::filesystem::remove_all(folder.path());
  const RunFolder anew = run({steps(1000, 1, 6, 1), steps(5000, 1, 2, 10)});
  dropped = readDroppedScalars(anew.path(), "loss");
  QCOMPARE(dropped->tails.front().step, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  QCOMPARE(dropped->end, 2.0);
  std::filesystem::remove_all(folder.path());
  const RunFolder whole = run({steps(1000, 1, 3, 1), steps(5000, 4, 5, 10)});
  QVERIFY(readDroppedScalars(whole.path())->tails.empty());
  QCOMPARE(readDroppedScalars(whole.path())->end, 5.0);
}

void EventReaderTest::clockSetBack() {
  const RunFolder folder = run({stepLine(0, 1000, 1, "1") + stepLine(1, 1010, 2, "2") +
                                stepLine(2, 200, 3, "3") + stepLine(3, 205, 4, "4")});
  const auto all = readRunScalars(folder.path());
  QCOMPARE(named(*all, "loss")->time, (std::vector<double>{0, 10, 10, 15}));
  EventReader reader(folder.attemptPath(1) + "/events.jsonl");
  QCOMPARE(reader.poll()->at(2).time, 200.0);
}

void EventReaderTest::nonFinite() {
  const RunFolder folder = run({stepLine(0, 1, 1, "\"NaN\"") + stepLine(1, 2, 2, "\"Infinity\"") +
                                stepLine(2, 3, 3, "\"-Infinity\"") + stepLine(3, 4, 4, "-0.0")});
  const auto all = readRunScalars(folder.path());
  const auto& value = named(*all, "loss")->value;
  QVERIFY(std::isnan(value[0]) && std::isinf(value[1]) && value[1] > 0 && value[2] < 0 &&
          std::isinf(value[2]));
  QVERIFY(value[3] == 0 && std::signbit(value[3]));
}

void EventReaderTest::missingFile() {
  const auto events = EventReader(path("nothing")).poll();
  QVERIFY(!events.ok());
  QVERIFY(events.error().text().find("nothing") != std::string::npos);
  QVERIFY(!readRunScalars(path("nothing")).ok());
  RunIdentity identity;
  identity.uuid = "u";
  const auto folder = RunFolder::create(path("empty"), identity);
  QVERIFY(folder->beginAttempt(Json::object()).ok());
  QVERIFY(readRunScalars(path("empty"))->empty());
}

QTEST_APPLESS_MAIN(EventReaderTest)
#include "tst_event_reader.moc"
