// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/sql_parser.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "core/spider/official/sql_tokenizer.h"
#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

constexpr std::array<std::string_view, 6> kAggregates = {"none", "max", "min", "count", "sum", "avg"};
constexpr std::array<std::string_view, 5> kUnitOps = {"none", "-", "+", "*", "/"};
constexpr std::array<std::string_view, 12> kWhereOps = {
    "not", "between", "=", ">", "<", ">=", "<=", "!=", "in", "like", "is", "exists"};
constexpr std::array<std::string_view, 4> kSetOps = {"", "intersect", "union", "except"};
constexpr int kMaxDepth = 200;

template <std::size_t N>
int indexIn(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (text == names[i]) return static_cast<int>(i);
  }
  return -1;
}

bool isClauseWord(std::string_view t) {
  static constexpr std::array<std::string_view, 9> kWords = {"select", "from",      "where", "group", "order",
                                                             "limit",  "intersect", "union", "except"};
  return indexIn(kWords, t) >= 0;
}
bool isJoinWord(std::string_view t) {
  return t == "join" || t == "on" || t == "as";
}
bool endsClause(std::string_view t) {
  return isClauseWord(t) || t == ")" || t == ";";
}

// Why the official parser refuses a query. Caught in parseOfficialSql.
struct Refusal {
  std::string reason;
};

class OfficialParser {
 public:
  OfficialParser(std::vector<std::string> tokens, const SpiderSchema& schema, SqlDialect dialect)
      : m_tokens(std::move(tokens)), m_schema(schema), m_dtFixup(dialect == SqlDialect::DtFixup) {
    scanAliases();
  }

  SqlQuery parse() {
    std::size_t at = 0;
    return parseQuery(at);
  }

 private:
  using Tables = std::vector<int>;

  [[noreturn]] void refuse(std::size_t at, const std::string& what) const {
    throw Refusal{"token " + std::to_string(at + 1) + ": " + what};
  }
  // Reading past the end is the official parser's IndexError.
  std::string_view token(std::size_t at, std::size_t end) const {
    if (at >= end) refuse(at, "the text ends too early");
    return m_tokens[at];
  }
  std::string_view token(std::size_t at) const { return token(at, m_tokens.size()); }
  bool is(std::size_t at, std::string_view text) const {
    return at < m_tokens.size() && m_tokens[at] == text;
  }
  void expect(std::size_t& at, std::string_view text, std::size_t end) const {
    if (token(at, end) != text)
      refuse(at, "\"" + std::string(text) + "\" expected, not \"" + m_tokens[at] + "\"");
    ++at;
  }

  void scanAliases() {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
      if (m_tokens[i] != "as") continue;
      if (i == 0 || i + 1 >= m_tokens.size()) refuse(i, "\"as\" without a name");
      names.emplace_back(m_tokens[i + 1]);
      m_aliases[m_tokens[i + 1]] = m_tokens[i - 1];
    }
    for (const auto& alias : names) {
      if (m_schema.tableIndex(alias) >= 0)
        throw Refusal{"alias \"" + std::string(alias) + "\" is also a table"};
    }
  }

  // Table index of a name or alias; the last alias of that name in the whole text wins.
  int tableOf(std::string_view name, std::size_t at) const {
    if (const int table = m_schema.tableIndex(name); table >= 0) return table;
    if (const auto alias = m_aliases.find(name); alias != m_aliases.end()) {
      const int table = m_schema.tableIndex(alias->second);
      if (table < 0) refuse(at, "alias \"" + std::string(name) + "\" does not name a table");
      return table;
    }
    refuse(at, "unknown table or alias \"" + std::string(name) + "\"");
  }

  int parseColumn(std::size_t& at, std::size_t end, const Tables& tables) const {
    const std::string_view text = token(at, end);
    const std::size_t here = at++;
    if (text == "*") return 0;
    if (const auto dot = text.find('.'); dot != std::string_view::npos) {
      if (text.find('.', dot + 1) != std::string_view::npos)
        refuse(here, "two dots in \"" + std::string(text) + "\"");
      const int table = tableOf(text.substr(0, dot), here);
      const int column = m_schema.columnIndex(table, text.substr(dot + 1));
      if (column < 0) refuse(here, "unknown column \"" + std::string(text) + "\"");
      return column;
    }
    for (const int table : tables) {
      if (const int column = m_schema.columnIndex(table, text); column >= 0) return column;
    }
    refuse(here, "unknown column \"" + std::string(text) + "\"");
  }

  SqlColumnUnit parseColumnUnit(std::size_t& at, std::size_t end, const Tables& tables) const {
    SqlColumnUnit unit;
    const bool block = token(at, end) == "(";
    if (block) ++at;
    const int aggregate = indexIn(kAggregates, token(at, end));
    if (aggregate >= 0) {
      unit.aggregate = static_cast<std::int8_t>(aggregate);
      ++at;
      expect(at, "(", end);
    }
    if (token(at, end) == "distinct") {
      ++at;
      unit.distinct = 1;
    }
    unit.column = parseColumn(at, end, tables);
    // An aggregate takes one ")"; a bracket around it is left for the caller.
    if (aggregate >= 0 || block) expect(at, ")", end);
    return unit;
  }

  SqlValUnit parseValUnit(std::size_t& at, const Tables& tables) const {
    SqlValUnit unit;
    const std::size_t end = m_tokens.size();
    const bool block = token(at) == "(";
    if (block) ++at;
    unit.first = parseColumnUnit(at, end, tables);
    if (at < end) {
      if (const int op = indexIn(kUnitOps, m_tokens[at]); op >= 0) {
        unit.op = static_cast<std::int8_t>(op);
        ++at;
        unit.second = parseColumnUnit(at, end, tables);
      }
    }
    if (block) expect(at, ")", end);
    return unit;
  }

  SqlValue parseValue(std::size_t& at, const Tables& tables) {
    SqlValue value;
    const std::size_t start = at;
    const bool block = token(at) == "(";
    if (block) ++at;
    if (token(at) == "select") {
      value.kind = SqlValue::Kind::Query;
      value.query = std::make_shared<const SqlQuery>(parseQuery(at));
    } else if (m_tokens[at].find('"') != std::string::npos) {
      value.kind = SqlValue::Kind::Text;
      value.text = m_tokens[at++];
      while (m_dtFixup && block && is(at, ",")) value.text += "," + std::string(token(at + 1)), at += 2;
    } else if (pythonFloat(m_tokens[at], value.number)) {
      value.kind = SqlValue::Kind::Number;
      ++at;
    } else {
      std::size_t stop = at;
      while (stop < m_tokens.size() && m_tokens[stop] != "," && m_tokens[stop] != ")" &&
             m_tokens[stop] != "and" && !isClauseWord(m_tokens[stop]) && !isJoinWord(m_tokens[stop]) &&
             !(m_dtFixup && m_tokens[stop] == "or")) {
        ++stop;
      }
      std::size_t inner = start;
      value.kind = SqlValue::Kind::Column;
      value.column = parseColumnUnit(inner, stop, tables);
      at = stop;
    }
    if (block) expect(at, ")", m_tokens.size());
    return value;
  }

  SqlConditions parseConditions(std::size_t& at, const Tables& tables) {
    SqlConditions conditions;
    std::size_t items = 0;  // length of the official alternating list
    while (at < m_tokens.size()) {
      SqlCondition condition;
      condition.unit = parseValUnit(at, tables);
      if (token(at) == "not") {
        condition.negated = true;
        ++at;
      }
      const int op = indexIn(kWhereOps, token(at));
      if (op < 0) refuse(at, "a comparison expected, not \"" + m_tokens[at] + "\"");
      condition.op = static_cast<std::int8_t>(op);
      ++at;
      condition.first = parseValue(at, tables);
      if (op == kOpBetween) {
        expect(at, "and", m_tokens.size());
        condition.second = parseValue(at, tables);
      }
      // Without a word between, the official list takes this condition for a connective.
      if (items++ % 2 == 0) {
        conditions.units.push_back(std::move(condition));
      } else {
        conditions.connectives.push_back(SqlConnective::Missing);
      }
      if (at < m_tokens.size() && (endsClause(m_tokens[at]) || isJoinWord(m_tokens[at]))) break;
      if (is(at, "and") || is(at, "or")) {
        if (items++ % 2 == 0) refuse(at, "conditions without a connective (the official script stops here)");
        conditions.connectives.push_back(m_tokens[at] == "or" ? SqlConnective::Or : SqlConnective::And);
        ++at;
      }
    }
    return conditions;
  }

  void parseFrom(std::size_t& at, SqlQuery& query, Tables& defaults) {
    const auto from = std::find(m_tokens.begin() + static_cast<std::ptrdiff_t>(std::min(at, m_tokens.size())),
                                m_tokens.end(), "from");
    if (from == m_tokens.end()) refuse(at, "\"from\" not found");
    at = static_cast<std::size_t>(from - m_tokens.begin()) + 1;
    while (at < m_tokens.size()) {
      const bool block = m_tokens[at] == "(";
      if (block) ++at;
      if (token(at) == "select") {
        query.tables.push_back({-1, std::make_shared<const SqlQuery>(parseQuery(at))});
      } else {
        if (m_tokens[at] == "join") ++at;
        const int table = tableOf(token(at), at);
        at += is(at + 1, "as") ? 3 : 1;
        query.tables.push_back({table, nullptr});
        if (std::find(defaults.begin(), defaults.end(), table) == defaults.end()) defaults.push_back(table);
      }
      if (is(at, "on")) {
        ++at;
        SqlConditions on = parseConditions(at, defaults);
        append(query.on, std::move(on), at);
      }
      if (block) expect(at, ")", m_tokens.size());
      if (at < m_tokens.size() && endsClause(m_tokens[at])) break;
    }
  }

  void append(SqlConditions& all, SqlConditions more, std::size_t at) const {
    if (all.length() > 0) {
      if (all.length() % 2 == 0)
        refuse(at, "conditions without a connective (the official script stops here)");
      all.connectives.push_back(SqlConnective::And);
    }
    for (auto& unit : more.units) all.units.push_back(std::move(unit));
    for (const auto word : more.connectives) all.connectives.push_back(word);
  }

  void parseSelect(std::size_t at, SqlQuery& query, const Tables& tables) const {
    expect(at, "select", m_tokens.size());
    if (is(at, "distinct")) {
      ++at;
      query.distinct = 1;
    }
    while (at < m_tokens.size() && !isClauseWord(m_tokens[at])) {
      SqlSelectItem item;
      if (const int aggregate = indexIn(kAggregates, m_tokens[at]); aggregate >= 0) {
        item.aggregate = static_cast<std::int8_t>(aggregate);
        ++at;
      }
      item.unit = parseValUnit(at, tables);
      query.select.push_back(std::move(item));
      if (is(at, ",")) ++at;
    }
    if (m_dtFixup && query.distinct == 1 && query.select.size() == 1) moveDistinct(query);
  }

  static void moveDistinct(SqlQuery& query) {
    SqlSelectItem& item = query.select.front();
    if (item.aggregate != kAggNone || item.unit.op != kUnitNone || item.unit.first.aggregate != kAggNone)
      return;
    item.unit.first.distinct = 1;
    query.distinct = 0;
  }

  void parseGroup(std::size_t& at, SqlQuery& query, const Tables& tables) const {
    if (!is(at, "group")) return;
    ++at;
    expect(at, "by", m_tokens.size());
    while (at < m_tokens.size() && !endsClause(m_tokens[at])) {
      query.groupBy.push_back(parseColumnUnit(at, m_tokens.size(), tables));
      if (!is(at, ",")) break;
      ++at;
    }
  }

  void parseOrder(std::size_t& at, SqlQuery& query, const Tables& tables) const {
    if (!is(at, "order")) return;
    ++at;
    expect(at, "by", m_tokens.size());
    SqlOrder order;
    while (at < m_tokens.size() && !endsClause(m_tokens[at])) {
      order.units.push_back(parseValUnit(at, tables));
      if (is(at, "asc") || is(at, "desc")) order.descending = m_tokens[at++] == "desc";
      if (!is(at, ",")) break;
      ++at;
    }
    query.orderBy = std::move(order);
  }

  void parseLimit(std::size_t& at, SqlQuery& query) const {
    if (!is(at, "limit")) return;
    std::int64_t value = 0;
    if (!pythonInt(token(at + 1), value))
      refuse(at + 1, "LIMIT needs a whole number, not \"" + m_tokens[at + 1] + "\"");
    query.limit = value;
    at += 2;
  }

  void skipSemicolons(std::size_t& at) const {
    while (is(at, ";")) ++at;
  }

  SqlQuery parseQuery(std::size_t& at) {
    if (++m_depth > kMaxDepth) throw Refusal{"nested deeper than " + std::to_string(kMaxDepth) + " queries"};
    SqlQuery query;
    const bool block = token(at) == "(";
    const std::size_t selectAt = block ? at + 1 : at;
    Tables tables;
    parseFrom(at, query, tables);
    parseSelect(selectAt, query, tables);
    if (is(at, "where")) query.where = parseConditions(++at, tables);
    parseGroup(at, query, tables);
    if (is(at, "having")) query.having = parseConditions(++at, tables);
    parseOrder(at, query, tables);
    parseLimit(at, query);
    skipSemicolons(at);
    if (block) expect(at, ")", m_tokens.size());
    skipSemicolons(at);
    const int op = at < m_tokens.size() ? indexIn(kSetOps, m_tokens[at]) : -1;
    if (op > 0) {
      ++at;
      query.setOp = static_cast<SqlSetOp>(op);
      query.partner = std::make_shared<const SqlQuery>(parseQuery(at));
    }
    --m_depth;
    return query;
  }

  std::vector<std::string> m_tokens;
  const SpiderSchema& m_schema;
  bool m_dtFixup;
  std::map<std::string_view, std::string_view> m_aliases;  // of one name the last
  int m_depth = 0;
};

bool sameQuery(const std::shared_ptr<const SqlQuery>& a, const std::shared_ptr<const SqlQuery>& b) {
  return a == b || (a && b && *a == *b);
}

// Decimal digits of every script (Unicode's Nd, full-width ones among them) as ASCII, as Python's float() and
// int() read them; other characters beyond ASCII become "?", which is no number.
std::string asciiDigits(std::string_view text) {
  std::string out;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    UChar32 code = 0;
    U8_NEXT(bytes, at, size, code);
    const bool decimal = code >= 0x80 && u_charType(code) == U_DECIMAL_DIGIT_NUMBER;
    out += code >= 0 && code < 0x80 ? static_cast<char>(code)
           : decimal                ? static_cast<char>('0' + u_charDigitValue(code))
                                    : '?';
  }
  return out;
}

// Digits with single underscores between them, as Python's literals allow; "" when the text is nothing of the
// kind.
std::string withoutUnderscores(std::string_view text) {
  std::string out;
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || !digit(i - 1) || !digit(i + 1)) {
      return {};
    }
  }
  return out;
}

}  // namespace

const char* aggregateName(int id) {
  return kAggregates.at(static_cast<std::size_t>(id)).data();
}
const char* whereOpName(int id) {
  return kWhereOps.at(static_cast<std::size_t>(id)).data();
}
const char* unitOpName(int id) {
  return kUnitOps.at(static_cast<std::size_t>(id)).data();
}
const char* setOpName(int id) {
  return kSetOps.at(static_cast<std::size_t>(id)).data();
}

bool pythonFloat(std::string_view text, double& value) {
  const std::string clean = withoutUnderscores(asciiDigits(text));
  if (clean.empty()) return false;
  const char* first = clean.data();
  const char* last = first + clean.size();
  const bool sign = *first == '+' || *first == '-';
  const char* body = first + (sign ? 1 : 0);
  if (body == last || *body == '+' || *body == '-') return false;
  const auto lower = asciiLower(std::string_view(body, static_cast<std::size_t>(last - body)));
  if (lower.starts_with("nan(")) return false;
  const auto result = std::from_chars(body, last, value);
  if (result.ec == std::errc::result_out_of_range) value = 0;
  if (result.ec == std::errc::invalid_argument || result.ptr != last) return false;
  if (*first == '-') value = -value;
  return true;
}

bool pythonInt(std::string_view text, std::int64_t& value) {
  const std::string clean = withoutUnderscores(asciiDigits(text));
  if (clean.empty()) return false;
  const char* first = clean.data() + (clean[0] == '+' ? 1 : 0);
  const char* last = clean.data() + clean.size();
  if (first == last || (clean[0] == '+' && *first == '-')) return false;
  const auto result = std::from_chars(first, last, value);
  if (result.ec == std::errc::result_out_of_range) value = *first == '-' ? INT64_MIN : INT64_MAX;
  return result.ec != std::errc::invalid_argument && result.ptr == last;
}

bool operator==(const SqlValue& a, const SqlValue& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case SqlValue::Kind::None:
      return true;
    case SqlValue::Kind::Number:
      return a.number == b.number;
    case SqlValue::Kind::Text:
      return a.text == b.text;
    case SqlValue::Kind::Column:
      return a.column == b.column;
    case SqlValue::Kind::Query:
      return sameQuery(a.query, b.query);
  }
  return false;
}

bool operator==(const SqlCondition& a, const SqlCondition& b) {
  return a.negated == b.negated && a.op == b.op && a.unit == b.unit && a.first == b.first &&
         a.second == b.second;
}

bool operator==(const SqlConditions& a, const SqlConditions& b) {
  return a.units == b.units && a.connectives == b.connectives;
}

bool operator==(const SqlTableUnit& a, const SqlTableUnit& b) {
  return a.table == b.table && sameQuery(a.query, b.query);
}

bool operator==(const SqlQuery& a, const SqlQuery& b) {
  return a.distinct == b.distinct && a.select == b.select && a.tables == b.tables && a.on == b.on &&
         a.where == b.where && a.groupBy == b.groupBy && a.having == b.having && a.orderBy == b.orderBy &&
         a.limit == b.limit && a.setOp == b.setOp && sameQuery(a.partner, b.partner);
}

Result<SqlQuery> parseOfficialSql(std::string_view sql, const SpiderSchema& schema, SqlDialect dialect) {
  auto tokens = tokenizeOfficialSql(sql);
  if (!tokens) return tokens.error();
  try {
    return OfficialParser(std::move(*tokens), schema, dialect).parse();
  } catch (const Refusal& refusal) {
    return dataError(Phrase::words(clippedText(refusal.reason, 300)));
  }
}

}  // namespace fathom
