// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fathom {

// Clipped n-gram matches (orders 1 to 4) of a segment against its references, exact: a word gets a number by
// comparing its bytes, an n-gram by (number of its first n-1 words, number of its last word). Tables are
// cleared in constant time, so that one object serves a corpus.
class NgramTable {
 public:
  static constexpr std::size_t kOrders = 4;
  void clear();
  // The views must live until `clear`.
  void addReference(std::span<const std::string_view> words);
  // Uses the table up: call once after the references.
  std::array<std::int64_t, kOrders> matches(std::span<const std::string_view> words);

 private:
  struct Word {
    std::uint64_t hash = 0;
    std::string_view text;
    std::uint32_t generation = 0;
    std::uint32_t number = 0;
  };
  struct Ngram {
    std::uint64_t key = 0;
    std::uint32_t generation = 0;
    std::uint32_t number = 0;     // > 0, unique in the segment
    std::uint32_t reference = 0;  // the reference that `inReference` counts
    std::int32_t inReference = 0, most = 0, used = 0;
  };
  // The slot of the key: used in this generation or free.
  Word& wordSlot(std::string_view text, std::uint64_t hash);
  Ngram& ngramSlot(std::uint64_t key);
  void growWords();
  void growNgrams();
  std::uint32_t numberOf(std::string_view word);           // adds it
  std::uint32_t findNumber(std::string_view word);         // 0 if unknown
  Ngram& ngram(std::uint32_t prefix, std::uint32_t word);  // adds it

  std::vector<Word> m_words = std::vector<Word>(256);
  std::vector<Ngram> m_ngrams = std::vector<Ngram>(1024);
  std::vector<std::uint32_t> m_numbers;
  std::uint32_t m_generation = 1, m_reference = 0, m_wordCount = 0, m_ngramCount = 0;
};

}  // namespace fathom
