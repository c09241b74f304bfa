// SPDX-License-Identifier: Apache-2.0
// The way out: a folder for transformers (encoder_folder.h).

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

namespace {

Error cannot(const std::string& key, const std::string& value, const Phrase& hint) {
  return aboutKey(key, usageError(Phrase::tr("%1=%2 cannot be expressed by transformers")(key, value), hint));
}

Status checkExpressible(const OptionValues& options) {
  FATHOM_CHECK(checkIsEncoder(options));
  const std::string residual = options.text("encoder.residual");
  if (residual == "admin")
    return cannot("encoder.residual", residual,
                  Phrase::tr("fold-admin exports it as the Post-LN model it equals"));
  if (residual != "post_ln") return cannot("encoder.residual", residual, Phrase::tr("its BERT is Post-LN"));
  const std::string chain = options.text("encoder.self_attention.score_chain");
  if (chain != "none")
    return cannot("encoder.self_attention.score_chain", chain,
                  Phrase::tr("its BERT has no residual attention"));
  const std::string attention = options.text("encoder.attention");
  if (attention != "multi_head")
    return cannot("encoder.attention", attention, Phrase::tr("its BERT has multi-head attention"));
  if (!options.flag("model.bert.embedding_layer_norm"))
    return cannot("model.bert.embedding_layer_norm", "false", Phrase::tr("its BERT normalises the input"));
  if (options.text("model.bert.positions") == "row_from_two")
    return cannot("model.bert.positions", "row_from_two",
                  Phrase::tr("pass position ids to it yourself, and set row"));
  return {};
}

std::string architectureOf(const OptionValues& options, bool roberta) {
  const std::string head = options.text("model.bert.head"), family = roberta ? "Roberta" : "Bert";
  if (head == "pretraining") return "BertForPreTraining";
  if (head == "masked_words") return family + "ForMaskedLM";
  return family + "Model";
}

Json configOf(const EncoderExport& encoder, bool roberta) {
  const OptionValues& options = encoder.options;
  const std::string activation = options.text("model.activation");
  Json config;
  config["architectures"] = Json::array({architectureOf(options, roberta)});
  config["model_type"] = roberta ? "roberta" : "bert";
  config["hidden_size"] = options.integer("model.width");
  config["num_attention_heads"] = options.integer("model.heads");
  config["intermediate_size"] = options.integer("model.feed_forward");
  config["num_hidden_layers"] = options.integer("encoder.layers");
  config["max_position_embeddings"] = options.integer("model.bert.max_positions");
  config["type_vocab_size"] = options.integer("model.bert.segments");
  config["vocab_size"] = encoder.inputs.at("vocabulary");
  config["pad_token_id"] = encoder.inputs.at("pad_id");
  config["hidden_act"] = activation == "gelu_erf" ? "gelu" : activation == "gelu_tanh" ? "gelu_new" : "relu";
  config["hidden_dropout_prob"] = options.real("model.dropout");
  config["attention_probs_dropout_prob"] = options.real("model.attention_dropout");
  config["layer_norm_eps"] = options.real("model.bert.norm_eps");
  config["position_embedding_type"] = "absolute";
  config["initializer_range"] = 0.02;
  config["torch_dtype"] = "float32";
  return config;
}

}  // namespace

Status checkIsEncoder(const OptionValues& options) {
  const std::string model = options.text("model");
  return model == "bert" ? Status() : cannot("model", model, Phrase::tr("only bert models can be exported"));
}

Status writeHuggingFaceEncoder(const EncoderExport& encoder, const std::string& folder) {
  FATHOM_CHECK(checkExpressible(encoder.options));
  const bool roberta = encoder.options.text("model.bert.positions") == "non_pad";
  if (roberta && encoder.options.text("model.bert.head") == "pretraining")
    return cannot("model.bert.head", "pretraining",
                  Phrase::tr("its RoBERTa has no next-sentence head: use masked_words"));
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (const auto& [name, tensor] : encoder.tensors) {
    const auto theirs = huggingFaceName(name, roberta ? "roberta" : "bert");
    if (!theirs)
      return usageError(Phrase::tr("parameter '%1' has no place in their models")(name),
                        Phrase::tr("export a model with the head for masked words, or none"));
    tensors.emplace_back(*theirs, tensor.to(torch::kFloat32));
  }
  return makeNewFolder(folder, [&](const std::string& temporary) -> Status {
    FATHOM_TRY(const std::string hash,
               writeTensors(temporary + "/model.safetensors", tensors, {{"format", "pt"}}));
    for (const auto& [name, bytes] : encoder.vocabularyFiles) {
      const std::string theirs = name == "vocabulary.txt"    ? "vocab.txt"
                                 : name == "vocabulary.json" ? "vocab.json"
                                                             : name;
      FATHOM_CHECK(writeFileAtomically(temporary + "/" + theirs, bytes));
      if (!theirs.starts_with("vocab.")) continue;
      Json tokenizer = {{"tokenizer_class", "RobertaTokenizer"}, {"add_prefix_space", true}};
      if (theirs == "vocab.txt")
        tokenizer = {{"tokenizer_class", "BertTokenizer"},
                     {"do_lower_case", encoder.inputs.value("lower_case", 1) != 0}};
      FATHOM_CHECK(writeFileAtomically(temporary + "/tokenizer_config.json", tokenizer.dump(2) + "\n"));
    }
    return writeFileAtomically(temporary + "/config.json", configOf(encoder, roberta).dump(2) + "\n");
  });
}

}  // namespace fathom
