// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/sql_equivalence.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <utility>

#include "core/spider/judgement/join_rules.h"

namespace fathom {

namespace {

using Rules = std::bitset<kEquivalenceRules>;
constexpr std::size_t id(EquivalenceRule rule) {
  return static_cast<std::size_t>(rule);
}

// Rewrites one query with the chosen rules.
class Rewriter {
 public:
  Rewriter(const SpiderSchema& schema, Rules rules, bool assume)
      : m_schema(schema), m_rules(rules), m_facts(schema, assume) {}

  CanonQuery rewrite(const CanonQuery& query) {
    CanonQuery q = query;
    rewriteNested(q);
    using R = EquivalenceRule;
    const auto apply = [&](R rule, const auto& rewritten) {
      if (m_rules[id(rule)] && rewritten()) m_applied.set(id(rule));
    };
    apply(R::On, [&] { return completeJoins(q, m_schema); });
    apply(R::F8, [&] { return spellOut(q); });
    apply(R::F2, [&] { return extremeByOrder(q); });
    apply(R::F1, [&] { return orderToExtreme(q); });
    apply(R::F13, [&] { return subQueryToJoin(q, m_facts); });
    apply(R::F10, [&] { return useJoinRepresentatives(q, m_schema); });
    apply(R::F9, [&] { return dropUnusedJoins(q, m_facts); });
    apply(R::F7, [&] { return dropDependentGroup(q); });
    apply(R::F6, [&] { return countStar(q); });
    apply(R::F4, [&] { return exceptToNotIn(q); });
    apply(R::F14, [&] { return setOperatorToIn(q, m_facts); });
    apply(R::F5, [&] { return mergeSetOp(q); });
    apply(R::F3, [&] { return sortOperands(q); });
    return q;
  }
  const Rules& applied() const { return m_applied; }

 private:
  const SpiderColumn& column(int c) const { return m_schema.columns[static_cast<std::size_t>(c)]; }
  bool notNull(int c) const { return m_facts.notNull(c); }
  bool isKey(int c) const { return m_facts.isKey(c); }

  void rewriteNested(std::vector<CanonQueryPtr>& queries) {
    for (auto& query : queries) query = std::make_shared<const CanonQuery>(rewrite(*query));
  }
  void rewriteNested(CanonQuery& q) {
    rewriteNested(q.derived);
    for (auto& unit : q.select) rewriteNested(unit.queries);
    for (auto* conditions : {&q.where, &q.having}) {
      for (auto& condition : conditions->units) {
        rewriteNested(condition.queries);
        rewriteNested(condition.unit.queries);
      }
    }
    if (q.partner) q.partner = std::make_shared<const CanonQuery>(rewrite(*q.partner));
  }

  // F8: BETWEEN, folded NOT, IN lists.
  bool spellOut(CanonQuery& q) {
    bool changed = false;
    for (auto* conditions : {&q.where, &q.having}) changed = spellOut(*conditions) || changed;
    return changed;
  }

  static std::string opposite(const std::string& op) {
    static const std::pair<const char*, const char*> kPairs[] = {{"=", "!="}, {"<", ">="}, {">", "<="}};
    for (const auto& [a, b] : kPairs) {
      if (op == a) return b;
      if (op == b) return a;
    }
    return {};
  }

  bool spellOut(CanonConditions& conditions) {
    CanonConditions out;
    bool changed = false;
    const bool hasAnd = conditions.words.find('a') != std::string::npos;
    for (std::size_t i = 0; i < conditions.units.size(); ++i) {
      if (i > 0) out.words += conditions.words[i - 1];
      CanonCondition c = std::move(conditions.units[i]);
      const bool constants = c.queries.empty() && !c.values.empty();
      if (c.op == "between" && c.values.size() == 2 && c.queries.empty() && (!c.negated || !hasAnd)) {
        CanonCondition high = c;
        c.op = c.negated ? "<" : ">=";
        high.op = c.negated ? ">" : "<=";
        out.words += c.negated ? "o" : "a";
        c.negated = high.negated = false;
        c.values.pop_back();
        high.values.erase(high.values.begin());
        // The word belongs between the two halves, after what came before them.
        out.units.push_back(std::move(c));
        out.units.push_back(std::move(high));
        changed = true;
        continue;
      }
      if (c.negated && !opposite(c.op).empty()) {
        c.op = opposite(c.op);
        c.negated = false;
        changed = true;
      }
      if (c.op == "in" && constants && !c.negated && (!hasAnd || c.values.size() == 1)) {
        // Taken out of the condition first: each copy of it would keep the whole list.
        auto values = std::exchange(c.values, {});
        for (std::size_t v = 0; v < values.size(); ++v) {
          CanonCondition one = c;
          one.op = "=";
          one.values.push_back(std::move(values[v]));
          if (v > 0) out.words += 'o';
          out.units.push_back(std::move(one));
        }
        changed = true;
        continue;
      }
      out.units.push_back(std::move(c));
    }
    conditions = std::move(out);
    return changed;
  }

  // F2: c = (SELECT max(c) FROM t) as ORDER BY c DESC LIMIT 1.
  bool extremeByOrder(CanonQuery& q) {
    if (q.where.units.size() != 1 || !q.order.empty() || q.limited || !q.groupBy.empty() || q.partner)
      return false;
    const CanonCondition& c = q.where.units[0];
    if (c.op != "=" || c.negated || !isPlainColumn(c.unit) || c.queries.size() != 1) return false;
    const CanonQuery& inner = *c.queries[0];
    const bool whole = inner.where.units.empty() && inner.groupBy.empty() && inner.order.empty() &&
                       !inner.partner && inner.tables.size() == 1 && inner.select.size() == 1;
    if (!whole || inner.select[0].columns != c.unit.columns) return false;
    const std::string& shape = inner.select[0].shape;
    if (shape != "max(_)" && shape != "min(_)") return false;
    q.order.push_back({shape == "max(_)", {c.unit}});
    q.limited = true;
    q.limit = "1";
    q.where = {};
    return true;
  }

  // F1: SELECT x ORDER BY x LIMIT 1 as SELECT min(x) or max(x).
  bool orderToExtreme(CanonQuery& q) {
    if (q.select.size() != 1 || q.order.size() != 1 || !q.limited || q.order[0].units.size() != 1)
      return false;
    if (!q.groupBy.empty() || !q.having.units.empty() || q.partner) return false;
    if (!isPlainColumn(q.select[0]) || !isPlainColumn(q.order[0].units[0]) ||
        q.select[0].columns != q.order[0].units[0].columns)
      return false;
    const bool one = q.limit == "1" || q.limit.find_first_not_of("0123456789") != std::string::npos;
    if (!one || !notNull(q.select[0].columns[0])) return false;
    q.select[0].shape = q.order[0].descending ? "max(_)" : "min(_)";
    q.order.clear();
    q.limited = false;
    return true;
  }

  // F7: beside a key, columns that depend on it add nothing to GROUP BY.
  bool dropDependentGroup(CanonQuery& q) {
    const JoinClasses classes(q, m_schema);
    if (q.groupBy.size() < 2 || !classes.usable()) return false;
    std::vector<int> keys;
    for (const auto& unit : q.groupBy) {
      if (!isPlainColumn(unit) || unit.columns[0] == 0) return false;
      for (const int table : q.tables) {
        for (const int c : m_schema.tables[static_cast<std::size_t>(table)].columns) {
          if (isKey(c) && classes.find(c) == classes.find(unit.columns[0])) keys.push_back(c);
        }
      }
    }
    if (keys.empty()) return false;
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const auto kept = [&](const CanonUnit& unit) {
      const bool isOne = std::any_of(keys.begin(), keys.end(), [&](int key) {
        return classes.find(key) == classes.find(unit.columns[0]);
      });
      const bool depends = std::any_of(keys.begin(), keys.end(), [&](int key) {
        return column(key).table == column(unit.columns[0]).table;
      });
      return isOne || !depends;
    };
    const auto end = std::stable_partition(q.groupBy.begin(), q.groupBy.end(), kept);
    const bool changed = end != q.groupBy.end();
    q.groupBy.erase(end, q.groupBy.end());
    return changed;
  }

  // F6: count(c) is count(*) when c is never NULL.
  bool countStar(CanonQuery& q) {
    bool changed = false;
    if (q.outerJoin) return false;
    eachUnit(q, [&](CanonUnit& unit) {
      if (unit.shape != "count(_)" || unit.columns[0] == 0) return;
      const int c = unit.columns[0];
      const bool joined = !q.orInOn && std::any_of(q.on.begin(), q.on.end(), [&](const auto& pair) {
        return pair.first == c || pair.second == c;
      });
      if (unit.distinct && (!isKey(c) || q.tables.size() != 1 || !q.derived.empty())) return;
      if (!joined && !notNull(c)) return;
      unit.columns[0] = 0;
      changed = true;
    });
    return changed;
  }

  // F5: UNION of two filters as OR, INTERSECT as AND with IN.
  bool mergeSetOp(CanonQuery& q) {
    if (!q.partner || q.partner->partner) return false;
    const auto simple = [](const CanonQuery& s) {
      return s.groupBy.empty() && s.having.units.empty() && s.order.empty() && !s.limited &&
             s.derived.empty() && !s.where.units.empty();
    };
    const CanonQuery partner = *q.partner;
    if (!simple(q) || !simple(partner) || q.tables != partner.tables || q.on != partner.on) return false;
    CanonQuery left = q;
    left.partner.reset();
    left.where = {};
    CanonQuery right = partner;
    right.where = {};
    if (canonText(left, CanonText::Exact) != canonText(right, CanonText::Exact)) return false;
    if (q.setOp == "union") {
      q.where.words += 'o' + partner.where.words;
      q.where.units.insert(q.where.units.end(), partner.where.units.begin(), partner.where.units.end());
    } else if (q.setOp == "intersect" && q.select.size() == 1 &&
               q.where.words.find('o') == std::string::npos) {
      CanonCondition in;
      in.op = "in";
      in.unit = q.select[0];
      in.queries.push_back(std::make_shared<const CanonQuery>(partner));
      q.where.words += 'a';
      q.where.units.push_back(std::move(in));
    } else {
      return false;
    }
    q.setOp.clear();
    q.partner.reset();
    return true;
  }

  // F4: EXCEPT as NOT IN on a key column.
  bool exceptToNotIn(CanonQuery& q) {
    if (q.setOp != "except" || q.partner->partner || q.select.size() != 1 || q.partner->select.size() != 1)
      return false;
    const CanonUnit& key = q.select[0];
    const CanonUnit& other = q.partner->select[0];
    if (!isPlainColumn(key) || !isPlainColumn(other) || !isKey(key.columns[0]) || !notNull(other.columns[0]))
      return false;
    const bool tail = !q.groupBy.empty() || !q.order.empty() || q.limited || !q.partner->order.empty() ||
                      q.partner->limited;
    if (tail || q.tables.size() != 1 || q.where.words.find('o') != std::string::npos) return false;
    CanonCondition notIn;
    notIn.negated = true;
    notIn.op = "in";
    notIn.unit = key;
    notIn.queries.push_back(q.partner);
    if (!q.where.units.empty()) q.where.words += 'a';
    q.where.units.push_back(std::move(notIn));
    q.setOp.clear();
    q.partner.reset();
    return true;
  }

  // F3: the operands of INTERSECT and UNION in one order.
  bool sortOperands(CanonQuery& q) {
    if ((q.setOp != "intersect" && q.setOp != "union" && q.setOp != "union all") || q.partner->partner)
      return false;
    if (!q.order.empty() || q.limited || !q.partner->order.empty() || q.partner->limited) return false;
    CanonQuery left = q;
    left.setOp.clear();
    left.partner.reset();
    if (canonText(left, CanonText::Ordered) <= canonText(*q.partner, CanonText::Ordered)) return false;
    CanonQuery swapped = *q.partner;
    swapped.setOp = q.setOp;
    swapped.partner = std::make_shared<const CanonQuery>(std::move(left));
    q = std::move(swapped);
    return true;
  }

  const SpiderSchema& m_schema;
  Rules m_rules;
  KeyFacts m_facts;
  Rules m_applied;
};

bool sameMeaning(const CanonQuery& a, const CanonQuery& b) {
  return canonText(a, CanonText::Ordered) == canonText(b, CanonText::Ordered) &&
         joinPairs(a) == joinPairs(b) && joinKinds(a) == joinKinds(b);
}

// True if the two meet under `rules`; `used` gets those that changed something.
bool meet(const CanonQuery& gold, const CanonQuery& predicted, const SpiderSchema& schema, Rules rules,
          bool assume, Rules& used) {
  Rewriter left(schema, rules, assume), right(schema, rules, assume);
  const CanonQuery a = left.rewrite(gold);
  const CanonQuery b = right.rewrite(predicted);
  used = left.applied() | right.applied();
  return used.any() && sameMeaning(a, b);
}

void nameRules(Rules rules, EquivalenceResult& result) {
  std::vector<Phrase> words;
  for (std::size_t i = 0; i < kEquivalenceRules; ++i) {
    if (!rules[i]) continue;
    const auto rule = static_cast<EquivalenceRule>(i);
    result.rule += (result.rule.empty() ? "" : "+") + std::string(equivalenceRuleName(rule));
    words.emplace_back(equivalenceRuleText(rule));
  }
  result.words = Phrase::list(std::move(words), "; ");
}

// Rules that are really needed: drops each one without which the two still meet.
Rules smallest(const CanonQuery& gold, const CanonQuery& predicted, const SpiderSchema& schema, Rules rules,
               bool assume) {
  Rules used;
  for (std::size_t i = 0; i < kEquivalenceRules; ++i) {
    if (!rules[i]) continue;
    Rules fewer = rules;
    fewer.reset(i);
    if (fewer.any() && meet(gold, predicted, schema, fewer, assume, used)) rules = fewer;
  }
  return rules;
}

// Rules without a precondition on what is in the tables (docs/error_categories.md §6).
Rules alwaysTrue() {
  Rules rules;
  for (const auto rule : {EquivalenceRule::F3, EquivalenceRule::F8, EquivalenceRule::F10})
    rules.set(id(rule));
  return rules;
}

struct RuleWords {
  EquivalenceRule rule;
  const char* name;
  Phrase::Text text;
};
constexpr RuleWords kRuleWords[] = {
    {EquivalenceRule::F1, "F1", Phrase::tr("ORDER BY x LIMIT 1 is min(x) or max(x)")},
    {EquivalenceRule::F2, "F2", Phrase::tr("x = (SELECT max(x)) is ORDER BY x DESC LIMIT 1, up to ties")},
    {EquivalenceRule::F3, "F3", Phrase::tr("the operands of INTERSECT and UNION may be swapped")},
    {EquivalenceRule::F4, "F4", Phrase::tr("EXCEPT on a key is NOT IN")},
    {EquivalenceRule::F5, "F5",
     Phrase::tr("UNION of two filters is OR, INTERSECT is AND with IN, up to duplicates")},
    {EquivalenceRule::F6, "F6", Phrase::tr("count(*) is count of a column that is never NULL")},
    {EquivalenceRule::F7, "F7", Phrase::tr("columns that depend on a key add nothing to GROUP BY")},
    {EquivalenceRule::F8, "F8",
     Phrase::tr("BETWEEN is >= AND <=, NOT folds into the operator, IN (list) is OR")},
    {EquivalenceRule::F9, "F9", Phrase::tr("a table joined only through a foreign key adds nothing")},
    {EquivalenceRule::F10, "F10", Phrase::tr("columns equal by the inner join may replace each other")},
    {EquivalenceRule::F13, "F13",
     Phrase::tr("IN or = with a sub-query that selects a key is a join on that key")},
    {EquivalenceRule::F14, "F14",
     Phrase::tr("INTERSECT and EXCEPT over a key are IN and NOT IN over that key")},
    {EquivalenceRule::On, "ON",
     Phrase::tr("a query without ON conditions is completed along its foreign keys")}};
static_assert(std::size(kRuleWords) == kEquivalenceRules);

const RuleWords& ruleWords(EquivalenceRule rule) {
  for (const RuleWords& each : kRuleWords)
    if (each.rule == rule) return each;
  throw Failure(internalError("an equivalence rule without words"));
}

}  // namespace

const char* equivalenceRuleName(EquivalenceRule rule) {
  return ruleWords(rule).name;
}

Phrase::Text equivalenceRuleText(EquivalenceRule rule) {
  return ruleWords(rule).text;
}

EquivalenceResult findEquivalence(const CanonQuery& gold, const CanonQuery& predicted,
                                  const SpiderSchema& schema) {
  EquivalenceResult result;
  if (sameMeaning(gold, predicted)) return result;  // no rule needed: the metric's strictness
  Rules sound = Rules().set();
  sound.reset(id(EquivalenceRule::F2));
  sound.reset(id(EquivalenceRule::F5));
  // F13 and F14 turn one side into another shape where they can; a rule that keeps the shape (F3) goes
  // before.
  const auto keepingShapes = [](Rules rules) {
    return rules.reset(id(EquivalenceRule::F13)).reset(id(EquivalenceRule::F14));
  };
  const Rules all = Rules().set();
  const std::pair<Rules, bool> attempts[] = {
      {keepingShapes(sound), false}, {sound, false}, {keepingShapes(all), true}, {all, true}};
  for (const auto& [rules, assume] : attempts) {
    Rules used;
    if (!meet(gold, predicted, schema, rules, assume, used)) continue;
    used = smallest(gold, predicted, schema, used, assume);
    nameRules(used, result);
    result.equivalent = !assume;
    result.probable = assume;
    result.always = (used & ~alwaysTrue()).none();
    return result;
  }
  return result;
}

}  // namespace fathom
