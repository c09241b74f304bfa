// SPDX-License-Identifier: Apache-2.0
// probe: an analysis of a checkpoint, computed once and stored beside the run (DESIGN §8, §12).
#include <iostream>
#include <memory>

#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/engine/probe_subject.h"
#include "core/probe/probe_entry.h"
#include "core/record/analysis_store.h"
#include "core/record/run_folder.h"
#include "core/train/control_queue.h"
#include "core/train/stored_run.h"

namespace fathom {

namespace {

AnalysisRequest requestOf(const ProbeVerb& verb, const ProbeEntry& entry, const OptionValues& options,
                          const StoredRun& stored) {
  AnalysisRequest request;
  request.analysis = entry.id;
  request.version = entry.version;
  request.checkpoint = stored.checkpoint;
  request.checkpointHash = stored.checkpointHash;
  request.split = verb.split;
  request.examples = verb.examples;
  request.options = options.effective();
  for (const std::string& assignment : verb.runAssignments) {
    const auto equals = assignment.find('=');
    request.runOptions[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return request;
}

std::string checkpointFor(const ProbeEntry& entry, const ProbeVerb& verb) {
  if (!entry.initialOnly) return verb.checkpoint;
  if (verb.checkpoint.empty() || verb.checkpoint == kInitialWeights) return kInitialWeights;
  throw Failure(usageError(
      entry.id + " builds its nets from the run's options, not from checkpoint '" + verb.checkpoint + "'",
      "leave the checkpoint out, or name init"));
}

}  // namespace

ExitCode probeVerb(const ProbeVerb& verb) {
  const ProbeEntry entry = findProbe(verb.analysis).value();
  OptionValues options{OptionSchema(entry.fields, {})};
  for (const std::string& assignment : verb.assignments) options.setText(assignment).value();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  ProbeProgress shown(verb.progressLines);
  const std::string checkpoint = checkpointFor(entry, verb);
  StoredRun stored =
      openStoredRun({verb.run, checkpoint, verb.runAssignments, false, &shown.progress, control->stop()})
          .value();
  const AnalysisRequest request = requestOf(verb, entry, options, stored);
  const std::string root = verb.out.empty() ? RunFolder(verb.run).analysesPath() : verb.out;
  std::optional<StoredAnalysis> known = findAnalysis(root, request).value();
  if (!known) {
    ProbeSubject subject = probeSubject(stored.parts, stored.options, verb.split, verb.examples,
                                        &shown.progress, control->stop());
    subject.initialisation = recordedInitialisation(verb.run);
    const Json result = entry.run(subject, options).value();
    known = readAnalysis(storeAnalysis(root, request, result).value()).value();
  }
  shown.clear();
  const Json printed = {
      {"format", 1}, {"path", known->path}, {"request", known->request.toJson()}, {"result", known->result}};
  std::cout << printed.dump() << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
