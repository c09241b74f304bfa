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
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/run_encoder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/nn/pretrained/token_table.h"
#include "core/nn/pretrained/weights_file.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/runs/run_config.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, torch::Tensor>;

constexpr const char* kOwnFormat = "fathom-encoder";

Error badMember(const std::string& file, const std::string& key, const Phrase& what) {
  return dataErrorAt(file, 0, Phrase::tr("member '%1' %2")(key, what),
                     Phrase::tr("a config.json of BERT or RoBERTa is expected"));
}

// A member of another type is never passed over: what transformers would read from it is not known.
Result<std::int64_t> count(const Json& config, const std::string& file, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1 ||
      found->get<std::int64_t>() > (std::int64_t{1} << 24))
    return badMember(file, key, Phrase::tr("must be a whole number from 1 to 16777216"));
  return found->get<std::int64_t>();
}
Result<std::string> word(const Json& config, const std::string& file, const char* key,
                         const char* otherwise) {
  const auto found = config.find(key);
  if (found == config.end()) return std::string(otherwise);
  if (!found->is_string()) return badMember(file, key, Phrase::tr("must be a text"));
  return found->get<std::string>();
}
Result<double> real(const Json& config, const std::string& file, const char* key, double otherwise) {
  const auto found = config.find(key);
  if (found == config.end()) return otherwise;
  if (!found->is_number()) return badMember(file, key, Phrase::tr("must be a number"));
  return found->get<double>();
}

Result<std::string> activationOf(const Json& config, const std::string& file) {
  FATHOM_TRY(const std::string name, word(config, file, "hidden_act", "gelu"));
  if (name == "gelu") return std::string("gelu_erf");
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return std::string("gelu_tanh");
  if (name == "relu") return name;
  return badMember(file, "hidden_act",
                   Phrase::tr("is '%1'; known are gelu, gelu_new, gelu_pytorch_tanh and relu")(name));
}

// Files of before 2020 have no model_type: the class that was saved says it, and none at all is BERT's.
Result<std::string> kindOf(const Json& config, const std::string& file) {
  FATHOM_TRY(const std::string kind, word(config, file, "model_type", ""));
  if (!kind.empty() || config.contains("model_type")) return kind;
  const Json saved = config.value("architectures", Json());
  const bool named = saved.is_array() && !saved.empty() && saved.front().is_string();
  const std::string name = named ? saved.front().get<std::string>() : "Bert";
  return std::string(name.starts_with("Roberta") ? "roberta" : name.starts_with("Bert") ? "bert" : "");
}

// What would make another function of the same tensors.
Status checkSwitches(const Json& config, const std::string& file) {
  FATHOM_TRY(const std::string positions, word(config, file, "position_embedding_type", "absolute"));
  if (positions != "absolute")
    return badMember(file, "position_embedding_type", Phrase::tr("must be absolute"));
  for (const char* key : {"is_decoder", "add_cross_attention"}) {
    const auto found = config.find(key);
    if (found == config.end() || found->is_null()) continue;
    if (!found->is_boolean()) return badMember(file, key, Phrase::tr("must be true or false"));
    if (found->get<bool>()) return badMember(file, key, Phrase::tr("must be false"));
  }
  const auto pruned = config.find("pruned_heads");
  if (pruned != config.end() && !pruned->is_null() && !pruned->empty())
    return badMember(file, "pruned_heads", Phrase::tr("must be empty"));
  return {};
}

// Architecture of config.json in our options.
Result<EncoderWeights> readArchitecture(const std::string& file) {
  FATHOM_TRY(const Json config, readJsonFile(file));
  if (!config.is_object()) return dataErrorAt(file, 0, Phrase::tr("is not a JSON object"));
  EncoderWeights weights;
  FATHOM_TRY(weights.kind, kindOf(config, file));
  if (weights.kind != "bert" && weights.kind != "roberta")
    return badMember(file, "model_type", Phrase::tr("is '%1'; bert and roberta can be read")(weights.kind));
  FATHOM_CHECK(checkSwitches(config, file));
  const bool roberta = weights.kind == "roberta";
  Json& options = weights.options;
  options["model"] = "bert";
  constexpr std::pair<const char*, const char*> kCounts[] = {{"hidden_size", "model.width"},
                                                             {"num_attention_heads", "model.heads"},
                                                             {"intermediate_size", "model.feed_forward"},
                                                             {"num_hidden_layers", "encoder.layers"},
                                                             {"max_position_embeddings", kBertRows},
                                                             {"type_vocab_size", kBertSegments}};
  for (const auto& [theirs, ours] : kCounts) {
    FATHOM_TRY(options[ours], count(config, file, theirs));
  }
  FATHOM_TRY(weights.vocabulary, count(config, file, "vocab_size"));
  FATHOM_TRY(options["model.activation"], activationOf(config, file));
  options["encoder.residual"] = "post_ln";
  FATHOM_TRY(options[kBertNormEps], real(config, file, "layer_norm_eps", 1e-12));
  FATHOM_TRY(options["model.dropout"], real(config, file, "hidden_dropout_prob", 0.1));
  FATHOM_TRY(options["model.attention_dropout"], real(config, file, "attention_probs_dropout_prob", 0.1));
  options[kBertPositions] = roberta ? "non_pad" : "row";
  const Json pad = config.value("pad_token_id", Json());
  if (!pad.is_null() && !pad.is_number_integer())
    return badMember(file, "pad_token_id", Phrase::tr("must be a whole number"));
  weights.padId = pad.is_null() ? (roberta ? 1 : 0) : pad.get<std::int64_t>();
  return weights;
}

std::string withoutPrefix(const std::string& name, const std::string& kind) {
  return name.starts_with(kind + ".") ? name.substr(kind.size() + 1) : name;
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

// `lenient`: options that are not of the model are passed over.
Result<std::unique_ptr<Model>> modelWithoutMemory(const std::string& file, const EncoderWeights& weights,
                                                  bool lenient) {
  OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
  FATHOM_CHECK(options.merge(weights.options, file, lenient));
  const ModelInputs inputs{{"vocabulary", weights.vocabulary}, {"pad_id", weights.padId}};
  return buildModel(options, inputs, torch::TensorOptions().device(torch::kMeta));
}

// Shapes against the architecture, through a model that holds no memory. What it has no place for leaves the
// plan.
Status checkShapes(const WeightsFile& weightsFile, WeightsPlan& plan, EncoderWeights& weights) {
  const std::string& file = weightsFile.path();
  const bool masked = plan.has("mlm.transform.weight"), next = plan.has("nsp.weight");
  weights.options[kBertHead] = masked && next ? "pretraining" : masked ? "masked_words" : "none";
  FATHOM_TRY(const auto model, modelWithoutMemory(file, weights, false));
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

Result<EncoderWeights> readHuggingFaceEncoder(const std::string& folder) {
  FATHOM_TRY(const bool there, isThere(folder));
  if (!there || !folderExists(folder)) return dataError(Phrase::tr("%1 is no folder")(folder));
  FATHOM_TRY(EncoderWeights weights, readArchitecture(folder + "/config.json"));
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
    config.options[kBertWeights] = place;
    for (const auto& [name, bytes] : vocabulary.files)
      FATHOM_CHECK(writeFileAtomically(temporary + "/" + name, bytes));
    Json told = vocabulary.options;
    for (const char* key : {"file", "merges"})
      if (told.contains(key)) told[key] = place + "/" + memberText(told, key);
    const std::string head = memberText(weights.options, kBertHead, "none");
    // Weights without a head go on with a fresh one.
    if (head == "none") config.options[kBertHead] = weights.kind == "bert" ? "pretraining" : "masked_words";
    told["next_sentence"] = weights.kind != "roberta" && head != "masked_words";
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
    weights.options[kBertHead] = theirs->second;
  if (const auto pad = metadata.find("pad_id"); pad != metadata.end())
    weights.padId = std::atoll(pad->second.c_str());
  FATHOM_TRY(const auto model, modelWithoutMemory(file, weights, true));
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
