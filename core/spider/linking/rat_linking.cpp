// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/rat_linking.h"

#include <algorithm>
#include <charconv>

#include "core/base/text/text_list.h"
#include "core/spider/spider_schema.h"

namespace fathom {

namespace {

constexpr std::size_t kMostWords = 5;      // of a run
constexpr std::size_t kMaxRatName = 200;   // bytes
constexpr std::size_t kMostPatterns = 64;  // words with wildcards that are looked up in one schema
const std::vector<int> kNoRatItems;

// NLTK's English list.
const std::unordered_set<std::string_view>& englishStopWords() {
  static const std::unordered_set<std::string_view> kWords = {
      "i",          "me",      "my",         "myself",   "we",      "our",     "ours",      "ourselves",
      "you",        "you're",  "you've",     "you'll",   "you'd",   "your",    "yours",     "yourself",
      "yourselves", "he",      "him",        "his",      "himself", "she",     "she's",     "her",
      "hers",       "herself", "it",         "it's",     "its",     "itself",  "they",      "them",
      "their",      "theirs",  "themselves", "what",     "which",   "who",     "whom",      "this",
      "that",       "that'll", "these",      "those",    "am",      "is",      "are",       "was",
      "were",       "be",      "been",       "being",    "have",    "has",     "had",       "having",
      "do",         "does",    "did",        "doing",    "a",       "an",      "the",       "and",
      "but",        "if",      "or",         "because",  "as",      "until",   "while",     "of",
      "at",         "by",      "for",        "with",     "about",   "against", "between",   "into",
      "through",    "during",  "before",     "after",    "above",   "below",   "to",        "from",
      "up",         "down",    "in",         "out",      "on",      "off",     "over",      "under",
      "again",      "further", "then",       "once",     "here",    "there",   "when",      "where",
      "why",        "how",     "all",        "any",      "both",    "each",    "few",       "more",
      "most",       "other",   "some",       "such",     "no",      "nor",     "not",       "only",
      "own",        "same",    "so",         "than",     "too",     "very",    "s",         "t",
      "can",        "will",    "just",       "don",      "don't",   "should",  "should've", "now",
      "d",          "ll",      "m",          "o",        "re",      "ve",      "y",         "ain",
      "aren",       "aren't",  "couldn",     "couldn't", "didn",    "didn't",  "doesn",     "doesn't",
      "hadn",       "hadn't",  "hasn",       "hasn't",   "haven",   "haven't", "isn",       "isn't",
      "ma",         "mightn",  "mightn't",   "mustn",    "mustn't", "needn",   "needn't",   "shan",
      "shan't",     "shouldn", "shouldn't",  "wasn",     "wasn't",  "weren",   "weren't",   "won",
      "won't",      "wouldn",  "wouldn't"};
  return kWords;
}

// A character of a word, as \w of a regular expression; those beyond ASCII all are.
bool isRatWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool borderAt(std::string_view text, std::size_t at) {
  const bool before = at > 0 && isRatWordByte(text[at - 1]);
  const bool after = at < text.size() && isRatWordByte(text[at]);
  return before != after;
}

class RatScan {
 public:
  RatScan(RatSchema& schema, const std::vector<QuestionToken>& tokens)
      : m_schema(schema),
        m_tokens(tokens),
        m_links(static_cast<int>(tokens.size()), schema.columns, schema.tables) {}

  SchemaLinks run() {
    for (std::size_t words = std::min(kMostWords, m_tokens.size()); words > 0; --words) {
      for (std::size_t first = 0; first + words <= m_tokens.size(); ++first) linkRun(first, first + words);
    }
    for (std::size_t p = 0; p < m_tokens.size(); ++p) linkCells(p);
    return std::move(m_links);
  }

 private:
  void write(std::vector<LinkCode>& cells, const std::vector<int>& items, std::size_t first, std::size_t end,
             LinkCode code) {
    for (const int item : items) {
      const std::size_t row = static_cast<std::size_t>(item) * m_tokens.size();
      for (std::size_t token = first; token < end; ++token) {
        LinkCode& cell = cells[row + token];
        if (code == LinkCode::Exact || cell == LinkCode::None) cell = code;
      }
    }
  }

  void linkRun(std::size_t first, std::size_t end) {
    std::string run;
    for (std::size_t k = first; k < end; ++k) {
      if (k > first) run += ' ';
      run += m_tokens[k].body;
    }
    if (run.find_first_not_of(' ') == std::string::npos || run.size() > kMaxRatName) return;
    write(m_links.column, m_schema.columnNames.equal(run), first, end, LinkCode::Exact);
    write(m_links.table, m_schema.tableNames.equal(run), first, end, LinkCode::Exact);
    if (isRatStopWord(run)) return;
    write(m_links.column, m_schema.columnNames.beginning(run), first, end, LinkCode::Partial);
    write(m_links.table, m_schema.tableNames.beginning(run), first, end, LinkCode::Partial);
  }

  // Names go before cells, cells before types: only what is empty is written.
  void linkCells(std::size_t p) {
    const std::string word = asciiLower(m_tokens[p].surface);
    if (word.empty() || isRatStopWord(word)) return;
    if (!isRatNumber(word)) {
      write(m_links.column, m_schema.cells.columnsLike(word), p, p + 1, LinkCode::Value);
      return;
    }
    write(m_links.column, m_schema.numberColumns, p, p + 1, LinkCode::Number);
    write(m_links.column, m_schema.timeColumns, p, p + 1, LinkCode::Time);
  }

  RatSchema& m_schema;
  const std::vector<QuestionToken>& m_tokens;
  SchemaLinks m_links;
};

}  // namespace

bool isRatStopWord(std::string_view word) {
  if (word.size() == 1 &&
      std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(word[0]) != std::string_view::npos)
    return true;
  return englishStopWords().contains(word);
}

bool isRatNumber(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return (code == std::errc() || code == std::errc::result_out_of_range) && end == word.data() + word.size();
}

bool matchesLike(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, afterAny = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      afterAny = ++p;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '_' || pattern[p] == text[t])) {
      ++p;
      ++t;
      // _ is one character, however many bytes.
      while (pattern[p - 1] == '_' && t < text.size() && (static_cast<unsigned char>(text[t]) & 0xC0) == 0x80)
        ++t;
    } else if (afterAny != std::string_view::npos) {
      p = afterAny;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('%', p) == std::string_view::npos;
}

void RatNames::add(int item, const std::string& name) {
  if (name.empty() || name.size() > kMaxRatName) return;
  m_equal[name].push_back(item);
  if (!borderAt(name, 0)) return;
  for (std::size_t end = 1; end <= name.size(); ++end) {
    if (borderAt(name, end)) m_beginning[name.substr(0, end)].push_back(item);
  }
}

const std::vector<int>& RatNames::itemsIn(const Items& items, const std::string& run) {
  const auto found = items.find(run);
  return found == items.end() ? kNoRatItems : found->second;
}

const std::vector<int>& RatNames::equal(const std::string& run) const {
  return itemsIn(m_equal, run);
}

const std::vector<int>& RatNames::beginning(const std::string& run) const {
  return itemsIn(m_beginning, run);
}

void RatCells::add(int column, const std::string& value) {
  std::string text = asciiLower(value);
  for (const std::string_view word : splitAt(text, ' ')) {
    if (word.empty()) continue;
    auto& columns = m_byWord[std::string(word)];
    if (columns.empty() || columns.back() != column) columns.push_back(column);
  }
  m_values.emplace_back(column, std::move(text));
}

const std::vector<int>& RatCells::columnsLike(const std::string& word) {
  if (word.find('\'') != std::string::npos) return kNoRatItems;
  if (word.find_first_of("_%") == std::string::npos) {
    const auto found = m_byWord.find(word);
    return found == m_byWord.end() ? kNoRatItems : found->second;
  }
  if (const auto found = m_byPattern.find(word); found != m_byPattern.end()) return found->second;
  if (m_byPattern.size() >= kMostPatterns) return kNoRatItems;
  std::vector<int>& columns = m_byPattern[word];
  const std::string begins = word + " %", ends = "% " + word, inside = "% " + word + " %";
  for (const auto& [column, text] : m_values) {
    if (!columns.empty() && columns.back() == column) continue;
    if (matchesLike(text, word) || matchesLike(text, begins) || matchesLike(text, ends) ||
        matchesLike(text, inside))
      columns.push_back(column);
  }
  return columns;
}

SchemaLinks linkRat(RatSchema& schema, const std::vector<QuestionToken>& tokens) {
  return RatScan(schema, tokens).run();
}

}  // namespace fathom
