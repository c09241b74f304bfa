// SPDX-License-Identifier: Apache-2.0
#include "core/text/byte_bpe_tokenizer.h"

#include <algorithm>
#include <limits>

#include "core/base/json/json.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/gpt2_pattern.h"
#include "core/text/special_tokens.h"

namespace fathom {

namespace {

// GPT-2's printable character for each byte: itself where it is printable Latin-1, else U+0100 and following.
std::array<char32_t, 256> makeByteCharacters() {
  std::array<char32_t, 256> characters{};
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    characters[byte] = printable ? byte : next++;
  }
  return characters;
}
const std::array<char32_t, 256> kByteCharacters = makeByteCharacters();

int byteOf(char32_t character) {
  static const auto bytes = [] {
    std::array<int, 0x180> table;
    table.fill(-1);
    for (int byte = 0; byte < 256; ++byte) table[kByteCharacters[static_cast<std::size_t>(byte)]] = byte;
    return table;
  }();
  return character < bytes.size() ? bytes[character] : -1;
}

std::uint64_t keyOf(std::int64_t left, std::int64_t right) {
  return (static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint64_t>(right);
}

// Bytes as text, each longest wrong sequence as one U+FFFD.
std::string repaired(const std::string& bytes) {
  std::string text;
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t bad = firstInvalidUtf8(rest);
    text.append(rest.substr(0, bad));
    if (bad == std::string_view::npos) break;
    rest.remove_prefix(bad);
    std::size_t length = 1;  // a cut-off sequence counts as one
    for (std::string completed(rest.substr(0, 1)); length < std::min<std::size_t>(rest.size(), 3); ++length) {
      completed.push_back(rest[length]);
      bool prefix = false;
      for (const char* tail : {"\x80", "\xbf", "\x80\x80", "\xbf\xbf"})
        prefix = prefix || firstInvalidUtf8(completed + tail) == std::string_view::npos;
      if (!prefix) break;
    }
    text += "\xef\xbf\xbd";
    rest.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string byteCharacter(std::uint8_t byte) {
  std::string character;
  appendCodePoint(character, kByteCharacters[byte]);
  return character;
}

Status ByteBpeTokenizer::readVocabulary(std::string_view json, const std::string& file) {
  FATHOM_TRY(const Json table, parseJson(json, file));
  const Phrase hint = Phrase::tr("a vocab.json of GPT-2 or RoBERTa is expected");
  if (!table.is_object() || table.empty()) return dataError(Phrase::tr("%1: not a vocabulary")(file), hint);
  m_tokens.resize(table.size());
  std::vector<bool> seen(table.size());
  for (const auto& [token, id] : table.items()) {
    const bool good = id.is_number_integer() && id.get<std::int64_t>() >= 0 &&
                      id.get<std::int64_t>() < static_cast<std::int64_t>(table.size());
    const std::size_t index = good ? id.get<std::size_t>() : 0;
    if (!good || seen[index])
      return dataError(Phrase::tr("%1: token '%2' has the id %3, ids must be 0 to %4, each once")(
                           file, token, id.dump(), table.size() - 1),
                       hint);
    seen[index] = true;
    m_tokens[index] = token;
  }
  for (std::size_t id = 0; id < m_tokens.size(); ++id)
    m_ids.emplace(m_tokens[id], static_cast<std::int64_t>(id));
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string character = byteCharacter(static_cast<std::uint8_t>(byte));
    m_byteIds[byte] = find(character);
    if (m_byteIds[byte] < 0)
      return dataError(Phrase::tr("%1: no token for byte %2 ('%3')")(file, byte, character), hint);
  }
  m_special = {find("<s>"), find("<pad>"), find("</s>"), find("<unk>")};
  m_mask = find("<mask>");
  return {};
}

Status ByteBpeTokenizer::readMerges(std::string_view merges, const std::string& file) {
  std::int64_t rank = 0;
  for (std::int64_t line = 1; !merges.empty(); ++line) {
    std::string_view row = takeUntil(merges, '\n');
    if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
    if (row.empty() || (line == 1 && row.starts_with("#version"))) continue;
    const std::size_t blank = row.find(' ');
    const std::string_view left = row.substr(0, blank);
    const std::string_view right = blank == std::string_view::npos ? "" : row.substr(blank + 1);
    const std::int64_t leftId = find(left), rightId = find(right);
    const std::int64_t result = find(std::string(left) + std::string(right));
    if (right.empty() || leftId < 0 || rightId < 0 || result < 0)
      return dataErrorAt(
          file, line,
          Phrase::tr("merge '%1' of tokens the vocabulary has not")(std::string(row.substr(0, 80))),
          Phrase::tr("vocab.json and merges.txt must belong together"));
    m_merges.try_emplace(keyOf(leftId, rightId), Merge{rank++, result});
  }
  return {};
}

Result<ByteBpeTokenizer> ByteBpeTokenizer::fromFiles(std::string_view vocabularyJson,
                                                     const std::string& vocabularyFile,
                                                     std::string_view merges, const std::string& mergesFile,
                                                     const ByteBpeOptions& options) {
  ByteBpeTokenizer made;
  made.m_options = options;
  FATHOM_CHECK(made.readVocabulary(vocabularyJson, vocabularyFile));
  FATHOM_CHECK(made.readMerges(merges, mergesFile));
  return made;
}

std::int64_t ByteBpeTokenizer::find(std::string_view token) const {
  const auto found = m_ids.find(token);
  return found == m_ids.end() ? -1 : found->second;
}

// Joins the neighbours of the lowest rank, the leftmost of equals first, until none can be joined.
void ByteBpeTokenizer::mergeAll(std::vector<Symbol>& symbols) const {
  while (symbols.size() > 1) {
    std::int64_t best = std::numeric_limits<std::int64_t>::max(), result = -1;
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = m_merges.find(keyOf(symbols[i].id, symbols[i + 1].id));
      if (found == m_merges.end() || found->second.rank >= best) continue;
      best = found->second.rank;
      result = found->second.result;
      place = i;
    }
    if (result < 0) return;
    symbols[place].id = result;
    symbols[place].end = symbols[place + 1].end;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

void ByteBpeTokenizer::encodePart(std::string_view text, std::int64_t offset, EncodedText& into) const {
  const bool prefixed = m_options.addPrefixSpace && !text.empty() && !text.starts_with(' ');
  const std::string whole = prefixed ? " " + std::string(text) : std::string(text);
  const auto added = static_cast<std::int64_t>(prefixed ? 1 : 0);
  std::vector<Symbol> symbols;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = gpt2PieceEnd(whole, at);
    symbols.clear();
    for (std::size_t i = at; i < end; ++i)
      symbols.push_back({m_byteIds[static_cast<unsigned char>(whole[i])], i, i + 1});
    mergeAll(symbols);
    for (const Symbol& symbol : symbols) {
      std::size_t begin = symbol.begin, stop = symbol.end;
      while (begin < stop && whole[begin] == ' ') ++begin;
      // The reference takes a first blank for the added one, even where the text has it.
      if (m_options.addPrefixSpace && symbol.begin == 0 && !prefixed && begin > 0) --begin;
      while (stop > begin && whole[stop - 1] == ' ') --stop;
      // A token of part of a character has the range of the character.
      while (begin < stop && begin > 0 && (static_cast<unsigned char>(whole[begin]) & 0xC0) == 0x80) --begin;
      while (stop < whole.size() && stop > begin && (static_cast<unsigned char>(whole[stop]) & 0xC0) == 0x80)
        ++stop;
      const auto place = [&](std::size_t i) {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(i) - added) + offset;
      };
      into.add(symbol.id, {place(begin), place(stop)});
    }
    at = end;
  }
}

EncodedText ByteBpeTokenizer::encodeWithRanges(std::string_view text) const {
  std::vector<SpecialToken> special;
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>", "<mask>"})
    if (const std::int64_t id = m_options.matchSpecialTokens ? find(token) : -1; id >= 0)
      special.push_back({token, id, id == m_mask});
  return encodeAround(text, special, [this](std::string_view part, std::int64_t offset, EncodedText& into) {
    encodePart(part, offset, into);
  });
}

std::vector<std::int64_t> ByteBpeTokenizer::encode(std::string_view text) const {
  return encodeWithRanges(text).ids;
}

std::string ByteBpeTokenizer::decode(std::span<const std::int64_t> ids) const {
  std::string bytes;
  for (const std::int64_t id : ids) {
    if (id == m_special.bos || id == m_special.pad || id == m_special.eos) continue;
    const std::string token = piece(id);
    const bool plain = id == m_special.unk || id == m_mask;
    for (std::size_t at = 0; at < token.size() && !plain;) {
      const int byte = byteOf(nextCodePoint(token, at));
      if (byte >= 0) bytes.push_back(static_cast<char>(byte));
    }
    if (plain) bytes += token;
  }
  return repaired(bytes);
}

std::string ByteBpeTokenizer::piece(std::int64_t id) const {
  return id >= 0 && id < vocabularySize() ? m_tokens[static_cast<std::size_t>(id)] : "<unk>";
}

}  // namespace fathom
