// SPDX-License-Identifier: Apache-2.0
// extra-layers: a stack of layers on features that another program computed.
#include <iostream>

#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/init/init_report.h"
#include "core/init/initialisation.h"
#include "core/nn/models/extra_layers.h"
#include "core/nn/parameter_store.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

constexpr const char* kPadding = "padding";
constexpr const char* kRelations = "relations";

using Tensors = std::map<std::string, torch::Tensor>;

struct GivenFeatures {
  std::vector<FeaturePart> parts;
  ExtraLayers::Features features;
};

[[noreturn]] void refuse(const std::string& file, const Phrase& what, const Phrase& hint = {}) {
  throw Failure(dataErrorAt(file, 0, what, hint));
}

// An integer or boolean tensor of the wanted shape; taken out of `tensors`.
torch::Tensor takeIds(Tensors& tensors, const std::string& file, const char* name,
                      const std::vector<std::int64_t>& shape) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) return {};
  const torch::Tensor ids = found->second;
  tensors.erase(found);
  if (ids.is_floating_point() || ids.sizes() != torch::IntArrayRef(shape))
    refuse(file, Phrase::tr("tensor '%1' has shape %2 or holds real numbers")(name, shapeText(ids.sizes())),
           Phrase::tr("padding is [rows, length], relations are [rows, length, length], both whole numbers"));
  return ids.to(torch::kInt64);
}

// Every other tensor is a part [rows, length, width], in the order of the names.
GivenFeatures readFeatures(const std::string& file, torch::ScalarType type) {
  Tensors tensors = readTensors(file).value();
  GivenFeatures given;
  std::int64_t rows = -1, length = 0;
  for (const auto& [name, tensor] : tensors) {
    if (name == kPadding || name == kRelations) continue;
    if (!tensor.is_floating_point() || tensor.dim() != 3 || tensor.numel() == 0 ||
        (rows >= 0 && tensor.size(0) != rows))
      refuse(file, Phrase::tr("tensor '%1' has shape %2")(name, shapeText(tensor.sizes())),
             Phrase::tr("a part is [rows, length, width] of real numbers, all parts have the same rows"));
    if (!tensor.isfinite().all().item<bool>())
      refuse(file, Phrase::tr("tensor '%1' is not finite everywhere")(name));
    rows = tensor.size(0);
    length += tensor.size(1);
    given.parts.push_back({name, tensor.size(2)});
    given.features.states.push_back(tensor.to(type));
  }
  if (given.parts.empty()) refuse(file, Phrase::tr("holds no features"));
  const torch::Tensor padding = takeIds(tensors, file, kPadding, {rows, length});
  if (padding.defined()) given.features.padding = padding.ne(0);
  given.features.relations = takeIds(tensors, file, kRelations, {rows, length, length});
  return given;
}

// Relation-aware layers need ids within their tables, the others take none.
void checkRelations(const std::string& file, const ExtraLayers::Features& features,
                    const StackConfiguration& stack) {
  const bool aware = stack.attention == "relation_aware";
  if (aware != features.relations.defined())
    refuse(file,
           aware ? Phrase::tr("relation-aware layers need the tensor 'relations'")
                 : Phrase::tr("multi-head layers take no relations"),
           aware ? Phrase::tr("add it, or set extra.attention=multi_head")
                 : Phrase::tr("set extra.attention=relation_aware"));
  if (!aware) return;
  const std::int64_t low = features.relations.min().item<std::int64_t>(),
                     high = features.relations.max().item<std::int64_t>();
  if (low < 0 || high >= stack.selfAttention.relationTypes)
    refuse(file,
           Phrase::tr("relation ids go from %1 to %2, the tables have %3 rows")(
               low, high, stack.selfAttention.relationTypes),
           Phrase::tr("set model.extra_layers.relation_types"));
}

// Values by the options; what an initialisation measures, it measures on the features, all at once.
Json fill(ExtraLayers& layers, const ExtraLayersVerb& verb, const OptionValues& options,
          const ExtraLayers::Features& features) {
  const auto pass = [&](std::int64_t, const StepContext& context) {
    const at::NoGradGuard noGrad;
    layers.forward(features, context);
  };
  Json report =
      initialiseModel(layers, options, static_cast<std::uint64_t>(options.integer("seed")), pass, 1).value();
  if (!verb.weights.empty()) {
    layers.parameters().load(readTensors(verb.weights).value()).value();
    report["kept"] = Json::array();
  }
  report["rows"] = initRows(layers, report);
  return report;
}

}  // namespace

ExitCode extraLayersVerb(const ExtraLayersVerb& verb) {
  checkNewFolder(verb.out).value();
  const RunConfig config = readConfigOrPreset(verb.config).value();
  std::vector<std::string> assignments = {"model=extra_layers"};
  assignments.insert(assignments.end(), verb.assignments.begin(), verb.assignments.end());
  const OptionValues options = networkOptions(config, verb.config, assignments).value();
  if (options.text("model") != "extra_layers")
    throw Failure(
        usageError(Phrase::tr("extra-layers applies the model extra_layers, not %1")(options.text("model"))));
  const torch::ScalarType type = options.text("precision") == "float64" ? torch::kFloat64 : torch::kFloat32;
  const GivenFeatures given = readFeatures(verb.features, type);
  const StackConfiguration stack = extraStackConfiguration(options);
  checkRelations(verb.features, given.features, stack);
  ExtraLayers layers(given.parts, stack, options, torch::TensorOptions(type));
  const Json report = fill(layers, verb, options, given.features);
  const at::NoGradGuard noGrad;
  torch::Tensor output = layers.forward(given.features, {});
  if (given.features.padding.defined()) output = output.masked_fill(given.features.padding.unsqueeze(-1), 0);
  makeNewFolder(verb.out, [&](const std::string& folder) -> Status {
    FATHOM_TRY(const std::string outputHash,
               writeTensors(folder + "/output.safetensors",
                            {{"input", layers.projected(given.features, {})}, {"output", output}}));
    FATHOM_TRY(const std::string weightsHash,
               writeTensors(folder + "/weights.safetensors", layers.parameters().state()));
    return writeFileAtomically(folder + "/init_report.json", report.dump(1) + "\n");
  }).value();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  for (const FeaturePart& part : given.parts) json["parts"][part.name] = part.width;
  json["parameters"] = layers.parameters().parameterCount();
  json["output"] = output.sizes().vec();
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
