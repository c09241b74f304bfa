// SPDX-License-Identifier: Apache-2.0
// The parts of the training loop one by one: order of the data, prefetching, divergence rules, control,
// state.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/train/loop/batch_prefetcher.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/divergence_detector.h"
#include "core/train/parts/compute_device.h"
#include "core/train/state/checkpoint.h"
#include "tests/torch/support_counting_task.h"

using namespace fathom;
using fathom::test::CountingTask;

namespace {

// Sends a line to a control socket and returns the answer.
std::string askSocket(const std::string& path, const std::string& line) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  std::string answer;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size())) {
    char bytes[256];
    const ssize_t count = ::read(fd, bytes, sizeof bytes);
    if (count > 0) answer.assign(bytes, static_cast<std::size_t>(count));
  }
  ::close(fd);
  return answer;
}

}  // namespace

class TestTrainingParts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cursorGroupsAndResumes();
  void prefetcherKeepsOrderAndPassesErrors();
  void detectorKnowsNonFinite();
  void detectorKnowsExploding();
  void detectorKnowsNotLearning();
  void loopStateSurvivesJson();
  void controlSocketAnswers();
  void unknownDevicesAreRefused();
};

void TestTrainingParts::cursorGroupsAndResumes() {
  const CountingTask task(7);
  DataCursor cursor(task, 5, 3, {});
  std::vector<PlannedBatch> plan;
  for (int i = 0; i < 21; ++i) plan.push_back(cursor.next());
  // Groups of 3, 3 and 1 in each epoch of 7.
  for (int i = 0; i < 21; ++i) {
    QCOMPARE(plan[static_cast<std::size_t>(i)].lastOfUpdate, i % 7 == 2 || i % 7 == 5 || i % 7 == 6);
    QCOMPARE(plan[static_cast<std::size_t>(i)].lastOfEpoch, i % 7 == 6);
  }
  QCOMPARE(updatesPerEpoch(7, 3), std::int64_t{3});
  DataCursor resumed(task, 5, 3, plan[9].after);
  for (std::size_t i = 10; i < plan.size(); ++i) QCOMPARE(resumed.next().index, plan[i].index);
}

void TestTrainingParts::prefetcherKeepsOrderAndPassesErrors() {
  const CountingTask task(50);
  DataCursor expected(task, 1, 1, {});
  BatchPrefetcher prefetcher(task, DataCursor(task, 1, 1, {}), 4);
  for (int i = 0; i < 120; ++i) {
    const PlannedBatch planned = expected.next();
    QCOMPARE(planned.epoch, std::int64_t{i / 50});
    QCOMPARE(prefetcher.next().batch.examples.at(0).value, planned.index + 1000 * planned.epoch);
  }
  const CountingTask broken(5, 3);
  BatchPrefetcher failing(broken, DataCursor(broken, 1, 1, {}), 2);
  QVERIFY_THROWS_EXCEPTION(Failure, for (int i = 0; i < 5; ++i) failing.next());
}

void TestTrainingParts::detectorKnowsNonFinite() {
  const double infinity = std::numeric_limits<double>::infinity();
  DivergenceDetector detector({}, 4, 5);
  QVERIFY(!detector.checkUpdate(1, 5.0, 1.0));
  QCOMPARE(detector.checkUpdate(2, std::nan(""), 1.0)->cause, std::string("nan_loss"));
  QCOMPARE(detector.checkUpdate(2, infinity, 1.0)->cause, std::string("inf_loss"));
  const auto gradient = detector.checkUpdate(2, 5.0, std::nan(""));
  QCOMPARE(gradient->cause, std::string("nonfinite_grad"));
  QCOMPARE(gradient->lastFiniteStep, std::int64_t{1});
}

void TestTrainingParts::detectorKnowsExploding() {
  DivergenceDetector detector({}, 4, 5);
  QVERIFY(!detector.checkUpdate(1, 6.0, 1.0));  // limit: max(3 x 6, 2 x 5)
  for (int step = 2; step < 11; ++step) QVERIFY(!detector.checkUpdate(step, 19.0, 1.0));
  DivergenceDetector later({}, 4, 5);
  later.load(detector.state());
  QCOMPARE(later.checkUpdate(11, 19.0, 1.0)->cause, std::string("loss_above"));
  QVERIFY(!detector.checkUpdate(11, 17.0, 1.0));
  DivergenceDetector off({300, 0.85, 0}, 4, 5);
  for (int step = 1; step < 40; ++step) QVERIFY(!off.checkUpdate(step, step == 1 ? 1.0 : 1e6, 1.0));
}

void TestTrainingParts::detectorKnowsNotLearning() {
  DivergenceDetector detector({300, 0.85, 3}, 4, 5);  // limit 3.4
  QVERIFY(!detector.checkValidation(299, 3.9));
  QVERIFY(!detector.notLearning());
  QVERIFY(detector.checkValidation(300, 3.41));
  QVERIFY(!detector.checkValidation(400, 3.5));
  QCOMPARE(detector.notLearning()->step, std::int64_t{300});
  DivergenceDetector later({300, 0.85, 3}, 4, 5);
  later.load(detector.state());
  QCOMPARE(later.notLearning()->cause, std::string("no_learning"));
  QVERIFY(!later.checkValidation(500, 3.39));
  QVERIFY(!later.notLearning());
  DivergenceDetector unknownEntropy({300, 0.85, 3}, 0, 5);
  QVERIFY(!unknownEntropy.checkValidation(300, 9));
}

void TestTrainingParts::loopStateSurvivesJson() {
  LoopState state;
  state.clock = {12, 3, 4567};
  state.position = {3, 2};
  state.seconds = 1.0 / 3;
  state.best = BestSoFar{-0.1, 10};
  state.sinceBest = 2;
  state.epochLoss = 1e-17;
  state.lastValidation = {{"valid.nll", 0.1 + 0.2}, {"valid.ppl", std::numeric_limits<double>::infinity()}};
  state.pendingValidation = "score";
  const LoopState read = loopStateFromJson(parseJson(loopStateToJson(state).dump()).value()).value();
  QCOMPARE(loopStateToJson(read).dump(), loopStateToJson(state).dump());
  QVERIFY(read.position == state.position && read.lastValidation == state.lastValidation);
  QVERIFY(!loopStateFromJson(Json{{"updates", 1}}).ok());
}

void TestTrainingParts::controlSocketAnswers() {
  QTemporaryDir folder;
  const std::string path = (folder.path() + "/c.sock").toStdString();
  const auto queue = ControlQueue::open({path, "some-uuid", false, false}).value();
  QCOMPARE(askSocket(path, "ping\n"), std::string("ok some-uuid\n"));
  QVERIFY(askSocket(path, "dance\n").starts_with("error"));
  QVERIFY(!queue->takeCheckpointWish());
  QCOMPARE(askSocket(path, "checkpoint\n"), std::string("ok some-uuid\n"));
  QVERIFY(queue->takeCheckpointWish() && !queue->takeCheckpointWish());
  askSocket(path, "stop\n");
  QVERIFY(queue->stop().stopRequested() && !queue->stop().abortRequested());
  askSocket(path, "abort\n");
  QVERIFY(queue->stop().abortRequested());
}

void TestTrainingParts::unknownDevicesAreRefused() {
  QVERIFY(chooseDevice("cpu").ok());
  QVERIFY(chooseDevice("auto").ok());
  for (const char* name : {"tpu", "cuda:x", "cuda:9999", ""}) {
    const auto device = chooseDevice(name);
    QVERIFY(!device.ok());
    QCOMPARE(device.error().key, std::string("device"));
  }
}

QTEST_GUILESS_MAIN(TestTrainingParts)
#include "tst_training_parts.moc"
