// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/sql_alignment.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fathom {

namespace {

// A select list longer than this is broken after its commas.
constexpr std::uint32_t kLongSelect = 34;

struct Word {
  std::string key;  // what is compared; "" = not at all
  SourceSpan span;
  bool constant = false;
};

struct AlignedLine {
  int clause = 0;  // order of clauses; the parts of a set operation follow each other
  SourceSpan span;
  std::vector<Word> words;
};

void mention(const SqlExpr* expr, std::vector<ColumnMention>& out);

void mentionQuery(const ScopedQuery& query, std::vector<ColumnMention>& out) {
  for (const ScopedItem& item : query.select) mention(item.expr.get(), out);
  for (const ScopedSource& source : query.from) {
    if (source.query) mentionQuery(*source.query, out);
    mention(source.on.get(), out);
  }
  mention(query.where.get(), out);
  for (const SqlExprPtr& expr : query.groupBy) mention(expr.get(), out);
  mention(query.having.get(), out);
  for (const ScopedOrder& order : query.orderBy) mention(order.expr.get(), out);
  if (query.partner) mentionQuery(*query.partner, out);
}

void mention(const SqlExpr* expr, std::vector<ColumnMention>& out) {
  if (expr == nullptr) return;
  if (expr->kind == SqlExpr::Kind::Column && expr->column > 0) out.push_back({expr->span, expr->column});
  for (const SqlExprPtr& arg : expr->args) mention(arg.get(), out);
  if (expr->query) mentionQuery(*expr->query, out);
}

// Order in which clauses stand, -1 for words that start none.
int clauseOf(const std::string& word) {
  static const std::map<std::string, int> clauses = {{"select", 0}, {"from", 1},  {"where", 2}, {"group", 3},
                                                     {"having", 4}, {"order", 5}, {"limit", 6}};
  const auto found = clauses.find(word);
  return found == clauses.end() ? -1 : found->second;
}
constexpr int kClausesPerPart = 8;  // the seven, and the set operator after them

bool isSetOperator(const std::string& word) {
  return word == "union" || word == "intersect" || word == "except";
}
bool beginsJoin(const std::string& word) {
  return word == "join" || word == "left" || word == "inner" || word == "cross" || word == "natural" ||
         word == "right" || word == "full";
}

// Breaks one query into lines.
class Breaker {
 public:
  Breaker(const std::string& sql, const ScopedParse& parse) : m_sql(sql) {
    std::string error;
    std::uint32_t errorAt = 0;
    m_tokens = lexSql(sql, error, errorAt);
    if (parse.ok()) {
      for (const ColumnMention& column : columnMentions(*parse.query)) m_columns[column.span.begin] = column;
    }
  }

  std::vector<AlignedLine> lines() {
    m_lines.push_back({0, {0, 0}, {}});
    for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
      const SqlToken& token = m_tokens[m_at];
      if (token.kind == SqlToken::Kind::End) break;
      if (token.text == "(" && token.kind == SqlToken::Kind::Symbol) ++m_depth;
      if (token.text == ")" && token.kind == SqlToken::Kind::Symbol) --m_depth;
      if (m_depth == 0 && token.kind == SqlToken::Kind::Word) breakBefore(token);
      addWord();
      const bool comma = token.kind == SqlToken::Kind::Symbol && token.text == ",";
      if (comma && m_depth == 0 && m_longSelect && m_clause == 0 && m_at + 1 < m_tokens.size())
        newLine(m_tokens[m_at + 1].span.begin);
    }
    close(static_cast<std::uint32_t>(m_sql.size()));
    return std::move(m_lines);
  }

 private:
  void breakBefore(const SqlToken& token) {
    const int clause = clauseOf(token.text);
    if (clause >= 0) {
      m_clause = clause;
      m_between = false;
      newLine(token.span.begin);
      if (clause == 0) m_longSelect = selectLength() > kLongSelect;
    } else if (isSetOperator(token.text)) {
      m_clause = kClausesPerPart - 1;
      newLine(token.span.begin);
      ++m_part;
    } else if (m_clause == 1 && beginsJoin(token.text) && !m_inJoin) {
      newLine(token.span.begin);
      m_inJoin = true;
    } else if (m_clause == 2 || m_clause == 4) {
      if (token.text == "between") m_between = true;
      if (token.text == "or" || (token.text == "and" && !m_between)) newLine(token.span.begin);
      if (token.text == "and") m_between = false;
    }
    if (token.text == "join") m_inJoin = false;
  }

  std::uint32_t selectLength() const {
    int depth = 0;
    for (std::size_t i = m_at; i < m_tokens.size(); ++i) {
      const SqlToken& token = m_tokens[i];
      if (token.text == "(") ++depth;
      if (token.text == ")") --depth;
      const std::uint32_t length = token.span.begin - m_tokens[m_at].span.begin;
      if (token.kind == SqlToken::Kind::End || (depth == 0 && token.text == "from") ||
          length > 4 * kLongSelect)
        return length;
    }
    return 0;
  }

  void close(std::uint32_t at) { m_lines.back().span.end = at; }
  void newLine(std::uint32_t at) {
    const int clause = m_part * kClausesPerPart + m_clause;
    AlignedLine& last = m_lines.back();
    if (last.words.empty()) {  // nothing on it yet: it takes what comes
      last.clause = clause;
      return;
    }
    close(at);
    m_lines.push_back({clause, {at, at}, {}});
  }

  void addWord() {
    const SqlToken& token = m_tokens[m_at];
    Word word{token.kind == SqlToken::Kind::QuotedWord ? asciiLower(token.text) : token.text, token.span,
              false};
    const auto column = m_columns.find(token.span.begin);
    if (column != m_columns.end()) {
      word.key = "column " + std::to_string(column->second.column);
      word.span.end = column->second.span.end;
      while (m_at + 1 < m_tokens.size() && m_tokens[m_at + 1].span.end <= word.span.end &&
             m_tokens[m_at + 1].kind != SqlToken::Kind::End)
        skip();
    } else if (token.kind == SqlToken::Kind::Number || token.kind == SqlToken::Kind::Text) {
      word.constant = true;
    } else if (token.kind == SqlToken::Kind::Word && token.text == "as" && m_at + 1 < m_tokens.size()) {
      word.key.clear();
      m_lines.back().words.push_back(word);
      ++m_at;
      word.span = m_tokens[m_at].span;  // the alias itself
    } else if (token.text == ";") {
      word.key.clear();
    }
    m_lines.back().words.push_back(std::move(word));
  }
  void skip() {
    ++m_at;
    if (m_tokens[m_at].text == "(") ++m_depth;
    if (m_tokens[m_at].text == ")") --m_depth;
  }

  const std::string& m_sql;
  std::vector<SqlToken> m_tokens;
  std::map<std::uint32_t, ColumnMention> m_columns;
  std::vector<AlignedLine> m_lines;
  std::size_t m_at = 0;
  int m_depth = 0, m_clause = 0, m_part = 0;
  bool m_between = false, m_inJoin = false, m_longSelect = false;
};

// Longest common subsequence; pairs of positions, in order.
template <typename Equal>
std::vector<std::pair<std::size_t, std::size_t>> commonSequence(std::size_t n, std::size_t m, Equal equal) {
  constexpr std::size_t kMost = 2000;  // beyond, nothing is paired: the table would not fit
  if (n > kMost || m > kMost) return {};
  std::vector<std::vector<std::uint16_t>> best(n + 1, std::vector<std::uint16_t>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;)
      best[i][j] =
          equal(i, j) ? std::uint16_t(best[i + 1][j + 1] + 1) : std::max(best[i + 1][j], best[i][j + 1]);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (equal(i, j)) {
      pairs.emplace_back(i++, j++);
    } else if (best[i + 1][j] >= best[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

std::string lineKey(const AlignedLine& line) {
  std::string key;
  for (const Word& word : line.words) key += word.key + " ";
  return key;
}

using Lines = std::vector<const AlignedLine*>;

// The lines of one clause that stand beside each other; null = a filler.
std::vector<std::pair<const AlignedLine*, const AlignedLine*>> pairLines(const Lines& gold,
                                                                         const Lines& predicted) {
  std::vector<std::string> goldKeys, predictedKeys;
  for (const AlignedLine* line : gold) goldKeys.push_back(lineKey(*line));
  for (const AlignedLine* line : predicted) predictedKeys.push_back(lineKey(*line));
  const auto common = commonSequence(gold.size(), predicted.size(), [&](std::size_t i, std::size_t j) {
    return goldKeys[i] == predictedKeys[j];
  });
  std::vector<std::pair<const AlignedLine*, const AlignedLine*>> pairs;
  std::size_t i = 0, j = 0;
  const auto upTo = [&](std::size_t endI, std::size_t endJ) {
    while (i < endI || j < endJ) {
      const AlignedLine* left = i < endI ? gold[i++] : nullptr;
      pairs.emplace_back(left, j < endJ ? predicted[j++] : nullptr);
    }
  };
  for (const auto& [a, b] : common) {
    upTo(a, b);
    upTo(a + 1, b + 1);
  }
  upTo(gold.size(), predicted.size());
  return pairs;
}

// Words of one clause that the other query's clause has not.
void markWords(const Lines& gold, const Lines& predicted, SqlSide& goldSide, SqlSide& predictedSide) {
  std::vector<const Word*> left, right;
  for (const AlignedLine* line : gold)
    for (const Word& word : line->words) left.push_back(&word);
  for (const AlignedLine* line : predicted)
    for (const Word& word : line->words) right.push_back(&word);
  const auto same = [&](std::size_t i, std::size_t j) {
    return left[i]->key == right[j]->key || (left[i]->constant && right[j]->constant);
  };
  const auto common = commonSequence(left.size(), right.size(), same);
  std::vector<bool> inLeft(left.size()), inRight(right.size());
  for (const auto& [i, j] : common) {
    inLeft[i] = inRight[j] = true;
    if (left[i]->key == right[j]->key) continue;
    goldSide.values.push_back(left[i]->span);
    predictedSide.values.push_back(right[j]->span);
  }
  const auto mark = [](const std::vector<const Word*>& words, const std::vector<bool>& paired,
                       SqlSide& side) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!paired[i] && !words[i]->key.empty()) side.differences.push_back(words[i]->span);
  };
  mark(left, inLeft, goldSide);
  mark(right, inRight, predictedSide);
}

void append(SqlSide& side, const std::string& sql, const AlignedLine* line) {
  if (!side.lines.empty()) side.text += '\n';
  SourceSpan span = line != nullptr ? line->span : SourceSpan{};
  while (span.end > span.begin && std::isspace(static_cast<unsigned char>(sql[span.end - 1]))) --span.end;
  side.lines.push_back(span);
  for (std::uint32_t i = span.begin; i < span.end; ++i)
    side.text += sql[i] == '\n' || sql[i] == '\r' || sql[i] == '\t' ? ' ' : sql[i];
}

bool touches(const SqlSide& side, const SourceSpan& line) {
  return std::any_of(side.differences.begin(), side.differences.end(), [&line](const SourceSpan& span) {
    return span.begin < line.end && span.end > line.begin;
  });
}

}  // namespace

std::vector<ColumnMention> columnMentions(const ScopedQuery& query) {
  std::vector<ColumnMention> out;
  mentionQuery(query, out);
  return out;
}

std::uint32_t SqlSide::textOffset(std::uint32_t sourceByte) const {
  std::uint32_t at = 0;
  for (const SourceSpan& line : lines) {
    if (!line.empty() && sourceByte < line.begin) return at;  // in the blanks between two lines
    if (!line.empty() && sourceByte <= line.end) return at + sourceByte - line.begin;
    at += line.end - line.begin + 1;
  }
  return static_cast<std::uint32_t>(text.size());
}

AlignedSql alignSql(const std::string& gold, const ScopedParse& goldParse, const std::string& predicted,
                    const ScopedParse& predictedParse) {
  const std::vector<AlignedLine> left = Breaker(gold, goldParse).lines();
  const std::vector<AlignedLine> right = Breaker(predicted, predictedParse).lines();
  std::map<int, std::pair<Lines, Lines>> clauses;
  for (const AlignedLine& line : left) clauses[line.clause].first.push_back(&line);
  for (const AlignedLine& line : right) clauses[line.clause].second.push_back(&line);
  AlignedSql aligned;
  for (const auto& [clause, both] : clauses) {
    markWords(both.first, both.second, aligned.gold, aligned.predicted);
    for (const auto& [g, p] : pairLines(both.first, both.second)) {
      append(aligned.gold, gold, g);
      append(aligned.predicted, predicted, p);
      aligned.lineDiffers.push_back(touches(aligned.gold, aligned.gold.lines.back()) ||
                                    touches(aligned.predicted, aligned.predicted.lines.back()));
    }
  }
  return aligned;
}

}  // namespace fathom
