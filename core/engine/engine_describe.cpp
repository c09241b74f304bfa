// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_describe.h"

#include <iostream>
#include <optional>

#include "core/analysis/analysis_entry.h"
#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/init/initialisation.h"
#include "core/kernels/device_graph.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/kernel_plugin.h"
#include "core/nn/attention/attention.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/residual/residual_scheme.h"
#include "core/objectives/objective.h"
#include "core/optim/optimizer.h"
#include "core/probe/probe_entry.h"
#include "core/record/events/event_log.h"
#include "core/tasks/task.h"
#include "core/train/parallel/nccl_plugin.h"
#include "core/train/parts/compute_device.h"
#include "core/train/parts/provenance.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

template <typename Entry>
Json entryList(const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries)
    list.push_back({{"id", entry.id}, {"title", entry.title}, {"reference", entry.reference}});
  return list;
}

Json taskList() {
  Json list = Json::array();
  for (const TaskEntry& entry : taskEntries()) {
    const bool trainable = objectiveForTask(entry.id) != nullptr;
    list.push_back({{"id", entry.id},
                    {"title", entry.title},
                    {"reference", entry.paper},
                    {"trainable", trainable},
                    {"texts", textFieldsJson(entry.texts)},
                    {"statistics", statisticFieldsJson(entry.statistics)},
                    {"input_example", entry.inputExample},
                    {"input_form", entry.inputForm},
                    {"review", entry.review.kind}});
  }
  return list;
}

Json probeList() {
  Json list = Json::array();
  for (const ProbeEntry& entry : probeEntries()) {
    list.push_back({{"id", entry.id},
                    {"title", entry.title},
                    {"reference", entry.reference},
                    {"version", entry.version},
                    {"initial_only", entry.initialOnly},
                    {"part", entry.part},
                    {"schema", OptionSchema(entry.fields, {}).toJson()}});
  }
  return list;
}

// Choices of an option are entries too where there is no list of their own.
Json choiceList(const char* key) {
  Json list = Json::array();
  if (const OptionField* field = runSchema().find(key)) {
    for (const OptionChoice& choice : field->choices)
      list.push_back({{"id", choice.id}, {"title", choice.title}, {"reference", field->reference}});
  }
  return list;
}

// DT-Fixup's code keeps the norms that its layers do not use, and the paper counts them. Nothing where the
// extra layers have their norms.
std::optional<std::int64_t> countWithNorms(OptionValues options, const ModelInputs& inputs) {
  if (!options.active("extra.residual") || options.text("extra.residual") != "unnormalised")
    return std::nullopt;
  options.set("init", "xavier").value();  // DT-Fixup's does not go with norms, and values do not count here
  options.set("extra.residual", "post_ln").value();
  return parameterCount(options, inputs).value().total;
}

// Our own kernels as they were found, or the reason why they were not.
Json kernelsFound() {
  Json json = {{"available", false}, {"reason", "there is no CUDA device"}};
  if (!cudaProblem().empty()) return json;
  const KernelPlugin& plugin = kernelPlugin();
  json["available"] = plugin.table != nullptr;
  json["reason"] = plugin.reason;
  json["file"] = plugin.file;
  json["made_by"] = plugin.table != nullptr ? plugin.table->made : "";
  json["families"] = Json::array();
  for (const KernelEntry& entry : kernelEntries())
    json["families"].push_back({{"id", entry.id}, {"title", entry.title}});
  return json;
}

// The plug-ins with graphs and with NCCL, likewise.
template <typename Plugin>
Json pluginFound(const Plugin& (*find)()) {
  Json json = {{"available", false}, {"reason", "there is no CUDA device"}};
  if (!cudaProblem().empty()) return json;
  const Plugin& plugin = find();
  json["available"] = plugin.table != nullptr;
  json["reason"] = plugin.reason;
  json["file"] = plugin.file;
  json["made_by"] = plugin.table != nullptr ? plugin.table->made : "";
  return json;
}

ExitCode describeModel(const DescribeVerb& verb) {
  const StartingPoint start = startingPoint(verb.config, verb.preset, verb.vocabulary).value();
  const OptionValues options = networkOptions(start.config, start.from, verb.assignments).value();
  const ModelInputs inputs = ModelInputs::ofVocabulary(start.vocabulary);
  const ParameterCount count = parameterCount(options, inputs).value();
  Json json;
  json["format"] = 1;
  json["model"] = options.text("model");
  json["vocabulary"] = start.vocabulary;
  json["parameters"] = {{"total", count.total},
                        {"embeddings", count.embeddings},
                        {"encoder", count.encoder},
                        {"decoder", count.decoder},
                        {"extra", count.extra}};
  if (const auto normed = countWithNorms(options, inputs)) json["parameters"]["with_norms"] = *normed;
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace

Json engineDescription() {
  Json json;
  json["format"] = 1;
  json["program"] = kProgramName;
  json["version"] = programVersion();
  json["events_version"] = kEventVersion;
  json["schema"] = runSchema().toJson();
  json["metrics"] = metricsToJson(programMetrics());
  Json& entries = json["entries"];
  entries["tasks"] = taskList();
  entries["models"] = entryList(modelEntries());
  entries["attentions"] = entryList(attentionEntries());
  entries["residuals"] = entryList(residualEntries());
  entries["inits"] = entryList(initEntries());
  entries["optimisers"] = entryList(optimizerEntries());
  entries["probes"] = probeList();
  entries["schedules"] = choiceList("lr_schedule");
  json["devices"] = Json::array();
  for (const ComputeDevice& device : computeDevices()) {
    json["devices"].push_back({{"id", device.id},
                               {"title", device.title},
                               {"available", device.usable},
                               {"reason", device.reason}});
  }
  json["kernels"] = kernelsFound();
  json["graphs"] = pluginFound(graphPlugin);
  json["nccl"] = pluginFound(ncclPlugin);
  json["libraries"] = libraryVersions();
  return json;
}

ExitCode describeVerb(const DescribeVerb& verb) {
  if (verb.model) return describeModel(verb);
  std::cout << jsonText(engineDescription()) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
