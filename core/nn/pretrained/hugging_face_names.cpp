// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/hugging_face_names.h"

#include <utility>

namespace fathom {

namespace {

using Pair = std::pair<const char*, const char*>;  // theirs, ours

constexpr Pair kOutside[] = {{"embeddings.word_embeddings.weight", "embedding.token.weight"},
                             {"embeddings.token_type_embeddings.weight", "embedding.segment.weight"},
                             {"embeddings.position_embeddings.weight", "embedding.position.weight"},
                             {"embeddings.LayerNorm.weight", "embedding.layer_norm.weight"},
                             {"embeddings.LayerNorm.bias", "embedding.layer_norm.bias"},
                             {"pooler.dense.weight", "pooler.weight"},
                             {"pooler.dense.bias", "pooler.bias"}};
constexpr Pair kBertHeads[] = {{"cls.predictions.transform.dense.weight", "mlm.transform.weight"},
                               {"cls.predictions.transform.dense.bias", "mlm.transform.bias"},
                               {"cls.predictions.transform.LayerNorm.weight", "mlm.layer_norm.weight"},
                               {"cls.predictions.transform.LayerNorm.bias", "mlm.layer_norm.bias"},
                               {"cls.predictions.bias", "mlm.bias"},
                               {"cls.seq_relationship.weight", "nsp.weight"},
                               {"cls.seq_relationship.bias", "nsp.bias"}};
constexpr Pair kRobertaHeads[] = {{"lm_head.dense.weight", "mlm.transform.weight"},
                                  {"lm_head.dense.bias", "mlm.transform.bias"},
                                  {"lm_head.layer_norm.weight", "mlm.layer_norm.weight"},
                                  {"lm_head.layer_norm.bias", "mlm.layer_norm.bias"},
                                  {"lm_head.bias", "mlm.bias"}};
constexpr Pair kInLayer[] = {{"attention.self.query", "self_attention.query"},
                             {"attention.self.key", "self_attention.key"},
                             {"attention.self.value", "self_attention.value"},
                             {"attention.output.dense", "self_attention.output"},
                             {"attention.output.LayerNorm", "self_attention.layer_norm"},
                             {"intermediate.dense", "feed_forward.input"},
                             {"output.dense", "feed_forward.output"},
                             {"output.LayerNorm", "feed_forward.layer_norm"}};
constexpr Pair kTied[] = {{"cls.predictions.decoder.weight", "embedding.token.weight"},
                          {"cls.predictions.decoder.bias", "mlm.bias"},
                          {"lm_head.decoder.weight", "embedding.token.weight"},
                          {"lm_head.decoder.bias", "mlm.bias"}};

template <std::size_t n>
std::optional<std::string> find(const Pair (&pairs)[n], const std::string& name, bool theirs) {
  for (const auto& [their, our] : pairs)
    if (name == (theirs ? their : our)) return std::string(theirs ? our : their);
  return std::nullopt;
}

// "<head><number>.<middle>.<weight|bias>" with another head and middle.
std::optional<std::string> inLayer(const std::string& name, const std::string& from, const std::string& to,
                                   bool theirs) {
  if (!name.starts_with(from)) return std::nullopt;
  const std::size_t dot = name.find('.', from.size()), last = name.rfind('.');
  if (dot == std::string::npos || last <= dot) return std::nullopt;
  const auto middle = find(kInLayer, name.substr(dot + 1, last - dot - 1), theirs);
  if (!middle) return std::nullopt;
  return to + name.substr(from.size(), dot - from.size()) + "." + *middle + name.substr(last);
}

}  // namespace

std::optional<std::string> ownEncoderName(const std::string& theirs) {
  std::string name = theirs;
  // Names of the first TensorFlow checkpoints.
  if (name.ends_with(".gamma")) name = name.substr(0, name.size() - 5) + "weight";
  if (name.ends_with(".beta")) name = name.substr(0, name.size() - 4) + "bias";
  if (const auto own = find(kOutside, name, true)) return own;
  if (const auto own = find(kBertHeads, name, true)) return own;
  if (const auto own = find(kRobertaHeads, name, true)) return own;
  return inLayer(name, "encoder.layer.", "encoder.layers.", true);
}

std::optional<std::string> huggingFaceName(const std::string& own, const std::string& kind) {
  const auto head = kind == "roberta" ? find(kRobertaHeads, own, false) : find(kBertHeads, own, false);
  if (head) return head;
  if (const auto name = find(kOutside, own, false)) return kind + "." + *name;
  if (const auto name = inLayer(own, "encoder.layers.", "encoder.layer.", false)) return kind + "." + *name;
  return std::nullopt;
}

std::optional<std::string> tiedOriginal(const std::string& theirs) {
  return find(kTied, theirs, true);
}

}  // namespace fathom
