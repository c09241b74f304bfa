// SPDX-License-Identifier: Apache-2.0
// probe: an analysis of a checkpoint, computed once and stored beside the run (DESIGN §8, §12).
#include <algorithm>
#include <iostream>
#include <memory>

#include "core/engine/engine_verbs.h"
#include "core/engine/training_line.h"
#include "core/probe/probe_entry.h"
#include "core/record/analysis_store.h"
#include "core/record/run_folder.h"
#include "core/train/control_queue.h"
#include "core/train/stored_run.h"

namespace fathom {

namespace {

// Progress for a person on stderr, or as JSON lines on stdout for the program that started us.
class ProbeProgress {
 public:
  explicit ProbeProgress(bool lines) : m_lines(lines) {}
  Progress progress{[this](const ProgressUpdate& update) { show(update); }};
  void clear() { m_line.message(""); }

 private:
  void show(const ProgressUpdate& update) {
    if (!m_lines) return m_line.progress(update);
    const Json line = {{"phase", update.phase},
                       {"unit", update.unit},
                       {"done", update.done},
                       {"total", update.total},
                       {"remaining", update.remainingSeconds ? Json(*update.remainingSeconds) : Json()}};
    std::cout << line.dump() << std::endl;
  }
  bool m_lines;
  TrainingLine m_line;
};

// Longest sequence the task may hand out: the histograms of entropy reach to its logarithm.
std::int64_t longestSequence(const Task& task) {
  std::int64_t longest = 2;
  for (const auto& [name, size] : task.sizes())
    if (name.rfind("longest", 0) == 0) longest = std::max(longest, size);
  return longest;
}

ProbeSubject subjectOf(StoredRun& stored, const ProbeVerb& verb, Progress& progress, const StopToken& stop) {
  const DataSplit split = verb.split == "train"  ? DataSplit::Train
                          : verb.split == "test" ? DataSplit::Test
                                                 : DataSplit::Validation;
  RunParts& parts = stored.parts;
  ProbeSubject subject{*parts.model};
  subject.seed = static_cast<std::uint64_t>(stored.options.integer("seed"));
  subject.longest = longestSequence(*parts.task);
  subject.batches = parts.task->batchCount(split);
  subject.examples = std::min(verb.examples, parts.task->exampleCount(split));
  subject.progress = &progress;
  subject.stop = stop;
  subject.batch = [&parts, split](std::int64_t index) {
    const auto batch =
        std::make_shared<DeviceBatch>(toDevice(parts.task->makeBatch(split, index), parts.device));
    ProbeBatch result;
    result.loss = [&parts, batch](const StepContext& context) {
      return parts.objective->forward(*parts.model, *batch, context).loss;
    };
    result.forward = [loss = result.loss](const StepContext& context) { loss(context); };
    result.realTokens = parts.objective->realTokens(*batch);
    result.examples = batch->rows();
    return result;
  };
  return subject;
}

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

}  // namespace

ExitCode probeVerb(const ProbeVerb& verb) {
  const ProbeEntry entry = findProbe(verb.analysis).value();
  OptionValues options{OptionSchema(entry.fields, {})};
  for (const std::string& assignment : verb.assignments) options.setText(assignment).value();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  ProbeProgress shown(verb.progressLines);
  StoredRun stored =
      openStoredRun({verb.run, verb.checkpoint, verb.runAssignments, false, &shown.progress, control->stop()})
          .value();
  const AnalysisRequest request = requestOf(verb, entry, options, stored);
  const std::string root = verb.out.empty() ? RunFolder(verb.run).analysesPath() : verb.out;
  std::optional<StoredAnalysis> known = findAnalysis(root, request).value();
  if (!known) {
    const ProbeSubject subject = subjectOf(stored, verb, shown.progress, control->stop());
    const Json result = entry.run(subject, options).value();
    known = StoredAnalysis{storeAnalysis(root, request, result).value(), request, result};
  }
  shown.clear();
  const Json printed = {
      {"format", 1}, {"path", known->path}, {"request", known->request.toJson()}, {"result", known->result}};
  std::cout << printed.dump() << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
