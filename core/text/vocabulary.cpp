// SPDX-License-Identifier: Apache-2.0
#include "core/text/vocabulary.h"

#include <algorithm>
#include <array>

#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/text/moses_13a_tokenizer.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 4> kSpecial = {"<s>", "<pad>", "</s>", "<unk>"};
constexpr std::int64_t kUnknown = 3;
constexpr std::string_view kSubwordMark = "@@ ";

}  // namespace

void Vocabulary::Builder::add(std::string_view line) {
  std::vector<std::string_view> symbols;
  splitAtWhiteSpace(line, symbols);
  for (const std::string_view symbol : symbols) ++m_counts[std::string(symbol)];
}

Vocabulary Vocabulary::Builder::build(const Options& options) const {
  std::vector<std::pair<std::string, std::int64_t>> counted;
  for (const auto& [symbol, count] : m_counts) {
    const bool isSpecial = std::find(kSpecial.begin(), kSpecial.end(), symbol) != kSpecial.end();
    if (count >= options.minimumCount && !isSpecial) counted.emplace_back(symbol, count);
  }
  std::sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(0, options.maximumSize - 4));
  if (options.maximumSize > 0 && counted.size() > limit) counted.resize(limit);
  return Vocabulary(std::move(counted), options.multiple);
}

Vocabulary::Vocabulary(std::vector<std::pair<std::string, std::int64_t>> counted, std::int64_t multiple)
    : m_symbols(kSpecial.begin(), kSpecial.end()) {
  for (auto& [symbol, count] : counted) {
    m_symbols.push_back(std::move(symbol));
    m_counts.push_back(count);
  }
  for (int filler = 0; multiple > 1 && m_symbols.size() % static_cast<std::size_t>(multiple) != 0; ++filler) {
    m_symbols.push_back("madeupword" + paddedText(filler, 4));
  }
  for (std::size_t id = 0; id < m_symbols.size(); ++id)
    m_ids.try_emplace(m_symbols[id], static_cast<std::int64_t>(id));
}

Result<Vocabulary> Vocabulary::fromText(std::string_view text, const std::string& file,
                                        std::int64_t multiple) {
  std::vector<std::pair<std::string, std::int64_t>> counted;
  std::unordered_map<std::string, std::int64_t> lineOf;
  std::int64_t line = 0;
  while (!text.empty()) {
    std::string_view row = takeUntil(text, '\n');
    ++line;
    if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
    if (row.empty()) continue;
    const std::size_t blank = row.rfind(' ');
    const bool two = blank != std::string_view::npos && blank > 0;
    const std::int64_t count = two ? numberFrom<std::int64_t>(row.substr(blank + 1)).value_or(-1) : -1;
    if (count < 0)
      return dataErrorAt(file, line,
                         Phrase::tr("not a vocabulary line: '%1'")(std::string(row.substr(0, 80))),
                         Phrase::tr("each line is a symbol, a blank and its count"));
    std::string symbol(row.substr(0, blank));
    if (symbol.starts_with("madeupword")) continue;
    if (!lineOf.try_emplace(symbol, line).second)
      return dataErrorAt(file, line, Phrase::tr("symbol '%1' stands on line %2 too")(symbol, lineOf[symbol]));
    counted.emplace_back(std::move(symbol), count);
  }
  if (counted.empty()) return dataError(Phrase::tr("%1: the vocabulary is empty")(file));
  return Vocabulary(std::move(counted), multiple);
}

std::string Vocabulary::toText() const {
  std::string text;
  for (std::size_t i = 0; i < m_counts.size(); ++i)
    text += m_symbols[i + kSpecial.size()] + " " + std::to_string(m_counts[i]) + "\n";
  return text;
}

std::int64_t Vocabulary::find(std::string_view symbol) const {
  const auto found = m_ids.find(symbol);
  return found == m_ids.end() ? -1 : found->second;
}

std::vector<std::int64_t> Vocabulary::encode(std::string_view text) const {
  std::vector<std::string_view> symbols;
  splitAtWhiteSpace(text, symbols);
  std::vector<std::int64_t> ids;
  ids.reserve(symbols.size());
  for (const std::string_view symbol : symbols) {
    const std::int64_t id = find(symbol);
    ids.push_back(id >= kUnknown ? id : kUnknown);  // "<s>" in a text is no begin mark
  }
  return ids;
}

std::string Vocabulary::decode(std::span<const std::int64_t> ids) const {
  std::string text;
  for (const std::int64_t id : ids) {
    if (id >= 0 && id < kUnknown) continue;
    if (!text.empty()) text.push_back(' ');
    text += piece(id);
  }
  return joinSubwords(text);
}

std::string Vocabulary::piece(std::int64_t id) const {
  return id >= 0 && id < vocabularySize() ? m_symbols[static_cast<std::size_t>(id)] : kSpecial[kUnknown];
}

std::string joinSubwords(std::string_view text) {
  std::string padded(text);
  padded.push_back(' ');
  std::string joined;
  std::size_t done = 0;
  for (std::size_t at = padded.find(kSubwordMark); at != std::string::npos;
       at = padded.find(kSubwordMark, done)) {
    joined.append(padded, done, at - done);
    done = at + kSubwordMark.size();
  }
  joined.append(padded, done);
  if (!joined.empty() && joined.back() == ' ') joined.pop_back();
  return joined;
}

}  // namespace fathom
