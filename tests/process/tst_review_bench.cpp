// SPDX-License-Identifier: Apache-2.0
// The bench of the Errors workspace from the shell: what it measured, and what it refuses.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <vector>

#include "core/base/json/json.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class ReviewBenchTest : public QObject {
  Q_OBJECT
 private:
  ProjectFixture m_fixture;
  QTemporaryDir m_folder;
  QString m_sample;

  ShellResult bench(const QStringList& predictions) {
    return m_fixture.fathom(QStringList{"bench", "review", "--gold", m_sample + "/dev_gold.sql", "--tables",
                                        m_sample + "/tables.json", "--questions", m_sample + "/dev.json",
                                        "--rounds", "1", "--json"} +
                            predictions);
  }

 private Q_SLOTS:
  void initTestCase() {
    m_sample = m_folder.filePath("sample");
    QCOMPARE(m_fixture.fathom({"spider-sample", "--folder", m_sample}).exitCode, 0);
  }

  void measuresOpeningJudgingAndFiltering() {
    const ShellResult result = bench({"--predictions", m_sample + "/predictions/hasty.sql",
                                      "careful=" + m_sample + "/predictions/careful.sql"});
    QVERIFY2(result.exitCode == 0, qPrintable(result.err));
    const Json json = result.json();
    QCOMPARE(json["models"].get<int>(), 8);
    QVERIFY(json["rows"].get<int>() >= 10000);
    const Json& times = json["milliseconds"];
    QCOMPARE(times["open"].size(), std::size_t{1});
    QVERIFY(!times["judge"].empty());
    const auto keys = times["keystroke"].get<std::vector<double>>();
    QVERIFY(keys.size() > 50 && keys.front() > 0 && std::is_sorted(keys.begin(), keys.end()));
    // Any key may be the slowest, also the one that empties the filter.
    const auto slowest = json["slowest_filter"].get<std::string>();
    const std::vector<std::string> typed = {"select count", "category:column join", "group by",
                                            "/order by.*desc/"};
    QVERIFY2(
        std::any_of(typed.begin(), typed.end(),
                    [&](const std::string& text) { return text.compare(0, slowest.size(), slowest) == 0; }),
        slowest.c_str());
  }

  // Predictions of every kind can be made up, so that the bench needs no files.
  void everyKindIsMeasured() {
    for (const char* kind : {"class", "number", "span", "choice", "translation", "phrases", "sql"}) {
      const ShellResult result = m_fixture.fathom(
          {"bench", "review", "--kind", kind, "--rows", "60", "--models", "3", "--rounds", "1", "--json"});
      QVERIFY2(result.exitCode == 0, qPrintable(result.err + result.out));
      const Json json = result.json();
      QCOMPARE(json["models"].get<int>(), 3);
      QVERIFY(json["rows"].get<int>() >= 60);
      QVERIFY(json["milliseconds"]["keystroke"].size() > 30);
      QCOMPARE(json["milliseconds"]["open"].size(), std::size_t{1});
      QVERIFY(json["milliseconds"].contains("pairs") || std::string(kind) == "sql");
    }
    const ShellResult unknown = m_fixture.fathom({"bench", "review", "--kind", "nothing"});
    QCOMPARE(unknown.exitCode, 2);
    QVERIFY2((unknown.out + unknown.err).contains("translation"), qPrintable(unknown.out + unknown.err));
  }

  void refusesWhatIsMissing() {
    const ShellResult none = bench({});
    QCOMPARE(none.exitCode, 2);
    QVERIFY2(none.out.contains("predictions"), qPrintable(none.out));
    const ShellResult gone = bench({"--predictions", m_sample + "/predictions/nobody.sql"});
    QVERIFY(gone.exitCode != 0);
    QVERIFY2(gone.out.contains("nobody.sql"), qPrintable(gone.out));
  }
};

QTEST_GUILESS_MAIN(ReviewBenchTest)
#include "tst_review_bench.moc"
