// SPDX-License-Identifier: Apache-2.0
// Makes a second index for the fixture tests, which read it after the first in the same process
// (FATHOM_FIXTURES_ALSO, tests/test_program.cpp): other folders, another order, fewer cases, other values. A
// test that knows a folder's name, a number of cases, their order, a count or how a missing number is written
// by heart fails on it; tests of other cases of the same format run unchanged.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <map>

#include "support_fixture_variant.h"
#include "support_fixtures.h"

using namespace fathom;

class FixtureVariantTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // In the folder that ctest names, made anew; without one (by hand) in a folder of its own.
  void initTestCase() {
    namespace fs = std::filesystem;
    QVERIFY(m_place.isValid());
    m_variant = qEnvironmentVariable("FATHOM_FIXTURE_VARIANT", m_place.filePath(QStringLiteral("variant")))
                    .toStdString();
    const std::string fresh = m_variant + ".new";
    fs::remove_all(fresh);
    fixtures::writeVariant(FATHOM_SOURCE_DIR "/tests/fixtures", fresh);
    fs::remove_all(m_variant);
    fs::rename(fresh, m_variant);
  }

  void hasFewerCasesOfEveryArea() {
    const std::map<std::string, int> all = areasOf(FATHOM_SOURCE_DIR "/tests/fixtures"),
                                     fewer = areasOf(m_variant);
    QCOMPARE(fewer.size(), all.size());
    const auto count = [](const auto& areas) {
      int sum = 0;
      for (const auto& [area, cases] : areas) sum += cases;
      return sum;
    };
    QVERIFY(count(fewer) < count(all));
    QVERIFY(count(fewer) > count(all) / 2);
  }

  // Every kind of change found a case: a fixture of another form would leave one out unseen.
  void makesEveryChange() {
    const std::vector<std::string> made = fixtures::changesOf(m_variant);
    QCOMPARE(made.size(), std::size_t{7});
  }

  // What was changed is not what it was: a missing number is a text, and there are more of them.
  void valuesAreOthers() {
    bool found = false;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_variant)) {
      if (entry.path().filename() != "mean_over_seeds.json") continue;
      found = true;
      const Json changed = fixtures::readJson(entry.path());
      for (const auto& [name, expected] : changed.at("expected").items()) {
        const Json& values = expected.at("values_null_is_failed");
        QVERIFY(values[0] == "NaN");
        QCOMPARE(values.size(), expected.at("runs").get<std::size_t>());
      }
    }
    QVERIFY(found);
  }

 private:
  static std::map<std::string, int> areasOf(const std::string& folder) {
    std::map<std::string, int> areas;
    const Json index = fixtures::readJson(folder + "/index.json");
    for (const Json& one : index.at("cases")) ++areas[one.at("area").get<std::string>()];
    return areas;
  }
  QTemporaryDir m_place;
  std::string m_variant;
};

QTEST_GUILESS_MAIN(FixtureVariantTest)
#include "tst_fixture_variant.moc"
