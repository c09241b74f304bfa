// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/category_phrases.h"

#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

ReasonPhrase conditionWords(const CanonConditions& conditions) {
  ClippedList list;
  for (const auto& unit : conditions.units) {
    list.add((unit.negated ? "NOT " : "") + unit.unit.shape + " " + unit.op +
             (unit.queries.empty() ? "" : " (SELECT)"));
  }
  return conditions.units.empty() ? ReasonPhrase("no condition") : ReasonPhrase::words(list.text());
}

std::string shapes(const std::vector<CanonUnit>& units) {
  ClippedList list;
  for (const auto& unit : units) list.add(unit.shape);
  return list.text();
}

}  // namespace

ReasonPhrase columnList(const std::vector<int>& columns, const SpiderSchema& schema) {
  ClippedList list;
  for (const int column : columns) list.add(schema.columnText(column));
  return columns.empty() ? ReasonPhrase("nothing") : ReasonPhrase::words(list.text());
}

ReasonPhrase tableList(const std::vector<int>& tables, const SpiderSchema& schema) {
  ClippedList list;
  for (const int table : tables) list.add(schema.tables[static_cast<std::size_t>(table)].originalName);
  return tables.empty() ? ReasonPhrase("no table") : ReasonPhrase::words(list.text());
}

SourceSpan clauseSpan(const CanonQuery& query, std::size_t clause) {
  const ScopedQuery* q = query.source;
  if (!q) return {};
  switch (clause) {
    case kClauseSelect:
      return q->selectSpan;
    case kClauseFrom:
      return q->fromSpan;
    case kClauseWhere:
    case kClauseWords:
      return q->whereSpan;
    case kClauseGroup:
      return q->groupSpan;
    case kClauseHaving:
      return q->havingSpan;
    case kClauseOrder:
      return q->orderSpan;
    case kClauseLimit:
      return q->limitSpan;
    default:
      return q->partner ? q->partner->span : SourceSpan{};
  }
}

std::size_t clauseOfPath(const std::string& path) {
  const std::string first = path.substr(0, path.find('>'));
  if (first == "select") return kClauseSelect;
  if (first == "from" || first.empty()) return kClauseFrom;
  if (first == "where") return kClauseWhere;
  if (first == "group") return kClauseGroup;
  if (first == "having") return kClauseHaving;
  if (first == "order") return kClauseOrder;
  return kClauseSet;
}

ReasonPhrase sketchWords(const CanonQuery& q, std::size_t clause) {
  ClippedList words(" ");
  switch (clause) {
    case kClauseSelect:
      return ReasonPhrase::words(shapes(q.select));
    case kClauseFrom:
      return {"%1 tables, %2 sub-queries",
              {ReasonPhrase::number(q.tables.size()), ReasonPhrase::number(q.derived.size())}};
    case kClauseWhere:
      return conditionWords(q.where);
    case kClauseWords:
      for (const char c : q.where.words) words.add(c == 'a' ? "AND" : "OR");
      return q.where.words.empty() ? ReasonPhrase("no connective") : ReasonPhrase::words(words.text());
    case kClauseGroup:
      return {"%1 columns", {ReasonPhrase::number(q.groupBy.size())}};
    case kClauseHaving:
      return conditionWords(q.having);
    case kClauseOrder:
      if (q.order.empty()) return "no order";
      return {q.order[0].descending ? "%1 descending" : "%1 ascending",
              {ReasonPhrase::words(shapes(q.order[0].units))}};
    case kClauseLimit:
      return q.limited ? "a limit" : "no limit";
    default:
      return q.partner ? ReasonPhrase::words(q.setOp) : ReasonPhrase("no set operator");
  }
}

}  // namespace fathom
