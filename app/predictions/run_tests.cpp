// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/run_tests.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "app/predictions/run_predictions.h"
#include "app/predictions/spider_inputs.h"
#include "app/requests/engine_question.h"
#include "core/record/results/prediction_set.h"
#include "core/review/review.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr double kEvaluationSeconds = 24 * 3600.0;

// Everything that a test of some runs needs at hand.
struct TestBench {
  const std::string& project;
  const std::vector<TestedRun>& runs;
  const RunTestRequest& request;
  const std::function<void(const std::string&)>& note;
  Progress& progress;
  const StopToken& stop;

  void say(const std::string& line) const {
    if (note) note(line);
  }
};

// The newest stored set of the split that the run's newest weights made by its own options.
Result<std::optional<PredictionSet>> storedSet(const TestedRun& run, const std::string& split) {
  FATHOM_TRY(auto sets, predictionSets(run.path));
  for (PredictionSet& set : sets) {
    const bool own =
        std::all_of(set.decoding.items().begin(), set.decoding.items().end(), [&](const auto& option) {
          return !run.options.contains(option.key()) || run.options[option.key()] == option.value();
        });
    if (set.split == split && !set.chosen && own) return std::optional<PredictionSet>(std::move(set));
  }
  return std::optional<PredictionSet>();
}

// The sets of predictions of a run; warnings of the engine (a damaged checkpoint passed over) are told.
Result<PredictionSet> makePredictions(const TestBench& bench, const std::string& runPath) {
  FATHOM_TRY(const ChildSpec spec,
             engineSpec({"evaluate", "--run", runPath, "--split", bench.request.split}));
  FATHOM_TRY(const ChildOutput output,
             runChild(spec, {kEvaluationSeconds, std::size_t{64} << 20}, bench.stop));
  if (output.exitCode != 0) {
    return unavailableError(
        Phrase::tr("predictions of run %1 could not be made: the engine %2; it wrote: %3")(
            runPath, describeExit(output.exitCode), output.err));
  }
  std::istringstream words(output.err);
  for (std::string line; std::getline(words, line);)
    if (line.rfind("warning: ", 0) == 0) bench.say(line);
  FATHOM_TRY(const Json report, parseJson(output.out, "the engine's output"));
  const Json file = report.is_object() ? report.value("predictions", Json()) : Json();
  if (!file.is_string())
    return unavailableError(Phrase::tr("predictions of run %1 could not be stored")(runPath),
                            Phrase::tr("see the warning"));
  return readPredictionSet(file.get<std::string>());
}

// The task of all runs: one whose predictions are tested in pairs, by a test of its own or by its review.
Result<const TaskEntry*> testedTaskOf(const std::vector<TestedRun>& runs) {
  const TaskEntry* first = taskOf(runs.front().options);
  for (const TestedRun& run : runs) {
    const TaskEntry* task = taskOf(run.options);
    const bool tested = task != nullptr && (task->pairedTest.run != nullptr || !task->review.kind.empty());
    const bool alike = tested && task == first &&
                       task->review.kindFor(run.options) == task->review.kindFor(runs.front().options);
    if (alike) continue;
    const std::string id = task != nullptr ? task->id : run.options.value("task", "");
    return dataError(
        tested ? Phrase::tr("run %1 is of the task %2: its predictions cannot be compared with those of %3")(
                     run.name, id, runs.front().name)
               : Phrase::tr("run %1 is of the task %2: it has no predictions that are tested in pairs")(
                     run.name, id),
        Phrase::tr("its options and scores can be compared all the same"));
  }
  return first;
}

Result<PredictionSet> setOf(const TestBench& bench, const TestedRun& run, RunTest& test) {
  FATHOM_TRY(std::optional<PredictionSet> set, storedSet(run, bench.request.split));
  if (!set && run.ofAnotherProgram)
    return dataError(
        Phrase::tr("run %1 has no stored predictions of the part %2")(run.name, bench.request.split),
        Phrase::tr("its program has to log a table of predictions and right answers"));
  if (!set) {
    bench.say("run " + run.name + ": making predictions of the " + bench.request.split + " part");
    FATHOM_TRY(set, makePredictions(bench, run.path));
  }
  test.decodings.push_back(set->decoding);
  return std::move(*set);
}

// The sets of all runs as one review: every run must have been judged by the same gold on the same examples.
Result<Review> reviewOfRuns(const TestBench& bench, const std::vector<PredictionSet>& sets) {
  ReviewSources sources;
  std::string dataset;
  for (std::size_t i = 0; i < bench.runs.size(); ++i) {
    const TestedRun& run = bench.runs[i];
    FATHOM_TRY(ReviewSources own, runReviewSources({run.name, run.path, run.options}, bench.project));
    own.predictions = {{std::to_string(i), sets[i].path}};
    FATHOM_TRY(const Review alone, openReview(own, spiderThreads(), bench.progress, bench.stop));
    const ReviewModel& model = alone.models.front();
    if (i > 0 && (alone.dataset != dataset || model.missing > 0))
      return dataError(
          Phrase::tr("run %1 was evaluated on other examples than %2")(run.name, bench.runs.front().name),
          Phrase::tr("compare runs on the same data"));
    if (i == 0) {
      dataset = alone.dataset;
      sources = own;
    } else {
      sources.predictions.push_back(own.predictions.front());
    }
  }
  return openReview(sources, spiderThreads(), bench.progress, bench.stop);
}

// By what the kind of review of the runs tests.
Result<RunTest> reviewTest(const TestBench& bench) {
  RunTest test;
  std::vector<PredictionSet> sets;
  for (const TestedRun& run : bench.runs) {
    FATHOM_TRY(PredictionSet set, setOf(bench, run, test));
    sets.push_back(std::move(set));
  }
  FATHOM_TRY(const Review review, reviewOfRuns(bench, sets));
  FATHOM_TRY(const auto pairs, comparePairs(review, bench.stop));
  const ReviewKind& kind = *review.kind;
  test.kind = kind.test == PairTest::McNemar ? "mcnemar" : "bootstrap";
  test.review = kind.id;
  test.compared = kind.compared;
  test.split = bench.request.split;
  test.examples = review.examples();
  for (const ReviewPair& pair : pairs) {
    if (pair.first != 0) continue;
    RunTestPair own;
    own.second = pair.second;
    own.onlyFirst = pair.onlyFirst;
    own.onlySecond = pair.onlySecond;
    own.difference = -kind.comparedFactor * pair.difference;
    own.low = -kind.comparedFactor * pair.high;
    own.high = -kind.comparedFactor * pair.low;
    own.p = pair.p;
    test.pairs.push_back(own);
  }
  return test;
}

// By the task's own bootstrap of texts.
Result<RunTest> textTest(const TestBench& bench, const PairedTest& paired) {
  RunTest test;
  std::vector<PredictedTexts> texts;
  bench.progress.begin(Phrase::tr("reading predictions").english, Phrase::tr("runs").english,
                       static_cast<double>(bench.runs.size()));
  for (const TestedRun& run : bench.runs) {
    FATHOM_TRY(const PredictionSet set, setOf(bench, run, test));
    FATHOM_TRY(PredictedTexts own, readPredictedTexts(set));
    if (!texts.empty() && own.references != texts.front().references) {
      return dataError(
          Phrase::tr("run %1 was evaluated on other references than %2")(run.name, bench.runs.front().name),
          Phrase::tr("compare runs on the same data"));
    }
    texts.push_back(std::move(own));
    bench.progress.report(static_cast<double>(texts.size()));
  }
  test.kind = "bootstrap";
  test.metric = paired.metric;
  test.compared = Phrase::words(paired.title);
  test.split = bench.request.split;
  test.resamples = bench.request.resamples;
  for (std::size_t i = 1; i < bench.runs.size(); ++i) {
    const PairedTexts pair{texts[0].predictions, texts[i].predictions, texts[0].references};
    FATHOM_TRY(const PairedOutcome result, paired.run(pair, test.resamples, bench.stop));
    RunTestPair own;
    own.second = i;
    own.scores[0] = result.first;
    own.scores[1] = result.second;
    own.difference = result.difference;
    own.low = result.low;
    own.high = result.high;
    own.p = result.pValue;
    own.secondWins = result.secondWins;
    test.pairs.push_back(own);
  }
  return test;
}

}  // namespace

Result<RunTest> testRuns(const std::string& project, const std::vector<TestedRun>& runs,
                         const RunTestRequest& request, const std::function<void(const std::string&)>& note,
                         Progress& progress, const StopToken& stop) {
  const TestBench bench{project, runs, request, note, progress, stop};
  const auto foreign =
      std::count_if(runs.begin(), runs.end(), [](const TestedRun& run) { return run.ofAnotherProgram; });
  if (foreign == static_cast<std::ptrdiff_t>(runs.size())) return reviewTest(bench);
  if (foreign > 0)
    return dataError(
        Phrase::tr("predictions of other programs' runs are not tested against those of Fathom's"),
        Phrase::tr("compare them as files, see: fathom review --help"));
  FATHOM_TRY(const TaskEntry* task, testedTaskOf(runs));
  return task->pairedTest.run == nullptr ? reviewTest(bench) : textTest(bench, task->pairedTest);
}

}  // namespace fathom
