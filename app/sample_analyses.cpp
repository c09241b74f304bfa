// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample_analyses.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "app/analysis_job.h"
#include "app/engine_description.h"
#include "app/sample_composition.h"
#include "app/sample_project.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 6> kAnalyses = {"attention_entropy", "attention_jsd", "beta_dependency",
                                                  "gradient_norm",     "input_norm",    "attention_maps"};
constexpr std::int64_t kExamples =
    100;  // the sample's sentences are alike: more change nothing in the figures

struct Wanted {
  RunRow run;
  AnalysisWish wish;
};

bool knows(const EngineDescription& engine, const std::string& analysis) {
  const Json probes = engine.json.value("entries", Json::object()).value("probes", Json::array());
  return std::any_of(probes.begin(), probes.end(),
                     [&](const Json& probe) { return probe.value("id", "") == analysis; });
}

bool ended(const RunRow& row) {
  return row.state == RunState::Finished || row.state == RunState::Diverged;
}

// Of every ended run what this engine knows to compute.
Result<std::vector<Wanted>> wantedAnalyses(const std::string& project, const EngineDescription& engine) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const auto rows, sampleRunRows(*library));
  std::vector<Wanted> wanted;
  for (const RunRow& row : rows) {
    if (!ended(row)) continue;
    for (const char* analysis : kAnalyses) {
      if (!knows(engine, analysis)) continue;
      for (const char* checkpoint : {"", "init"}) {
        AnalysisWish wish;
        wish.analysis = analysis;
        wish.checkpoint = checkpoint;
        wish.examples = kExamples;
        wanted.push_back({row, wish});
      }
    }
  }
  return wanted;
}

}  // namespace

bool isSampleProject(const std::string& project) {
  return std::filesystem::exists(project + "/data/train.tsv") &&
         std::filesystem::exists(project + "/data/test.tsv");
}

Result<int> computeSampleAnalyses(const std::string& project, Progress& progress, const StopToken& stop) {
  progress.begin("analysing the sample", "", -1);
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const auto wanted, wantedAnalyses(project, engine));
  progress.begin("analysing the sample", "results", static_cast<double>(wanted.size()));
  int computed = 0;
  std::optional<Error> first;  // one that does not apply must not keep the others away
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (stop.stopRequested()) return interruptedError("stopped; what is computed stays");
    const auto [run, wish] = wanted[i];
    const std::size_t before = storedRequests(project, run, wish.analysis).size();
    Progress inner;  // seconds each: their number is progress enough
    const auto stored = computeAnalyses(project, run, wish, inner, stop);
    if (!stored.ok() && !first) first = stored.error();
    computed += storedRequests(project, run, wish.analysis).size() > before;
    progress.report(static_cast<double>(i + 1));
  }
  if (first && computed == 0) return *first;
  if (computed > 0) FATHOM_CHECK(storeSampleComposition(project, progress, stop));
  progress.finish();
  return computed;
}

}  // namespace fathom
