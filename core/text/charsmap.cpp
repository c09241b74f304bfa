// SPDX-License-Identifier: Apache-2.0
// SentencePiece's compiled table of characters as the tokenizers library applies it: a double-array trie over
// UTF-8 whose leaves are places in a list of texts that end with a zero byte.
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <memory>
#include <optional>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/text_normalizers.h"

namespace fathom {

namespace {

constexpr const char* kCharsmapKey = "precompiled_charsmap";

std::optional<std::string> fromBase64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return bytes;
}

class Charsmap {
 public:
  // Null where the bytes are no such table.
  static std::shared_ptr<const Charsmap> parse(const std::string& bytes) {
    constexpr std::size_t kWord = 4;
    if (bytes.size() < kWord) return nullptr;
    const std::uint32_t size = wordAt(bytes, 0);
    if (size % kWord != 0 || size == 0 || size > bytes.size() - kWord) return nullptr;
    auto map = std::make_shared<Charsmap>();
    for (std::size_t i = 0; i < size; i += kWord) map->m_units.push_back(wordAt(bytes, kWord + i));
    map->m_texts = bytes.substr(kWord + size);
    return map;
  }

  // Replacement of the shortest prefix that is in the table; std::nullopt where none is.
  std::optional<std::string_view> find(std::string_view key) const {
    std::size_t node = offsetOf(m_units[0]);
    for (const char c : key) {
      const auto byte = static_cast<std::uint8_t>(c);
      if (byte == 0) break;
      node ^= byte;
      if (node >= m_units.size() || (m_units[node] & 0x800000FFU) != byte) return std::nullopt;
      const std::uint32_t unit = m_units[node];
      node ^= offsetOf(unit);
      if ((unit >> 8 & 1) == 0) continue;
      if (node >= m_units.size()) return std::nullopt;
      const std::size_t place = m_units[node] & 0x7FFFFFFFU;
      if (place >= m_texts.size()) return std::nullopt;
      const std::string_view rest = std::string_view(m_texts).substr(place);
      return rest.substr(0, rest.find('\0'));
    }
    return std::nullopt;
  }

 private:
  static std::uint32_t wordAt(const std::string& bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    return word;
  }
  static std::size_t offsetOf(std::uint32_t unit) {
    return std::size_t{unit >> 10} << ((unit & 0x200U) >> 6);
  }
  std::vector<std::uint32_t> m_units;
  std::string m_texts;
};

void appendImage(TextCharacters& out, std::string_view image, TextRange range) {
  if (!validUtf8(image)) return;  // a damaged table says nothing
  for (TextCharacter one : charactersOf(image)) {
    one.range = range;
    out.push_back(one);
  }
}

// A whole user-perceived character of fewer than six bytes first, else each of its code points.
void applyCluster(const Charsmap& map, std::span<const TextCharacter> cluster, TextCharacters& out) {
  constexpr std::size_t kShort = 6;
  const std::string whole = utf8Of({cluster.begin(), cluster.end()});
  if (whole.size() < kShort) {
    if (const auto image = map.find(whole)) {
      appendImage(out, *image, {cluster.front().range.begin, cluster.back().range.end});
      return;
    }
  }
  for (const TextCharacter& one : cluster) {
    if (const auto image = map.find(utf8Of({one})))
      appendImage(out, *image, one.range);
    else
      out.push_back(one);
  }
}

void applyCharsmap(const Charsmap& map, TextCharacters& text) {
  icu::UnicodeString all;
  std::vector<std::size_t> starts;  // of each UTF-16 unit: the character
  for (std::size_t i = 0; i < text.size(); ++i) {
    all.append(static_cast<UChar32>(text[i].code));
    starts.resize(static_cast<std::size_t>(all.length()), i);
  }
  starts.push_back(text.size());
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> clusters(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status)) throw Failure(internalError("the library of characters has no rules for clusters"));
  clusters->setText(all);
  TextCharacters out;
  out.reserve(text.size());
  for (std::int32_t begin = clusters->first(), end = clusters->next(); end != icu::BreakIterator::DONE;
       begin = end, end = clusters->next()) {
    const std::size_t from = starts[static_cast<std::size_t>(begin)];
    applyCluster(map, std::span(text).subspan(from, starts[static_cast<std::size_t>(end)] - from), out);
  }
  text = std::move(out);
}

}  // namespace

TextNormalizer makeCharsmap(const std::string& base64, const SettingsReader& from) {
  const auto bytes = fromBase64(base64);
  if (!bytes) from.wrong(kCharsmapKey, Phrase::tr("is not base64"));
  if (bytes->empty()) return [](TextCharacters&) {};
  const auto map = Charsmap::parse(*bytes);
  if (map == nullptr) from.wrong(kCharsmapKey, Phrase::tr("is no table of characters"));
  return [map](TextCharacters& text) { applyCharsmap(*map, text); };
}

}  // namespace fathom
