// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/encoder_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/nn/parameter_store.h"
#include "core/nn/pretrained/config_members.h"
#include "core/nn/pretrained/gpt2_folder.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/run_encoder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/nn/pretrained/token_table.h"
#include "core/nn/pretrained/weights_file.h"
#include "core/nn/pretrained/weights_model.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/runs/run_config.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

constexpr const char* kOwnFormat = "fathom-encoder";
constexpr const char* kGpt2Kind = "gpt2";

// Files of before 2020 have no model_type: the class that was saved says it, and none at all is BERT's.
Result<std::string> kindOf(const ConfigMembers& config) {
  FATHOM_TRY(const std::string kind, config.word("model_type", ""));
  if (!kind.empty() || config.has("model_type")) return kind;
  const Json saved = config.any("architectures");
  const bool named = saved.is_array() && !saved.empty() && saved.front().is_string();
  const std::string name = named ? saved.front().get<std::string>() : "Bert";
  return std::string(name.starts_with("Roberta") ? "roberta"
                     : name.starts_with("Bert")  ? "bert"
                     : name.starts_with("GPT2")  ? kGpt2Kind
                                                 : "");
}

// Switches that would make another function of the same tensors.
Status checkSwitches(const ConfigMembers& config) {
  FATHOM_TRY(const std::string positions, config.word("position_embedding_type", "absolute"));
  if (positions != "absolute") return config.bad("position_embedding_type", Phrase::tr("must be absolute"));
  FATHOM_CHECK(config.mustBe("is_decoder", false));
  FATHOM_CHECK(config.mustBe("add_cross_attention", false));
  const Json pruned = config.any("pruned_heads");
  if (!pruned.is_null() && !pruned.empty()) return config.bad("pruned_heads", Phrase::tr("must be empty"));
  return {};
}

// Architecture of config.json in our options.
Result<EncoderWeights> readArchitecture(const ConfigMembers& config, const std::string& kind) {
  EncoderWeights weights;
  weights.kind = kind;
  if (kind != "bert" && kind != "roberta")
    return config.bad("model_type", Phrase::tr("is '%1'; bert, roberta and gpt2 can be read")(kind));
  FATHOM_CHECK(checkSwitches(config));
  const bool roberta = kind == "roberta";
  Json& options = weights.options;
  options["model"] = "bert";
  constexpr std::pair<const char*, const char*> kCounts[] = {{"hidden_size", "model.width"},
                                                             {"num_attention_heads", "model.heads"},
                                                             {"intermediate_size", "model.feed_forward"},
                                                             {"num_hidden_layers", "encoder.layers"},
                                                             {"max_position_embeddings", kBertRows},
                                                             {"type_vocab_size", kBertSegments}};
  for (const auto& [theirs, ours] : kCounts) {
    FATHOM_TRY(options[ours], config.count(theirs));
  }
  FATHOM_TRY(weights.vocabulary, config.count("vocab_size"));
  FATHOM_TRY(options["model.activation"], config.activation("hidden_act", "gelu"));
  options["encoder.residual"] = "post_ln";
  FATHOM_TRY(options[kBertNormEps], config.real("layer_norm_eps", 1e-12));
  FATHOM_TRY(options["model.dropout"], config.real("hidden_dropout_prob", 0.1));
  FATHOM_TRY(options["model.attention_dropout"], config.real("attention_probs_dropout_prob", 0.1));
  options[kBertPositions] = roberta ? "non_pad" : "row";
  const Json pad = config.any("pad_token_id");
  if (!pad.is_null() && !pad.is_number_integer())
    return config.bad("pad_token_id", Phrase::tr("must be a whole number"));
  weights.padId = pad.is_null() ? (roberta ? 1 : 0) : pad.get<std::int64_t>();
  return weights;
}

std::string withoutPrefix(const std::string& name, const std::string& kind) {
  return name.starts_with(kind + ".") ? name.substr(kind.size() + 1) : name;
}

const char* headKeyOf(const EncoderWeights& weights) {
  return weights.causal() ? kCausalHead : kBertHead;
}

Error wrong(const std::string& file, const Phrase& what, const Phrase& hint = {}) {
  return dataErrorAt(file, 0, what, hint);
}

// What of a file becomes what of ours, told by names, number formats and shapes alone.
struct WeightsPlan {
  std::map<std::string, const WeightsFile::Head*> heads;               // by our name
  std::vector<std::pair<const WeightsFile::Head*, std::string>> tied;  // and our name of the original
  bool has(const char* own) const { return heads.count(own) != 0; }
};

Error notTied(const std::string& file, const std::string& name) {
  return wrong(file, Phrase::tr("tensor '%1' differs from the one it is tied to")(name),
               Phrase::tr("models with an output table of their own are not supported"));
}

Result<WeightsPlan> planWeights(const WeightsFile& file, EncoderWeights& weights) {
  WeightsPlan plan;
  for (const WeightsFile::Head& head : file.heads()) {
    const auto own = ownEncoderName(withoutPrefix(head.name, weights.kind));
    if (!own) continue;
    if (!at::isFloatingType(head.type))
      return wrong(file.path(head), Phrase::tr("tensor '%1' holds no real numbers")(head.name));
    if (!plan.heads.emplace(*own, &head).second)
      return wrong(file.path(head), Phrase::tr("tensor '%1' is there under two names")(head.name));
  }
  for (const WeightsFile::Head& head : file.heads()) {
    if (ownEncoderName(withoutPrefix(head.name, weights.kind))) continue;
    const auto original = tiedOriginal(head.name);
    const auto tied = original ? plan.heads.find(*original) : plan.heads.end();
    if (tied == plan.heads.end()) {
      weights.ignored.push_back(head.name);
    } else if (tied->second->shape != head.shape) {
      return notTied(file.path(head), head.name);
    } else {
      plan.tied.emplace_back(&head, *original);
    }
  }
  return plan;
}

// Shapes against the architecture, through a model that holds no memory. What it has no place for leaves the
// plan.
Status checkShapes(const WeightsFile& weightsFile, WeightsPlan& plan, EncoderWeights& weights) {
  const std::string& file = weightsFile.path();
  const bool masked = plan.has("mlm.transform.weight"), next = plan.has("nsp.weight");
  weights.options[kBertHead] = masked && next ? "pretraining" : masked ? "masked_words" : "none";
  FATHOM_TRY(const auto model, modelOfWeights(file, weights, false));
  for (const Parameter& parameter : model->parameters().parameters()) {
    const std::string& name = parameter.info.name;
    const auto found = plan.heads.find(name);
    if (found == plan.heads.end()) {
      if (name.starts_with("pooler.")) continue;  // RoBERTa checkpoints often lack it
      const auto theirs = huggingFaceName(name, weights.kind);
      return wrong(file, Phrase::tr("tensor '%1' is missing")(theirs.value_or(name)));
    }
    const torch::Tensor own = model->parameters().value(parameter);
    const torch::IntArrayRef shape = found->second->shape;
    if (own.sizes() != shape)
      return wrong(
          weightsFile.path(*found->second),
          Phrase::tr("tensor '%1' has shape %2, config.json says %3")(
              huggingFaceName(name, weights.kind).value_or(name), shapeText(shape), shapeText(own.sizes())));
  }
  for (auto it = plan.heads.begin(); it != plan.heads.end();) {
    const bool kept = model->parameters().find(it->first) != nullptr;
    const std::string theirs = huggingFaceName(it->first, weights.kind).value_or(it->first);
    if (!kept && it->first.starts_with("encoder.layers."))
      return wrong(file, Phrase::tr("tensor '%1' is of a layer that config.json does not have")(theirs),
                   Phrase::tr("correct num_hidden_layers"));
    if (!kept) weights.ignored.push_back(theirs);
    it = kept ? std::next(it) : plan.heads.erase(it);
  }
  return {};
}

Status readPlanned(const WeightsFile& file, const WeightsPlan& plan, EncoderWeights& weights) {
  std::set<std::string> names;
  for (const auto& [own, head] : plan.heads) names.insert(head->name);
  for (const auto& [head, original] : plan.tied) {
    if (plan.has(original.c_str()))
      names.insert(head->name);
    else
      weights.ignored.push_back(head->name);
  }
  FATHOM_TRY(const Tensors read, file.read(names));
  for (const auto& [own, head] : plan.heads) {
    const torch::Tensor& tensor = read.at(head->name);
    if (!tensor.isfinite().all().item<bool>())
      return wrong(file.path(*head), Phrase::tr("tensor '%1' is not finite everywhere")(head->name));
    weights.tensors.emplace(own, tensor);
  }
  for (const auto& [head, original] : plan.tied) {
    const auto own = weights.tensors.find(original);
    if (own != weights.tensors.end() && !own->second.equal(read.at(head->name)))
      return notTied(file.path(*head), head->name);
  }
  return {};
}

}  // namespace

bool EncoderWeights::causal() const {
  return model() == kCausalModel;
}

Result<EncoderWeights> readHuggingFaceEncoder(const std::string& folder) {
  FATHOM_TRY(const bool there, isThere(folder));
  if (!there || !folderExists(folder)) return dataError(Phrase::tr("%1 is no folder")(folder));
  FATHOM_TRY(const ConfigMembers config, readConfigMembers(folder));
  FATHOM_TRY(const std::string kind, kindOf(config));
  if (kind == kGpt2Kind) return readGpt2(folder, config);
  FATHOM_TRY(EncoderWeights weights, readArchitecture(config, kind));
  FATHOM_TRY(const WeightsFile file, WeightsFile::open(folder));
  FATHOM_TRY(WeightsPlan plan, planWeights(file, weights));
  FATHOM_CHECK(checkShapes(file, plan, weights));
  FATHOM_CHECK(readPlanned(file, plan, weights));
  weights.ignored.insert(weights.ignored.end(), file.unnamed().begin(), file.unnamed().end());
  weights.file = file.path();
  weights.files = file.files();
  weights.files.insert(weights.files.end(), {file.path(), folder + "/config.json"});
  return weights;
}

Status writeImportedEncoder(const EncoderWeights& weights, const EncoderVocabulary& vocabulary,
                            const std::string& folder, const EncoderTaskOptions& task) {
  return makeNewFolder(folder, [&](const std::string& temporary) -> Status {
    const std::string place = absolutePath(folder);
    RunConfig config;
    config.name = fs::path(place).filename().string();
    config.options = weights.options;
    config.options[weights.causal() ? kCausalWeights : kBertWeights] = place;
    for (const auto& [name, bytes] : vocabulary.files)
      FATHOM_CHECK(writeFileAtomically(temporary + "/" + name, bytes));
    Json told = vocabulary.options;
    for (const char* key : {"file", "merges"})
      if (told.contains(key)) told[key] = place + "/" + memberText(told, key);
    const std::string head = memberText(weights.options, headKeyOf(weights), "none");
    if (weights.causal()) {
      told["longest"] = weights.options.at(kCausalRows);
    } else {
      // Weights without a head go on with a fresh one.
      if (head == "none") config.options[kBertHead] = weights.kind == "bert" ? "pretraining" : "masked_words";
      told["next_sentence"] = weights.kind != "roberta" && head != "masked_words";
    }
    config.options.update(task(told));
    std::map<std::string, std::string> metadata = {{"format", kOwnFormat},
                                                   {"kind", weights.kind},
                                                   {"head", head},
                                                   {"vocabulary", std::to_string(weights.vocabulary)},
                                                   {"pad_id", std::to_string(weights.padId)}};
    if (vocabulary.pieces > 0) metadata[kPiecesFact] = std::to_string(vocabulary.pieces);
    const std::vector<std::pair<std::string, torch::Tensor>> list(weights.tensors.begin(),
                                                                  weights.tensors.end());
    FATHOM_TRY(const std::string hash, writeTensors(temporary + "/model.safetensors", list, metadata));
    return writeFileAtomically(temporary + "/config.json", runConfigToJson(config).dump(2) + "\n");
  });
}

Result<EncoderWeights> readEncoder(const std::string& folder) {
  if (const auto run = runOfWeights(folder)) return readRunEncoder(*run, folder);
  const std::string file = folder + "/model.safetensors";
  if (!fileExists(file)) return readHuggingFaceEncoder(folder);
  FATHOM_TRY(const SafetensorsFile head, SafetensorsFile::open(file));
  const auto format = head.metadata().find("format");
  if (format == head.metadata().end() || format->second != kOwnFormat) return readHuggingFaceEncoder(folder);
  FATHOM_TRY(const RunConfig config, readRunConfig(folder + "/config.json"));
  EncoderWeights weights;
  weights.options = architectureOf(config.options);
  weights.file = file;
  const auto table = std::find_if(head.entries().begin(), head.entries().end(), [](const TensorEntry& entry) {
    return entry.name == "embedding.token.weight";
  });
  if (table == head.entries().end())
    return wrong(file, Phrase::tr("tensor 'embedding.token.weight' is missing"));
  if (table->shape.size() != 2) return wrong(file, Phrase::tr("tensor 'embedding.token.weight' is no table"));
  weights.vocabulary = table->shape[0];
  const auto& metadata = head.metadata();
  if (const auto kind = metadata.find("kind"); kind != metadata.end()) weights.kind = kind->second;
  if (const auto theirs = metadata.find("head"); theirs != metadata.end())
    weights.options[headKeyOf(weights)] = theirs->second;
  if (const auto pad = metadata.find("pad_id"); pad != metadata.end())
    weights.padId = std::atoll(pad->second.c_str());
  FATHOM_TRY(const auto model, modelOfWeights(file, weights, true));
  FATHOM_TRY(weights.tensors, readTensors(file, [&](const TensorEntry& entry) -> Status {
               const Parameter* parameter = model->parameters().find(entry.name);
               if (parameter == nullptr)
                 return wrong(file, Phrase::tr("tensor '%1' is of no part that config.json has")(entry.name));
               const torch::Tensor own = model->parameters().value(*parameter);
               if (own.sizes() == torch::IntArrayRef(entry.shape)) return {};
               return wrong(file, Phrase::tr("tensor '%1' has shape %2, config.json says %3")(
                                      entry.name, shapeText(entry.shape), shapeText(own.sizes())));
             }));
  return weights;
}

}  // namespace fathom
