// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample/sample_analyses.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "app/requests/analysis_job.h"
#include "app/runner/engine_description.h"
#include "app/runner/engine_progress.h"
#include "app/sample/sample_composition.h"
#include "app/sample/sample_project.h"
#include "core/analysis/analysis_entry.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_choice.h"

namespace fathom {

namespace {

constexpr std::chrono::milliseconds kBetweenUpdates{60};
constexpr std::int64_t kExamples =
    100;  // the sample's sentences are alike: more change nothing in the figures

struct Wanted {
  RunRow run;
  AnalysisWish wish;
  std::size_t missing = 0;  // checkpoints without a result
};

// The engine's description of an analysis; null where it does not know it.
Json probeOf(const EngineDescription& engine, const std::string& analysis) {
  const Json entries = engine.json.value("entries", Json::object());
  for (const Json& probe : entries.value("probes", Json::array()))
    if (probe.value("id", "") == analysis) return probe;
  return {};
}

// Number of examples that a probe looks at unless told otherwise; 0 = all, or not a matter of a number.
std::int64_t usualExamples(const Json& probe) {
  const auto schema = OptionSchema::fromJson(probe.value("schema", Json::object()));
  const OptionField* field = schema.ok() ? schema->find("examples") : nullptr;
  return field == nullptr ? 0 : field->defaultValue.get<std::int64_t>();
}

bool ended(const RunRow& row) {
  return row.state == RunState::Finished || row.state == RunState::Diverged;
}

// The first weights, and the newest where the run came that far: one engine prepares the data once for both.
std::string checkpointsOf(const RunRow& row) {
  const auto newest = chooseCheckpoint(row.path, "");
  return newest.ok() ? "init," + newest->name : "init";
}

struct AllWanted {
  std::vector<Wanted> left;
  double stored = 0;  // checkpoints that an earlier round has computed
};

// The analyses of every ended run that this engine can compute and that are not stored yet.
Result<AllWanted> wantedAnalyses(const std::string& project, std::optional<Error>& first,
                                 const StopToken& stop) {
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const auto rows, sampleRunRows(*library));
  AllWanted wanted;
  for (const RunRow& row : rows) {
    if (!ended(row)) continue;
    for (const AnalysisEntry& analysis : analyses()) {
      const Json probe = probeOf(engine, analysis.id);
      if (probe.is_null()) continue;
      AnalysisWish wish;
      wish.analysis = analysis.id;
      wish.checkpoint = probe.value("initial_only", false) ? "init" : checkpointsOf(row);
      if (usualExamples(probe) > kExamples) wish.assignments = {"examples=" + std::to_string(kExamples)};
      const auto missing = missingAnalyses(project, row, wish, stop);
      if (!missing.ok() && !first) first = missing.error();
      if (!missing.ok()) continue;
      const auto all = std::count(wish.checkpoint.begin(), wish.checkpoint.end(), ',') + 1;
      wanted.stored += static_cast<double>(all) - static_cast<double>(*missing);
      if (*missing > 0) wanted.left.push_back({row, wish, *missing});
    }
  }
  return wanted;
}

}  // namespace

bool isSampleProject(const std::string& project) {
  return fileExists(project + kSampleMark);
}

Result<int> computeSampleAnalyses(const std::string& project, Progress& progress, const StopToken& stop,
                                  const std::function<void(const Phrase&)>& say) {
  progress.begin(Phrase::tr("analysing the sample").english, "", -1);
  std::optional<Error> first;  // one that does not apply must not keep the others away
  if (const auto page = storeTrainedComposition(project, progress, stop); !page.ok()) first = page.error();
  FATHOM_TRY(const auto wanted, wantedAnalyses(project, first, stop));
  double all = wanted.stored;
  for (const Wanted& each : wanted.left) all += static_cast<double>(each.missing);
  CheckpointCount count(progress, "analysing the sample", all);
  // It goes on where the last round ended, and says so: updates that follow at once are dropped.
  if (wanted.stored > 0) std::this_thread::sleep_for(kBetweenUpdates);
  count.add(wanted.stored);
  int computed = 0;
  for (auto [run, wish, missing] : wanted.left) {
    wish.say = [&say, &of = run.name](const Phrase& words) {
      if (say) say(Phrase::list({Phrase::words(of), words}, ": "));
    };
    if (stop.stopRequested()) return interruptedError(Phrase::tr("stopped; what is computed stays"));
    FATHOM_TRY(const auto before, storedRequests(project, run, wish.analysis));
    const auto stored = computeAnalyses(project, run, wish, count.engine(), stop);
    if (!stored.ok() && !first) first = stored.error();
    FATHOM_TRY(const auto after, storedRequests(project, run, wish.analysis));
    computed += static_cast<int>(after.size() - before.size());
    count.add(static_cast<double>(missing));
  }
  if (stop.stopRequested()) return interruptedError(Phrase::tr("stopped; what is computed stays"));
  if (first && computed == 0) return *first;
  if (computed > 0) FATHOM_CHECK(storeSampleComposition(project, progress, stop));
  progress.finish();
  return computed;
}

}  // namespace fathom
