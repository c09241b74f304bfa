// SPDX-License-Identifier: Apache-2.0
// GPT-2 from Hugging Face folders and back (gpt2_folder.h).
#include "core/nn/pretrained/gpt2_folder.h"

#include <cstdlib>
#include <set>

#include "core/base/errors/error_key.h"
#include "core/nn/pretrained/gpt2_names.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/weights_file.h"
#include "core/nn/pretrained/weights_model.h"

namespace fathom {

namespace {

using Gpt2Heads = std::map<std::string, const WeightsFile::Head*>;  // by their name without the prefix

// Switches that would make another function of the same tensors.
Status checkGpt2Switches(const ConfigMembers& config) {
  FATHOM_CHECK(config.mustBe("scale_attn_weights", true));
  FATHOM_CHECK(config.mustBe("scale_attn_by_inverse_layer_idx", false));
  FATHOM_CHECK(config.mustBe("add_cross_attention", false));
  FATHOM_CHECK(config.mustBe("tie_word_embeddings", true));
  const Json pruned = config.any("pruned_heads");
  return pruned.is_null() || pruned.empty() ? Status()
                                            : config.bad("pruned_heads", Phrase::tr("must be empty"));
}

// One rate for the input and for the branches: a run could not go on with two.
Result<double> gpt2Dropout(const ConfigMembers& config) {
  constexpr double kUsual = 0.1;
  FATHOM_TRY(const double branches, config.real("resid_pdrop", kUsual));
  FATHOM_TRY(const double input, config.real("embd_pdrop", kUsual));
  if (input == branches) return branches;
  return config.bad("embd_pdrop", Phrase::tr("is %1, resid_pdrop is %2: here they are one rate")(
                                      Json(input).dump(), Json(branches).dump()));
}

Result<EncoderWeights> gpt2Architecture(const ConfigMembers& config) {
  FATHOM_CHECK(checkGpt2Switches(config));
  EncoderWeights weights;
  weights.kind = "gpt2";
  Json& options = weights.options;
  options["model"] = kCausalModel;
  constexpr std::pair<const char*, const char*> kCounts[] = {{"n_embd", "model.width"},
                                                             {"n_head", "model.heads"},
                                                             {"n_layer", "decoder.layers"},
                                                             {"n_positions", kCausalRows}};
  for (const auto& [theirs, ours] : kCounts) {
    FATHOM_TRY(options[ours], config.count(theirs));
  }
  options["model.feed_forward"] = 4 * options["model.width"].get<std::int64_t>();
  if (!config.isNull("n_inner")) {
    FATHOM_TRY(options["model.feed_forward"], config.count("n_inner"));
  }
  FATHOM_TRY(weights.vocabulary, config.count("vocab_size"));
  FATHOM_TRY(options["model.activation"], config.activation("activation_function", "gelu_new"));
  options["decoder.residual"] = "pre_ln";
  FATHOM_TRY(options[kCausalNormEps], config.real("layer_norm_epsilon", 1e-5));
  FATHOM_TRY(options["model.dropout"], gpt2Dropout(config));
  FATHOM_TRY(options["model.attention_dropout"], config.real("attn_pdrop", 0.1));
  options[kCausalHead] = "next_words";
  return weights;
}

Error wrongGpt2(const std::string& file, const Phrase& what, const Phrase& hint = {}) {
  return dataErrorAt(file, 0, what, hint);
}

// The tensors of the file without its masks.
Result<Gpt2Heads> gpt2Heads(const WeightsFile& file) {
  Gpt2Heads heads;
  for (const WeightsFile::Head& head : file.heads()) {
    const std::string name = withoutGpt2Prefix(head.name);
    if (isGpt2Buffer(name)) continue;
    if (!at::isFloatingType(head.type))
      return wrongGpt2(file.path(head), Phrase::tr("tensor '%1' holds no real numbers")(head.name));
    if (!heads.emplace(name, &head).second)
      return wrongGpt2(file.path(head), Phrase::tr("tensor '%1' is there under two names")(head.name));
  }
  return heads;
}

std::vector<std::int64_t> shapeThere(torch::IntArrayRef own, const Gpt2Place& place) {
  std::vector<std::int64_t> shape = own.vec();
  if (place.transposed) std::swap(shape.front(), shape.back());
  shape.back() *= place.parts;
  return shape;
}

torch::Tensor ownValues(const torch::Tensor& theirs, const Gpt2Place& place) {
  const std::int64_t wide = theirs.size(-1) / place.parts;
  const torch::Tensor part = theirs.narrow(-1, place.part * wide, wide);
  return (place.transposed ? part.t() : part).contiguous();
}

// Every parameter of ours has its tensor, in the shape that config.json says. Names of those tensors.
Result<std::set<std::string>> checkGpt2Shapes(const WeightsFile& file, const Gpt2Heads& heads,
                                              const Model& model) {
  std::set<std::string> used;
  for (const Parameter& parameter : model.parameters().parameters()) {
    const auto place = gpt2Place(parameter.info.name);
    if (!place) return internalError("GPT-2 has no place for " + parameter.info.name);
    const auto found = heads.find(place->name);
    if (found == heads.end())
      return wrongGpt2(file.path(), Phrase::tr("tensor '%1' is missing")(kGpt2Prefix + place->name));
    const auto shape = shapeThere(model.parameters().value(parameter).sizes(), *place);
    if (found->second->shape != shape)
      return wrongGpt2(file.path(*found->second),
                       Phrase::tr("tensor '%1' has shape %2, config.json says %3")(
                           found->second->name, shapeText(found->second->shape), shapeText(shape)));
    used.insert(place->name);
  }
  return used;
}

// Tensors that are left over: layers that config.json does not have are an error, heads of tasks are named.
Status leaveGpt2Out(const WeightsFile& file, const Gpt2Heads& heads, const std::set<std::string>& used,
                    EncoderWeights& weights) {
  for (const auto& [name, head] : heads) {
    if (used.contains(name) || name == kGpt2Output) continue;
    if (!name.starts_with("h.")) {
      weights.ignored.push_back(head->name);
      continue;
    }
    const bool above = std::atoll(name.c_str() + 2) >= weights.options["decoder.layers"].get<std::int64_t>();
    const Phrase what =
        above ? Phrase::tr("tensor '%1' is of a layer that config.json does not have")(head->name)
              : Phrase::tr("tensor '%1' has no place in a layer of GPT-2")(head->name);
    return wrongGpt2(file.path(*head), what, above ? Phrase::tr("correct n_layer") : Phrase());
  }
  return {};
}

Status readGpt2Tensors(const WeightsFile& file, const Gpt2Heads& heads, const Model& model,
                       EncoderWeights& weights) {
  FATHOM_TRY(const std::set<std::string> used, checkGpt2Shapes(file, heads, model));
  FATHOM_CHECK(leaveGpt2Out(file, heads, used, weights));
  const auto output = heads.find(kGpt2Output);
  const bool tied = output != heads.end();
  std::set<std::string> names;
  for (const std::string& name : used) names.insert(heads.at(name)->name);
  const Error notTied =
      wrongGpt2(file.path(), Phrase::tr("tensor '%1' differs from the one it is tied to")(kGpt2Output),
                Phrase::tr("models with an output table of their own are not supported"));
  if (tied && output->second->shape != heads.at(kGpt2Tokens)->shape) return notTied;
  if (tied) names.insert(output->second->name);
  FATHOM_TRY(const auto read, file.read(names));
  for (const auto& [name, tensor] : read)
    if (!tensor.isfinite().all().item<bool>())
      return wrongGpt2(file.path(), Phrase::tr("tensor '%1' is not finite everywhere")(name));
  if (tied && !read.at(output->second->name).equal(read.at(heads.at(kGpt2Tokens)->name))) return notTied;
  for (const Parameter& parameter : model.parameters().parameters()) {
    const Gpt2Place place = gpt2Place(parameter.info.name).value();
    weights.tensors.emplace(parameter.info.name, ownValues(read.at(heads.at(place.name)->name), place));
  }
  return {};
}

Error notInGpt2(const std::string& key, const std::string& value, const Phrase& hint) {
  return aboutKey(key, usageError(Phrase::tr("%1=%2 cannot be expressed by transformers")(key, value), hint));
}

}  // namespace

Result<EncoderWeights> readGpt2(const std::string& folder, const ConfigMembers& config) {
  FATHOM_TRY(EncoderWeights weights, gpt2Architecture(config));
  FATHOM_TRY(const WeightsFile file, WeightsFile::open(folder));
  FATHOM_TRY(const auto model, modelOfWeights(config.file(), weights, false));
  FATHOM_TRY(const Gpt2Heads heads, gpt2Heads(file));
  FATHOM_CHECK(readGpt2Tensors(file, heads, *model, weights));
  weights.ignored.insert(weights.ignored.end(), file.unnamed().begin(), file.unnamed().end());
  weights.file = file.path();
  weights.files = file.files();
  weights.files.insert(weights.files.end(), {file.path(), config.file()});
  return weights;
}

Status checkGpt2Expressible(const OptionValues& options) {
  const std::string residual = options.text("decoder.residual");
  if (residual != "pre_ln") return notInGpt2("decoder.residual", residual, Phrase::tr("its GPT-2 is Pre-LN"));
  const std::string chain = options.text("decoder.self_attention.score_chain");
  if (chain != "none")
    return notInGpt2("decoder.self_attention.score_chain", chain,
                     Phrase::tr("its GPT-2 has no residual attention"));
  const std::string attention = options.text("decoder.attention");
  if (attention != "multi_head")
    return notInGpt2("decoder.attention", attention, Phrase::tr("its GPT-2 has multi-head attention"));
  return {};
}

Json gpt2Config(const EncoderExport& decoder) {
  const OptionValues& options = decoder.options;
  const std::string activation = options.text("model.activation");
  const std::int64_t width = options.integer("model.width"), inner = options.integer("model.feed_forward");
  Json config;
  config["architectures"] = Json::array({exportedArchitecture(decoder)});
  config["model_type"] = "gpt2";
  config["n_embd"] = width;
  config["n_head"] = options.integer("model.heads");
  config["n_inner"] = inner == 4 * width ? Json() : Json(inner);
  config["n_layer"] = options.integer("decoder.layers");
  config["n_positions"] = options.integer(kCausalRows);
  config["vocab_size"] = decoder.inputs.at("vocabulary");
  config["activation_function"] = activation == "gelu_erf"    ? "gelu"
                                  : activation == "gelu_tanh" ? "gelu_new"
                                                              : "relu";
  config["layer_norm_epsilon"] = options.real(kCausalNormEps);
  config["resid_pdrop"] = config["embd_pdrop"] = options.real("model.dropout");
  config["attn_pdrop"] = options.real("model.attention_dropout");
  config["scale_attn_weights"] = true;
  config["scale_attn_by_inverse_layer_idx"] = false;
  config["reorder_and_upcast_attn"] = false;
  config["initializer_range"] = 0.02;
  config["torch_dtype"] = "float32";
  // transformers' own are GPT-2's, which may lie outside of the vocabulary.
  const std::int64_t end = decoder.inputs.value("eos_id", -1);
  config["bos_token_id"] = config["eos_token_id"] = end < 0 ? Json() : Json(end);
  return config;
}

Result<std::map<std::string, torch::Tensor>> gpt2Tensors(const EncoderExport& decoder) {
  const bool bare = exportedHeadWord(decoder) == "none";  // the class without a head has no prefix
  std::map<std::string, std::vector<torch::Tensor>> parts;
  for (const auto& [name, tensor] : decoder.tensors) {
    const auto place = gpt2Place(name);
    if (!place)
      return usageError(Phrase::tr("parameter '%1' has no place in their models")(name),
                        Phrase::tr("leave the head out (--head none)"));
    auto& own = parts[(bare ? "" : kGpt2Prefix) + place->name];
    own.resize(static_cast<std::size_t>(place->parts));
    const torch::Tensor values = tensor.to(torch::kFloat32);
    own[static_cast<std::size_t>(place->part)] = place->transposed ? values.t() : values;
  }
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& [name, own] : parts) tensors.emplace(name, at::cat(own, -1).contiguous());
  return tensors;
}

}  // namespace fathom
