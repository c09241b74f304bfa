// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Ids of the special symbols; -1 = the vocabulary has none.
struct SpecialIds {
  std::int64_t bos = -1, pad = -1, eos = -1, unk = -1;
};

// The piece of a text that a token stands for: [begin, end) in bytes of the text that was encoded.
struct TextRange {
  std::int64_t begin = 0, end = 0;
  bool operator==(const TextRange&) const = default;
};

// Text <-> ids. Immutable once made; every function may be called from any thread. Input is UTF-8 (checked by
// the readers); ids never contain bos, pad or eos, except where a user's text spells them (it never does:
// such text is ordinary text).
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual std::vector<std::int64_t> encode(std::string_view text) const = 0;
  // Special ids are left out; ids outside the vocabulary are written as the unknown symbol.
  virtual std::string decode(std::span<const std::int64_t> ids) const = 0;
  virtual std::int64_t vocabularySize() const = 0;
  virtual SpecialIds special() const = 0;
  // The symbol as the vocabulary writes it; "<unk>"-like text for an id outside of it.
  virtual std::string piece(std::int64_t id) const = 0;
};

}  // namespace fathom
