// SPDX-License-Identifier: Apache-2.0
// The load that W&B samples beside its points becomes the stream of the run, imported and followed.
#include <QTest>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/record/events/system_samples.h"
#include "tests/unit/support_following.h"
#include "tests/unit/support_wandb_records.h"

using namespace fathom;

namespace {

const std::string& kHead = test::kWandbHead;

std::string field(int number, const std::string& bytes) {
  return test::wandbField(number, bytes);
}
std::string field(int number, std::uint64_t value) {
  return test::wandbField(number, value);
}

std::string runRecord() {
  return test::wandbChunk(field(17, field(1, std::string("abc")) + field(8, std::string("small"))));
}
std::string row(int step) {
  return test::wandbChunk(field(2, field(1, test::wandbItem("loss", std::to_string(step))) +
                                       field(1, test::wandbItem("_timestamp", "1700000000")) +
                                       field(2, field(1, std::uint64_t(step)))));
}
std::string stats(int second, const std::string& items) {
  return test::wandbChunk(field(7, field(2, field(1, std::uint64_t(1700000000 + second))) + items));
}

}  // namespace

class WandbLoadsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void namesBecomeOurs();
  void followedLoadsComeOnce();
  void aLogThatIsWrittenAnew();

 private:
  std::unique_ptr<Following> m_files;
};

void WandbLoadsTest::namesBecomeOurs() {
  const std::string items =
      field(3, test::wandbItem("proc.memory.rssMB", "2048")) +
      field(3, test::wandbItem("gpu.1.gpu", "37.5")) +
      field(3, test::wandbItem("gpu.1.memoryAllocatedBytes", "3221225472")) +
      field(3, test::wandbItem("gpu.1.powerWatts", "150")) + field(3, test::wandbItem("gpu.1.temp", "60")) +
      field(3, test::wandbItem("network.sent", "1234")) + field(3, test::wandbItem("odd", "\"word\""));
  m_files->append("run-abc.wandb", kHead + runRecord() + row(1) + stats(0, items) + stats(15, items));
  const auto runs = m_files->import("run-abc.wandb");
  QCOMPARE(runs.size(), std::size_t{1});
  const RunSystem system = readRunSystem(runs.front().runPath);
  const std::map<std::string, double> expected = {
      {"system/process_memory", 2}, {"system/gpu1", 37.5},           {"system/gpu1_memory", 3},
      {"system/gpu1_power", 150},   {"system/gpu1_temperature", 60}, {"wandb/network.sent", 1234}};
  QCOMPARE(system.series.size(), expected.size());
  for (const auto& [name, value] : expected) {
    QVERIFY2(system.find(name) != nullptr, name.c_str());
    QCOMPARE(system.find(name)->values, (std::vector<double>{value, value}));
    QCOMPARE(system.find(name)->seconds, (std::vector<double>{0, 15}));
  }
  QCOMPARE(readRunScalars(runs.front().runPath)->size(), std::size_t{1});  // the loss alone
}

// In pieces, each by a follower of its own; one that was killed before it kept how far it had come reads
// again.
void WandbLoadsTest::followedLoadsComeOnce() {
  const std::string items = field(3, test::wandbItem("gpu.0.gpu", "5"));
  m_files->append("run-abc.wandb", kHead + runRecord() + row(1) + stats(0, items));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  const std::string record = m_files->record("run-abc.wandb");
  const std::string kept = readFile(record).value();
  m_files->append("run-abc.wandb", row(2) + stats(15, items));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  QVERIFY(writeFileAtomically(record, kept).ok());
  m_files->append("run-abc.wandb", row(3) + stats(30, items));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  QCOMPARE(m_files->steps(), (std::vector<double>{1, 2, 3}));
  const RunSystem system = readRunSystem(m_files->runs().front());
  QCOMPARE(system.find("system/gpu0")->seconds, (std::vector<double>{0, 15, 30}));
  QVERIFY(system.badLines == 0 && !system.problem);
}

// A log that is cut and written once more: what it repeats stands once, what it has no more stays, and a
// follower that is made anew between cut and rows knows of it.
void WandbLoadsTest::aLogThatIsWrittenAnew() {
  const auto busy = [](int percent) {
    return field(3, test::wandbItem("gpu.0.gpu", std::to_string(percent)));
  };
  const std::string extra = field(3, test::wandbItem("gpu.0.temp", "60"));
  m_files->append("run-abc.wandb", kHead + runRecord() + stats(0, busy(1) + extra) + row(1) +
                                       stats(15, busy(2)) + row(2) + stats(30, busy(3)) + row(3));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  m_files->replace("run-abc.wandb", kHead + runRecord() + row(1));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  const std::string run = m_files->runs().front();
  const std::vector<double> before = {1, 2, 3};
  QCOMPARE(readRunSystem(run).find("system/gpu0")->values, before);
  m_files->append("run-abc.wandb", stats(15, busy(12)) + row(2));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  QCOMPARE(Following::attempts(run), std::size_t{2});
  const std::vector<double> anew = {1, 12};
  QCOMPARE(readRunSystem(run).find("system/gpu0")->values, anew);
  QCOMPARE(readRunSystem(run).find("system/gpu0_temperature")->values, std::vector<double>{60});
  m_files->append("run-abc.wandb", stats(45, busy(13)) + row(3));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  const std::vector<double> further = {1, 12, 13};
  QCOMPARE(readRunSystem(run).find("system/gpu0")->values, further);
  // Another training under its name takes nothing away.
  m_files->replace("run-abc.wandb", kHead + runRecord() + row(1) + stats(1000, busy(20)) + row(2));
  QVERIFY(m_files->look("run-abc.wandb").ok());
  const std::vector<double> all = {1, 12, 13, 20};
  QCOMPARE(readRunSystem(run).find("system/gpu0")->values, all);
}

QTEST_APPLESS_MAIN(WandbLoadsTest)
#include "tst_wandb_loads.moc"
