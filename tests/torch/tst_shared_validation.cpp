// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// The batches of a part shared out over ranks that are threads: every batch is judged once, sums and outputs
// are those of one process to the bit, and a wish that one rank hears is heeded by all or by none.
#include <ATen/Functions.h>

#include <QTest>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/objectives/part_evaluation.h"
#include "core/train/loop/validation_share.h"
#include "tests/torch/support_counting_task.h"
#include "tests/torch/support_thread_ranks.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

namespace {

// Thirds, whose sum depends on the order in which they are added.
JudgedBatch judgedAs(const DeviceBatch& batch) {
  const auto place = static_cast<double>(batch.examples.front().value);
  JudgedBatch judged;
  judged.gold = true;
  judged.loss = std::pow(10.0, std::fmod(place, 7)) / 3;
  judged.units = place + 1;
  judged.sums = {{"nll", judged.loss / 7, 2}, {"other", -place / 3, 1}};
  Prediction one;
  one.example = batch.examples.front();
  one.ids = {batch.examples.front().value, -1};
  one.score = 1 / (place + 3);
  one.details = {{"beam", {place / 3, "é"}}};
  judged.predictions = {one};
  return judged;
}

std::string wordsOf(const std::vector<JudgedBatch>& batches) {
  const PartSums sums = sumsOf(batches);
  std::string words = jsonNumber(sums.loss) + " " + jsonNumber(sums.units);
  for (const JudgedBatch::Sum& one : sums.sums)
    words += " " + one.name + " " + jsonNumber(one.sum) + " " + jsonNumber(one.count);
  for (const JudgedBatch& judged : batches)
    for (const Prediction& one : judged.predictions)
      words += "\n" + std::to_string(judged.batch) + " " + std::to_string(one.example.value) + " " +
               Json(one.ids).dump() + " " + jsonNumber(one.score) + " " + one.details.dump();
  return words;
}

std::uint64_t bits(double number) {
  std::uint64_t all = 0;
  std::memcpy(&all, &number, sizeof all);
  return all;
}

// End of a walk, as one rank has it.
struct Ended {
  bool interrupted = false, stop = false, abort = false, whole = false;
  std::atomic<std::int64_t> judged{0};
};

}  // namespace

class SharedValidationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void batchesAreSharedOut_data();
  void batchesAreSharedOut();
  void numbersTravelToTheBit();
  void aWishCutsAllRanks_data();
  void aWishCutsAllRanks();
  void aWishBehindTheLastBatchCutsNobody();
  void anErrorOfOneRankIsThatOfAll();
  void theFirstIsCutWhileItScores();
  void aLostRankCutsItsScoring();
  void theFirstTellsItsNumbers();
  void anEmptyPartIsRefused();
  void earlyStoppingIsThatOfOneProcess_data();
  void earlyStoppingIsThatOfOneProcess();

 private:
  // Walks of two ranks over `batches`; `wishAt`: rank 1 hears a wish in its batch of this number, once rank 0
  // is at its batch number `behind`.
  void walkTogether(std::array<Ended, 2>& ends, std::int64_t batches, std::int64_t wishAt, bool abort,
                    std::int64_t behind = 0) const;
  TinyRuns m_runs;
};

void SharedValidationTest::batchesAreSharedOut_data() {
  QTest::addColumn<int>("size");
  QTest::addColumn<int>("batches");
  QTest::newRow("two") << 2 << 11;
  QTest::newRow("four") << 4 << 11;
  QTest::newRow("fewer batches than ranks") << 4 << 3;
  QTest::newRow("one batch") << 2 << 1;
}

void SharedValidationTest::batchesAreSharedOut() {
  QFETCH(int, size);
  QFETCH(int, batches);
  const CountingTask task(batches);
  const auto alone = judgePart(task, {}, torch::kCPU, judgedAs);
  QVERIFY(alone && alone->size() == static_cast<std::size_t>(batches));
  std::vector<int> judgedBy(static_cast<std::size_t>(batches), -1);
  std::vector<std::optional<std::vector<JudgedBatch>>> found(static_cast<std::size_t>(size));
  ThreadRanks ranks(size);
  ranks.together([&](GradientExchange& exchange) {
    RankShare here(exchange, {}, 0);
    ValidationShare share(here);
    EvaluationRequest request;
    request.share = &share;
    request.stop = here.heard();
    found[static_cast<std::size_t>(exchange.rank())] =
        judgePart(task, request, torch::kCPU, [&](const DeviceBatch& batch) {
          int& owner = judgedBy[static_cast<std::size_t>(batch.examples.front().value)];
          owner = owner == -1 ? exchange.rank() : -2;
          return judgedAs(batch);
        });
  });
  for (int i = 0; i < batches; ++i) QCOMPARE(judgedBy[static_cast<std::size_t>(i)], i % size);
  for (std::size_t rank = 1; rank < found.size(); ++rank) QVERIFY(!found[rank]);
  QVERIFY(found.front());
  QCOMPARE(wordsOf(*found.front()), wordsOf(*alone));
}

void SharedValidationTest::numbersTravelToTheBit() {
  std::vector<JudgedBatch> batches(2), back;
  const double tiny = std::numeric_limits<double>::denorm_min();
  batches[0].batch = 7;
  batches[0].gold = true;
  batches[0].loss = std::numeric_limits<double>::infinity();
  batches[0].sums = {{"a", std::numeric_limits<double>::quiet_NaN(), -0.0}, {"b", 0.1, tiny}};
  batches[1].units = 1e300;
  Prediction one;
  one.ids = {-5, std::numeric_limits<std::int64_t>::max()};
  one.score = -std::numeric_limits<double>::infinity();
  batches[1].predictions = {one};
  unpackBatches(packedBatches(batches), back);
  QCOMPARE(back.size(), std::size_t{2});
  QVERIFY(back[0].batch == 7 && back[0].gold && !back[1].gold && std::isinf(back[0].loss));
  QVERIFY(back[0].sums[0].name == "a" && std::isnan(back[0].sums[0].sum));
  QCOMPARE(bits(back[0].sums[0].count), bits(-0.0));
  QCOMPARE(bits(back[0].sums[1].sum), bits(0.1));
  QCOMPARE(bits(back[0].sums[1].count), bits(tiny));
  QCOMPARE(bits(back[1].units), bits(1e300));
  const Prediction& other = back[1].predictions.at(0);
  QVERIFY(other.ids == one.ids && other.score == one.score && other.details.is_null());
}

void SharedValidationTest::walkTogether(std::array<Ended, 2>& ends, std::int64_t batches, std::int64_t wishAt,
                                        bool abort, std::int64_t behind) const {
  const CountingTask task(batches);
  ThreadRanks ranks(2);
  ranks.together([&](GradientExchange& exchange) {
    Ended& end = ends[static_cast<std::size_t>(exchange.rank())];
    const StopToken wishes;
    RankShare here(exchange, wishes, 0);
    ValidationShare share(here);
    EvaluationRequest request;
    request.share = &share;
    request.stop = here.heard();
    try {
      const auto found = judgePart(task, request, torch::kCPU, [&](const DeviceBatch& batch) {
        ++end.judged;
        if (batch.examples.front().value != wishAt) return JudgedBatch();
        while (ends[0].judged < behind) std::this_thread::yield();
        wishes.requestStop();
        if (abort) wishes.requestAbort();
        return JudgedBatch();
      });
      end.whole = found.has_value();
    } catch (const Failure& failure) {
      end.interrupted = failure.error().kind == ErrorKind::Interrupted;
    }
    end.stop = here.stop().stopRequested();
    end.abort = here.stop().abortRequested();
  });
}

void SharedValidationTest::aWishCutsAllRanks_data() {
  QTest::addColumn<bool>("abort");
  QTest::newRow("stop") << false;
  QTest::newRow("abort") << true;
}

// So many batches that the rank which has not heard the wish itself is still at them when it looks.
void SharedValidationTest::aWishCutsAllRanks() {
  QFETCH(bool, abort);
  constexpr std::int64_t kMany = 4'000'000;
  std::array<Ended, 2> ends;
  walkTogether(ends, kMany, 1, abort, 1);
  for (const Ended& end : ends) {
    QVERIFY(end.interrupted && !end.whole && end.stop);
    QCOMPARE(end.abort, abort);
    QVERIFY(end.judged > 0 && end.judged < kMany / 2);
  }
}

void SharedValidationTest::aWishBehindTheLastBatchCutsNobody() {
  std::array<Ended, 2> ends;
  walkTogether(ends, 8, 7, false, 4);
  const auto& [first, second] = ends;
  QVERIFY(first.whole && !first.interrupted && !second.interrupted);
  QVERIFY(first.judged == 4 && second.judged == 4 && !first.stop && !second.stop);
}

// The other rank has millions of batches to go: it does not judge them first.
void SharedValidationTest::anErrorOfOneRankIsThatOfAll() {
  constexpr std::int64_t kMany = 4'000'000;
  const CountingTask task(kMany, 3);
  std::array<std::string, 2> said;
  std::array<std::int64_t, 2> judged{};
  ThreadRanks ranks(2);
  ranks.together([&](GradientExchange& exchange) {
    const auto rank = static_cast<std::size_t>(exchange.rank());
    RankShare here(exchange, {}, 0);
    try {
      ValidationShare share(here);
      EvaluationRequest request;
      request.share = &share;
      request.stop = here.heard();
      judgePart(task, request, torch::kCPU, [&](const DeviceBatch&) {
        ++judged[rank];
        return JudgedBatch();
      });
    } catch (const OtherRankFailed& failed) {
      said[rank] = failed.error().text();
    } catch (const Failure& failure) {
      said[rank] = failure.error().text();
      exchange.leave({failure.error(), false});
    }
  });
  QCOMPARE(said[1], std::string("batch 3 is broken"));
  QCOMPARE(said[0], std::string("rank 1 of threads: batch 3 is broken"));
  QVERIFY(judged[0] < kMany / 2);
}

void SharedValidationTest::theFirstIsCutWhileItScores() {
  std::array<bool, 3> cut{}, stopped{};
  ThreadRanks ranks(3);
  ranks.together([&](GradientExchange& exchange) {
    const auto rank = static_cast<std::size_t>(exchange.rank());
    const StopToken wishes;
    RankShare here(exchange, wishes, 0);
    try {
      here.byFirst([&]() -> std::vector<double> {
        wishes.requestStop();
        throw Failure(interruptedError());
      });
    } catch (const Failure& failure) {
      cut[rank] = failure.error().kind == ErrorKind::Interrupted;
    }
    stopped[rank] = here.stop().stopRequested() && !here.stop().abortRequested();
  });
  QVERIFY((cut == std::array{true, true, true}) && (stopped == std::array{true, true, true}));
}

void SharedValidationTest::aLostRankCutsItsScoring() {
  std::string said;
  bool cut = false;
  ThreadRanks ranks(2);
  ranks.together([&](GradientExchange& exchange) {
    const StopToken wishes;
    try {
      RankShare(exchange, wishes, 0).byFirst([&]() -> std::vector<double> {
        ranks.lose(1);
        cut = waitFor([&] { return wishes.abortRequested(); });
        throw Failure(interruptedError());
      });
    } catch (const RankLost& lost) {
      if (exchange.rank() == 0) said = lost.error().message;
    }
  });
  QVERIFY(cut);
  QCOMPARE(said, std::string("rank 1 of threads: killed"));
}

void SharedValidationTest::theFirstTellsItsNumbers() {
  std::array<std::vector<double>, 3> told;
  std::atomic<int> asked{0};
  ThreadRanks ranks(3);
  ranks.together([&](GradientExchange& exchange) {
    told[static_cast<std::size_t>(exchange.rank())] = RankShare(exchange, {}, 0).byFirst([&] {
      ++asked;
      return std::vector<double>{1.0 / 3, -0.0, std::numeric_limits<double>::infinity()};
    });
  });
  QCOMPARE(asked.load(), 1);
  for (const std::vector<double>& numbers : told) {
    QCOMPARE(numbers.size(), std::size_t{3});
    QVERIFY(bits(numbers[0]) == bits(1.0 / 3) && bits(numbers[1]) == bits(-0.0) && std::isinf(numbers[2]));
  }
}

void SharedValidationTest::anEmptyPartIsRefused() {
  const CountingTask task(0);
  try {
    judgePart(task, {}, torch::kCPU, judgedAs);
    QFAIL("walked over nothing");
  } catch (const Failure& failure) {
    QCOMPARE(failure.error().message, std::string("the validation part is empty"));
  }
  // A run says so before its first update: all pairs are alike, and stay together.
  const std::string file = m_runs.path("alike.tsv");
  std::string pairs;
  for (int i = 0; i < 60; ++i) pairs += "ein haus\ta house\n";
  QVERIFY(writeFileAtomically(file, pairs).ok());
  const RunReport report = m_runs.train(
      "alike",
      {"data.train=" + file, "data.validation=", "data.validation_size=5", "data.vocabulary.kind=words"});
  QCOMPARE(report.code, ExitCode::BadInput);
  QCOMPARE(report.error.message, std::string("the validation part is empty"));
  QVERIFY(stepLosses(m_runs.path("alike"), 1).empty());
}

void SharedValidationTest::earlyStoppingIsThatOfOneProcess_data() {
  QTest::addColumn<int>("size");
  QTest::newRow("two") << 2;
  QTest::newRow("four") << 4;
}

// A rate at which it soon gets worse: the best checkpoint, the samples and the update at which patience ends.
void SharedValidationTest::earlyStoppingIsThatOfOneProcess() {
  QFETCH(int, size);
  const std::string tag = std::to_string(size);
  const std::vector<std::string> options = {"precision=float64",
                                            "training.length=40u",
                                            "training.accumulation=" + tag,
                                            "batch.max_tokens=128",
                                            "validation.interval=2u",
                                            "validation.score_interval=4u",
                                            "checkpoint.interval=4u",
                                            "checkpoint.best_by=score",
                                            "training.patience=2",
                                            "divergence.not_learning_after=0",
                                            "lr_schedule.rate=0.05"};
  const RunReport alone = m_runs.train("alone" + tag, options);
  QVERIFY2(alone.code == ExitCode::Finished, alone.error.text().c_str());
  ThreadRanks ranks(size);
  const auto meeting = ranks.meeting(
      [&](RankMeeting& other) { m_runs.train("ranks" + tag, options, nullptr, nullptr, &other); });
  const RunReport report = m_runs.train("ranks" + tag, options, nullptr, nullptr, meeting.get());
  ranks.join();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const std::string one = m_runs.path("alone" + tag), many = m_runs.path("ranks" + tag);
  const auto told = [](const std::string& run, const char* kind, std::vector<const char*> members) {
    std::vector<std::string> lines;
    for (const Json& event : eventsOfKind(run, 1, kind)) {
      lines.push_back(event.at("step").dump());
      for (const char* member : members) lines.back() += " " + event.at(member).dump();
    }
    return lines;
  };
  QVERIFY(stepLosses(one, 1).size() < 40);
  QVERIFY(stepLosses(many, 1) == stepLosses(one, 1));
  QVERIFY(told(one, "validation", {"m"}).size() >= 4);
  QVERIFY(told(many, "validation", {"m"}) == told(one, "validation", {"m"}));
  QVERIFY(told(many, "checkpoint", {"name", "best"}) == told(one, "checkpoint", {"name", "best"}));
  QVERIFY(!told(one, "sample", {"items"}).empty());
  QVERIFY(told(many, "sample", {"items"}) == told(one, "sample", {"items"}));
}

}  // namespace fathom::test

using fathom::test::SharedValidationTest;
QTEST_GUILESS_MAIN(SharedValidationTest)
#include "tst_shared_validation.moc"
