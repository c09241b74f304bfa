// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/spider/scoped/scoped_syntax.h"
#include "core/spider/sql_limits.h"

namespace fathom {

SqlExprPtr SyntaxParser::make(Kind kind, std::string text, std::uint32_t begin) const {
  auto expr = std::make_unique<SqlExpr>();
  expr->kind = kind;
  expr->text = std::move(text);
  expr->span = {begin, lastEnd()};
  return expr;
}

void SyntaxParser::grow(SqlExpr& expr, int height) {
  if (height > kMaxSqlHeight)
    refuseSize("an expression of more than " + std::to_string(kMaxSqlHeight) + " parts");
  expr.height = std::max(expr.height, static_cast<std::uint16_t>(height));
  m_tallest = std::max(m_tallest, height);
}

void SyntaxParser::adopt(SqlExpr& expr, SqlExprPtr child) {
  grow(expr, child->height + 1);
  expr.args.push_back(std::move(child));
}

void SyntaxParser::parseQueryOf(SqlExpr& expr) {
  expr.query = parseCompound();
  grow(expr, expr.query->height + 1);
}

SqlExprPtr SyntaxParser::join(Kind kind, std::string text, SqlExprPtr left, SqlExprPtr right) {
  auto expr = make(kind, std::move(text), left->span.begin);
  adopt(*expr, std::move(left));
  adopt(*expr, std::move(right));
  return expr;
}

SqlExprPtr SyntaxParser::parseExpr() {
  auto left = parseAnd();
  while (accept("or")) left = join(Kind::Or, "or", std::move(left), parseAnd());
  return left;
}

SqlExprPtr SyntaxParser::parseAnd() {
  auto left = parseNot();
  while (accept("and")) left = join(Kind::And, "and", std::move(left), parseNot());
  return left;
}

SqlExprPtr SyntaxParser::parseNot() {
  const std::uint32_t begin = token().span.begin;
  if (is("not") && !is("exists", 1)) {
    const Deeper deeper(*this);
    ++m_at;
    auto inner = parseNot();
    auto expr = make(Kind::Not, "not", begin);
    adopt(*expr, std::move(inner));
    return expr;
  }
  return parseCompare();
}

std::string SyntaxParser::compareWord() {
  static constexpr std::array<std::string_view, 8> kSymbols = {"=", "==", "!=", "<>", "<", ">", "<=", ">="};
  if (token().kind != SqlToken::Kind::Symbol) return {};
  std::string op = token().text;
  if (op == "!" && is("=", 1)) {
    m_at += 2;
    note("\"! =\" with a blank");
    return "!=";
  }
  if (std::find(kSymbols.begin(), kSymbols.end(), op) == kSymbols.end()) return {};
  ++m_at;
  if ((op == "<" || op == ">") && (is("=") || (op == "<" && is(">")))) {
    note("\"" + op + " " + token().text + "\" with a blank");
    op += token().text;
    ++m_at;
  }
  return op == "==" ? "=" : op == "<>" ? "!=" : op;
}

SqlExprPtr SyntaxParser::parseCompare() {
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
      adopt(*left, parseSum());
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

SqlExprPtr SyntaxParser::parseInSide() {
  const std::uint32_t begin = token().span.begin;
  if (!is("(")) return parsePrimary();
  if (is("select", 1) || is("with", 1) || is("(", 1)) return parsePrimary();
  ++m_at;
  auto list = make(Kind::List, "", begin);
  if (!is(")")) {
    do adopt(*list, parseExpr());
    while (accept(","));
  }
  expect(")");
  list->span.end = lastEnd();
  return list;
}

SqlExprPtr SyntaxParser::parseSum() {
  auto left = parseProduct();
  while (is("+") || is("-") || is("||") || is("&") || is("|") || is("<<") || is(">>")) {
    std::string op = token().text;
    ++m_at;
    left = join(Kind::Binary, std::move(op), std::move(left), parseProduct());
  }
  return left;
}

SqlExprPtr SyntaxParser::parseProduct() {
  auto left = parseUnary();
  while (is("*") || is("/") || is("%")) {
    std::string op = token().text;
    ++m_at;
    left = join(Kind::Binary, std::move(op), std::move(left), parseUnary());
  }
  return left;
}

SqlExprPtr SyntaxParser::parseUnary() {
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
    adopt(*expr, std::move(inner));
    return expr;
  }
  return parsePrimary();
}

SqlExprPtr SyntaxParser::parsePrimary() {
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

SqlExprPtr SyntaxParser::parseBracket(std::uint32_t begin) {
  const Deeper deeper(*this);
  ++m_at;
  if (is("select") || is("with")) {
    auto expr = make(Kind::Query, "", begin);
    parseQueryOf(*expr);
    expect(")");
    expr->span.end = lastEnd();
    return expr;
  }
  auto inner = parseExpr();
  if (accept(",")) {  // a row value or a list
    auto list = make(Kind::List, "", begin);
    adopt(*list, std::move(inner));
    do adopt(*list, parseExpr());
    while (accept(","));
    expect(")");
    list->span.end = lastEnd();
    return list;
  }
  expect(")");
  inner->span = {begin, lastEnd()};
  return inner;
}

SqlExprPtr SyntaxParser::parseExists(std::uint32_t begin) {
  const bool negated = accept("not");
  expect("exists");
  expect("(");
  auto expr = make(Kind::Exists, "exists", begin);
  expr->negated = negated;
  parseQueryOf(*expr);
  expect(")");
  expr->span.end = lastEnd();
  return expr;
}

SqlExprPtr SyntaxParser::parseCase(std::uint32_t begin) {
  const Deeper deeper(*this);
  auto expr = make(Kind::Case, "case", begin);
  if (!is("when")) adopt(*expr, parseExpr());
  while (accept("when")) {
    adopt(*expr, parseExpr());
    expect("then");
    adopt(*expr, parseExpr());
  }
  if (accept("else")) adopt(*expr, parseExpr());
  expect("end");
  expr->span.end = lastEnd();
  return expr;
}

SqlExprPtr SyntaxParser::parseCall(std::uint32_t begin) {
  const Deeper deeper(*this);
  auto expr = make(Kind::Call, token().text, begin);
  m_at += 2;
  expr->distinct = accept("distinct");
  if (!is(")")) {
    do {
      adopt(*expr, parseExpr());
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

void SyntaxParser::parseCastType() {
  parseName("a type");
  if (!accept("(")) return;
  do parsePrimary();
  while (accept(","));
  expect(")");
}

SqlExprPtr SyntaxParser::parseColumn(std::uint32_t begin) {
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

}  // namespace fathom
