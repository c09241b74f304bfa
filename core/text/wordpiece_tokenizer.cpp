// SPDX-License-Identifier: Apache-2.0
#include "core/text/wordpiece_tokenizer.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/text/special_tokens.h"
#include "core/text/vocabulary_lines.h"

namespace fathom {

namespace {
constexpr std::string_view kInside = "##";
}

Result<WordPieceTokenizer> WordPieceTokenizer::fromText(std::string_view vocabulary, const std::string& file,
                                                        const WordPieceOptions& options) {
  WordPieceTokenizer made;
  made.m_options = options;
  VocabularyLines lines = vocabularyLines(vocabulary, file);
  made.m_tokens = std::move(lines.tokens);
  made.m_notes = std::move(lines.notes);
  for (std::size_t id = 0; id < made.m_tokens.size(); ++id) {
    const std::string_view token = made.m_tokens[id];
    const auto number = static_cast<std::int64_t>(id);
    if (!validUtf8(token))
      return dataErrorAt(file, number + 1, Phrase::tr("token is not UTF-8"),
                         Phrase::tr("a vocab.txt of BERT is expected"));
    made.m_all.insert_or_assign(token, number);  // of a token that comes twice the last line counts
    const bool inside = token.starts_with(kInside) && token.size() > kInside.size();
    if (inside) made.m_inside.insert_or_assign(token.substr(kInside.size()), number);
    made.m_first.insert_or_assign(token, number);
    made.m_longest = std::max(made.m_longest, token.size());
  }
  const std::pair<const char*, std::int64_t*> needed[] = {
      {"[UNK]", &made.m_unknown}, {"[CLS]", &made.m_cls}, {"[SEP]", &made.m_sep}, {"[PAD]", &made.m_pad}};
  for (const auto& [token, id] : needed) {
    *id = made.find(token);
    if (*id < 0)
      return dataError(Phrase::tr("%1: the vocabulary has no %2")(file, token),
                       Phrase::tr("a vocab.txt of BERT is expected"));
  }
  made.m_mask = made.find("[MASK]");
  return made;
}

std::int64_t WordPieceTokenizer::find(std::string_view token) const {
  const auto found = m_all.find(token);
  return found == m_all.end() ? -1 : found->second;
}

void WordPieceTokenizer::encodeWord(std::span<const TextCharacter> word, EncodedText& into) const {
  const std::size_t limit = m_options.variant == WordPieceVariant::Google ? 200 : 100;
  const std::size_t before = into.ids.size();
  const auto unknown = [&] {
    into.ids.resize(before);
    into.ranges.resize(before);
    into.add(m_unknown, {word.front().range.begin, word.back().range.end});
  };
  if (word.size() > limit) return unknown();
  std::string bytes;
  std::vector<std::size_t> starts;  // of each character in `bytes`, and the end
  for (const TextCharacter& character : word) {
    starts.push_back(bytes.size());
    appendCodePoint(bytes, character.code);
  }
  starts.push_back(bytes.size());
  for (std::size_t begin = 0; begin < word.size();) {
    const auto& pieces = begin == 0 ? m_first : m_inside;
    std::size_t end = word.size();
    while (end > begin && starts[end] - starts[begin] > m_longest) --end;
    std::int64_t id = -1;
    for (; end > begin; --end) {
      const auto found =
          pieces.find(std::string_view(bytes).substr(starts[begin], starts[end] - starts[begin]));
      if (found == pieces.end()) continue;
      id = found->second;
      break;
    }
    if (id < 0) return unknown();
    into.add(id, {word[begin].range.begin, word[end - 1].range.end});
    begin = end;
  }
}

void WordPieceTokenizer::encodePlain(std::string_view text, std::int64_t offset, EncodedText& into) const {
  const std::size_t before = into.ids.size();
  splitWords(text, m_options.variant, m_options.lowerCase,
             [&](std::span<const TextCharacter> word) { encodeWord(word, into); });
  for (std::size_t i = before; i < into.ranges.size(); ++i) {
    into.ranges[i].begin += offset;
    into.ranges[i].end += offset;
  }
}

EncodedText WordPieceTokenizer::encodeWithRanges(std::string_view text) const {
  std::vector<SpecialToken> special;
  for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
    if (const std::int64_t id = m_options.matchSpecialTokens ? find(token) : -1; id >= 0)
      special.push_back({token, id, false});
  return encodeAround(text, special, [this](std::string_view part, std::int64_t offset, EncodedText& into) {
    encodePlain(part, offset, into);
  });
}

std::vector<std::int64_t> WordPieceTokenizer::encode(std::string_view text) const {
  return encodeWithRanges(text).ids;
}

std::string WordPieceTokenizer::decode(std::span<const std::int64_t> ids) const {
  std::string text;
  for (const std::int64_t id : ids) {
    if (id == m_cls || id == m_sep || id == m_pad) continue;
    const std::string token = piece(id);
    if (token.starts_with(kInside) && token.size() > kInside.size() && !text.empty())
      text += token.substr(kInside.size());
    else
      text += (text.empty() ? "" : " ") + token;
  }
  return text;
}

std::string WordPieceTokenizer::piece(std::int64_t id) const {
  return id >= 0 && id < vocabularySize() ? m_tokens[static_cast<std::size_t>(id)] : "[UNK]";
}

}  // namespace fathom
