// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <filesystem>

#include "core/base/json/json.h"
#include "core/record/formats/safetensors_file.h"
#include "support_fixtures.h"
#include "tests/unit/support_tensor_values.h"

using namespace fathom;

// Area encoders, the containers: every valid safetensors file opens, every malformed one is refused.
class SafetensorsFixtures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void everyFile();

 private:
  void malformed(const Json& expected, const std::string& file);
};

void SafetensorsFixtures::initTestCase() {
  if (const std::string why = fixtures::absence({"encoders"}); !why.empty()) QSKIP(why.c_str());
}

void SafetensorsFixtures::malformed(const Json& expected, const std::string& file) {
  const auto opened = SafetensorsFile::open(file);
  const std::string why = expected["why"];
  QVERIFY2(opened.ok() == expected["must_load"].get<bool>(), (file + ": " + why).c_str());
  if (!opened.ok()) {
    QCOMPARE(opened.error().kind, ErrorKind::Data);
    QVERIFY2(opened.error().text().find(file) != std::string::npos, opened.error().text().c_str());
    return;
  }
  const Json& official = expected["safetensors_package"];
  QCOMPARE(opened->entries().size(), official["keys"].size());
  for (const auto& [name, values] : official["values"].items())
    QCOMPARE(fixtures::readDoubles(*opened, name).value(), values.get<std::vector<double>>());
  if (official["metadata"].is_object()) {
    for (const auto& [key, value] : official["metadata"].items())
      QCOMPARE(opened->metadata().at(key), value.get<std::string>());
  }
}

void SafetensorsFixtures::everyFile() {
  int opened = 0, judged = 0;
  for (const auto& one : fixtures::cases("encoders")) {
    const std::string judgement = one.file("/expected.json");
    const Json expected = judgement.empty() ? Json::object() : fixtures::readJson(judgement);
    for (const std::string& file : one.files) {
      if (!file.ends_with(".safetensors")) continue;
      const std::string base = std::filesystem::path(file).filename().string();
      if (expected.contains(base)) {
        malformed(expected[base], file);
        ++judged;
        continue;
      }
      const auto good = SafetensorsFile::open(file);
      QVERIFY2(good.ok(), good.ok() ? "" : good.error().text().c_str());
      for (const TensorEntry& entry : good->entries()) QVERIFY(fixtures::readDoubles(*good, entry.name).ok());
      ++opened;
    }
  }
  qInfo("%d files opened, %d judged against expected.json", opened, judged);
  QVERIFY(opened + judged > 0);
}

QTEST_APPLESS_MAIN(SafetensorsFixtures)
#include "tst_fixtures_safetensors.moc"
