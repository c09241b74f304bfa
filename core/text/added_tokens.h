// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"
#include "core/text/text_normalizers.h"

namespace fathom {

// A token that is found in a text as it is written, before anything else is done with it
// (docs/tokenizers.md §6).
struct AddedToken {
  std::string content;
  std::int64_t id = -1;
  bool singleWord = false;           // not inside a word
  bool left = false, right = false;  // takes the white space beside it with it
  bool normalized = false;           // looked for in the text after it was normalised
  bool special = false;
  bool operator==(const AddedToken&) const = default;
};
Json addedTokenToJson(const AddedToken& token);
// {"content", "single_word", …}, or its text alone. `id` counts where the object has none.
AddedToken addedTokenFromJson(const Json& json, const SettingsReader& from, const std::string& key,
                              std::int64_t id, bool normalized, bool special);

// A stretch of a text, in characters: a token, or what lies between (id -1).
struct AddedStretch {
  std::size_t begin = 0, end = 0;
  std::int64_t id = -1;
};
// The stretches of a text, leftmost and longest tokens first; contents are compared as code points.
class AddedTokenFinder {
 public:
  void add(const AddedToken& token, const TextCharacters& content);
  bool empty() const { return m_tokens.empty(); }
  std::vector<AddedStretch> find(const TextCharacters& text) const;

 private:
  struct Wanted {
    AddedToken token;
    std::u32string content;
  };
  const Wanted* at(const TextCharacters& text, std::size_t place) const;
  std::vector<Wanted> m_tokens;
};

}  // namespace fathom
