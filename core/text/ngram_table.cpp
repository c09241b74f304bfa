// SPDX-License-Identifier: Apache-2.0
#include "core/text/ngram_table.h"

#include <algorithm>
#include <cstring>

namespace fathom {

namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t mixed(std::uint64_t value) {
  value *= kMultiplier;
  return value ^ (value >> 32);
}

std::uint64_t hashOf(std::string_view word) {
  std::uint64_t hash = word.size();
  const char* at = word.data();
  std::size_t left = word.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t part;
    std::memcpy(&part, at, 8);
    hash = mixed(hash ^ part);
  }
  std::uint64_t part = 0;
  std::memcpy(&part, at, left);
  return mixed(hash ^ part);
}

std::uint64_t keyOf(std::uint32_t prefix, std::uint32_t word) {
  return (static_cast<std::uint64_t>(prefix) << 32) | word;
}

}  // namespace

void NgramTable::clear() {
  m_reference = m_wordCount = m_ngramCount = 0;
  if (++m_generation != 0) return;
  m_generation = 1;  // after 2^32 segments: really clear
  std::fill(m_words.begin(), m_words.end(), Word{});
  std::fill(m_ngrams.begin(), m_ngrams.end(), Ngram{});
}

NgramTable::Word& NgramTable::wordSlot(std::string_view text, std::uint64_t hash) {
  const std::size_t mask = m_words.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Word& slot = m_words[i];
    if (slot.generation != m_generation || (slot.hash == hash && slot.text == text)) return slot;
  }
}

NgramTable::Ngram& NgramTable::ngramSlot(std::uint64_t key) {
  const std::size_t mask = m_ngrams.size() - 1;
  for (std::size_t i = mixed(key) & mask;; i = (i + 1) & mask) {
    Ngram& slot = m_ngrams[i];
    if (slot.generation != m_generation || slot.key == key) return slot;
  }
}

void NgramTable::growWords() {
  std::vector<Word> old(m_words.size() * 2);
  old.swap(m_words);
  for (const Word& word : old)
    if (word.generation == m_generation) wordSlot(word.text, word.hash) = word;
}

void NgramTable::growNgrams() {
  std::vector<Ngram> old(m_ngrams.size() * 2);
  old.swap(m_ngrams);
  for (const Ngram& ngram : old)
    if (ngram.generation == m_generation) ngramSlot(ngram.key) = ngram;
}

std::uint32_t NgramTable::numberOf(std::string_view word) {
  if (2 * m_wordCount >= m_words.size()) growWords();
  const std::uint64_t hash = hashOf(word);
  Word& slot = wordSlot(word, hash);
  if (slot.generation != m_generation) slot = {hash, word, m_generation, ++m_wordCount};
  return slot.number;
}

std::uint32_t NgramTable::findNumber(std::string_view word) {
  const Word& slot = wordSlot(word, hashOf(word));
  return slot.generation == m_generation ? slot.number : 0;
}

NgramTable::Ngram& NgramTable::ngram(std::uint32_t prefix, std::uint32_t word) {
  if (2 * m_ngramCount >= m_ngrams.size()) growNgrams();
  Ngram& slot = ngramSlot(keyOf(prefix, word));
  if (slot.generation != m_generation) slot = {keyOf(prefix, word), m_generation, ++m_ngramCount, 0, 0, 0, 0};
  return slot;
}

void NgramTable::addReference(std::span<const std::string_view> words) {
  ++m_reference;
  m_numbers.clear();
  for (const std::string_view word : words) m_numbers.push_back(numberOf(word));
  for (std::size_t start = 0; start < m_numbers.size(); ++start) {
    std::uint32_t prefix = 0;
    for (std::size_t n = 0; n < kOrders && start + n < m_numbers.size(); ++n) {
      Ngram& entry = ngram(prefix, m_numbers[start + n]);
      if (entry.reference != m_reference) entry.inReference = 0;
      entry.reference = m_reference;
      entry.most = std::max(entry.most, ++entry.inReference);
      prefix = entry.number;
    }
  }
}

std::array<std::int64_t, NgramTable::kOrders> NgramTable::matches(std::span<const std::string_view> words) {
  std::array<std::int64_t, kOrders> result{};
  m_numbers.clear();
  for (const std::string_view word : words) m_numbers.push_back(findNumber(word));
  for (std::size_t start = 0; start < m_numbers.size(); ++start) {
    std::uint32_t prefix = 0;
    for (std::size_t n = 0; n < kOrders && start + n < m_numbers.size(); ++n) {
      if (m_numbers[start + n] == 0) break;
      Ngram& entry = ngramSlot(keyOf(prefix, m_numbers[start + n]));
      if (entry.generation != m_generation) break;
      if (entry.used < entry.most) {
        ++entry.used;
        ++result[n];
      }
      prefix = entry.number;
    }
  }
  return result;
}

}  // namespace fathom
