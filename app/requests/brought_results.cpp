// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/brought_results.h"

#include <algorithm>
#include <filesystem>

#include "app/requests/analysis_job.h"
#include "core/analysis/analysis_entry.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/one_folder.h"
#include "core/base/text/number_text.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::int64_t kMostUpdates = std::int64_t{1} << 53;

// A result that was computed here stays: the request is the same, and so would be the numbers.
Status checkOwn(const std::string& root, const AnalysisRequest& request, const RunRow& run) {
  const auto there = findAnalysis(root, request);
  if (!there.ok() || !*there || (*there)->result.contains("source")) return {};
  return usageError(Phrase::tr("%1 of checkpoint %2 of run %3 was computed by Fathom itself")(
                        request.analysis, request.checkpoint, run.name),
                    Phrase::tr("bring yours to another checkpoint, or delete %1")((*there)->path));
}

}  // namespace

Result<std::string> stateName(const RunRow& run, const std::string& word) {
  const std::string prefix = "checkpoint-";
  const std::string number = word.starts_with(prefix) ? word.substr(prefix.size()) : word;
  if (word == "init") return word;
  const auto updates = numberFrom<std::int64_t>(number);
  if (updates && *updates >= 0 && *updates <= kMostUpdates) {
    std::vector<std::string> kept;
    for (const CheckpointManifest& manifest : listCheckpoints(run.path)) kept.push_back(manifest.name);
    if (const auto named = chooseAmong(kept, number)) return *named;
    return checkpointName(std::max(1, RunFolder(run.path).lastAttempt()), *updates);
  }
  const auto step = checkpointStep(word);
  const bool plain = word.find_first_not_of("0123456789-") == std::string::npos;
  if (step && plain && word.find('-') >= 4 && word.size() >= 13) return word;
  return aboutKey("checkpoint",
                  usageError(Phrase::tr("'%1' names no state of a run")(word),
                             Phrase::tr("give the number of updates, init, or a name such as %1")(
                                 checkpointName(1, 40))));
}

Result<std::vector<std::string>> storeBrought(const std::string& project, const RunRow& run,
                                              const std::string& checkpoint, const std::string& split,
                                              const BroughtAttention& brought) {
  const std::string root = analysesFolder(project, run);
  if (root != RunFolder(run.path).analysesPath())
    FATHOM_CHECK(makeOneFolder(std::filesystem::path(root).parent_path().string()));
  std::vector<AnalysisRequest> requests;
  for (const BroughtAnalysis& each : brought.analyses) {
    AnalysisRequest request;
    request.analysis = each.analysis;
    request.version = probeVersion(each.analysis);
    request.checkpoint = checkpoint;
    request.split = split;
    request.options = each.options;
    FATHOM_CHECK(checkOwn(root, request, run));
    requests.push_back(std::move(request));
  }
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    FATHOM_TRY(std::string folder, replaceAnalysis(root, requests[i], brought.analyses[i].result));
    folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace fathom
