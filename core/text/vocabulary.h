// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/tokenizer.h"

namespace fathom {

// The dictionary of fairseq for text that is already cut into symbols by blanks (docs/translation.md §1): bos
// 0, pad 1, eos 2, unk 3, then symbols by descending count, ties alphabetical; the size is padded to a
// multiple of 8 with symbols "madeupword0000". Every line that is counted gives one end mark (which is not in
// `counts`).
class Vocabulary : public Tokenizer {
 public:
  struct Options {
    std::int64_t minimumCount = 1;  // rarer symbols are unknown
    std::int64_t maximumSize = 0;   // with special symbols, before padding; 0 = no limit
    std::int64_t multiple = 8;      // 1 = no padding
  };
  // Counts symbols; `add` may be called for any number of lines before `build`.
  class Builder {
   public:
    void add(std::string_view line);
    Vocabulary build(const Options& options) const;

   private:
    std::unordered_map<std::string, std::int64_t> m_counts;
  };

  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) noexcept = default;
  Vocabulary& operator=(Vocabulary&&) noexcept = default;

  // fairseq's dict.txt: "symbol count" a line, without the special symbols. A data error names file and line.
  static Result<Vocabulary> fromText(std::string_view text, const std::string& file,
                                     std::int64_t multiple = 8);
  std::string toText() const;

  std::vector<std::int64_t> encode(std::string_view text) const override;
  // Symbols joined by blanks; "@@ " (subword-nmt's mark) is removed.
  std::string decode(std::span<const std::int64_t> ids) const override;
  std::int64_t vocabularySize() const override { return static_cast<std::int64_t>(m_symbols.size()); }
  SpecialIds special() const override { return {0, 1, 2, 3}; }
  std::string piece(std::int64_t id) const override;

  // -1 if the symbol is not in the vocabulary.
  std::int64_t find(std::string_view symbol) const;

 private:
  Vocabulary(std::vector<std::pair<std::string, std::int64_t>> counted, std::int64_t multiple);
  std::vector<std::string> m_symbols;  // never grows after construction: m_ids looks into it
  std::vector<std::int64_t> m_counts;  // of the symbols behind the special ones, without padding
  std::unordered_map<std::string_view, std::int64_t> m_ids;
};

// Removes "@@ " (also at the end of the text): sub-words of subword-nmt become words.
std::string joinSubwords(std::string_view text);

}  // namespace fathom
