// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/errors/result.h"
#include "core/text/basic_splitter.h"
#include "core/text/token_ranges.h"
#include "core/text/tokenizer.h"

namespace fathom {

struct WordPieceOptions {
  WordPieceVariant variant = WordPieceVariant::HfFast;
  bool lowerCase = true;
  // true: "[MASK]" in a text is the mask symbol. Off by default: a user's text is ordinary text.
  bool matchSpecialTokens = false;
};

// BERT's WordPiece (docs/tokenizers.md §1): words by splitWords, then greedy longest match with "##" for the
// inside of a word; a word without a match, or of more than 100 (google: 200) characters, is [UNK].
// Thread-safe.
class WordPieceTokenizer : public Tokenizer {
 public:
  // `vocabulary`: one token per line, id = line number from 0, odd lines as vocabulary_lines.h says. A data
  // error names file and line: no UTF-8, or [UNK], [CLS], [SEP], [PAD] missing.
  static Result<WordPieceTokenizer> fromText(std::string_view vocabulary, const std::string& file,
                                             const WordPieceOptions& options = {});
  WordPieceTokenizer(const WordPieceTokenizer&) = delete;
  WordPieceTokenizer& operator=(const WordPieceTokenizer&) = delete;
  WordPieceTokenizer(WordPieceTokenizer&&) noexcept = default;
  WordPieceTokenizer& operator=(WordPieceTokenizer&&) noexcept = default;

  std::vector<std::int64_t> encode(std::string_view text) const override;
  EncodedText encodeWithRanges(std::string_view text) const;
  // Words joined by blanks, "##" removed; [CLS], [SEP] and [PAD] left out.
  std::string decode(std::span<const std::int64_t> ids) const override;
  std::int64_t vocabularySize() const override { return static_cast<std::int64_t>(m_tokens.size()); }
  SpecialIds special() const override { return {m_cls, m_pad, m_sep, m_unknown}; }
  std::string piece(std::int64_t id) const override;
  std::int64_t find(std::string_view token) const;              // -1 if unknown
  std::int64_t mask() const { return m_mask; }                  // -1 if the vocabulary has none
  const std::vector<Phrase>& notes() const { return m_notes; }  // odd lines
  bool continuesWord(std::int64_t id) const { return piece(id).starts_with("##"); }

 private:
  WordPieceTokenizer() = default;
  void encodeWord(std::span<const TextCharacter> word, EncodedText& into) const;
  void encodePlain(std::string_view text, std::int64_t offset, EncodedText& into) const;

  WordPieceOptions m_options;
  std::vector<Phrase> m_notes;
  std::vector<std::string> m_tokens;  // never grows after construction: the maps look into it
  std::unordered_map<std::string_view, std::int64_t> m_all, m_first, m_inside;  // m_inside: without "##"
  std::size_t m_longest = 0;                                                    // bytes of the longest piece
  std::int64_t m_unknown = -1, m_cls = -1, m_sep = -1, m_pad = -1, m_mask = -1;
};

}  // namespace fathom
