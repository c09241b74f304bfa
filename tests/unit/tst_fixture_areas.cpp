// SPDX-License-Identifier: Apache-2.0
// Which areas of the fixtures nobody takes: printed by name and counted, so that a new area is not
// overlooked.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <map>
#include <set>

#include "support_fixtures.h"

using namespace fathom;

namespace {

// The areas that the sources of the tests ask for: cases("…"), casesOf("…"), goldenCases("…").
std::set<std::string> takenAreas() {
  static const QRegularExpression asked(
      QStringLiteral("\\b(?:cases|casesOf|goldenCases)\\(\\s*\"([a-z0-9_]+)\""));
  std::set<std::string> taken;
  QDirIterator files(QStringLiteral(FATHOM_SOURCE_DIR "/tests"), {QStringLiteral("tst_*.cpp")}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    if (!file.open(QIODevice::ReadOnly)) continue;
    auto match = asked.globalMatch(QString::fromUtf8(file.readAll()));
    while (match.hasNext()) taken.insert(match.next().captured(1).toStdString());
  }
  return taken;
}

}  // namespace

class FixtureAreasTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (fixtures::folder().empty()) QSKIP("SKIPPED-ALL no fixtures");
  }

  void areasThatNobodyTakes() {
    const std::set<std::string> taken = takenAreas();
    QVERIFY(taken.contains("layers") && taken.contains("spider"));
    std::map<std::string, int> left;
    int cases = 0, areas = 0;
    for (const auto& [area, count] : fixtures::areas()) {
      cases += count;
      ++areas;
      if (!taken.contains(area)) left[area] = count;
    }
    QVERIFY(areas > 0);
    int leftCases = 0;
    for (const auto& [area, count] : left) {
      qInfo("nobody takes area %s: %d cases", area.c_str(), count);
      leftCases += count;
    }
    qInfo("%d of %d areas, %d of %d cases are taken by nobody", int(left.size()), areas, leftCases, cases);
  }

  // The copy in the repository has every area that a test takes, so that a clone alone runs each of them.
  void theSmallCopyHasEveryTakenArea() {
    const qint64 size = QFile(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures/index.json")).size();
    QVERIFY(size > 0);
    const Json index = fixtures::readJson(FATHOM_SOURCE_DIR "/tests/fixtures/index.json");
    std::set<std::string> there;
    for (const Json& entry : index.at("cases")) {
      there.insert(entry.at("area").get<std::string>());
      for (const Json& file : entry.at("files"))
        QVERIFY2(QFile::exists(
                     QString::fromStdString(FATHOM_SOURCE_DIR "/tests/fixtures/" + file.get<std::string>())),
                 file.get<std::string>().c_str());
    }
    for (const std::string& area : takenAreas()) QVERIFY2(there.contains(area), area.c_str());
  }
};

QTEST_APPLESS_MAIN(FixtureAreasTest)
#include "tst_fixture_areas.moc"
