// SPDX-License-Identifier: Apache-2.0
// probe: an analysis of checkpoints, computed once each and stored beside the run (docs/project_files.md §5).
#include <iostream>

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/engine/probe_subject.h"
#include "core/probe/probe_entry.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/control_queue.h"
#include "core/train/state/stored_run.h"

namespace fathom {

namespace {

const std::string& partOf(const ProbeVerb& verb, const ProbeEntry& entry) {
  return verb.split.empty() ? entry.part : verb.split;
}

AnalysisRequest requestOf(const ProbeVerb& verb, const ProbeEntry& entry, const OptionValues& options,
                          const StoredRun& stored) {
  AnalysisRequest request;
  request.analysis = entry.id;
  request.version = entry.version;
  request.checkpoint = stored.checkpoint;
  request.checkpointHash = stored.checkpointHash;
  request.split = partOf(verb, entry);
  request.options = analysisOptions(options);
  for (const std::string& assignment : verb.runAssignments) {
    const auto equals = assignment.find('=');
    request.runOptions[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return request;
}

std::vector<std::string> checkpointsFor(const ProbeEntry& entry, const ProbeVerb& verb) {
  if (!entry.initialOnly) return checkpointWords(verb.run, verb.checkpoint);
  for (const char* word : {"", kInitialWeights, kAllCheckpoints})
    if (verb.checkpoint == word) return {kInitialWeights};
  throw Failure(usageError(Phrase::tr("%1 builds its nets from the run's options, not from checkpoint '%2'")(
                               entry.id, verb.checkpoint),
                           Phrase::tr("leave the checkpoint out, or name init")));
}

// The result of the open checkpoint, stored already or computed now. `states`: checkpoints that are left.
StoredAnalysis probeOpen(StoredRun& stored, const ProbeVerb& verb, const ProbeEntry& entry,
                         const OptionValues& options, std::size_t states, ProbeProgress& shown,
                         const StopToken& stop) {
  const AnalysisRequest request = requestOf(verb, entry, options, stored);
  const std::string root = verb.out.empty() ? RunFolder(verb.run).analysesPath() : verb.out;
  const auto holds = [&](const AnalysisRequest& earlier) {
    return probeResultHolds(earlier.analysis, earlier.version, earlier.options, stored.options.effective());
  };
  if (auto known = findAnalysis(root, request, holds).value()) return std::move(*known);
  const ProbeData data{partOf(verb, entry), chosenExamples(options), sampleSeed(options)};
  ProbeSubject subject = probeSubject(stored.parts, stored.options, data, &shown.progress, stop);
  subject.initialisation = recordedInitialisation(verb.run);
  subject.states = static_cast<std::int64_t>(states);
  subject.say = [&shown](const Phrase& words) { shown.note(words); };
  // Other results of the same pass are stored with it, so that they are found when they are asked for.
  std::vector<AnalysisRequest> requests = {request};
  std::vector<std::string> ids = {entry.id};
  for (const std::string& other : entry.together) {
    AnalysisRequest beside = request;
    beside.analysis = other;
    beside.version = probeVersion(other);
    const auto stored = findAnalysis(root, beside);
    if (other == entry.id || !stored.ok() || *stored) continue;
    ids.push_back(other);
    requests.push_back(std::move(beside));
  }
  const std::vector<Result<Json>> results = runProbe(entry, subject, options, ids);
  const std::string path = storeAnalysis(root, request, results.front().value()).value();
  for (std::size_t i = 1; i < results.size(); ++i)  // nobody asked for them: some do not apply to the model
    if (results[i].ok()) storeAnalysis(root, requests[i], *results[i]).value();
  return readAnalysis(path).value();
}

}  // namespace

ExitCode probeVerb(const ProbeVerb& verb) {
  const ProbeEntry entry = findProbe(verb.analysis).value();
  const OptionValues options = probeOptions(entry, verb.assignments).value();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  const StopToken& stop = control->stop();
  ProbeProgress shown(verb.progressLines);
  const std::vector<std::string> checkpoints = checkpointsFor(entry, verb);
  StoredRun stored =
      openStoredRun({verb.run, checkpoints.front(), verb.runAssignments, false, &shown.progress, stop})
          .value();
  for (std::size_t i = 0; i < checkpoints.size(); ++i) {
    if (i > 0 && stop.stopRequested()) throw Failure(interruptedError());
    shown.beginPart(i, checkpoints.size());
    if (i > 0) openOtherWeights(stored, verb.run, checkpoints[i]).value();
    warnOfDamaged(stored.damaged, stored.checkpoint);
    const StoredAnalysis known = probeOpen(stored, verb, entry, options, checkpoints.size() - i, shown, stop);
    shown.clear();
    const Json printed = {
        {"format", 1}, {"path", known.path}, {"request", known.request.toJson()}, {"result", known.result}};
    std::cout << jsonText(printed) << std::endl;
  }
  return ExitCode::Finished;
}

}  // namespace fathom
