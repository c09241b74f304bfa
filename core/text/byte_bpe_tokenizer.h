// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/token_ranges.h"
#include "core/text/tokenizer.h"

namespace fathom {

// GPT-2's printable character of a byte, as vocab.json and merges.txt write it: "a" of 'a', "Ġ" of a blank.
std::string byteCharacter(std::uint8_t byte);

struct ByteBpeOptions {
  bool addPrefixSpace = false;      // a blank before text that does not begin with one
  bool matchSpecialTokens = false;  // "<mask>" in a text is the mask symbol
};

// Byte-level BPE of GPT-2 and RoBERTa: the text is cut by GPT-2's pattern, its UTF-8 bytes are written as 256
// printable characters, pairs are merged in the order of merges.txt. Ranges leave the leading blank out
// (RoBERTa's trim_offsets); the byte tokens of one character all carry the range of the character.
// Thread-safe.
class ByteBpeTokenizer : public Tokenizer {
 public:
  // Data errors name file and line: not JSON, ids not 0..n-1, a byte without a token, a merge of unknown
  // tokens.
  static Result<ByteBpeTokenizer> fromFiles(std::string_view vocabularyJson,
                                            const std::string& vocabularyFile, std::string_view merges,
                                            const std::string& mergesFile,
                                            const ByteBpeOptions& options = {});
  ByteBpeTokenizer(const ByteBpeTokenizer&) = delete;
  ByteBpeTokenizer& operator=(const ByteBpeTokenizer&) = delete;
  ByteBpeTokenizer(ByteBpeTokenizer&&) noexcept = default;
  ByteBpeTokenizer& operator=(ByteBpeTokenizer&&) noexcept = default;

  std::vector<std::int64_t> encode(std::string_view text) const override;
  EncodedText encodeWithRanges(std::string_view text) const;
  // Bytes that are no UTF-8 become U+FFFD; <s>, <pad> and </s> are left out.
  std::string decode(std::span<const std::int64_t> ids) const override;
  std::int64_t vocabularySize() const override { return static_cast<std::int64_t>(m_tokens.size()); }
  SpecialIds special() const override { return m_special; }
  std::string piece(std::int64_t id) const override;
  std::int64_t find(std::string_view token) const;  // -1 if unknown
  std::int64_t mask() const { return m_mask; }

 private:
  struct Merge {
    std::int64_t rank = 0, result = 0;
  };
  struct Symbol {
    std::int64_t id = 0;
    std::size_t begin = 0, end = 0;  // bytes of the piece
  };
  ByteBpeTokenizer() = default;
  Status readMerges(std::string_view merges, const std::string& file);
  Status readVocabulary(std::string_view json, const std::string& file);
  void mergeAll(std::vector<Symbol>& symbols) const;
  void encodePart(std::string_view text, std::int64_t offset, EncodedText& into) const;

  ByteBpeOptions m_options;
  std::vector<std::string> m_tokens;
  std::unordered_map<std::string_view, std::int64_t> m_ids;  // views into m_tokens
  std::array<std::int64_t, 256> m_byteIds{};
  std::unordered_map<std::uint64_t, Merge> m_merges;  // (left id, right id)
  SpecialIds m_special;
  std::int64_t m_mask = -1;
};

}  // namespace fathom
