// SPDX-License-Identifier: Apache-2.0
// One declaration a metric: what the tasks and the loop say, what is kept with a run, and who answers when.
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/base/options/metric_kinds.h"
#include "core/imports/imported_run.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/event_log.h"
#include "core/record/import/foreign_metrics.h"
#include "core/tasks/run_metrics.h"
#include "core/tasks/task.h"

namespace fathom {

class MetricCatalogueTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void declarations();
  void json();
  void strangeJson();
  void whoAnswers();
  void unitsOfSeveralTasks();
  void namesOfValidations();
  void headlines();
  void keptWithARun();
  void runsWithout();
  void foreignNames();
  void importedRun();

 private:
  std::string path(const char* name) const { return m_dir.path().toStdString() + "/" + name; }
  RunFolder addRun(const char* name, const Metrics& kept) const;
  QTemporaryDir m_dir;
};

// Two validations: {"valid.nll": 2, 1}, {"valid.bleu": 10, 20}, {"valid.odd": 5, 7}.
RunFolder MetricCatalogueTest::addRun(const char* name, const Metrics& kept) const {
  RunIdentity identity;
  identity.uuid = std::string("uuid-") + name;
  identity.metrics = kept;
  const auto run = RunFolder::create(path(name), identity).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (const int i : {1, 2})
    (void)log->append(
        "validation",
        {{"step", i}, {"m", {{"valid.nll", 3.0 - i}, {"valid.bleu", 10.0 * i}, {"valid.odd", 3.0 + 2 * i}}}});
  return run;
}

void MetricCatalogueTest::declarations() {
  std::set<std::string> ids, titles;
  QVERIFY(programMetrics().size() > 15);
  for (const Metric& metric : programMetrics()) {
    QVERIFY2(ids.insert(metric.id).second, metric.id.c_str());
    QVERIFY2(!metric.title.empty(), metric.id.c_str());
    // No two of one name: neither on an axis nor in a table.
    QVERIFY2(titles.insert(titleWithUnit(metric).english()).second, metric.id.c_str());
    const Metric whole = MetricCatalogue().of(metric.id);
    QVERIFY(!whole.shortTitle.empty());
    QVERIFY2(titles.insert("short: " + whole.shortTitle).second, metric.id.c_str());
  }
  for (const char* id : {"loss", "nll", "ppl", "lr", "grad_norm", "tokens_per_s", "valid.nll", "valid.bleu"})
    QVERIFY2(ids.contains(id), id);
  // What a task declares is there, and a run keeps that of its own task.
  for (const TaskEntry& task : taskEntries()) {
    const Metrics own = metricsOfTask(task.id);
    QVERIFY(!task.metrics.empty() && findMetric(own, "loss") != nullptr && findMetric(own, "lr") != nullptr);
    for (const Metric& metric : task.metrics) {
      QVERIFY2(findMetric(own, metric.id) != nullptr && ids.contains(metric.id), metric.id.c_str());
      QVERIFY2(metric.direction != MetricDirection::None, metric.id.c_str());
    }
    // Only what a task says in its own words is not known from the program as a whole.
    for (const Metric& metric : unknownMetrics(own))
      QVERIFY2(findMetric(task.metrics, metric.id) != nullptr, metric.id.c_str());
    // A run has one metric of each rank; first scores may exclude each other (one of GLUE's tasks has each).
    std::set<int> ranks;
    for (const Metric& metric : own)
      QVERIFY2(metric.headline <= 1 || ranks.insert(metric.headline).second, metric.id.c_str());
  }
  QVERIFY(findMetric(metricsOfTask("mlm"), "valid.bleu") == nullptr);
}

void MetricCatalogueTest::json() {
  QCOMPARE(metricsFromJson(metricsToJson(programMetrics())), programMetrics());
  const Metric whole{"valid.x", "validation x", "x", "bits", MetricDirection::Lower, 2, 0};
  QCOMPARE(metricsToJson({whole}).dump(),
           std::string(R"([{"id":"valid.x","title":"validation x","short_title":"x","unit":"bits",)"
                       R"("direction":"lower","headline":2,"decimals":0}])"));
  QCOMPARE(metricsToJson({{.id = "y"}}).dump(), std::string(R"([{"id":"y"}])"));
}

void MetricCatalogueTest::strangeJson() {
  for (const char* text : {"null", "{}", "3", "[3, null, [], {}]", R"([{"id":7}, {"title":"t"}])"})
    QVERIFY2(metricsFromJson(parseJson(text).value()).empty(), text);
  const Metrics read = metricsFromJson(
      parseJson(R"([{"id":"a","direction":"sideways","headline":-4,"decimals":1e9,"title":[],"more":{}}])")
          .value());
  QCOMPARE(read, Metrics{{.id = "a"}});
}

void MetricCatalogueTest::whoAnswers() {
  MetricCatalogue catalogue;
  QCOMPARE(catalogue.of("valid.bleu").title, std::string("validation BLEU"));
  QCOMPARE(catalogue.of("valid.bleu").shortTitle, std::string("BLEU"));
  QCOMPARE(titleWithUnit(catalogue.of("loss")).english(), std::string("training loss (nats per token)"));
  // Nobody knows it: the id, and its values are not compared.
  const Metric unknown = catalogue.of("valid.accuracy_of_another_time");
  QCOMPARE(unknown.title, unknown.id);
  QCOMPARE(unknown.shortTitle, unknown.id);
  QVERIFY(unknown.direction == MetricDirection::None && unknown.headline == 0 && unknown.decimals == -1);
  QVERIFY(!isBetter(unknown.direction, 1, 2) && !isBetter(unknown.direction, 2, 1));
  // What was kept comes first, the first that was kept before the others.
  catalogue.add({{.id = "valid.bleu", .title = "BLEU of old", .direction = MetricDirection::Lower}});
  catalogue.add({{.id = "valid.bleu", .title = "another"}, {.id = "new", .title = "a new one"}});
  QCOMPARE(catalogue.of("valid.bleu").title, std::string("BLEU of old"));
  QCOMPARE(catalogue.of("valid.bleu").shortTitle, std::string("BLEU of old"));
  QVERIFY(catalogue.direction("valid.bleu") == MetricDirection::Lower);
  QCOMPARE(catalogue.of("new").title, std::string("a new one"));
  // A declaration without a title adds to what is not known and takes nothing from what is.
  const MetricCatalogue partly({{.id = "valid.nll", .direction = MetricDirection::Higher},
                                {.id = "seen", .direction = MetricDirection::Higher}});
  // But nobody knows in what it is measured.
  Metric unmeasured = MetricCatalogue().of("valid.nll");
  QCOMPARE(unmeasured.unit, std::string("nats per token"));
  unmeasured.unit.clear();
  QCOMPARE(partly.of("valid.nll"), unmeasured);
  QCOMPARE(partly.of("seen").title, std::string("seen"));
  QVERIFY(partly.direction("seen") == MetricDirection::Higher);
}

// A unit belongs to a metric of a task: what is not common to the runs is not said.
void MetricCatalogueTest::unitsOfSeveralTasks() {
  const Metrics sql = unknownMetrics(metricsOfTask("text_to_sql")),
                nmt = unknownMetrics(metricsOfTask("nmt"));
  QCOMPARE(MetricCatalogue(sql).of("loss").unit, std::string("nats per example"));
  QCOMPARE(MetricCatalogue(sql).of("tokens_per_s").shortTitle, std::string("examples/s"));
  QVERIFY(findMetric(nmt, "loss") == nullptr);  // as the program says
  MetricCatalogue both(sql);
  both.add(nmt);
  for (const std::string& id : both.kept()) both.addOfProgram(id);
  QCOMPARE(titleWithUnit(both.of("loss")).english(), std::string("training loss"));
  QVERIFY(both.direction("loss") == MetricDirection::Lower);
  QCOMPARE(both.of("tokens_per_s").title, std::string("per second"));
  QCOMPARE(both.of("tokens_per_s").shortTitle, std::string("per second"));
  // Whatever titles differ between two tasks have an end in common that is a title by itself.
  for (const TaskEntry& one : taskEntries())
    for (const TaskEntry& other : taskEntries())
      for (const Metric& metric : unknownMetrics(metricsOfTask(one.id))) {
        const Metrics others = unknownMetrics(metricsOfTask(other.id));
        const Metric* same = findMetric(others, metric.id);
        if (same == nullptr) continue;
        const std::string title = commonMetric(metric, *same).title;
        QVERIFY2(metric.title.ends_with(title) && same->title.ends_with(title), title.c_str());
      }
  QCOMPARE(both.of("nll_rule").unit, std::string("nats per rule"));  // of one of them
  // An import among runs of ours.
  MetricCatalogue imported(unknownMetrics(foreignMetrics({"loss", "valid.nll"})));
  QVERIFY(imported.of("loss").unit.empty() && imported.of("valid.nll").unit.empty());
  QCOMPARE(imported.of("loss").title, std::string("training loss"));
  imported.addOfProgram("loss");
  QVERIFY(imported.of("loss").unit.empty());
}

void MetricCatalogueTest::namesOfValidations() {
  for (const char* id : {"valid.bleu", "valid/accuracy", "val_loss", "eval_loss", "eval/f1", "loss/val",
                         "loss_valid", "test.bleu", "Dev/ROUGE-L", "validation_accuracy", "epoch/val_acc"})
    QVERIFY2(isValidationMetric(id), id);
  for (const char* id : {"loss", "train/loss", "lr", "value_loss", "invalid", "device/temperature", "latest",
                         "", "evaluated.examples"})
    QVERIFY2(!isValidationMetric(id), id);
}

void MetricCatalogueTest::headlines() {
  using Ids = std::vector<std::string>;
  const MetricCatalogue catalogue;
  QCOMPARE(catalogue.headlines({"lr", "valid.ppl", "loss", "valid.nll", "valid.bleu"}),
           (Ids{"valid.bleu", "valid.nll", "loss", "lr"}));
  QCOMPARE(catalogue.headlines({"valid.ppl", "what"}), Ids());
  QCOMPARE(catalogue.leading({"lr", "valid.ppl", "valid.nll"}), std::string("valid.nll"));
  QCOMPARE(catalogue.leading({"what", "valid.ppl"}), std::string("what"));
  QCOMPARE(catalogue.leading({}), std::string());
  const MetricCatalogue other({{.id = "valid.score", .title = "score", .headline = 1}});
  QCOMPARE(other.headlines({"loss", "valid.score"}), (Ids{"valid.score", "loss"}));
  // In the order in which curves are first shown.
  Ids shown;
  for (const Metric& metric : programMetrics())
    if (metric.headline > 0) shown.push_back(metric.id);
  QCOMPARE(shown,
           (Ids{"loss", "valid.nll", "valid.bleu", "valid.exact_match", "valid.accuracy", "valid.matthews",
                "valid.pearson", "valid.exact", "valid.joint_f1", "valid.average_f1", "valid.long_f1",
                "valid.f1_at_3", "valid.f1_at_1", "valid.f1_at_5", "lr", "grad_norm", "tokens_per_s"}));
}

// A run of another version: its own declarations decide, and travel through the row and its JSON.
void MetricCatalogueTest::keptWithARun() {
  Metrics kept = metricsOfTask("nmt");
  kept.push_back({.id = "valid.odd", .title = "oddness", .direction = MetricDirection::Lower, .headline = 9});
  for (Metric& metric : kept)
    if (metric.id == "valid.bleu") metric.direction = MetricDirection::Lower;
  const RunFolder run = addRun("kept", kept);
  QCOMPARE(run.identity()->metrics, kept);
  const RunRow row = readRunRow(run.path()).value();
  QCOMPARE(row.best.at("valid.odd"), 5.0);
  QCOMPARE(row.bestStep.at("valid.odd"), std::int64_t{1});
  QCOMPARE(row.best.at("valid.bleu"), 10.0);
  QCOMPARE(row.best.at("valid.nll"), 1.0);
  // Of its own declarations the row keeps what this program says otherwise.
  QCOMPARE(row.identity.metrics.size(), std::size_t{2});
  const RunRow again = runRowFromJson(runRowToJson(row));
  QCOMPARE(again.identity.metrics, row.identity.metrics);
  QCOMPARE(MetricCatalogue(again.identity.metrics).of("valid.odd").title, std::string("oddness"));
}

// An older record: the program's declarations by id; the latest value where nobody knows which is better.
void MetricCatalogueTest::runsWithout() {
  const RunFolder run = addRun("without", {});
  const RunRow row = readRunRow(run.path()).value();
  QCOMPARE(row.best.at("valid.nll"), 1.0);
  QCOMPARE(row.best.at("valid.bleu"), 20.0);
  QCOMPARE(row.bestStep.at("valid.bleu"), std::int64_t{2});
  QCOMPARE(row.best.at("valid.odd"), 7.0);
  QCOMPARE(row.bestStep.at("valid.odd"), std::int64_t{2});
  QVERIFY(row.identity.metrics.empty() && !runRowToJson(row).contains("metrics"));
}

void MetricCatalogueTest::foreignNames() {
  const auto direction = [](const char* name) {
    const Metrics found = foreignMetrics({name});
    return found.empty() ? MetricDirection::None : found.front().direction;
  };
  for (const char* name : {"valid.bleu", "bleu", "valid.accuracy", "exact_match", "test.f1", "valid.em",
                           "val/acc", "eval-f1-macro", "Dev/ROUGE-L", "loss/exact_match", "best_score"})
    QVERIFY2(direction(name) == MetricDirection::Higher, name);
  for (const char* name : {"valid.nll", "valid.ppl", "train/loss", "eval_loss", "wer", "error_rate"})
    QVERIFY2(direction(name) == MetricDirection::Lower, name);
  for (const char* name : {"valid.memory", "item", "lr", "gnorm", "", "temperature"})
    QVERIFY2(direction(name) == MetricDirection::None, name);
}

void MetricCatalogueTest::importedRun() {
  ImportedRun run;
  run.format = "csv";
  for (const char* name : {"valid.my_accuracy", "valid.my_loss", "valid.bleu", "valid/accuracy"}) {
    const auto metric = static_cast<std::uint32_t>(run.metrics.size());
    run.metrics.emplace_back(name);
    double step = 0;
    for (const double value : {6, 9, 2})
      run.points.push_back({.step = ++step, .value = value, .metric = metric});
  }
  QVERIFY(writeImportedRun(path("imported"), run, "imported", "uuid-i", "x.csv").ok());
  const RunRow row = readRunRow(path("imported")).value();
  QCOMPARE(row.best.at("valid.my_accuracy"), 9.0);
  QCOMPARE(row.best.at("valid.my_loss"), 2.0);
  QCOMPARE(row.best.at("valid.bleu"), 9.0);
  QCOMPARE(row.best.at("valid/accuracy"), 9.0);
  const MetricCatalogue catalogue(row.identity.metrics);
  QCOMPARE(catalogue.of("valid.bleu"), MetricCatalogue().of("valid.bleu"));
  QVERIFY(MetricCatalogue(foreignMetrics({"loss"})).of("loss").unit.empty());
  QCOMPARE(catalogue.of("valid.my_accuracy").title, std::string("valid.my_accuracy"));
}

}  // namespace fathom

using fathom::MetricCatalogueTest;
QTEST_GUILESS_MAIN(MetricCatalogueTest)
#include "tst_metric_catalogue.moc"
