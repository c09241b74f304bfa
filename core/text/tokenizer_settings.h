// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/pipeline_tokenizer.h"

namespace fathom {

// The files of a tokenizer that lie together, by the names that transformers gives them: tokenizer.json,
// tokenizer_config.json, special_tokens_map.json, added_tokens.json, vocab.txt, vocab.json, merges.txt. Those
// that are not there are not in it.
struct TokenizerFiles {
  std::map<std::string, std::string> bytes;
  std::string folder;
  bool has(const std::string& name) const { return bytes.contains(name); }
  std::string path(const std::string& name) const { return folder.empty() ? name : folder + "/" + name; }
};
inline constexpr const char* kTokenizerJson = "tokenizer.json";
inline constexpr const char* kTokenizerConfig = "tokenizer_config.json";

// Settings about pieces in tokenizer_config.json, special_tokens_map.json and added_tokens.json.
struct TokenizerSettings {
  std::string tokenizerClass;
  std::optional<bool> lowerCase, stripAccents, hanApart, prefixBlank;
  TokenRoles roles;
  std::vector<AddedToken> added;        // id -1: what the next one is
  std::vector<std::string> passedOver;  // members that nobody knows, with their file
};
// Failure (data) naming file and member for one that would change pieces and is not read, for one of a wrong
// type, and where two files contradict each other.
TokenizerSettings readTokenizerSettings(const TokenizerFiles& files);

}  // namespace fathom
