// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/training_curve.h"
#include "core/record/runs/run_verdict.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/statistics/curve_pyramid.h"
#include "core/analysis/statistics/curve_smoothing.h"
#include "core/analysis/statistics/seed_summary.h"
#include "core/base/numbers/random_stream.h"

using namespace fathom;

namespace {

RunCurve makeRun(const std::string& name, const std::string& group, std::vector<double> values) {
  RunCurve run;
  run.run = run.name = name;
  run.group = group;
  run.outcome = RunState::Finished;
  for (std::size_t i = 0; i < values.size(); ++i) {
    run.steps.push_back(10.0 * static_cast<double>(i + 1));
    run.seconds.push_back(static_cast<double>(i));
    run.epochs.push_back(0.5 * static_cast<double>(i));
  }
  run.values = std::move(values);
  return run;
}

class ListSource : public AnalysisSource {
 public:
  std::vector<RunCurve> curves;
  std::vector<std::string> runs() const override {
    std::vector<std::string> ids;
    for (const RunCurve& curve : curves) ids.push_back(curve.run);
    return ids;
  }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    for (const RunCurve& curve : curves)
      if (curve.run == run && (metric == "loss" || (metric == "score" && run == "a"))) return curve;
    return dataError("run " + run + " has no metric " + metric);
  }
  Result<RunFacts> facts(const std::string& run) override {
    RunFacts facts;
    facts.run = facts.name = run;
    facts.options = {{"model.layers", run == "a" ? 6 : 12}, {"task", "nmt"}};
    return facts;
  }
};

}  // namespace

class TrainingCurveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void singleRunsKeepEveryPoint();
  void everyFailureCounts();
  void seedsBecomeOneLine();
  void seedsHaveACommonName();
  void bandsNeedTwoRuns();
  void smoothingKeepsRaw();
  void pyramidEqualsPlainScan();
  void smootherEqualsBatch();
  void entryReadsOptions();
  void aPersonsGroups();
  void tokensAreAnAxis();
  void datesAreAnAxis();
  void anotherMetricIsAnAxis();
  void seedsAlongAMetric();
  void manyPointsOfARunAreOneMember();
};

void TrainingCurveTest::singleRunsKeepEveryPoint() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<RunCurve> runs = {makeRun("a", "", {3, nan, 1}), makeRun("b", "", {nan, nan})};
  const TrainingCurveResult result = computeTrainingCurve(runs, {});
  QCOMPARE(result.curves.size(), std::size_t{2});
  QCOMPARE(result.curves[0].x, (std::vector<double>{10, 20, 30}));
  QVERIFY(std::isnan(result.curves[0].value[1]));
  QCOMPARE(result.curves[0].failed, 0);
  QCOMPARE(result.curves[1].failed, 1);
  std::vector<std::string> notes;
  for (const Phrase& note : result.notes) notes.push_back(note.english());
  QCOMPARE(notes, (std::vector<std::string>{"b: failed 1/1", "a: 1 values are not finite",
                                            "b: 2 values are not finite"}));
}

// A killed or lost run is a failure here as in alarms and grids; one that a person aborted is none.
void TrainingCurveTest::everyFailureCounts() {
  for (const RunState state : {RunState::Diverged, RunState::Failed, RunState::Crashed, RunState::Killed,
                               RunState::Lost, RunState::Finished, RunState::Stopped, RunState::Running}) {
    RunCurve run = makeRun("a", "", {3, 2, 1});
    run.outcome = state;
    const TrainingCurveResult result = computeTrainingCurve(std::vector<RunCurve>{run}, {});
    QCOMPARE(result.curves[0].failed, isFailure(state) ? 1 : 0);
    QCOMPARE(countedState(state, kAbortedCause), isOpen(state) ? state : RunState::Stopped);
    QCOMPARE(endedBadly(state, "nan_loss"), isFailure(state));
    QVERIFY(!endedBadly(state, kAbortedCause));
  }
  QVERIFY(isFailure(RunState::Killed) && isFailure(RunState::Lost) && !isFailure(RunState::Stopped));
  QVERIFY(isDone(RunState::Diverged) && !isDone(RunState::Killed) && !isDone(RunState::Running));
}

void TrainingCurveTest::seedsBecomeOneLine() {
  const std::vector<RunCurve> runs = {makeRun("a", "g", {3, 2, 1}), makeRun("b", "g", {5, 4}),
                                      makeRun("c", "", {7})};
  TrainingCurveRequest request;
  request.groupSeeds = true;
  request.band = CurveBand::Deviation;
  const TrainingCurveResult result = computeTrainingCurve(runs, request);
  QCOMPARE(result.curves.size(), std::size_t{2});
  const TrainingCurve& mean = result.curves[0];
  QCOMPARE(mean.value, (std::vector<double>{4, 3, 1}));
  QCOMPARE(mean.count, (std::vector<int>{2, 2, 1}));
  QCOMPARE(mean.upper[0], 4 + std::sqrt(2.0));
  QVERIFY(std::isnan(mean.upper[2]));
  QCOMPARE(mean.runs, (std::vector<std::string>{"a", "b"}));
  QCOMPARE(result.curves[1].name, std::string("c"));
}

void TrainingCurveTest::seedsHaveACommonName() {
  const auto name = [](std::vector<std::string> names) { return seedGroupName(names); };
  QCOMPARE(name({"deep18 seed 1 admin", "deep18 seed 2 admin"}), std::string("deep18 admin"));
  QCOMPARE(name({"nmt · residual admin · seed 1", "nmt · residual admin · seed 2"}),
           std::string("nmt · residual admin"));
  QCOMPARE(name({"a · seed 1 · b", "a · seed 2 · b"}), std::string("a · b"));
  QCOMPARE(name({"left", "right"}), std::string("left"));
  QCOMPARE(name({"deep again", "deep"}), std::string("deep"));
  std::vector<RunCurve> runs = {makeRun("deep seed 1", "f00d", {3}), makeRun("deep seed 2", "f00d", {5})};
  TrainingCurveRequest request;
  request.groupSeeds = true;
  QCOMPARE(computeTrainingCurve(runs, request).curves[0].name, std::string("deep"));
}

void TrainingCurveTest::bandsNeedTwoRuns() {
  TrainingCurveRequest request;
  request.groupSeeds = true;
  request.band = CurveBand::Range;
  const std::vector<RunCurve> runs = {makeRun("a", "g", {3, 2})};
  QVERIFY(computeTrainingCurve(runs, request).curves[0].lower.empty());
  QVERIFY(!findWord(kCurveBands, "iqr"));
  QCOMPARE(findWord(kCurveBands, "ci95"), std::optional(CurveBand::Confidence95));
  QVERIFY(!findWord(kCurveAxes, "steps"));
}

void TrainingCurveTest::smoothingKeepsRaw() {
  TrainingCurveRequest request;
  request.smoothing = 0.5;
  const std::vector<RunCurve> runs = {makeRun("a", "", {4, 2, 0})};
  const TrainingCurveResult result = computeTrainingCurve(runs, request);
  QCOMPARE(result.curves[0].raw, (std::vector<double>{4, 2, 0}));
  QCOMPARE(result.curves[0].value[0], 4.0);
  QCOMPARE(result.curves[0].value[1], (0.5 * 2 + 0.5 * 0.5 * 4) / 0.75);
}

void TrainingCurveTest::pyramidEqualsPlainScan() {
  RandomStream random(5);
  CurvePyramid pyramid;
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) {
    const bool bad = random.below(50) == 0;
    values.push_back(bad ? std::numeric_limits<double>::infinity() : random.normal());
    pyramid.append(values.back());
  }
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t first = random.below(5000);
    const std::size_t end = first + random.below(5001 - first);
    CurveBlock expected;
    for (std::size_t i = first; i < end; ++i) expected.add(values[i]);
    const CurveBlock found = pyramid.query(first, end);
    QCOMPARE(found.finite, expected.finite);
    QCOMPARE(found.plusInfinity, expected.plusInfinity);
    if (expected.finite == 0) continue;
    QCOMPARE(found.minimum, expected.minimum);
    QCOMPARE(found.maximum, expected.maximum);
  }
  QCOMPARE(pyramid.query(4990, 9999).nonFinite() + pyramid.query(4990, 9999).finite, std::uint64_t{10});
  pyramid.clear();
  QVERIFY(std::isnan(pyramid.query(0, 10).minimum));
}

void TrainingCurveTest::smootherEqualsBatch() {
  RandomStream random(6);
  std::vector<double> values = {1, 1, std::nan("")};
  for (int i = 0; i < 200; ++i) values.push_back(random.normal());
  CurveSmoother smoother(0.9);
  const std::vector<double> batch = smoothCurve(values, 0.9);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double next = smoother.next(values[i]);
    QVERIFY(std::isnan(batch[i]) ? std::isnan(next) : std::abs(next - batch[i]) < 1e-12);
  }
}

void TrainingCurveTest::entryReadsOptions() {
  ListSource source;
  source.curves = {makeRun("a", "g", {3, 2, 1}), makeRun("b", "g", {5, 4, 3})};
  OptionValues options(OptionSchema(trainingCurveFields(), {}));
  QVERIFY(options.setText("group_seeds=true").ok());
  QVERIFY(options.setText("axis=epoch").ok());
  const auto result = runTrainingCurves(source, options);
  QVERIFY(result.ok());
  QCOMPARE(result->size(), std::size_t{1});
  QCOMPARE(result->front().curves.size(), std::size_t{1});
  QCOMPARE(result->front().curves[0].value[2], 2.0);
  // Each metric of the runs that have it; at least one has.
  QVERIFY(options.setText("metric=loss,score").ok());
  const auto both = runTrainingCurves(source, options).value();
  QCOMPARE(both.size(), std::size_t{2});
  QCOMPARE(both[0].curves[0].runs.size(), std::size_t{2});
  QCOMPARE(both[1].curves[0].runs, std::vector<std::string>{"a"});
  QCOMPARE(both[1].request.metric, std::string("score"));
  QVERIFY(options.setText("metric=loss,bleu").ok());
  QCOMPARE(runTrainingCurves(source, options).error().message, std::string("run b has no metric bleu"));
  QVERIFY(options.setText("metric=bleu").ok());
  QVERIFY(!runTrainingCurves(source, options).ok());
  QVERIFY(!options.setText("smoothing=1.5").ok());
}

void TrainingCurveTest::aPersonsGroups() {
  ListSource source;
  source.curves = {makeRun("a", "g", {3, 2, 1}), makeRun("b", "g", {5, 4, 3}), makeRun("c", "", {7, 6, 5})};
  OptionValues options(OptionSchema(trainingCurveFields(), {}));
  QVERIFY(options.setText("group_seeds=true").ok() && options.setText("group_by=layers").ok());
  const auto curves = runTrainingCurves(source, options).value().front().curves;
  QCOMPARE(curves.size(), std::size_t{2});
  QCOMPARE(curves[0].name, std::string("a"));
  QCOMPARE(curves[1].name, std::string("layers=12"));
  QCOMPARE(curves[1].value[0], 6.0);
  QVERIFY(options.setText("group_by=name:x").ok());
  QVERIFY(!runTrainingCurves(source, options).ok());
}

void TrainingCurveTest::tokensAreAnAxis() {
  ListSource source;
  source.curves = {makeRun("a", "", {3, 2, 1})};
  OptionValues options(OptionSchema(trainingCurveFields(), {}));
  QVERIFY(options.setText("axis=tokens").ok());
  QCOMPARE(runTrainingCurves(source, options).error().message,
           std::string("what was imported as a does not tell its tokens"));
  source.curves[0].tokens = {100, std::nan(""), 300};
  const auto curve = runTrainingCurves(source, options).value().front().curves.front();
  QCOMPARE(curve.x, (std::vector<double>{100, 300}));
  QCOMPARE(curve.value, (std::vector<double>{3, 1}));
}

// Of two runs one tells none: it is left out, and the notes say so.
void TrainingCurveTest::datesAreAnAxis() {
  ListSource source;
  source.curves = {makeRun("a", "", {3, 2, 1}), makeRun("b", "", {5, 4, 3})};
  source.curves[1].clock = {1.7e9, std::nan(""), 1.7e9 + 60};
  OptionValues options(OptionSchema(trainingCurveFields(), {}));
  QVERIFY(options.setText("axis=clock").ok());
  const auto result = runTrainingCurves(source, options).value().front();
  QCOMPARE(result.curves.size(), std::size_t{1});
  QCOMPARE(result.curves.front().x, (std::vector<double>{1.7e9, 1.7e9 + 60}));
  QCOMPARE(result.curves.front().value, (std::vector<double>{5, 3}));
  QCOMPARE(result.notes.back().english(),
           std::string("left out: what was imported as a does not tell its times"));
  source.curves.pop_back();
  QVERIFY(!runTrainingCurves(source, options).ok());
}

void TrainingCurveTest::anotherMetricIsAnAxis() {
  // The value at the step, else the last finite one before it.
  const std::vector<double> steps = {10, 20, 20, 30}, values = {1, 2, 3, std::nan("")};
  MetricPositions positions(steps, values);
  QVERIFY(std::isnan(positions.at(5)));
  QCOMPARE(positions.at(10), 1.0);
  QCOMPARE(positions.at(25), 3.0);
  QCOMPARE(positions.at(40), 3.0);
  RunCurve curve = makeRun("a", "", {3, 2, 1}), axis = makeRun("a", "", {0, 0, 0});
  curve.steps = {5, 20, 30};
  axis.values = {9, 7, 1};  // at 10, 20, 30
  QVERIFY(placeAlong(curve, axis));
  QCOMPARE(curve.along, (std::vector<double>{1, 7}));  // sorted; the point before its first value is out
  QCOMPARE(curve.values, (std::vector<double>{1, 2}));
  QCOMPARE(curve.steps, (std::vector<double>{30, 20}));
  RunCurve early = makeRun("a", "", {3});
  early.steps = {1};
  QVERIFY(!placeAlong(early, axis));

  ListSource source;
  source.curves = {makeRun("a", "", {3, 2, 1}), makeRun("b", "", {5, 4, 3})};
  OptionValues options(OptionSchema(trainingCurveFields(), {}));
  QVERIFY(options.setText("axis=metric").ok());
  QVERIFY2(runTrainingCurves(source, options).error().text().find("axis_metric") != std::string::npos,
           runTrainingCurves(source, options).error().text().c_str());
  QVERIFY(options.setText("axis_metric=score").ok());
  const auto result = runTrainingCurves(source, options).value().front();
  QCOMPARE(result.curves.size(), std::size_t{1});
  QCOMPARE(result.curves.front().x, (std::vector<double>{1, 2, 3}));
  QCOMPARE(result.curves.front().value, (std::vector<double>{1, 2, 3}));
  QCOMPARE(result.notes.back().english(), std::string("left out: b has no value of score at its steps"));
  QVERIFY(options.setText("axis_metric=nothing").ok());
  QVERIFY(!runTrainingCurves(source, options).ok());
}

// Runs of one group meet where the axis has the same value, whatever their steps.
void TrainingCurveTest::seedsAlongAMetric() {
  std::vector<RunCurve> runs = {makeRun("a", "g", {4, 2}), makeRun("b", "g", {6, 4, 9})};
  RunCurve axis = makeRun("a", "", {1, 2});
  QVERIFY(placeAlong(runs[0], axis));
  axis.values = {1, 1.5, 2};
  axis.steps = {10, 20, 30};
  QVERIFY(placeAlong(runs[1], axis));
  TrainingCurveRequest request;
  request.groupSeeds = true;
  request.axis = CurveAxis::Metric;
  const auto mean = computeTrainingCurve(runs, request).curves.front();
  QCOMPARE(mean.x, (std::vector<double>{1, 1.5, 2}));
  QCOMPARE(mean.value, (std::vector<double>{5, 4, 5.5}));
  QCOMPARE(mean.count, (std::vector<int>{2, 1, 2}));
}

// An axis that stands still, as an epoch does, makes no run several seeds.
void TrainingCurveTest::manyPointsOfARunAreOneMember() {
  std::vector<RunCurve> runs = {makeRun("a", "g", {4, 2, 8}), makeRun("b", "g", {6, 10})};
  RunCurve axis = makeRun("a", "", {1, 1, 2});
  QVERIFY(placeAlong(runs[0], axis));
  axis.values = {1, 2};
  axis.steps = {10, 20};
  QVERIFY(placeAlong(runs[1], axis));
  TrainingCurveRequest request;
  request.groupSeeds = true;
  request.axis = CurveAxis::Metric;
  const auto mean = computeTrainingCurve(runs, request).curves.front();
  QCOMPARE(mean.x, (std::vector<double>{1, 2}));
  QCOMPARE(mean.value, (std::vector<double>{4.5, 9}));  // (3 + 6) / 2, (8 + 10) / 2
  QCOMPARE(mean.count, (std::vector<int>{2, 2}));
}

QTEST_APPLESS_MAIN(TrainingCurveTest)
#include "tst_training_curve.moc"
