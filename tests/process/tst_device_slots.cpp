// SPDX-License-Identifier: Apache-2.0
// Which devices the runs of a queue get: one each, runs of several ranks a row of cards.
#include <QTest>

#include "app/runner/device_slots.h"

using namespace fathom;

class DeviceSlotsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runsTakeTurns();
  void ranksGetCardsInARow();
  void tooManyRanksAreTheEnginesToRefuse();
  void ranksShareTheProcessor();
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

QTEST_APPLESS_MAIN(DeviceSlotsTest)
#include "tst_device_slots.moc"
