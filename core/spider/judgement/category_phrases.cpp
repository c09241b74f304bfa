// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/category_phrases.h"

#include <algorithm>
#include <iterator>

#include "core/spider/sql_limits.h"

namespace fathom {

namespace {

Phrase conditionWords(const CanonConditions& conditions) {
  ClippedList list;
  for (const auto& unit : conditions.units) {
    list.add((unit.negated ? "NOT " : "") + unit.unit.shape + " " + unit.op +
             (unit.queries.empty() ? "" : " (SELECT)"));
  }
  return conditions.units.empty() ? Phrase(Phrase::tr("no condition")) : Phrase::words(list.text());
}

std::string shapes(const std::vector<CanonUnit>& units) {
  ClippedList list;
  for (const auto& unit : units) list.add(unit.shape);
  return list.text();
}

}  // namespace

Phrase columnList(const std::vector<int>& columns, const SpiderSchema& schema) {
  ClippedList list;
  for (const int column : columns) list.add(schema.columnText(column));
  return columns.empty() ? Phrase(Phrase::tr("nothing")) : Phrase::words(list.text());
}

std::vector<int> columnsAsWritten(const std::vector<int>& written, const std::vector<int>& merged,
                                  const SpiderSchema& schema) {
  const auto has = [&merged](int column) {
    return std::find(merged.begin(), merged.end(), column) != merged.end();
  };
  std::vector<int> out, instead;
  for (const int column : written) {
    if (has(column)) out.push_back(column);
    const int group = schema.keyGroup[static_cast<std::size_t>(column)];
    if (group != column && has(group)) instead.push_back(column);
  }
  // A column that stands there itself needs nothing in its place.
  std::copy_if(instead.begin(), instead.end(), std::back_inserter(out), [&](int column) {
    const int group = schema.keyGroup[static_cast<std::size_t>(column)];
    return std::find(written.begin(), written.end(), group) == written.end();
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out.empty() ? merged : out;
}

Phrase tableList(const std::vector<int>& tables, const SpiderSchema& schema) {
  ClippedList list;
  for (const int table : tables) list.add(schema.tables[static_cast<std::size_t>(table)].originalName);
  return tables.empty() ? Phrase(Phrase::tr("no table")) : Phrase::words(list.text());
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

Phrase sketchWords(const CanonQuery& q, std::size_t clause) {
  ClippedList words(" ");
  switch (clause) {
    case kClauseSelect:
      return Phrase::words(shapes(q.select));
    case kClauseFrom:
      return Phrase::tr("%1 tables, %2 sub-queries")(q.tables.size(), q.derived.size());
    case kClauseWhere:
      return conditionWords(q.where);
    case kClauseWords:
      for (const char c : q.where.words) words.add(c == 'a' ? "AND" : "OR");
      return q.where.words.empty() ? Phrase(Phrase::tr("no connective")) : Phrase::words(words.text());
    case kClauseGroup:
      return Phrase::tr("%1 columns")(q.groupBy.size());
    case kClauseHaving:
      return conditionWords(q.having);
    case kClauseOrder:
      if (q.order.empty()) return Phrase::tr("no order");
      return (q.order[0].descending ? Phrase::tr("%1 descending")
                                    : Phrase::tr("%1 ascending"))(shapes(q.order[0].units));
    case kClauseLimit:
      return q.limited ? Phrase::tr("a limit") : Phrase::tr("no limit");
    default:
      return q.partner ? Phrase::words(q.setOp) : Phrase(Phrase::tr("no set operator"));
  }
}

}  // namespace fathom
