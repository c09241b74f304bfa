// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/name_linking.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace fathom {

namespace {

constexpr std::size_t kMaxName = 200;            // bytes
constexpr std::size_t kMaxContaining = 100'000;  // remembered spans of one schema
constexpr std::size_t kMaxCapitalRun = 32;  // words: a question of capitals alone costs no square of them
const std::vector<int> kNoItems;

constexpr std::array<std::string_view, 29> kLinkStopWords = {
    "a",  "an", "of",  "be",  "'s",  "",    "is",  "me",  "it",  "as",   "in",   "on",   "do",   "to",  "ok",
    "or", "at", "for", "the", "and", "how", "are", "out", "all", "with", "have", "that", "this", "what"};
constexpr std::array<std::string_view, 9> kNoCapitals = {"what", "how", "list",  "give", "show",
                                                         "find", "id",  "order", "when"};

template <std::size_t count>
bool holds(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True for a word that may have a partial link or a value.
bool isContentWord(std::string_view word) {
  if (isLinkStopWord(word)) return false;
  std::size_t characters = 0;
  for (const char c : word) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return characters >= 2;
}

UChar32 characterAt(std::string_view text, std::int32_t& at) {
  UChar32 code = 0;
  U8_NEXT(reinterpret_cast<const std::uint8_t*>(text.data()), at, static_cast<std::int32_t>(text.size()),
          code);
  return code;
}

bool beginsUpper(std::string_view word) {
  std::int32_t at = 0;
  return !word.empty() && u_isupper(characterAt(word, at));
}

bool isAlphanumeric(std::string_view word) {
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(word.size());) {
    if (!u_isalnum(characterAt(word, at))) return false;
  }
  return !word.empty();
}

// Reads one question from left to right, first for tables, then for columns.
class NameScan {
 public:
  NameScan(NamedSchema& schema, const std::vector<QuestionToken>& tokens, const ConceptTables& concepts)
      : m_schema(schema),
        m_tokens(tokens),
        m_concepts(concepts),
        m_out{SchemaLinks(static_cast<int>(tokens.size()), schema.columns.count(), schema.tables.count()),
              std::vector<bool>(tokens.size())} {}

  NameLinks run() {
    for (std::size_t p = 0; p < m_tokens.size();) {
      const std::size_t next = linkAt(m_schema.tables, m_out.links.table, p);
      for (std::size_t k = p; next > p + 1 && k < next; ++k) m_out.consumed[k] = true;
      p = next;
    }
    for (std::size_t p = 0; p < m_tokens.size();) {
      const std::size_t next = linkAt(m_schema.columns, m_out.links.column, p);
      if (next == p + 1 && !m_out.consumed[p]) linkValues(p);
      p = next;
    }
    return std::move(m_out);
  }

 private:
  using Cells = std::vector<LinkCode>;

  // The first who writes a cell wins.
  void write(Cells& cells, int item, std::size_t first, std::size_t end, LinkCode code) {
    const std::size_t row = static_cast<std::size_t>(item) * m_tokens.size();
    for (std::size_t token = first; token < end; ++token) {
      if (cells[row + token] == LinkCode::None) cells[row + token] = code;
    }
  }

  // Calls take(span, end) for the spans that begin at `first`, the short ones first, while it answers true.
  template <typename Take>
  void spansFrom(std::size_t first, std::size_t longest, const Take& take) const {
    std::string span = m_tokens[first].body;
    for (std::size_t end = first + 1; span.size() <= longest; ++end) {
      if (!take(span, end) || end == m_tokens.size()) return;
      span += ' ';
      span += m_tokens[end].body;
    }
  }

  // Names, parts of names, synonyms, in this order. Returns where to go on.
  std::size_t linkAt(NameIndex& names, Cells& cells, std::size_t p) {
    std::size_t furthest = p + 1;
    spansFrom(p, names.longest(), [&](const std::string& span, std::size_t end) {
      const auto& items = names.named(span);
      for (const int item : items) write(cells, item, p, end, LinkCode::Exact);
      if (!items.empty()) furthest = end;
      return true;
    });
    if (furthest > p + 1) return furthest;
    spansFrom(p, names.longest(), [&](const std::string& span, std::size_t end) {
      const auto& items = names.containing(span);
      if (isContentWord(span)) {
        for (const int item : items) {
          if (names.words(item) >= static_cast<int>(end - p)) write(cells, item, p, end, LinkCode::Partial);
        }
      }
      return !items.empty();  // what a name has not, it has not with a word more
    });
    spansFrom(p, names.longest(), [&](const std::string& span, std::size_t end) {
      for (const int item : names.synonymous(span)) write(cells, item, p, end, LinkCode::Exact);
      return true;
    });
    return p + 1;
  }

  void linkValues(std::size_t p) {
    if (const std::size_t end = quotedEnd(p); end > p) linkValueSpan(p, end, true);
    if (const std::size_t end = capitalEnd(p); end > p) linkValueSpan(p, end, true);
    linkValueSpan(p, p + 1, false);
  }

  bool isQuote(std::size_t p) const { return m_tokens[p].surface == "'"; }

  // End of a quoted value of one or two words, else p. Before the first word stands the last one.
  std::size_t quotedEnd(std::size_t p) const {
    if (!isQuote(p == 0 ? m_tokens.size() - 1 : p - 1) || isQuote(p)) return p;
    for (std::size_t end = p + 1; end <= p + 2 && end < m_tokens.size(); ++end) {
      if (isQuote(end)) return end;
    }
    return p;
  }

  // End of the words with capitals from p on, else p.
  std::size_t capitalEnd(std::size_t p) const {
    std::size_t end = p;
    while (end < m_tokens.size() && end - p < kMaxCapitalRun && beginsUpper(m_tokens[end].surface)) ++end;
    if (end >= p + 2) return end;
    const std::string& word = m_tokens[p].surface;
    return end > p && isAlphanumeric(word) && !holds(kNoCapitals, unicodeLower(word)) ? end : p;
  }

  void linkValueSpan(std::size_t first, std::size_t end, bool concepts) {
    for (std::size_t k = first; k < end; ++k) {
      if (!isContentWord(m_tokens[k].body)) continue;
      for (const int column : m_schema.values.columnsOf(m_tokens[k].body))
        write(m_out.links.column, column, first, end, LinkCode::Value);
    }
    if (concepts && !m_concepts.empty() && !linkConcepts(m_concepts.isA, first, end))
      linkConcepts(m_concepts.relatedTo, first, end);
  }

  // Looks up the phrases [a, b) of a span of L words with b <= L - a, as the released code does. False: none
  // names a column.
  bool linkConcepts(const ConceptTables::Table& table, std::size_t first, std::size_t end) {
    bool any = false;
    const std::size_t length = end - first;
    for (std::size_t a = 0; a < length; ++a) {
      std::string phrase;
      for (std::size_t b = a; b < length - a; ++b) {
        if (b > a) phrase += '_';
        phrase += m_tokens[first + b].body;
        const auto found = table.find(phrase);
        if (found == table.end()) continue;
        for (const auto& name : found->second) {
          for (const int column : m_schema.columns.named(name)) {
            write(m_out.links.column, column, first, end, LinkCode::Value);
            any = true;
          }
        }
      }
    }
    return any;
  }

  NamedSchema& m_schema;
  const std::vector<QuestionToken>& m_tokens;
  const ConceptTables& m_concepts;
  NameLinks m_out;
};

}  // namespace

bool isLinkStopWord(std::string_view word) {
  return holds(kLinkStopWords, word);
}

void NameIndex::add(const std::string& name, const std::vector<std::string>& synonyms) {
  const int item = count();
  const bool linkable = !name.empty() && name.size() <= kMaxName;
  m_names.push_back(linkable ? searched(name) : std::string());
  m_words.push_back(static_cast<int>(std::count(name.begin(), name.end(), ' ')) + 1);
  if (!linkable) return;
  m_longest = std::max(m_longest, name.size());
  m_byName[name].push_back(item);
  for (const auto& synonym : synonyms) {
    if (synonym.empty() || synonym.size() > kMaxName) continue;
    m_longest = std::max(m_longest, synonym.size());
    auto& items = m_bySynonym[synonym];
    if (items.empty() || items.back() != item) items.push_back(item);
  }
}

std::string NameIndex::searched(const std::string& text) const {
  return m_rule == PartialRule::WholeWords ? " " + text + " " : text;
}

const std::vector<int>& NameIndex::itemsIn(const Items& items, const std::string& span) {
  const auto found = items.find(span);
  return found == items.end() ? kNoItems : found->second;
}

const std::vector<int>& NameIndex::named(const std::string& span) const {
  return itemsIn(m_byName, span);
}

const std::vector<int>& NameIndex::synonymous(const std::string& span) const {
  return itemsIn(m_bySynonym, span);
}

const std::vector<int>& NameIndex::containing(const std::string& span) {
  if (const auto found = m_containing.find(span); found != m_containing.end()) return found->second;
  if (m_containing.size() >= kMaxContaining) m_containing.clear();
  std::vector<int>& items = m_containing[span];
  const std::string looked = searched(span);
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    if (m_names[i].find(looked) != std::string::npos) items.push_back(static_cast<int>(i));
  }
  return items;
}

void ValueWords::add(int column, const std::string& word) {
  auto& columns = m_columns[word];
  const auto place = std::lower_bound(columns.begin(), columns.end(), column);
  if (place == columns.end() || *place != column) columns.insert(place, column);
}

const std::vector<int>& ValueWords::columnsOf(const std::string& word) const {
  const auto found = m_columns.find(word);
  return found == m_columns.end() ? kNoItems : found->second;
}

NameLinks linkNames(NamedSchema& schema, const std::vector<QuestionToken>& tokens,
                    const ConceptTables& concepts) {
  return NameScan(schema, tokens, concepts).run();
}

}  // namespace fathom
