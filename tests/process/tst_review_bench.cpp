// SPDX-License-Identifier: Apache-2.0
// ctest: bench engine sqlrun
// fathom-bench from the shell, both halves: what it measured, and what it refuses.
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

  ShellResult measured(const QStringList& words) const {
    return m_fixture.beside(QStringLiteral("fathom-bench"), words, {}, 120);
  }
  ShellResult bench(const QStringList& predictions) {
    return measured(QStringList{"review", "--gold", m_sample + "/dev_gold.sql", "--tables",
                                m_sample + "/tables.json", "--questions", m_sample + "/dev.json", "--rounds",
                                "1", "--json"} +
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
      const ShellResult result =
          measured({"review", "--kind", kind, "--rows", "60", "--models", "3", "--rounds", "1", "--json"});
      QVERIFY2(result.exitCode == 0, qPrintable(result.err + result.out));
      const Json json = result.json();
      QCOMPARE(json["models"].get<int>(), 3);
      QVERIFY(json["rows"].get<int>() >= 60);
      QVERIFY(json["milliseconds"]["keystroke"].size() > 30);
      QCOMPARE(json["milliseconds"]["open"].size(), std::size_t{1});
      QVERIFY(json["milliseconds"].contains("pairs") || std::string(kind) == "sql");
    }
    const ShellResult unknown = measured({"review", "--kind", "nothing"});
    QCOMPARE(unknown.exitCode, 2);
    QVERIFY2((unknown.out + unknown.err).contains("translation"), qPrintable(unknown.out + unknown.err));
  }

  // Both halves are in one help, and a bench of the engine is started by the same name.
  void bothHalves() {
    const ShellResult help = measured({"--help"});
    QCOMPARE(help.exitCode, 0);
    QVERIFY2(help.out.contains("spider-match") && help.out.contains("nmt-step"), qPrintable(help.out));
    const ShellResult step = measured({"optimizer-step", "--pairs", "1", "--tensors", "2", "--elements",
                                       "65536", "--threads", "1", "--python", "/nowhere/python3"});
    QVERIFY2(step.exitCode == 0 && step.json()["bench"] == "optimizer-step", qPrintable(step.out + step.err));
    const ShellResult unknown = measured({"spider-mach"});
    QCOMPARE(unknown.exitCode, 2);
    QVERIFY2(unknown.err.contains("spider-mach"), qPrintable(unknown.err));
  }

  void windowAndFiguresAreMeasured() {
    const Json start = measured({"start", "--json"}).json();
    QVERIFY(start["milliseconds"]["best"].get<double>() > 0);
    const Json drawn = measured({"figures", "--rounds", "1", "--json"}).json()["milliseconds"];
    QCOMPARE(drawn.size(), std::size_t{3});
    for (const Json& figure : drawn)
      QVERIFY(figure["redraw"].get<double>() > 0 && figure["pdf"].get<double>() > 0);
  }

  void officialEvaluationIsMeasured() {
    const ShellResult timed =
        measured({"spider-match", "--rounds", "1", "--json", "--gold", m_sample + "/dev_gold.sql", "--tables",
                  m_sample + "/tables.json", "--databases", m_sample + "/database", "--predictions",
                  m_sample + "/dev_gold.sql"});
    QVERIFY2(timed.exitCode == 0, qPrintable(timed.out + timed.err));
    QCOMPARE(timed.json()["right"].get<int>(), timed.json()["examples"].get<int>());
    QCOMPARE(measured({"spider-match", "--json"}).exitCode, 2);
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
