// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "core/spider/scoped/scoped_sql.h"
#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

using Kind = SqlExpr::Kind;

struct NameRefusal {
  std::string message;
  std::uint32_t at;
};

struct Scope {
  const ScopedQuery* query = nullptr;
  const Scope* outer = nullptr;
  const ScopedQuery* compoundFirst = nullptr;  // names of the whole compound's result
};

struct Found {
  int column = -1;
  const SqlExpr* definition = nullptr;
  bool ok() const { return column >= 0 || definition; }
};

// Common budget of a query and the WITH tables read again for it.
struct Expansion {
  SqlSteps& steps;
  int commonTables = 0;  // WITH tables around this one
  int depth = 0;         // queries around it
  int height = 0;        // of the queries around it
};

class Resolver {
 public:
  Resolver(ScopedParse& parse, const SpiderSchema& schema, Expansion around)
      : m_parse(parse), m_schema(schema), m_around(around), m_depth(around.depth) {}

  void run() { resolveQuery(*m_parse.query, nullptr, m_parse.query.get()); }

 private:
  static constexpr std::size_t kMostNotes = 20;

  void note(std::string text) {
    const bool known = std::find(m_parse.notes.begin(), m_parse.notes.end(), text) != m_parse.notes.end();
    if (!known && m_parse.notes.size() < kMostNotes) m_parse.notes.push_back(std::move(text));
  }

  void refuseForSqlite(std::string why, std::uint32_t where) {
    if (!m_parse.refusedBySqlite.empty()) return;
    m_parse.refusedBySqlite = std::move(why);
    m_parse.refusedAt = where;
  }

  static std::string quotedName(const std::string& name) { return "\"" + clippedText(name, 60) + "\""; }

  void resolveQuery(ScopedQuery& query, const Scope* outer, const ScopedQuery* compoundFirst) {
    if (++m_depth > kMaxSqlDepth)
      throw SqlTooLarge{"nested deeper than " + std::to_string(kMaxSqlDepth) + " levels"};
    Scope scope{&query, outer, compoundFirst};
    for (auto& source : query.from) resolveSource(source, outer);
    for (auto& item : query.select) resolve(*item.expr, scope, false);
    for (auto& source : query.from) {
      if (source.on) resolve(*source.on, scope, false);
    }
    if (query.where) resolve(*query.where, scope, false);
    for (auto& expr : query.groupBy) {
      if (!byPosition(*expr, query)) resolve(*expr, scope, false);
    }
    if (query.having) resolve(*query.having, scope, false);
    for (auto& order : query.orderBy) {
      if (!byPosition(*order.expr, *compoundFirst) && !byAlias(*order.expr, query))
        resolve(*order.expr, scope, false);
    }
    if (query.partner) resolveQuery(*query.partner, outer, compoundFirst);
    --m_depth;
  }

  void resolveSource(ScopedSource& source, const Scope* outer) {
    if (source.query) return resolveQuery(*source.query, outer, source.query.get());
    const std::string key = asciiLower(source.name);
    source.table = m_schema.tableIndex(key);
    if (source.table >= 0) return;
    const auto common = std::find_if(m_parse.commonTables.begin(), m_parse.commonTables.end(),
                                     [&](const auto& entry) { return entry.first == key; });
    if (common == m_parse.commonTables.end()) {
      throw NameRefusal{"unknown table " + quotedName(source.name), source.span.begin};
    }
    readCommonTable(source, static_cast<std::size_t>(common - m_parse.commonTables.begin()));
    if (source.alias.empty()) source.alias = source.name;
  }

  // Every mention of a WITH table is read anew, so that each has a tree of its own.
  void readCommonTable(ScopedSource& source, std::size_t index) {
    const std::string& sql = m_parse.commonTables[index].second;
    m_around.steps.spend(sql.size());
    if (m_around.commonTables >= kMaxCommonTableDepth)
      throw SqlTooLarge{"WITH tables in each other deeper than " + std::to_string(kMaxCommonTableDepth)};
    ScopedParse inner = parseSqlSyntax(sql);
    const std::string where = "WITH " + clippedText(source.name, 60) + ": ";
    if (inner.tooLarge) throw SqlTooLarge{where + inner.error};
    if (!inner.ok()) throw NameRefusal{where + inner.error, source.span.begin};
    Expansion within = m_around;
    ++within.commonTables;
    within.depth = m_depth;
    within.height += m_parse.query->height;
    if (within.height + inner.query->height > kMaxSqlHeight)
      throw SqlTooLarge{"an expression of more than " + std::to_string(kMaxSqlHeight) + " parts"};
    // A common table sees only those before it, so this ends.
    inner.commonTables.assign(m_parse.commonTables.begin(),
                              m_parse.commonTables.begin() + static_cast<std::ptrdiff_t>(index));
    try {
      Resolver(inner, m_schema, within).run();
    } catch (const NameRefusal& refusal) {
      throw NameRefusal{clippedText(where + refusal.message, 300), source.span.begin};
    }
    source.query = std::move(inner.query);
  }

  // ORDER BY 2 means the second result column.
  bool byPosition(SqlExpr& expr, const ScopedQuery& query) {
    if (expr.kind != Kind::Literal) return false;
    std::size_t position = 0;
    const auto* end = expr.text.data() + expr.text.size();
    if (std::from_chars(expr.text.data(), end, position).ptr != end) return false;
    if (position < 1 || position > query.select.size()) return false;
    define(expr, {query.select[position - 1].expr->column, query.select[position - 1].expr.get()});
    return true;
  }

  // In ORDER BY a result's alias comes before a column.
  bool byAlias(SqlExpr& expr, const ScopedQuery& query) {
    if (expr.kind != Kind::Column || !expr.qualifier.empty()) return false;
    const Found found = aliasOf(query, asciiLower(expr.text));
    if (!found.ok()) return false;
    define(expr, found);
    return true;
  }

  Found aliasOf(const ScopedQuery& query, const std::string& key) const {
    m_around.steps.spend(query.select.size());
    for (const auto& item : query.select) {
      if (!item.alias.empty() && asciiLower(item.alias) == key) return {item.expr->column, item.expr.get()};
    }
    return {};
  }

  static void define(SqlExpr& expr, const Found& found) {
    expr.kind = Kind::Column;
    expr.column = found.column;
    expr.definition = found.definition;
    // A plain column stands for itself: no chain to follow.
    if (found.definition && found.column >= 0 && found.definition->kind == Kind::Column)
      expr.definition = nullptr;
  }

  Found inSource(const ScopedSource& source, const std::string& key) const {
    if (!source.query) {
      const int column = m_schema.columnIndex(source.table, key);
      return {column, nullptr};
    }
    return inResult(*source.query, key);
  }

  // A result column of a derived table.
  Found inResult(const ScopedQuery& query, const std::string& key) const {
    for (const auto& item : query.select) {
      m_around.steps.spend(1);
      const SqlExpr& expr = *item.expr;
      if (!item.alias.empty()) {
        if (asciiLower(item.alias) == key) return {expr.column, &expr};
      } else if (expr.kind == Kind::Column && asciiLower(expr.text) == key) {
        return {expr.column, &expr};
      } else if (expr.kind == Kind::Star) {
        for (const auto& source : query.from) {
          m_around.steps.spend(1);
          if (const Found found = inSource(source, key); found.ok()) return found;
        }
      }
    }
    return {};
  }

  static bool named(const ScopedSource& source, const std::string& qualifier) {
    return asciiLower(source.alias.empty() ? source.name : source.alias) == qualifier;
  }

  Found lookUp(const SqlExpr& expr, const ScopedQuery& query) {
    const std::string key = asciiLower(expr.text);
    const std::string qualifier = asciiLower(expr.qualifier);
    Found found;
    m_around.steps.spend(query.from.size());
    for (const auto& source : query.from) {
      if (!qualifier.empty() && !named(source, qualifier)) continue;
      const Found here = inSource(source, key);
      if (!here.ok()) continue;
      if (found.ok()) {
        if (!source.usingColumns.empty() || source.join.find("natural") != std::string::npos) return found;
        note(quotedName(expr.text) + " is in more than one table; the first is taken");
        refuseForSqlite("ambiguous column " + quotedName(expr.text), expr.span.begin);
        return found;
      }
      found = here;
    }
    if (found.ok() || qualifier.empty()) return found;
    // The table's own name although it has an alias: SQLite refuses, the official parser does not.
    for (const auto& source : query.from) {
      if (source.alias.empty() || asciiLower(source.name) != qualifier) continue;
      if (const Found here = inSource(source, key); here.ok()) {
        note("table " + quotedName(source.name) + " is named although it has the alias " +
             quotedName(source.alias));
        refuseForSqlite("no table is called " + quotedName(expr.qualifier) + " here, it has an alias",
                        expr.span.begin);
        return here;
      }
    }
    return {};
  }

  void resolveColumn(SqlExpr& expr, const Scope& scope, bool valueSide) {
    if (expr.quoted && valueSide) return literal(expr);
    int level = 0;
    for (const Scope* s = &scope; s; s = s->outer, ++level) {
      Found found = lookUp(expr, *s->query);
      if (!found.ok() && expr.qualifier.empty()) found = aliasOf(*s->query, asciiLower(expr.text));
      if (!found.ok() && expr.qualifier.empty() && s->compoundFirst) {
        found = inResult(*s->compoundFirst, asciiLower(expr.text));
      }
      if (!found.ok() || found.definition == &expr) continue;
      define(expr, found);
      expr.level = level;
      return;
    }
    if (expr.quoted) return literal(expr);
    const std::string key = asciiLower(expr.text);
    if (expr.qualifier.empty() && (key == "value" || key == "terminal" || key == "true" || key == "false" ||
                                   key.starts_with("current_"))) {
      return literal(expr);
    }
    const std::string name = expr.qualifier.empty() ? expr.text : expr.qualifier + "." + expr.text;
    throw NameRefusal{"unknown column " + quotedName(name), expr.span.begin};
  }

  static void literal(SqlExpr& expr) {
    expr.kind = Kind::Literal;
    expr.text = "'" + expr.text + "'";
  }

  void resolveStar(SqlExpr& expr, const Scope& scope) {
    expr.column = 0;
    if (expr.qualifier.empty()) return;
    const std::string qualifier = asciiLower(expr.qualifier);
    m_around.steps.spend(scope.query->from.size());
    for (const auto& source : scope.query->from) {
      if (named(source, qualifier) || asciiLower(source.name) == qualifier) return;
    }
    throw NameRefusal{"unknown table or alias " + quotedName(expr.qualifier), expr.span.begin};
  }

  void resolve(SqlExpr& expr, const Scope& scope, bool valueSide) {
    switch (expr.kind) {
      case Kind::Column:
        return resolveColumn(expr, scope, valueSide);
      case Kind::Star:
        return resolveStar(expr, scope);
      case Kind::Query:
      case Kind::Exists:
        return resolveQuery(*expr.query, &scope, expr.query.get());
      case Kind::Compare:
        for (std::size_t i = 0; i < expr.args.size(); ++i) resolve(*expr.args[i], scope, i > 0);
        return;
      case Kind::Call:
      case Kind::Case:
      case Kind::And:
      case Kind::Or:
      case Kind::Not:
        for (auto& arg : expr.args) resolve(*arg, scope, false);
        return;
      default:
        for (auto& arg : expr.args) resolve(*arg, scope, valueSide);
    }
  }

  ScopedParse& m_parse;
  const SpiderSchema& m_schema;
  Expansion m_around;
  int m_depth;
};

bool refused(ScopedParse& parse, const std::string& message, std::uint32_t at, bool tooLarge) {
  parse.error = message;
  parse.errorAt = at;
  parse.tooLarge = tooLarge;
  parse.query.reset();
  return false;
}

}  // namespace

bool resolveScopedSql(ScopedParse& parse, const SpiderSchema& schema) {
  if (!parse.ok()) return false;
  SqlSteps steps;
  try {
    Resolver(parse, schema, {steps}).run();
    return true;
  } catch (const NameRefusal& refusal) {
    return refused(parse, refusal.message, refusal.at, false);
  } catch (const SqlTooLarge& refusal) {
    return refused(parse, refusal.message, 0, true);
  }
}

ScopedParse parseScopedSql(std::string_view sql, const SpiderSchema& schema) {
  ScopedParse parse = parseSqlSyntax(sql);
  resolveScopedSql(parse, schema);
  return parse;
}

}  // namespace fathom
