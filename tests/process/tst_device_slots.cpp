// SPDX-License-Identifier: Apache-2.0
// Which devices the runs of a queue get: one each, runs of several ranks a row of cards.
#include <QTest>

#include "app/runner/device_slots.h"
#include "app/runs/run_control.h"
#include "core/base/files/hash.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class DeviceSlotsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runsTakeTurns();
  void ranksGetCardsInARow();
  void tooManyRanksAreTheEnginesToRefuse();
  void ranksShareTheProcessor();
  void aResumedRunTakesAsManyCards();
};

namespace {

DeviceSlots slotsOf(const std::vector<std::string>& devices, const QueueSettings& settings = {}) {
  DeviceSlots made;
  made.configure(devices, settings);
  return made;
}

}  // namespace

void DeviceSlotsTest::runsTakeTurns() {
  DeviceSlots places = slotsOf({"cpu", "cuda:0", "cuda:1"});
  QCOMPARE(places.freeDevice("auto"), std::string("cuda:0"));
  places.take("cuda:0");
  QCOMPARE(places.freeDevice("auto"), std::string("cuda:1"));
  QCOMPARE(places.freeDevice("cuda:0"), std::string());
  places.take("cuda:1");
  QCOMPARE(places.freeDevice("auto"), std::string());
  QCOMPARE(places.freeDevice("cpu"), std::string("cpu"));
  places.release("cuda:0");
  QCOMPARE(places.freeDevice("auto"), std::string("cuda:0"));
}

void DeviceSlotsTest::ranksGetCardsInARow() {
  DeviceSlots places = slotsOf({"cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3"});
  places.take("cuda:0");
  QCOMPARE(places.freeDevice("auto", 2), std::string("cuda:1"));
  places.take("cuda:1", 2);
  // One is free, and two are not.
  QCOMPARE(places.freeDevice("auto"), std::string("cuda:3"));
  QCOMPARE(places.freeDevice("auto", 2), std::string());
  QCOMPARE(places.freeDevice("cuda:2", 2), std::string());
  places.release("cuda:1", 2);
  QCOMPARE(places.freeDevice("auto", 3), std::string("cuda:1"));
  QCOMPARE(places.freeDevice("cuda:2", 2), std::string("cuda:2"));
}

void DeviceSlotsTest::tooManyRanksAreTheEnginesToRefuse() {
  DeviceSlots places = slotsOf({"cpu", "cuda:0", "cuda:1"});
  QCOMPARE(places.freeDevice("auto", 4), std::string("cuda:0"));
  QCOMPARE(places.freeDevice("cuda:1", 2), std::string("cuda:1"));
  // Of those that the settings allow no two lie in a row.
  QueueSettings settings;
  settings.devices = {"cuda:0", "cuda:2"};
  const DeviceSlots few = slotsOf({"cpu", "cuda:0", "cuda:1", "cuda:2"}, settings);
  QVERIFY(few.possible("auto") && !few.possible("auto", 2));
  QCOMPARE(few.freeDevice("auto", 2), std::string());
  QCOMPARE(few.freeDevice("auto"), std::string("cuda:0"));
}

void DeviceSlotsTest::ranksShareTheProcessor() {
  DeviceSlots places = slotsOf({"cpu"});
  QCOMPARE(places.freeDevice("auto", 4), std::string("cpu"));
  places.take("cpu", 4);
  QCOMPARE(places.freeDevice("auto", 1), std::string());
  places.release("cpu", 4);
  QCOMPARE(places.freeDevice("auto", 2), std::string("cpu"));
}

void DeviceSlotsTest::aResumedRunTakesAsManyCards() {
  const ProjectFixture project;
  RunIdentity identity;
  identity.uuid = makeUuid();
  const RunFolder folder = RunFolder::create(project.path() + "/runs/" + identity.uuid, identity).value();
  const Json options = {{"parallel.ranks", 2}, {"device", "cuda:0"}};
  const int attempt = folder.beginAttempt({{"format", 1}, {"name", "two"}, {"options", options}}).value();
  RunOutcome outcome;
  outcome.state = RunState::Stopped;
  QVERIFY(folder.writeOutcome(attempt, outcome).ok());
  const auto entry = resumeEntry(project.path(), folder.path());
  QVERIFY2(entry.ok(), entry.ok() ? "" : entry.error().text().c_str());
  QCOMPARE(ranksOfEntry(*entry), 2);
  // As the queue keeps it, too.
  const QueueEntry queued = project.queue().add(*entry).value();
  QCOMPARE(ranksOfEntry(project.queue().entries()->front()), 2);
  DeviceSlots places = slotsOf({"cpu", "cuda:0", "cuda:1"});
  places.take("cuda:1");
  QCOMPARE(places.freeDevice(queued.device, ranksOfEntry(queued)), std::string());
}

QTEST_GUILESS_MAIN(DeviceSlotsTest)
#include "tst_device_slots.moc"
