// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "core/spider/scoped/scoped_syntax.h"
#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

std::string quotedToken(const SqlToken& token) {
  return "\"" + clippedText(token.raw, 60) + "\"";
}

}  // namespace

bool SyntaxParser::reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 40> kWords = {
      "select", "from",      "where", "group", "by",   "having", "order", "limit", "offset",   "union",
      "except", "intersect", "join",  "inner", "left", "right",  "full",  "outer", "cross",    "natural",
      "on",     "using",     "as",    "and",   "or",   "not",    "in",    "like",  "between",  "is",
      "exists", "case",      "when",  "then",  "else", "end",    "desc",  "asc",   "distinct", "null"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

std::unique_ptr<ScopedQuery> SyntaxParser::run(std::vector<std::pair<std::string, std::string>>& commonTables,
                                               std::string_view sql) {
  if (accept("with")) parseWith(commonTables, sql);
  auto query = parseCompound();
  while (accept(";")) {
  }
  if (token().kind != SqlToken::Kind::End) refuse("unexpected " + quotedToken(token()));
  return query;
}

const SqlToken& SyntaxParser::token(std::size_t ahead) const {
  return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
}

bool SyntaxParser::is(std::string_view text, std::size_t ahead) const {
  const auto& t = token(ahead);
  return (t.kind == SqlToken::Kind::Word || t.kind == SqlToken::Kind::Symbol) && t.text == text;
}

bool SyntaxParser::accept(std::string_view text) {
  if (!is(text)) return false;
  ++m_at;
  return true;
}

void SyntaxParser::refuse(const std::string& message) const {
  throw SyntaxRefusal{message, token().span.begin};
}

void SyntaxParser::refuseSize(const std::string& message) const {
  throw SyntaxRefusal{message, token().span.begin, true};
}

void SyntaxParser::note(std::string text) {
  if (std::find(m_notes.begin(), m_notes.end(), text) == m_notes.end()) m_notes.push_back(std::move(text));
}

void SyntaxParser::expect(std::string_view text) {
  if (accept(text)) return;
  const bool end = token().kind == SqlToken::Kind::End;
  refuse("\"" + std::string(text) + "\" expected" + (end ? " at the end" : ", not " + quotedToken(token())));
}

SyntaxParser::Deeper::Deeper(SyntaxParser& p) : parser(p) {
  if (++parser.m_depth > kMaxSqlDepth)
    parser.refuseSize("nested deeper than " + std::to_string(kMaxSqlDepth) + " levels");
}

void SyntaxParser::parseWith(std::vector<std::pair<std::string, std::string>>& commonTables,
                             std::string_view sql) {
  accept("recursive");
  do {
    const std::string name = parseName("a name after WITH");
    expect("as");
    expect("(");
    const std::uint32_t begin = token().span.begin;
    parseCompound();
    commonTables.emplace_back(asciiLower(name), std::string(sql.substr(begin, lastEnd() - begin)));
    expect(")");
  } while (accept(","));
}

std::string SyntaxParser::parseName(const char* what) {
  const auto& t = token();
  const bool name = t.kind == SqlToken::Kind::QuotedWord ||
                    (t.kind == SqlToken::Kind::Word && !reserved(t.text)) || t.kind == SqlToken::Kind::Text;
  if (!name)
    refuse(std::string(what) + " expected" +
           (t.kind == SqlToken::Kind::End ? " at the end" : ", not " + quotedToken(t)));
  ++m_at;
  return t.kind == SqlToken::Kind::Word ? t.raw : t.text;
}

std::unique_ptr<ScopedQuery> SyntaxParser::parseCompound() {
  const Deeper deeper(*this);
  const int around = std::exchange(m_tallest, 0);
  std::unique_ptr<ScopedQuery> query;
  if (is("(") && (is("select", 1) || is("(", 1))) {
    ++m_at;
    query = parseCompound();
    expect(")");
  } else {
    query = parseSelect();
  }
  for (const char* op : {"intersect", "union", "except"}) {
    if (!accept(op)) continue;
    ScopedQuery* last = query.get();
    while (last->partner) last = last->partner.get();
    last->setOp = op;
    if (accept("all")) last->setOp += " all";
    if (is("(") && m_parse.refusedBySqlite.empty()) {
      m_parse.refusedBySqlite = "a bracket after " + last->setOp;
      m_parse.refusedAt = token().span.begin;
    }
    last->partner = parseCompound();
    break;
  }
  query->height = static_cast<std::uint16_t>(m_tallest);
  m_tallest = std::max(around, m_tallest + 1);
  if (m_tallest > kMaxSqlHeight)
    refuseSize("an expression of more than " + std::to_string(kMaxSqlHeight) + " parts");
  return query;
}

std::unique_ptr<ScopedQuery> SyntaxParser::parseSelect() {
  auto query = std::make_unique<ScopedQuery>();
  const std::uint32_t begin = token().span.begin;
  expect("select");
  query->distinct = accept("distinct");
  accept("all");
  do {
    ScopedItem item;
    item.expr = parseExpr();
    if (accept("as")) {
      item.alias = parseName("an alias");
    } else if (aliasAhead()) {
      item.alias = parseName("an alias");
    }
    query->select.push_back(std::move(item));
  } while (accept(","));
  query->selectSpan = {begin, lastEnd()};
  parseTail(*query);
  query->span = {begin, lastEnd()};
  return query;
}

bool SyntaxParser::aliasAhead() const {
  const auto& t = token();
  return t.kind == SqlToken::Kind::QuotedWord || (t.kind == SqlToken::Kind::Word && !reserved(t.text));
}

void SyntaxParser::parseTail(ScopedQuery& query) {
  const auto clause = [&](const char* word, SourceSpan& span, const auto& body) {
    const std::uint32_t begin = token().span.begin;
    if (!accept(word)) return;
    body();
    span = {begin, lastEnd()};
  };
  clause("from", query.fromSpan, [&] { parseFrom(query); });
  clause("where", query.whereSpan, [&] { query.where = parseExpr(); });
  clause("group", query.groupSpan, [&] {
    expect("by");
    do query.groupBy.push_back(parseExpr());
    while (accept(","));
  });
  clause("having", query.havingSpan, [&] { query.having = parseExpr(); });
  if (query.whereSpan.empty() && is("where")) {
    note("WHERE stands after GROUP BY");
    clause("where", query.whereSpan, [&] { query.where = parseExpr(); });
  }
  clause("order", query.orderSpan, [&] { parseOrder(query); });
  clause("limit", query.limitSpan, [&] {
    query.limit = parseExpr();
    if (accept("offset") || accept(",")) query.offset = parseExpr();
  });
}

void SyntaxParser::parseOrder(ScopedQuery& query) {
  expect("by");
  do {
    ScopedOrder order;
    order.expr = parseExpr();
    if (is("asc") || is("desc")) {
      order.explicitDirection = true;
      order.descending = is("desc");
      ++m_at;
    }
    if (accept("nulls") && !accept("first")) accept("last");
    query.orderBy.push_back(std::move(order));
  } while (accept(","));
}

std::string SyntaxParser::parseJoinWord() {
  if (accept(",")) return ",";
  std::string word;
  for (const char* part : {"natural", "left", "right", "full", "inner", "cross", "outer"}) {
    if (accept(part)) word += std::string(part) + " ";
  }
  if (is("join")) {
    ++m_at;
    return word + "join";
  }
  if (!word.empty()) refuse("\"join\" expected");
  return {};
}

void SyntaxParser::parseFrom(ScopedQuery& query) {
  std::string join;
  do {
    parseSource(query, join);
    if (accept("on")) {
      query.from.back().on = parseExpr();
    } else if (accept("using")) {
      expect("(");
      do query.from.back().usingColumns.push_back(asciiLower(parseName("a column")));
      while (accept(","));
      expect(")");
    }
    query.from.back().span.end = lastEnd();
    join = parseJoinWord();
  } while (!join.empty());
}

void SyntaxParser::parseSource(ScopedQuery& query, const std::string& join) {
  const Deeper deeper(*this);
  const std::uint32_t begin = token().span.begin;
  if (accept("(")) {
    if (!is("select") && !is("(") && !is("with")) {  // a bracketed join
      const std::size_t first = query.from.size();
      parseFrom(query);
      expect(")");
      query.from[first].join = join;
      return;
    }
    ScopedSource source;
    source.query = parseCompound();
    expect(")");
    finishSource(query, std::move(source), join, begin);
    return;
  }
  ScopedSource source;
  source.name = parseName("a table");
  if (accept(".")) source.name = parseName("a table");
  finishSource(query, std::move(source), join, begin);
}

void SyntaxParser::finishSource(ScopedQuery& query, ScopedSource source, const std::string& join,
                                std::uint32_t begin) {
  if (accept("as")) {
    source.alias = parseName("an alias");
  } else if (aliasAhead()) {
    source.alias = parseName("an alias");
  }
  source.join = join;
  source.span = {begin, lastEnd()};
  query.from.push_back(std::move(source));
}

ScopedParse parseSqlSyntax(std::string_view sql) {
  ScopedParse parse;
  auto tokens = lexSql(sql, parse.error, parse.errorAt, &parse.tooLarge);
  if (tokens.empty()) return parse;
  if (tokens.size() == 1) {
    parse.error = "the query is empty";
    return parse;
  }
  try {
    parse.query = SyntaxParser(std::move(tokens), parse).run(parse.commonTables, sql);
  } catch (const SyntaxRefusal& refusal) {
    parse.error = refusal.message;
    parse.errorAt = refusal.at;
    parse.tooLarge = refusal.tooLarge;
  }
  return parse;
}

}  // namespace fathom
