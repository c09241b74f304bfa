// SPDX-License-Identifier: Apache-2.0
// The way out: a folder for transformers (encoder_folder.h).

#include <algorithm>
#include <iterator>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/gpt2_folder.h"
#include "core/nn/pretrained/hugging_face_names.h"
#include "core/nn/pretrained/option_names.h"
#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

namespace {

Error cannot(const std::string& key, const std::string& value, const Phrase& hint) {
  return aboutKey(key, usageError(Phrase::tr("%1=%2 cannot be expressed by transformers")(key, value), hint));
}

Status checkExpressible(const OptionValues& options) {
  FATHOM_CHECK(checkHasClass(options));
  if (isDecoderAlone(options)) return checkGpt2Expressible(options);
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
  if (!options.flag(kBertInputNorm))
    return cannot(kBertInputNorm, "false", Phrase::tr("its BERT normalises the input"));
  if (options.text(kBertPositions) == "row_from_two")
    return cannot(kBertPositions, "row_from_two",
                  Phrase::tr("pass position ids to it yourself, and set row"));
  return {};
}

// A head by its word, the class of transformers that has it, and where its own parameters are there.
struct ExportedHead {
  const char *word, *theirClass, *prefix;
  const char *bertName, *robertaName;  // instead of `prefix`; null: as hugging_face_names.h says
};
constexpr ExportedHead kHeads[] = {
    {"none", "Model", nullptr, nullptr, nullptr},
    {"pretraining", "ForPreTraining", "mlm.", nullptr, nullptr},
    {"masked_words", "ForMaskedLM", "mlm.", nullptr, nullptr},
    {"classification", "ForSequenceClassification", "classification.", "classifier.", "classifier.out_proj."},
    {"multiple_choice", "ForMultipleChoice", "multiple_choice.", "classifier.", "classifier."},
    {"span", "ForQuestionAnswering", "span.", "qa_outputs.", "qa_outputs."},
    {"next_words", "LMHeadModel", nullptr, nullptr, nullptr}};

const ExportedHead& exportedHead(const EncoderExport& encoder) {
  const char* key = isDecoderAlone(encoder.options) ? kCausalHead : kBertHead;
  const std::string word = encoder.head ? encoder.options.text(key) : "none";
  for (const ExportedHead& head : kHeads)
    if (word == head.word) return head;
  throw Failure(internalError("no class of transformers is known for the head " + word));
}

bool isOfAHead(const std::string& name) {
  return name.starts_with("nsp.") || std::any_of(std::begin(kHeads), std::end(kHeads), [&](const auto& head) {
           return head.prefix != nullptr && name.starts_with(head.prefix);
         });
}

Status checkHead(const EncoderExport& encoder, bool roberta) {
  const std::string word = exportedHead(encoder).word;
  if (roberta && word == "pretraining")
    return cannot(kBertHead, "pretraining",
                  Phrase::tr("its RoBERTa has no next-sentence head: use masked_words, or leave the head out "
                             "(--head none)"));
  if ((word == "classification" || word == "multiple_choice") &&
      encoder.options.text(kBertHeadInput) == "first")
    return cannot(kBertHeadInput, "first",
                  Phrase::tr("its heads read the pooled vector: leave the head out (--head none)"));
  return {};
}

// Our name there. RoBERTa's head for classes holds its pooler.
std::optional<std::string> theirName(const std::string& own, const ExportedHead& head, bool roberta) {
  const std::string pooler = "pooler.";
  if (roberta && head.word == std::string("classification") && own.starts_with(pooler))
    return "classifier.dense." + own.substr(pooler.size());
  if (head.bertName != nullptr && own.starts_with(head.prefix))
    return (roberta ? head.robertaName : head.bertName) + own.substr(std::string(head.prefix).size());
  return huggingFaceName(own, roberta ? "roberta" : "bert");
}

// Names of classes, and what is learned of them.
void addClasses(const EncoderExport& encoder, Json& config) {
  const std::int64_t count = encoder.tensors.at("classification.weight").size(0);
  Json names = Json::object(), ids = Json::object();
  for (std::int64_t id = 0; id < count; ++id) {
    const auto at = static_cast<std::size_t>(id);
    const std::string name = at < encoder.labels.size() ? encoder.labels[at] : "LABEL_" + std::to_string(id);
    names[std::to_string(id)] = name;
    ids[name] = id;
  }
  config["num_labels"] = count;
  config["id2label"] = std::move(names);
  config["label2id"] = std::move(ids);
  config["problem_type"] =
      encoder.inputs.value("number", 0) != 0 ? "regression" : "single_label_classification";
}

Json configOf(const EncoderExport& encoder, bool roberta) {
  const OptionValues& options = encoder.options;
  const std::string activation = options.text("model.activation");
  Json config;
  config["architectures"] = Json::array({exportedArchitecture(encoder)});
  config["model_type"] = roberta ? "roberta" : "bert";
  config["hidden_size"] = options.integer("model.width");
  config["num_attention_heads"] = options.integer("model.heads");
  config["intermediate_size"] = options.integer("model.feed_forward");
  config["num_hidden_layers"] = options.integer("encoder.layers");
  config["max_position_embeddings"] = options.integer(kBertRows);
  config["type_vocab_size"] = options.integer(kBertSegments);
  config["vocab_size"] = encoder.inputs.at("vocabulary");
  config["pad_token_id"] = encoder.inputs.at("pad_id");
  config["hidden_act"] = activation == "gelu_erf" ? "gelu" : activation == "gelu_tanh" ? "gelu_new" : "relu";
  config["hidden_dropout_prob"] = options.real("model.dropout");
  config["attention_probs_dropout_prob"] = options.real("model.attention_dropout");
  config["layer_norm_eps"] = options.real(kBertNormEps);
  config["position_embedding_type"] = "absolute";
  config["initializer_range"] = 0.02;
  config["torch_dtype"] = "float32";
  if (exportedHead(encoder).word == std::string("classification")) addClasses(encoder, config);
  return config;
}

bool isRoberta(const OptionValues& options) {
  return options.text(kBertPositions) == "non_pad";
}

}  // namespace

bool isDecoderAlone(const OptionValues& options) {
  return options.text("model") == kCausalModel;
}

std::string exportedArchitecture(const EncoderExport& encoder) {
  const OptionValues& options = encoder.options;
  return std::string(isDecoderAlone(options) ? "GPT2"
                     : isRoberta(options)    ? "Roberta"
                                             : "Bert") +
         exportedHead(encoder).theirClass;
}

std::string exportedHeadWord(const EncoderExport& encoder) {
  return exportedHead(encoder).word;
}

std::int64_t longestRow(const OptionValues& options, const ModelInputs& inputs) {
  if (isDecoderAlone(options)) return options.integer(kCausalRows);
  const std::int64_t rows = options.integer(kBertRows);
  return isRoberta(options) ? rows - inputs.value("pad_id", 1) - 1 : rows;
}

Status checkHasClass(const OptionValues& options) {
  const std::string model = options.text("model");
  if (model == "bert" || model == kCausalModel) return {};
  return cannot("model", model, Phrase::tr("only the models bert and causal_decoder can be exported"));
}

namespace {

// By their names.
Result<std::map<std::string, torch::Tensor>> bertTensors(const EncoderExport& encoder, bool roberta) {
  const ExportedHead& head = exportedHead(encoder);
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& [name, tensor] : encoder.tensors) {
    if (!encoder.head && isOfAHead(name)) continue;
    const auto theirs = theirName(name, head, roberta);
    if (!theirs)
      return usageError(Phrase::tr("parameter '%1' has no place in their models")(name),
                        Phrase::tr("leave the head out (--head none)"));
    tensors.emplace(*theirs, tensor.to(torch::kFloat32));
  }
  return tensors;
}

}  // namespace

Status writeHuggingFaceEncoder(const EncoderExport& encoder, const std::string& folder) {
  FATHOM_CHECK(checkExpressible(encoder.options));
  const bool causal = isDecoderAlone(encoder.options), roberta = !causal && isRoberta(encoder.options);
  if (!causal) FATHOM_CHECK(checkHead(encoder, roberta));
  FATHOM_TRY(const auto named, causal ? gpt2Tensors(encoder) : bertTensors(encoder, roberta));
  const Json config = causal ? gpt2Config(encoder) : configOf(encoder, roberta);
  const std::vector<std::pair<std::string, torch::Tensor>> tensors(named.begin(), named.end());
  return makeNewFolder(folder, [&](const std::string& temporary) -> Status {
    FATHOM_TRY(const std::string hash,
               writeTensors(temporary + "/model.safetensors", tensors, {{"format", "pt"}}));
    for (const auto& [name, bytes] : encoder.vocabularyFiles)
      FATHOM_CHECK(writeFileAtomically(temporary + "/" + name, bytes));
    return writeFileAtomically(temporary + "/config.json", config.dump(2) + "\n");
  });
}

}  // namespace fathom
