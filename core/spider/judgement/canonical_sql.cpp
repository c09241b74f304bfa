// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/canonical_sql.h"

#include <algorithm>
#include <set>

#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

using Kind = SqlExpr::Kind;

bool isConstant(const SqlExpr& expr) {
  if (expr.kind == Kind::Literal) return true;
  if (expr.kind == Kind::Column || expr.kind == Kind::Star || expr.query) return false;
  return !expr.args.empty() &&
         std::all_of(expr.args.begin(), expr.args.end(), [](const auto& a) { return isConstant(*a); });
}

std::string mirrored(const std::string& op) {
  if (op == "<") return ">";
  if (op == ">") return "<";
  if (op == "<=") return ">=";
  if (op == ">=") return "<=";
  return op;
}

class Canoniser {
 public:
  explicit Canoniser(const SpiderSchema& schema) : m_schema(schema) {}

  // Throws SqlTooLarge.
  CanonQuery query(const ScopedQuery& q) {
    m_steps.spend(1);
    CanonQuery out;
    out.source = &q;
    out.distinct = q.distinct;
    for (const auto& item : q.select) out.select.push_back(unit(*item.expr));
    sources(q, out);
    if (q.where) conditions(*q.where, false, out.where);
    if (q.having) conditions(*q.having, false, out.having);
    implicitJoins(q, out);
    for (const auto& expr : q.groupBy) out.groupBy.push_back(unit(*expr));
    if (!q.orderBy.empty()) order(q, out);
    out.limited = q.limit != nullptr;
    if (q.limit) out.limit = q.limit->text;
    if (q.partner) {
      out.setOp = q.setOp;
      out.partner = std::make_shared<const CanonQuery>(query(*q.partner));
    }
    return out;
  }

 private:
  CanonQueryPtr nested(const ScopedQuery& q) { return std::make_shared<const CanonQuery>(query(q)); }

  void order(const ScopedQuery& q, CanonQuery& out) {
    CanonOrder order;
    for (const auto& entry : q.orderBy) {
      order.units.push_back(unit(*entry.expr));
      if (entry.explicitDirection) order.descending = entry.descending;
    }
    out.order.push_back(std::move(order));
  }

  void sources(const ScopedQuery& q, CanonQuery& out) {
    for (std::size_t i = 0; i < q.from.size(); ++i) {
      const auto& source = q.from[i];
      if (source.query) {
        out.derived.push_back(nested(*source.query));
      } else {
        out.tables.push_back(source.table);
      }
      for (const char* word : {"left", "right", "full"}) {
        out.outerJoin = out.outerJoin || source.join.find(word) != std::string::npos;
      }
      if (source.on) joinConditions(*source.on, out);
      for (const auto& name : source.usingColumns) usingPair(q, i, name, out);
      if (source.join.find("natural") != std::string::npos) naturalPairs(q, i, out);
    }
  }

  static void addPair(CanonQuery& out, int a, int b) { out.on.emplace_back(std::min(a, b), std::max(a, b)); }

  void usingPair(const ScopedQuery& q, std::size_t index, const std::string& name, CanonQuery& out) const {
    const int right = m_schema.columnIndex(q.from[index].table, name);
    for (std::size_t i = 0; i < index; ++i) {
      const int left = m_schema.columnIndex(q.from[i].table, name);
      if (left >= 0 && right >= 0) return addPair(out, left, right);
    }
  }
  void naturalPairs(const ScopedQuery& q, std::size_t index, CanonQuery& out) const {
    if (q.from[index].table < 0) return;
    for (const int column : m_schema.tables[static_cast<std::size_t>(q.from[index].table)].columns) {
      usingPair(q, index, m_schema.columns[static_cast<std::size_t>(column)].key, out);
    }
  }

  void joinConditions(const SqlExpr& expr, CanonQuery& out) {
    if (expr.kind == Kind::And || expr.kind == Kind::Or) {
      out.orInOn = out.orInOn || expr.kind == Kind::Or;
      for (const auto& arg : expr.args) joinConditions(*arg, out);
    } else if (expr.kind == Kind::Compare && expr.text == "=" && !expr.negated && expr.args[0]->column > 0 &&
               expr.args[1]->column > 0) {
      addPair(out, expr.args[0]->column, expr.args[1]->column);
    } else {
      const CanonUnit u = unit(expr);
      std::string text = u.shape;
      for (const int column : u.columns) text += " " + std::to_string(column);
      out.otherOn.push_back(std::move(text));
    }
  }

  // FROM a, b WHERE a.x = b.y is a join.
  void implicitJoins(const ScopedQuery& q, CanonQuery& out) const {
    const bool bare =
        std::any_of(q.from.begin() + (q.from.empty() ? 0 : 1), q.from.end(), [](const auto& source) {
          return !source.on && source.usingColumns.empty() &&
                 source.join.find("natural") == std::string::npos;
        });
    if (!bare || out.where.words.find('o') != std::string::npos) return;
    const std::set<int> tables(out.tables.begin(), out.tables.end());
    const auto isJoin = [&](const CanonCondition& c) {
      if (c.op != "=" || c.negated || c.unit.shape != "_" || c.values.size() != 1 ||
          !c.values[0].starts_with('\x01'))
        return false;
      const auto table = [&](int column) { return m_schema.columns[static_cast<std::size_t>(column)].table; };
      const int other = std::stoi(c.values[0].substr(1));
      const auto inFrom = [&](int column) { return tables.contains(table(column)); };
      return table(other) != table(c.unit.columns[0]) && inFrom(other) && inFrom(c.unit.columns[0]);
    };
    std::vector<CanonCondition> kept;
    for (auto& unit : out.where.units) {
      if (isJoin(unit)) {
        addPair(out, unit.unit.columns[0], std::stoi(unit.values[0].substr(1)));
        if (!out.where.words.empty()) out.where.words.pop_back();
      } else {
        kept.push_back(std::move(unit));
      }
    }
    out.where.units = std::move(kept);
  }

  void conditions(const SqlExpr& expr, bool negate, CanonConditions& out) {
    if (expr.kind == Kind::And || expr.kind == Kind::Or) {
      conditions(*expr.args[0], negate, out);
      out.words += (expr.kind == Kind::Or) != negate ? 'o' : 'a';
      conditions(*expr.args[1], negate, out);
    } else if (expr.kind == Kind::Not) {
      conditions(*expr.args[0], !negate, out);
    } else {
      out.units.push_back(condition(expr, negate));
    }
  }

  CanonCondition condition(const SqlExpr& expr, bool negate) {
    CanonCondition out;
    out.span = expr.span;
    out.negated = expr.negated != negate;
    if (expr.kind == Kind::Exists) {
      out.op = "exists";
      out.queries.push_back(nested(*expr.query));
    } else if (expr.kind == Kind::Compare) {
      const bool swap = isConstant(*expr.args[0]) && !isConstant(*expr.args[1]) && !expr.args[1]->query &&
                        expr.args.size() == 2 && expr.text != "in";
      out.op = swap ? mirrored(expr.text) : expr.text;
      out.unit = unit(*expr.args[swap ? 1 : 0]);
      for (std::size_t i = 1; i < expr.args.size(); ++i) value(*expr.args[swap ? 0 : i], out);
    } else {
      out.op = "true";
      out.unit = unit(expr);
    }
    return out;
  }

  void value(const SqlExpr& expr, CanonCondition& out) {
    m_steps.spend(1);
    if (expr.kind == Kind::List) {
      for (const auto& arg : expr.args) value(*arg, out);
    } else if (expr.query) {
      out.queries.push_back(nested(*expr.query));
    } else if (expr.kind == Kind::Column && expr.column > 0 && expr.level == 0) {
      out.values.push_back("\x01" + std::to_string(expr.column));
    } else {
      for (const auto& arg : expr.args) {
        if (arg->query) out.queries.push_back(nested(*arg->query));
      }
      out.values.push_back(expr.text);
    }
  }

  CanonUnit unit(const SqlExpr& expr) {
    CanonUnit out;
    out.span = expr.span;
    shape(expr, out, 0);
    return out;
  }

  void shape(const SqlExpr& expr, CanonUnit& out, int depth) {
    m_steps.spend(1);
    if (expr.definition && depth < 64) return shape(*expr.definition, out, depth + 1);
    switch (expr.kind) {
      case Kind::Column:
      case Kind::Star:
        out.shape += '_';
        out.columns.push_back(std::max(expr.column, 0));
        out.distinct = out.distinct || expr.distinct;
        return;
      case Kind::Literal:
        out.shape += '#';
        return;
      case Kind::Query:
      case Kind::Exists:
        out.shape += expr.negated ? "!?" : "?";
        out.queries.push_back(nested(*expr.query));
        return;
      case Kind::Binary:
      case Kind::Compare:
      case Kind::And:
      case Kind::Or:
        return infix(expr, out, depth);
      default:
        break;
    }
    out.distinct = out.distinct || expr.distinct;
    out.shape += expr.text + "(";
    if (expr.kind == Kind::Call && expr.text == "count" && expr.args.empty()) {
      out.shape += '_';
      out.columns.push_back(0);
    }
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      if (i > 0) out.shape += ',';
      shape(*expr.args[i], out, depth + 1);
    }
    out.shape += ')';
  }

  void infix(const SqlExpr& expr, CanonUnit& out, int depth) {
    const bool bracket = depth > 0 && expr.kind != Kind::Binary;
    if (bracket) out.shape += '[';
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      if (i > 0) out.shape += (expr.negated ? "!" : "") + expr.text;
      shape(*expr.args[i], out, depth + 1);
    }
    if (bracket) out.shape += ']';
  }

  const SpiderSchema& m_schema;
  SqlSteps m_steps;
};

// ---- foreign-key siblings
// -------------------------------------------------------------------------------------

void mergeColumns(std::vector<int>& columns, const CanonQuery& q, const SpiderSchema& schema) {
  for (int& column : columns) {
    const int table = schema.columns[static_cast<std::size_t>(column)].table;
    if (std::find(q.tables.begin(), q.tables.end(), table) != q.tables.end()) {
      column = schema.keyGroup[static_cast<std::size_t>(column)];
    }
  }
}

void mergeNested(std::vector<CanonQueryPtr>& queries, const SpiderSchema& schema) {
  for (auto& query : queries) query = std::make_shared<const CanonQuery>(mergeKeySiblings(*query, schema));
}

void mergeUnit(CanonUnit& unit, const CanonQuery& q, const SpiderSchema& schema) {
  mergeColumns(unit.columns, q, schema);
  mergeNested(unit.queries, schema);
}

// ---- texts
// ----------------------------------------------------------------------------------------------------

std::string sorted(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const auto& part : parts) text += part + ";";
  return text;
}

bool showsColumns(CanonText mode) {
  return mode == CanonText::Exact || mode == CanonText::Ordered;
}

std::string unitText(const CanonUnit& unit, CanonText mode) {
  std::string text = unit.shape;
  if (showsColumns(mode)) {
    for (const int column : unit.columns) text += " " + std::to_string(column);
  }
  for (const auto& query : unit.queries) text += "{" + canonText(*query, mode) + "}";
  return text;
}

std::string conditionText(const CanonCondition& condition, CanonText mode) {
  std::string text = (condition.negated ? "not " : "") + condition.op + " " + unitText(condition.unit, mode);
  for (const auto& query : condition.queries) text += "{" + canonText(*query, mode) + "}";
  return text;
}

std::string conditionsText(const CanonConditions& conditions, CanonText mode) {
  std::vector<std::string> parts;
  for (const auto& unit : conditions.units) parts.push_back(conditionText(unit, mode));
  const bool mixed =
      conditions.words.find('a') != std::string::npos && conditions.words.find('o') != std::string::npos;
  if (mode != CanonText::Ordered || !mixed) return sorted(std::move(parts));
  std::string text;
  for (const auto& part : parts) text += part + ";";
  return text;
}

std::string fromText(const CanonQuery& query, CanonText mode) {
  std::vector<std::string> parts;
  for (const auto& derived : query.derived) parts.push_back("{" + canonText(*derived, mode) + "}");
  if (showsColumns(mode)) {
    for (const int table : query.tables) parts.push_back(std::to_string(table));
  }
  std::string text = sorted(std::move(parts));
  if (mode == CanonText::SketchTables) text += std::to_string(query.tables.size());
  return text;
}

}  // namespace

Result<CanonQuery> canonicalise(const ScopedQuery& query, const SpiderSchema& schema) {
  try {
    return Canoniser(schema).query(query);
  } catch (const SqlTooLarge& refusal) {
    return dataError(Phrase::words(refusal.message));
  }
}

CanonQuery mergeKeySiblings(const CanonQuery& query, const SpiderSchema& schema) {
  CanonQuery out = query;
  for (auto& unit : out.select) mergeUnit(unit, query, schema);
  for (auto* conditions : {&out.where, &out.having}) {
    for (auto& condition : conditions->units) {
      mergeUnit(condition.unit, query, schema);
      mergeNested(condition.queries, schema);
    }
  }
  for (auto& unit : out.groupBy) mergeUnit(unit, query, schema);
  for (auto& order : out.order) {
    for (auto& unit : order.units) mergeUnit(unit, query, schema);
  }
  mergeNested(out.derived, schema);
  if (out.partner) out.partner = std::make_shared<const CanonQuery>(mergeKeySiblings(*out.partner, schema));
  return out;
}

const char* canonClauseName(std::size_t clause) {
  static constexpr std::array<const char*, kCanonClauses> kNames = {
      "select", "from", "where", "and/or", "group by", "having", "order by", "limit", "set operator"};
  return kNames.at(clause);
}

std::array<std::string, kCanonClauses> canonTexts(const CanonQuery& query, CanonText mode) {
  const bool exact = showsColumns(mode);
  std::array<std::string, kCanonClauses> texts;
  std::vector<std::string> parts;
  for (const auto& unit : query.select) parts.push_back(unitText(unit, mode));
  texts[kClauseSelect] = sorted(std::move(parts));
  texts[kClauseFrom] = fromText(query, mode);
  texts[kClauseWhere] = conditionsText(query.where, mode);
  std::string words = query.where.words;
  if (!exact) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
  texts[kClauseWords] = std::move(words);
  if (exact) {
    std::vector<std::string> group;
    for (const auto& unit : query.groupBy) group.push_back(unitText(unit, mode));
    texts[kClauseGroup] = sorted(std::move(group));
  } else {
    texts[kClauseGroup] = query.groupBy.empty() ? "" : std::to_string(query.groupBy.size());
  }
  texts[kClauseHaving] = conditionsText(query.having, mode) + query.having.words;
  for (const auto& order : query.order) {
    texts[kClauseOrder] = order.descending ? "desc " : "asc ";
    for (const auto& unit : order.units) texts[kClauseOrder] += unitText(unit, mode) + ";";
  }
  texts[kClauseLimit] = query.limited ? "limit" : "";
  if (query.partner) texts[kClauseSet] = query.setOp + " {" + canonText(*query.partner, mode) + "}";
  return texts;
}

std::string canonText(const CanonQuery& query, CanonText mode) {
  std::string text;
  for (const auto& part : canonTexts(query, mode)) text += part + "|";
  return text;
}

namespace {

// Visits every query level with its clause path: body(level path, query).
template <typename Body>
void visitLevels(const CanonQuery& query, const std::string& path, const Body& body) {
  body(path, query);
  const auto below = [&](const char* clause) {
    return path.empty() ? std::string(clause) : path + ">" + clause;
  };
  const auto nested = [&](const std::vector<CanonQueryPtr>& queries, const char* clause) {
    for (const auto& inner : queries) visitLevels(*inner, below(clause), body);
  };
  for (const auto& unit : query.select) nested(unit.queries, "select");
  nested(query.derived, "from");
  for (const auto& [conditions, name] :
       {std::pair{&query.where, "where"}, std::pair{&query.having, "having"}}) {
    for (const auto& condition : conditions->units) {
      nested(condition.unit.queries, name);
      nested(condition.queries, name);
    }
  }
  for (const auto& order : query.order) {
    for (const auto& unit : order.units) nested(unit.queries, "order");
  }
  if (query.partner) visitLevels(*query.partner, below("iue"), body);
}

}  // namespace

ColumnSlots columnSlots(const CanonQuery& query) {
  ColumnSlots slots;
  visitLevels(query, "", [&](const std::string& path, const CanonQuery& level) {
    const auto add = [&](const char* clause, const std::vector<int>& columns) {
      auto& slot = slots[path.empty() ? clause : path + ">" + clause];
      slot.insert(slot.end(), columns.begin(), columns.end());
    };
    for (const auto& unit : level.select) add("select", unit.columns);
    for (const auto& condition : level.where.units) add("where", condition.unit.columns);
    for (const auto& condition : level.having.units) add("having", condition.unit.columns);
    for (const auto& unit : level.groupBy) add("group", unit.columns);
    for (const auto& order : level.order) {
      for (const auto& unit : order.units) add("order", unit.columns);
    }
  });
  for (auto& [path, columns] : slots) std::sort(columns.begin(), columns.end());
  return slots;
}

std::map<std::string, std::vector<int>> tableSlots(const CanonQuery& query) {
  std::map<std::string, std::vector<int>> slots;
  visitLevels(query, "", [&](const std::string& path, const CanonQuery& level) {
    auto& slot = slots[path];
    slot.insert(slot.end(), level.tables.begin(), level.tables.end());
  });
  for (auto& [path, tables] : slots) std::sort(tables.begin(), tables.end());
  return slots;
}

std::vector<std::pair<int, int>> joinPairs(const CanonQuery& query) {
  std::vector<std::pair<int, int>> pairs;
  visitLevels(query, "", [&](const std::string&, const CanonQuery& level) {
    pairs.insert(pairs.end(), level.on.begin(), level.on.end());
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<std::string> joinKinds(const CanonQuery& query) {
  std::vector<std::string> kinds;
  visitLevels(query, "", [&](const std::string& path, const CanonQuery& level) {
    if (level.outerJoin) kinds.push_back(path + ":outer");
    if (level.orInOn) kinds.push_back(path + ":or");
    for (const auto& condition : level.otherOn) kinds.push_back(path + ":" + condition);
  });
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

}  // namespace fathom
