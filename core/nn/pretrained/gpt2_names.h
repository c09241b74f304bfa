// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace fathom {

// Where a parameter of ours lies in Hugging Face files of GPT-2. Maps of layers are stored as [in, out], and
// query, key and value as one, side by side.
struct Gpt2Place {
  std::string name;         // "h.0.attn.c_attn.weight", without the prefix "transformer."
  bool transposed = false;  // [in, out] there, [out, in] here
  int part = 0, parts = 1;  // of the last dimension there
};
std::optional<Gpt2Place> gpt2Place(const std::string& own);

inline constexpr const char* kGpt2Prefix = "transformer.";
inline constexpr const char* kGpt2Tokens = "wte.weight";
inline constexpr const char* kGpt2Output = "lm_head.weight";  // a tied copy, in .bin files alone

// `name` without the prefix.
std::string withoutGpt2Prefix(const std::string& name);
// Masks that older versions wrote among the weights: "h.0.attn.bias", "h.0.attn.masked_bias".
bool isGpt2Buffer(const std::string& name);

}  // namespace fathom
