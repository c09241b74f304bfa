// SPDX-License-Identifier: Apache-2.0
#include "core/engine/probe_subject.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

#include "core/init/initialisation.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

// Longest sequence the task may hand out: the histograms of entropy reach to its logarithm.
std::int64_t longestSequence(const Task& task) {
  std::int64_t longest = 2;
  for (const auto& [name, size] : task.sizes())
    if (name.rfind("longest", 0) == 0) longest = std::max(longest, size);
  return longest;
}

ProbeBatch probeBatchOf(RunParts& parts, const HostBatch& host) {
  const auto batch = std::make_shared<DeviceBatch>(toDevice(host, parts.device));
  ProbeBatch result;
  for (const ExampleId example : host.examples) result.ids.push_back(example.value);
  result.pieces = [task = parts.task.get(), host](std::int64_t row) { return task->pieces(host, row); };
  result.loss = [&parts, batch](const StepContext& context) {
    return parts.objective->forward(*parts.model, *batch, context).loss;
  };
  result.forward = [loss = result.loss](const StepContext& context) { loss(context); };
  result.realTokens = parts.objective->realTokens(*batch);
  result.examples = batch->rows();
  return result;
}

ProbeBatch batchOf(RunParts& parts, const ExampleSample& sample, std::int64_t index) {
  return probeBatchOf(parts, parts.task->makeBatchOf(sample.split, sample.batches.at(std::size_t(index))));
}

Result<ProbeBatch> onlyExample(RunParts& parts, DataSplit part, std::int64_t example) {
  const std::int64_t known = parts.task->exampleCount(part);
  if (known == 0)
    return dataError(Phrase::tr("there is no example to look at"),
                     Phrase::tr("choose another part of the data"));
  if (example >= 0 && example < known) {
    const ExampleId only(example);
    try {
      return probeBatchOf(parts, parts.task->makeBatchOf(part, {&only, 1}));
    } catch (const Failure& failure) {  // a task says which examples it cannot make, and why
      if (failure.error().kind != ErrorKind::Usage) throw;
      return failure.error();
    }
  }
  return usageError(Phrase::tr("there is no example %1 in this part of the data")(example),
                    Phrase::tr("it has %1, counted from 0")(known));
}

// Options a net of its own may change: the data stay those that are open.
bool describesModel(std::string_view assignment) {
  static const std::set<std::string, std::less<>> keys = [] {
    std::set<std::string, std::less<>> found = {"seed"};
    for (const auto& fields : {nnOptionFields(), initOptionFields()})
      for (const OptionField& field : fields) found.insert(field.key);
    return found;
  }();
  return keys.count(assignment.substr(0, assignment.find('='))) != 0;
}

Result<ProbeNet> buildNet(const RunParts& parts, OptionValues options,
                          const std::shared_ptr<const ExampleSample>& sample,
                          const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    FATHOM_CHECK(options.setText(assignment));
    if (!describesModel(assignment))
      return usageError(Phrase::tr("'%1' changes more than the model and its initialisation")(assignment));
  }
  // Half precision swallows steps of 1e-6.
  if (options.text("precision") != "float64") FATHOM_CHECK(options.setText("precision=float32"));
  FATHOM_CHECK(options.check());
  FATHOM_TRY(RunParts made, makeRunParts(options, parts.task, parts.device));
  const auto owned = std::make_shared<RunParts>(std::move(made));
  PrepareRequest prepare;
  prepare.beside = parts.objective.get();
  FATHOM_TRY(const Json report, initialiseParts(*owned, options, false, prepare));
  ProbeNet net;
  net.model = std::shared_ptr<Model>(owned, owned->model.get());
  net.sharesPrefixes = sharesPrefixes(*owned->model, options);
  net.batch = [owned, sample](std::int64_t index) { return batchOf(*owned, *sample, index); };
  return net;
}

}  // namespace

ProbeSubject probeSubject(RunParts& parts, const OptionValues& options, const ProbeData& data,
                          Progress* progress, const StopToken& stop) {
  const DataSplit part = valueOf(kDataSplits, data.part);
  const auto sample =
      std::make_shared<const ExampleSample>(sampleExamples(*parts.task, part, data.examples, data.seed));
  ProbeSubject subject(*parts.model);
  subject.seed = static_cast<std::uint64_t>(options.integer("seed"));
  subject.longest = longestSequence(*parts.task);
  subject.batches = static_cast<std::int64_t>(sample->batches.size());
  subject.examples = sample->size();
  subject.sample = sample->toJson();
  subject.progress = progress;
  subject.stop = stop;
  subject.batch = [&parts, sample](std::int64_t index) { return batchOf(parts, *sample, index); };
  subject.whole = [&parts, sample] {
    return probeBatchOf(parts, parts.task->makeBatchOf(sample->split, sample->examples));
  };
  subject.only = [&parts, part](std::int64_t example) { return onlyExample(parts, part, example); };
  subject.build = [&parts, options, sample](const std::vector<std::string>& assignments) {
    return buildNet(parts, options, sample, assignments);
  };
  return subject;
}

Json recordedInitialisation(const std::string& runPath) {
  const RunFolder folder(runPath);
  for (int attempt = 1; attempt <= folder.lastAttempt(); ++attempt) {
    const auto details = readJsonFile(folder.detailsPath(attempt));
    if (details.ok() && details->is_object() && details->contains("initialisation"))
      return (*details)["initialisation"];
  }
  return {};
}

}  // namespace fathom
