// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/analysis/training/dry_run_report.h"

using namespace fathom;

namespace {

Json reportOf(double needed, double seconds, double disk) {
  return {
      {"parameters", {{"total", 1'234'567}}},
      {"memory",
       {{"needed", needed},
        {"program", 1e8},
        {"weights", 4e6},
        {"gradients", 4e6},
        {"optimiser", 8e6},
        {"activations", 5e7},
        {"free", 2e9},
        {"fits", needed <= 2e9}}},
      {"time", {{"update", 0.0421}, {"total", seconds}, {"updates", 800}, {"timed_updates", 31}}},
      {"disk", {{"needed", disk}, {"checkpoint", 1e7}, {"checkpoints", 4}, {"free", 1e9}, {"fits", true}}}};
}

Json refused(double needed) {
  Json report = reportOf(needed, 10, 1e6);
  report["refusal"] = "the run needs 3.0 GB of memory, and 2.0 GB are free (18 layers fit)";
  report["refusal_key"] = "encoder.layers";
  report["remedies"] = Json::array({{{"options", {{"encoder.layers", 18}}}, {"words", "18 layers fit"}}});
  return report;
}

}  // namespace

class TestDryRunReport : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersAreSaidShort() {
    const DryRunWords words = dryRunWords(reportOf(4.12e8, 61, 4e7));
    QCOMPARE(words.parameters.english(), std::string("1.2 M"));
    QCOMPARE(words.memory.english(), std::string("412 MB of 2.0 GB free"));
    QCOMPARE(words.time.english(), std::string("about 61 s, 0.042 s an update"));
    QCOMPARE(words.disk.english(), std::string("40 MB of 1.0 GB free"));
    QVERIFY(words.memoryParts.english().find("optimiser 8 MB") != std::string::npos);
    QVERIFY(words.timeParts.english().find("31 updates were timed") != std::string::npos);
    QVERIFY(dryRunRefusal(reportOf(4e8, 1, 1)).message.empty());
  }

  void timesAreSaidAsOneSaysThem() {
    for (const auto& [seconds, said] :
         {std::pair{41.0, "about 41 s"}, std::pair{952.0, "about 16 min"}, std::pair{9000.0, "about 2.5 h"},
          std::pair{765206.0, "about 8.9 days"}})
      QVERIFY(dryRunWords(reportOf(4e8, seconds, 4e7)).time.english().rfind(said, 0) == 0);
  }

  void whatWasNotMeasuredIsTheLeast() {
    Json report = reportOf(3e9, 1, 1);
    report["memory"]["activations"] = nullptr;
    QCOMPARE(dryRunWords(report).memory.english(), std::string("more than 3.0 GB of 2.0 GB free"));
  }

  void whatIsNotThereIsNotSaid() {
    for (const char* text : {"{}", "[]", "null", R"({"memory":{},"time":{"total":null},"disk":7})"}) {
      const DryRunWords words = dryRunWords(parseJson(text).value());
      QVERIFY(words.memory.empty() && words.time.empty() && words.disk.empty());
      QVERIFY(dryRunRefusal(parseJson(text).value()).message.empty());
    }
  }

  void aRefusalIsAboutMemoryAndItsOption() {
    const Error error = dryRunRefusal(refused(3e9));
    QCOMPARE(error.key, std::string("encoder.layers"));
    QCOMPARE(error.resource, ResourceKind::HostMemory);
    QVERIFY(dryRunText(refused(3e9)).find("18 layers fit") != std::string::npos);
  }

  // Members run one after the other: the largest memory, the sum of time and disk.
  void aGridIsLargestAndSum() {
    const Json grid = dryRunOfGrid({reportOf(3e8, 60, 4e7), reportOf(9e8, 100, 4e7), reportOf(3e8, 60, 4e7)},
                                   {"a", "b", "c"});
    QCOMPARE(grid.at("runs").get<int>(), 3);
    QCOMPARE(grid.at("memory").at("largest").get<std::string>(), std::string("b"));
    QCOMPARE(grid.at("memory").at("needed").get<double>(), 9e8);
    QCOMPARE(grid.at("time").at("total").get<double>(), 220.0);
    QCOMPARE(grid.at("disk").at("needed").get<double>(), 1.2e8);
    QVERIFY(grid.at("fits").get<bool>());
    QCOMPARE(dryRunWords(grid).parameters.english(), std::string("up to 1.2 M"));
  }

  void theMemberThatDoesNotFitIsNamed() {
    const Json grid = dryRunOfGrid({reportOf(3e8, 60, 4e7), refused(3e9)}, {"a", "deep"});
    QVERIFY(!grid.at("fits").get<bool>());
    const Error error = dryRunRefusal(grid);
    QVERIFY(error.message.starts_with("deep: the run needs 3.0 GB"));
    QCOMPARE(error.key, std::string("encoder.layers"));
    QCOMPARE(grid.at("remedies").size(), std::size_t{1});
  }

  void theSumOfTheDisksCounts() {
    const Json grid = dryRunOfGrid({reportOf(1e8, 1, 6e8), reportOf(1e8, 1, 6e8)}, {"a", "b"});
    QVERIFY(!grid.at("fits").get<bool>());
    QCOMPARE(dryRunRefusal(grid).resource, ResourceKind::Disk);
  }

  void whatWasNotLookedAtHasNoTime() {
    const Json grid = dryRunOfGrid({reportOf(1e8, 1, 1), Json()}, {"a", "b"});
    QVERIFY(grid.at("time").at("total").is_null());
  }
};

QTEST_GUILESS_MAIN(TestDryRunReport)
#include "tst_dry_run_report.moc"
