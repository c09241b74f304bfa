// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/gpt2_names.h"

#include <iterator>

namespace fathom {

namespace {

struct Gpt2Pair {
  const char *ours, *theirs;
  bool map = false;  // its weight is stored as [in, out]
  int part = 0, parts = 1;
};
constexpr Gpt2Pair kGpt2Outside[] = {
    {"embedding.token", "wte"}, {"embedding.position", "wpe"}, {"decoder.layer_norm", "ln_f"}};
constexpr Gpt2Pair kGpt2InLayer[] = {{"self_attention.layer_norm", "ln_1"},
                                     {"self_attention.query", "attn.c_attn", true, 0, 3},
                                     {"self_attention.key", "attn.c_attn", true, 1, 3},
                                     {"self_attention.value", "attn.c_attn", true, 2, 3},
                                     {"self_attention.output", "attn.c_proj", true},
                                     {"feed_forward.layer_norm", "ln_2"},
                                     {"feed_forward.input", "mlp.c_fc", true},
                                     {"feed_forward.output", "mlp.c_proj", true}};
constexpr const char* kGpt2Layers = "decoder.layers.";

std::optional<Gpt2Place> placeOf(const Gpt2Pair& pair, const std::string& before, const std::string& end) {
  return Gpt2Place{before + pair.theirs + end, pair.map && end == ".weight", pair.part, pair.parts};
}

}  // namespace

std::optional<Gpt2Place> gpt2Place(const std::string& own) {
  const std::size_t last = own.rfind('.');
  if (last == std::string::npos) return std::nullopt;
  const std::string stem = own.substr(0, last), end = own.substr(last);
  for (const Gpt2Pair& pair : kGpt2Outside)
    if (stem == pair.ours) return placeOf(pair, "", end);
  const std::string layers = kGpt2Layers;
  const std::size_t dot = stem.find('.', layers.size());
  if (!stem.starts_with(layers) || dot == std::string::npos) return std::nullopt;
  const std::string before = "h." + stem.substr(layers.size(), dot - layers.size()) + ".";
  for (const Gpt2Pair& pair : kGpt2InLayer)
    if (stem.substr(dot + 1) == pair.ours) return placeOf(pair, before, end);
  return std::nullopt;
}

std::string withoutGpt2Prefix(const std::string& name) {
  const std::string prefix = kGpt2Prefix;
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

bool isGpt2Buffer(const std::string& name) {
  return name.starts_with("h.") && (name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias"));
}

}  // namespace fathom
