// SPDX-License-Identifier: Apache-2.0
// A metric that a run declares as the axis of others: kept with the run, whoever wrote it, and known to those
// who draw curves.
#include <QTemporaryDir>
#include <QTest>

#include "core/imports/run_appender.h"
#include "core/imports/wandb_records.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/record/runs/run_folder.h"

using namespace fathom;

namespace {

std::string wireField(int number, const std::string& bytes) {
  std::string text;
  for (auto key = static_cast<unsigned>(number) * 8 + 2; text.empty() || key > 0; key >>= 7)
    text += static_cast<char>((key & 0x7F) | (key >= 0x80 ? 0x80 : 0));
  return text + static_cast<char>(bytes.size()) + bytes;
}

// A record of define_metric: its name or, with a star, its pattern, and what is its axis.
std::string metricRecord(const std::string& name, const std::string& axis, const std::string& more = {}) {
  const int kind = name.find('*') == std::string::npos ? 1 : 2;
  return wireField(12, wireField(kind, name) + (axis.empty() ? "" : wireField(4, axis)) + more);
}

Metrics declaredIn(const std::string& run) {
  return RunFolder(run).identity().value().metrics;
}

}  // namespace

class StepMetricsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void keptWithTheRun();
  void theCatalogueKnowsThem();
  void declaredByRecords();
  void laterPiecesTakeNothingAway();
};

void StepMetricsTest::keptWithTheRun() {
  const Metrics metrics = {{.id = "val/acc", .direction = MetricDirection::Higher, .stepMetric = "epoch"}};
  const Json json = metricsToJson(metrics);
  QCOMPARE(json.dump(), std::string(R"([{"id":"val/acc","direction":"higher","step_metric":"epoch"}])"));
  QCOMPARE(metricsFromJson(json), metrics);
  // One that is its own axis has none.
  QVERIFY(
      metricsFromJson(Json::parse(R"([{"id":"epoch","step_metric":"epoch"}])")).front().stepMetric.empty());
  QVERIFY(metricsFromJson(Json::parse(R"([{"id":"x","step_metric":7}])")).front().stepMetric.empty());
}

// Of metrics that the program declares itself, too.
void StepMetricsTest::theCatalogueKnowsThem() {
  MetricCatalogue metrics;
  QVERIFY(metrics.stepMetrics().empty());
  metrics.add({{.id = "loss", .stepMetric = "samples"}, {.id = "val/acc", .stepMetric = "epoch"}});
  metrics.add({{.id = "loss", .stepMetric = "tokens_seen"}});
  QCOMPARE(metrics.stepMetrics(), (std::vector<std::string>{"epoch", "samples", "tokens_seen"}));
  QCOMPARE(metrics.of("val/acc").stepMetric, std::string("epoch"));
  QVERIFY(metrics.of("loss").stepMetric.empty());  // two runs say different ones
}

// A name wins over a pattern; a pattern that fits its own axis says nothing of it.
void StepMetricsTest::declaredByRecords() {
  WandbFacts facts;
  ImportedPoints points("a.wandb");
  for (const std::string& record :
       {metricRecord("eval/*", "eval/round"), metricRecord("eval/f1", "samples"),
        metricRecord("train/loss", "", std::string("\x40\x01", 2)), metricRecord("none", "")})
    QVERIFY(takeWandbRecord(record, facts, points).value());
  WandbFacts again;
  again.restore(facts.state());
  const Metrics declared =
      again.declaredOf({"eval/acc", "eval/f1", "eval/round", "train/loss", "none", "other"});
  QCOMPARE(declared.size(), std::size_t{3});
  QCOMPARE(findMetric(declared, "eval/acc")->stepMetric, std::string("eval/round"));
  QCOMPARE(findMetric(declared, "eval/f1")->stepMetric, std::string("samples"));
  QCOMPARE(findMetric(declared, "train/loss")->direction, MetricDirection::Lower);
  QVERIFY(findMetric(declared, "train/loss")->stepMetric.empty());
}

// Which values are the better ones is known by the name where only the axis is declared.
void StepMetricsTest::laterPiecesTakeNothingAway() {
  QTemporaryDir dir;
  const std::string path = dir.path().toStdString() + "/run";
  ImportedRun piece;
  piece.format = "wandb";
  piece.declared = {{.id = "eval/acc", .stepMetric = "eval/round"}};
  const auto run = RunAppender::create(path, {"a", "uuid-1", "a.wandb", true, false}, piece).value();
  ImportedPoints points("a.wandb");
  for (int step = 1; step < 4; ++step) {
    QVERIFY(points.add("eval/acc", {.step = double(step)}, 0.5).ok());
    QVERIFY(points.add("loss", {.step = double(step)}, 2).ok());
    points.giveTo(piece);
    QVERIFY(run->append(piece).ok());
    const Metrics declared = declaredIn(path);
    QCOMPARE(findMetric(declared, "eval/acc")->stepMetric, std::string("eval/round"));
    QCOMPARE(findMetric(declared, "eval/acc")->direction, MetricDirection::Higher);
    QCOMPARE(findMetric(declared, "loss")->direction, MetricDirection::Lower);
  }
}

QTEST_APPLESS_MAIN(StepMetricsTest)
#include "tst_step_metrics.moc"
