// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/tasks/spider/scoped_sql.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxSqlBytes = std::size_t{1} << 20;
constexpr int kMaxDepth = 100;              // brackets and sub-queries
constexpr std::uint16_t kMaxHeight = 1000;  // of an expression tree: a AND b AND c …
using Kind = SqlExpr::Kind;

struct SyntaxRefusal {
  std::string message;
  std::uint32_t at;
};

bool reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 40> kWords = {
      "select", "from",      "where", "group", "by",   "having", "order", "limit", "offset",   "union",
      "except", "intersect", "join",  "inner", "left", "right",  "full",  "outer", "cross",    "natural",
      "on",     "using",     "as",    "and",   "or",   "not",    "in",    "like",  "between",  "is",
      "exists", "case",      "when",  "then",  "else", "end",    "desc",  "asc",   "distinct", "null"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class SyntaxParser {
 public:
  SyntaxParser(std::vector<SqlToken> tokens, std::vector<std::string>& notes)
      : m_tokens(std::move(tokens)), m_notes(notes) {}

  std::unique_ptr<ScopedQuery> run(std::vector<std::pair<std::string, std::string>>& commonTables,
                                   std::string_view sql) {
    if (accept("with")) parseWith(commonTables, sql);
    auto query = parseCompound();
    while (accept(";")) {
    }
    if (token().kind != SqlToken::Kind::End) refuse("unexpected \"" + token().raw + "\"");
    return query;
  }

 private:
  const SqlToken& token(std::size_t ahead = 0) const {
    return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
  }
  bool is(std::string_view text, std::size_t ahead = 0) const {
    const auto& t = token(ahead);
    return (t.kind == SqlToken::Kind::Word || t.kind == SqlToken::Kind::Symbol) && t.text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    ++m_at;
    return true;
  }
  [[noreturn]] void refuse(const std::string& message) const {
    throw SyntaxRefusal{message, token().span.begin};
  }
  void expect(std::string_view text) {
    if (accept(text)) return;
    const bool end = token().kind == SqlToken::Kind::End;
    refuse("\"" + std::string(text) + "\" expected" +
           (end ? " at the end" : ", not \"" + token().raw + "\""));
  }
  std::uint32_t lastEnd() const { return m_at == 0 ? 0 : m_tokens[m_at - 1].span.end; }
  struct Deeper {
    explicit Deeper(SyntaxParser& p) : parser(p) {
      if (++parser.m_depth > kMaxDepth)
        parser.refuse("nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    ~Deeper() { --parser.m_depth; }
    SyntaxParser& parser;
  };

  void parseWith(std::vector<std::pair<std::string, std::string>>& commonTables, std::string_view sql) {
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

  std::string parseName(const char* what) {
    const auto& t = token();
    const bool name = t.kind == SqlToken::Kind::QuotedWord ||
                      (t.kind == SqlToken::Kind::Word && !reserved(t.text)) || t.kind == SqlToken::Kind::Text;
    if (!name)
      refuse(std::string(what) + " expected" +
             (t.kind == SqlToken::Kind::End ? " at the end" : ", not \"" + t.raw + "\""));
    ++m_at;
    return t.kind == SqlToken::Kind::Word ? t.raw : t.text;
  }

  std::unique_ptr<ScopedQuery> parseCompound() {
    const Deeper deeper(*this);
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
      if (is("(")) m_notes.push_back("SQLite refuses a bracket after " + std::string(op));
      last->partner = parseCompound();
      break;
    }
    return query;
  }

  std::unique_ptr<ScopedQuery> parseSelect() {
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

  bool aliasAhead() const {
    const auto& t = token();
    return t.kind == SqlToken::Kind::QuotedWord || (t.kind == SqlToken::Kind::Word && !reserved(t.text));
  }

  void parseTail(ScopedQuery& query) {
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
      m_notes.emplace_back("WHERE stands after GROUP BY");
      clause("where", query.whereSpan, [&] { query.where = parseExpr(); });
    }
    clause("order", query.orderSpan, [&] { parseOrder(query); });
    clause("limit", query.limitSpan, [&] {
      query.limit = parseExpr();
      if (accept("offset") || accept(",")) query.offset = parseExpr();
    });
  }

  void parseOrder(ScopedQuery& query) {
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

  std::string parseJoinWord() {
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

  void parseFrom(ScopedQuery& query) {
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

  void parseSource(ScopedQuery& query, const std::string& join) {
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

  void finishSource(ScopedQuery& query, ScopedSource source, const std::string& join, std::uint32_t begin) {
    if (accept("as")) {
      source.alias = parseName("an alias");
    } else if (aliasAhead()) {
      source.alias = parseName("an alias");
    }
    source.join = join;
    source.span = {begin, lastEnd()};
    query.from.push_back(std::move(source));
  }

  // ---- expressions
  // ---------------------------------------------------------------------------------------------

  SqlExprPtr make(Kind kind, std::string text, std::uint32_t begin) const {
    auto expr = std::make_unique<SqlExpr>();
    expr->kind = kind;
    expr->text = std::move(text);
    expr->span = {begin, lastEnd()};
    return expr;
  }
  SqlExprPtr join(Kind kind, std::string text, SqlExprPtr left, SqlExprPtr right) const {
    auto expr = make(kind, std::move(text), left->span.begin);
    expr->height = static_cast<std::uint16_t>(std::max(left->height, right->height) + 1);
    if (expr->height > kMaxHeight)
      refuse("an expression of more than " + std::to_string(kMaxHeight) + " parts");
    expr->args.push_back(std::move(left));
    expr->args.push_back(std::move(right));
    return expr;
  }

  SqlExprPtr parseExpr() {
    auto left = parseAnd();
    while (accept("or")) left = join(Kind::Or, "or", std::move(left), parseAnd());
    return left;
  }
  SqlExprPtr parseAnd() {
    auto left = parseNot();
    while (accept("and")) left = join(Kind::And, "and", std::move(left), parseNot());
    return left;
  }
  SqlExprPtr parseNot() {
    const std::uint32_t begin = token().span.begin;
    if (is("not") && !is("exists", 1)) {
      const Deeper deeper(*this);
      ++m_at;
      auto inner = parseNot();
      auto expr = make(Kind::Not, "not", begin);
      expr->args.push_back(std::move(inner));
      return expr;
    }
    return parseCompare();
  }

  std::string compareWord() {
    static constexpr std::array<std::string_view, 8> kSymbols = {"=", "==", "!=", "<>", "<", ">", "<=", ">="};
    if (token().kind != SqlToken::Kind::Symbol) return {};
    std::string op = token().text;
    if (op == "!" && is("=", 1)) {
      m_at += 2;
      m_notes.emplace_back("\"! =\" with a blank");
      return "!=";
    }
    if (std::find(kSymbols.begin(), kSymbols.end(), op) == kSymbols.end()) return {};
    ++m_at;
    if ((op == "<" || op == ">") && (is("=") || (op == "<" && is(">")))) {
      m_notes.push_back("\"" + op + " " + token().text + "\" with a blank");
      op += token().text;
      ++m_at;
    }
    return op == "==" ? "=" : op == "<>" ? "!=" : op;
  }

  SqlExprPtr parseCompare() {
    auto left = parseSum();
    while (true) {
      const std::string symbol = compareWord();
      if (!symbol.empty()) {
        left = join(Kind::Compare, symbol, std::move(left), parseSum());
        continue;
      }
      const bool negated = is("not") && (is("in", 1) || is("like", 1) || is("between", 1) || is("glob", 1));
      if (negated) ++m_at;
      if (accept("in")) {
        left = join(Kind::Compare, "in", std::move(left), parseInSide());
      } else if (is("like") || is("glob")) {
        const std::string word = token().text;
        ++m_at;
        left = join(Kind::Compare, word, std::move(left), parseSum());
        if (accept("escape")) parseSum();
      } else if (accept("between")) {
        auto low = parseSum();
        expect("and");
        left = join(Kind::Compare, "between", std::move(left), std::move(low));
        left->args.push_back(parseSum());
        left->span.end = lastEnd();
      } else if (accept("is")) {
        const bool isNot = accept("not");
        left = join(Kind::Compare, "is", std::move(left), parseSum());
        left->negated = isNot;
        continue;
      } else if (is("notnull") || is("isnull")) {
        auto null = make(Kind::Literal, "null", token().span.begin);
        const bool isNot = is("notnull");
        ++m_at;
        left = join(Kind::Compare, "is", std::move(left), std::move(null));
        left->negated = isNot;
        continue;
      } else {
        return left;
      }
      left->negated = negated;
    }
  }

  SqlExprPtr parseInSide() {
    const std::uint32_t begin = token().span.begin;
    if (!is("(")) return parsePrimary();
    if (is("select", 1) || is("with", 1) || is("(", 1)) return parsePrimary();
    ++m_at;
    auto list = make(Kind::List, "", begin);
    if (!is(")")) {
      do list->args.push_back(parseExpr());
      while (accept(","));
    }
    expect(")");
    list->span.end = lastEnd();
    return list;
  }

  SqlExprPtr parseSum() {
    auto left = parseProduct();
    while (is("+") || is("-") || is("||") || is("&") || is("|") || is("<<") || is(">>")) {
      std::string op = token().text;
      ++m_at;
      left = join(Kind::Binary, std::move(op), std::move(left), parseProduct());
    }
    return left;
  }
  SqlExprPtr parseProduct() {
    auto left = parseUnary();
    while (is("*") || is("/") || is("%")) {
      std::string op = token().text;
      ++m_at;
      left = join(Kind::Binary, std::move(op), std::move(left), parseUnary());
    }
    return left;
  }
  SqlExprPtr parseUnary() {
    const std::uint32_t begin = token().span.begin;
    if (is("-") || is("+") || is("~")) {
      const Deeper deeper(*this);
      std::string op = token().text;
      ++m_at;
      auto inner = parseUnary();
      if (inner->kind == Kind::Literal) {
        inner->text = (op == "+" ? "" : op) + inner->text;
        inner->span.begin = begin;
        return inner;
      }
      auto expr = make(Kind::Unary, std::move(op), begin);
      expr->args.push_back(std::move(inner));
      return expr;
    }
    return parsePrimary();
  }

  SqlExprPtr parsePrimary() {
    const SqlToken& t = token();
    const std::uint32_t begin = t.span.begin;
    if (t.kind == SqlToken::Kind::Number || t.kind == SqlToken::Kind::Text) {
      ++m_at;
      auto literal = make(Kind::Literal, t.kind == SqlToken::Kind::Text ? "'" + t.text + "'" : t.text, begin);
      return literal;
    }
    if (accept("*")) return make(Kind::Star, "*", begin);
    if (is("(")) return parseBracket(begin);
    if (is("exists") || (is("not") && is("exists", 1))) return parseExists(begin);
    if (accept("case")) return parseCase(begin);
    if (accept("null")) return make(Kind::Literal, "null", begin);
    if (t.kind == SqlToken::Kind::Word && is("(", 1) &&
        (!reserved(t.text) || t.text == "left" || t.text == "right")) {
      return parseCall(begin);
    }
    if (accept("distinct")) {  // count distinct x, distinct x inside a list: tolerated
      auto inner = parsePrimary();
      inner->distinct = true;
      return inner;
    }
    return parseColumn(begin);
  }

  SqlExprPtr parseBracket(std::uint32_t begin) {
    const Deeper deeper(*this);
    ++m_at;
    if (is("select") || is("with")) {
      auto expr = make(Kind::Query, "", begin);
      expr->query = parseCompound();
      expect(")");
      expr->span.end = lastEnd();
      return expr;
    }
    auto inner = parseExpr();
    if (accept(",")) {  // a row value or a list
      auto list = make(Kind::List, "", begin);
      list->args.push_back(std::move(inner));
      do list->args.push_back(parseExpr());
      while (accept(","));
      expect(")");
      list->span.end = lastEnd();
      return list;
    }
    expect(")");
    inner->span = {begin, lastEnd()};
    return inner;
  }

  SqlExprPtr parseExists(std::uint32_t begin) {
    const bool negated = accept("not");
    expect("exists");
    expect("(");
    auto expr = make(Kind::Exists, "exists", begin);
    expr->negated = negated;
    expr->query = parseCompound();
    expect(")");
    expr->span.end = lastEnd();
    return expr;
  }

  SqlExprPtr parseCase(std::uint32_t begin) {
    const Deeper deeper(*this);
    auto expr = make(Kind::Case, "case", begin);
    if (!is("when")) expr->args.push_back(parseExpr());
    while (accept("when")) {
      expr->args.push_back(parseExpr());
      expect("then");
      expr->args.push_back(parseExpr());
    }
    if (accept("else")) expr->args.push_back(parseExpr());
    expect("end");
    expr->span.end = lastEnd();
    return expr;
  }

  SqlExprPtr parseCall(std::uint32_t begin) {
    const Deeper deeper(*this);
    auto expr = make(Kind::Call, token().text, begin);
    m_at += 2;
    expr->distinct = accept("distinct");
    if (!is(")")) {
      do {
        expr->args.push_back(parseExpr());
        if (accept("as")) parseCastType();
      } while (accept(","));
    }
    expect(")");
    if (accept("over")) {
      expect("(");
      for (int depth = 1; depth > 0; ++m_at) {
        if (token().kind == SqlToken::Kind::End) refuse("\")\" expected at the end");
        depth += is("(") ? 1 : is(")") ? -1 : 0;
      }
    }
    expr->span.end = lastEnd();
    return expr;
  }

  void parseCastType() {
    parseName("a type");
    if (!accept("(")) return;
    do parsePrimary();
    while (accept(","));
    expect(")");
  }

  SqlExprPtr parseColumn(std::uint32_t begin) {
    const bool quoted = token().kind == SqlToken::Kind::QuotedWord && token().raw == "\"";
    std::string name = parseName("a column or value");
    auto column = make(Kind::Column, "", begin);
    while (accept(".")) {
      column->qualifier = std::move(name);
      if (is("*")) {
        ++m_at;
        column->kind = Kind::Star;
        name = "*";
        break;
      }
      name = parseName("a column");
    }
    column->text = std::move(name);
    column->quoted = quoted && column->qualifier.empty();
    column->span.end = lastEnd();
    return column;
  }

  std::vector<SqlToken> m_tokens;
  std::vector<std::string>& m_notes;
  std::size_t m_at = 0;
  int m_depth = 0;
};

}  // namespace

ScopedParse parseSqlSyntax(std::string_view sql) {
  ScopedParse parse;
  if (sql.size() > kMaxSqlBytes) {
    parse.error = "SQL text of " + std::to_string(sql.size()) + " bytes is over the limit of 1 MB";
    return parse;
  }
  auto tokens = lexSql(sql, parse.error, parse.errorAt);
  if (tokens.empty()) return parse;
  if (tokens.size() == 1) {
    parse.error = "the query is empty";
    return parse;
  }
  try {
    parse.query = SyntaxParser(std::move(tokens), parse.notes).run(parse.commonTables, sql);
  } catch (const SyntaxRefusal& refusal) {
    parse.error = refusal.message;
    parse.errorAt = refusal.at;
  }
  return parse;
}

}  // namespace fathom
