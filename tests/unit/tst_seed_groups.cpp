// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/analysis/statistics/seed_groups.h"

using namespace fathom;

class SeedGroupsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void seedAndPlaceDoNotCount();
  void differentOptionsSetApart();
  void optionsOfALaterVersionDoNotSetApart();
  void unknownOptionsAreNoGroup();
  void importedRunsAreTakenAsTheyAre();
};

namespace {

std::vector<std::string> groupsOf(const std::vector<Json>& options) {
  std::vector<const Json*> all;
  for (const Json& one : options) all.push_back(&one);
  return seedGroups(all);
}

}  // namespace

void SeedGroupsTest::seedAndPlaceDoNotCount() {
  const auto groups =
      groupsOf({{{"seed", 1}, {"rate", 0.1}, {"device", "cpu"}, {"threads", 1}},
                {{"seed", 2}, {"rate", 0.1}, {"device", "cuda:0"}, {"analysis.interval", "9u"}}});
  QVERIFY(!groups[0].empty());
  QCOMPARE(groups[0], groups[1]);
}

void SeedGroupsTest::differentOptionsSetApart() {
  const auto groups = groupsOf({{{"seed", 1}, {"rate", 0.1}, {"layers", 6}},
                                {{"seed", 1}, {"rate", 0.2}, {"layers", 6}},
                                {{"seed", 2}, {"rate", 0.1}, {"layers", 12}},
                                {{"seed", 2}, {"rate", 0.2}, {"layers", 6}}});
  QCOMPARE(groups[1], groups[3]);
  QVERIFY(groups[0] != groups[1] && groups[0] != groups[2] && groups[1] != groups[2]);
}

void SeedGroupsTest::optionsOfALaterVersionDoNotSetApart() {
  auto groups = groupsOf({{{"seed", 1}, {"rate", 0.1}}, {{"seed", 2}, {"rate", 0.1}, {"new", true}}});
  QCOMPARE(groups[0], groups[1]);
  // Once the later version's runs differ in it, the older run belongs to neither.
  groups = groupsOf({{{"seed", 1}, {"rate", 0.1}},
                     {{"seed", 2}, {"rate", 0.1}, {"new", true}},
                     {{"seed", 3}, {"rate", 0.1}, {"new", false}}});
  QVERIFY(groups[0] != groups[1] && groups[0] != groups[2] && groups[1] != groups[2]);
}

void SeedGroupsTest::unknownOptionsAreNoGroup() {
  const auto groups = groupsOf({Json::object(), Json::object(), {{"seed", 1}}});
  QVERIFY(groups[0].empty() && groups[1].empty() && !groups[2].empty());
}

// A missing option of somebody else's run is a difference, and it never belongs to a run of ours.
void SeedGroupsTest::importedRunsAreTakenAsTheyAre() {
  const std::vector<Json> options = {{{"seed", 1}, {"rate", 0.1}},
                                     {{"seed", 2}, {"rate", 0.1}},
                                     {{"seed", 3}, {"rate", 0.1}},
                                     {{"seed", 4}, {"rate", 0.1}, {"warmup", 5}},
                                     {{"seed", 5}},
                                     {{"seed", 6}},
                                     {{"seed", 7}},
                                     Json::object()};
  const std::vector<std::string> origins = {"",      "csv a", "csv b", "csv b",
                                            "csv a", "csv a", "csv b", "csv a"};
  std::vector<const Json*> all;
  for (const Json& one : options) all.push_back(&one);
  const auto groups = seedGroups(all, origins);
  QVERIFY(groups[0] != groups[1]);
  QCOMPARE(groups[1], groups[2]);
  QVERIFY(groups[3] != groups[2]);
  QCOMPARE(groups[4], groups[5]);
  QVERIFY(groups[4] != groups[6] && groups[4] != groups[1]);
  QVERIFY(groups[7].empty());
}

QTEST_APPLESS_MAIN(SeedGroupsTest)
#include "tst_seed_groups.moc"
