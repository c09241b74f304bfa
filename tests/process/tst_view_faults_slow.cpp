// SPDX-License-Identifier: Apache-2.0
// ctest: engine pictures alone
// Every view of the window as `fathom-pictures` lists them, in windows from small to large, at usual and
// double scale, with usual and large texts, light, dark and of high contrast, in English and Chinese: no text
// is cut, no two names beside each other are the same, nothing lies outside of its parent, nothing scrolls in
// what scrolls, every text can be read. With FATHOM_ALL_TESTS in the full product, `fathom-pictures --all
// --check`.
#include <QSet>
#include <QTest>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "app/pictures/screenshots.h"
#include "tests/all_tests.h"
#include "tests/process/support_pictured_runs.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

namespace {

struct Round {
  const char* size;
  const char* theme;
  int text;
  const char* language;
  int scale;
};
// Any two values of two of the columns stand in a row. Each view is seen in three of the rows, which have
// every value between them.
constexpr Round kRounds[3][3] = {{{"1024x700", "light", 130, "en", 1},
                                  {"1280x800", "dark", 100, "zh_CN", 2},
                                  {"2560x1440", "contrast", 130, "en", 2}},
                                 {{"1024x700", "dark", 100, "en", 2},
                                  {"1280x800", "contrast", 130, "zh_CN", 1},
                                  {"2560x1440", "light", 100, "zh_CN", 1}},
                                 {{"1024x700", "contrast", 100, "zh_CN", 2},
                                  {"1280x800", "light", 100, "en", 2},
                                  {"2560x1440", "dark", 130, "en", 1}}};

QStringList valuesOf(const Round& round) {
  return {QString::fromLatin1(round.size), QString::fromLatin1(round.theme), QString::number(round.text),
          QString::fromLatin1(round.language), QString::number(round.scale)};
}

}  // namespace

class ViewFaultsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void settingsAreRead();
  void roundsHoldEveryPair();
  void noViewHasAFault_data();
  void noViewHasAFault();
  void fullProduct();

 private:
  const ProjectFixture& project();
  std::unique_ptr<ProjectFixture> m_fixture;
};

void ViewFaultsTest::settingsAreRead() {
  const auto setting = ScreenshotSetting::read("1024x700/contrast/130");
  QVERIFY(setting.ok());
  QCOMPARE(setting->size, QSize(1024, 700));
  QCOMPARE(setting->text(), QStringLiteral("1024x700/contrast/130"));
  for (const char* wrong : {"", "1024x700", "1024x700/sepia/100", "x/light/100", "1024x700/light/1000"})
    QVERIFY2(!ScreenshotSetting::read(QString::fromLatin1(wrong)).ok(), wrong);
}

void ViewFaultsTest::roundsHoldEveryPair() {
  constexpr int kValues[] = {3, 3, 2, 2, 2};
  for (int first = 0; first < 5; ++first) {
    for (int second = first + 1; second < 5; ++second) {
      QSet<QString> pairs;
      for (const auto& share : kRounds)
        for (const Round& round : share)
          pairs.insert(valuesOf(round)[first] + u'|' + valuesOf(round)[second]);
      QCOMPARE(int(pairs.size()), kValues[first] * kValues[second]);
    }
    for (const auto& share : kRounds) {
      QSet<QString> values;
      for (const Round& round : share) values.insert(valuesOf(round)[first]);
      QCOMPARE(int(values.size()), kValues[first]);
    }
  }
}

// With a finished run, made once.
const ProjectFixture& ViewFaultsTest::project() {
  if (!m_fixture) {
    m_fixture = std::make_unique<ProjectFixture>();
    qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
    makePicturedRuns(*m_fixture);
  }
  return *m_fixture;
}

void ViewFaultsTest::noViewHasAFault_data() {
  QTest::addColumn<int>("share");
  for (int share = 0; share < 3; ++share) QTest::addRow("views of share %d", share + 1) << share;
}

void ViewFaultsTest::noViewHasAFault() {
  QFETCH(int, share);
  const ProjectFixture& fixture = project();
  if (QTest::currentTestFailed()) return;
  struct Told {
    QString round;
    ShellResult result;
  };
  std::vector<Told> all(3);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < 3; i = next++) {
      const Round& round = kRounds[share][i];
      const QString folder = fixture.file("pictures") + QString::number(3 * share + i);
      const QString setting = QStringLiteral("%1/%2/%3")
                                  .arg(QLatin1String(round.size), QLatin1String(round.theme))
                                  .arg(round.text);
      all[std::size_t(i)] = {
          setting + u' ' + QLatin1String(round.language),
          fixture.beside("fathom-pictures",
                         {"--check", "--json", "--project", QString::fromStdString(fixture.path()), "--out",
                          folder, "--settings", setting, "--language", QLatin1String(round.language),
                          "--share", QString::number(share + 1), "--shares", "3"},
                         {QStringLiteral("QT_SCALE_FACTOR=%1").arg(round.scale),
                          QStringLiteral("XDG_STATE_HOME=") + folder + QStringLiteral("/state")},
                         500)};
    }
  };
  std::thread second(work), third(work);  // windows wait as much as they work
  work();
  second.join();
  third.join();
  QStringList faults;
  for (const Told& told : all) {
    QVERIFY2(told.result.exitCode == 0, qPrintable(told.round + told.result.out + told.result.err));
    for (const Json& fault : told.result.json()["faults"])
      faults.append(told.round + QStringLiteral(": ") + QString::fromStdString(fault.dump()));
  }
  if (!faults.isEmpty()) qWarning("%s", qPrintable(faults.join(u'\n')));
  QCOMPARE(int(faults.size()), 0);
}

// Every size, theme, size of texts, language and scale with every other.
void ViewFaultsTest::fullProduct() {
  if (!test::allTests()) QSKIP("half an hour: set FATHOM_ALL_TESTS");
  const ProjectFixture& fixture = project();
  if (QTest::currentTestFailed()) return;
  const ShellResult result =
      fixture.beside("fathom-pictures",
                     {"--all", "--check", "--json", "--project", QString::fromStdString(fixture.path()),
                      "--out", fixture.file("all")},
                     {}, 3400);
  QVERIFY2(result.exitCode == 0, qPrintable(result.out.right(1500) + result.err));
  QStringList faults;
  for (const Json& fault : result.json()["faults"]) faults.append(QString::fromStdString(fault.dump()));
  if (!faults.isEmpty()) qWarning("%s", qPrintable(faults.join(u'\n')));
  QCOMPARE(int(faults.size()), 0);
}

QTEST_GUILESS_MAIN(ViewFaultsTest)
#include "tst_view_faults_slow.moc"
