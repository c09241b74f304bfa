// SPDX-License-Identifier: Apache-2.0

#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/spider/grammar/sql_tree.h"

namespace fathom {

namespace {

// Prints a query without aliases, names in lower case.
class SqlPrinter {
 public:
  SqlPrinter(const SpiderSchema& schema, SqlTextStyle style) : m_schema(schema), m_style(style) {}

  std::string query(const SqlQuery& q) const {
    std::string text = "SELECT ";
    if (q.distinct == 1) text += "DISTINCT ";
    for (std::size_t i = 0; i < q.select.size(); ++i) {
      text += (i > 0 ? ", " : "") + aggregated(q.select[i].aggregate, valUnit(q.select[i].unit));
    }
    if (q.select.empty() && m_style == SqlTextStyle::Correct) text += "*";
    text += from(q);
    if (!q.where.empty()) text += " WHERE " + conditions(q.where);
    for (std::size_t i = 0; i < q.groupBy.size(); ++i)
      text += (i > 0 ? ", " : " GROUP BY ") + columnUnit(q.groupBy[i]);
    const std::string having = q.having.empty() ? "" : " HAVING " + conditions(q.having);
    if (m_style == SqlTextStyle::Correct) text += having;
    if (q.orderBy) {
      for (std::size_t i = 0; i < q.orderBy->units.size(); ++i)
        text += (i > 0 ? ", " : " ORDER BY ") + valUnit(q.orderBy->units[i]);
      if (q.orderBy->units.empty() && m_style == SqlTextStyle::Released) text += " ORDER BY";
      if (q.orderBy->descending) text += " DESC";
    }
    if (q.limit) text += " LIMIT " + std::to_string(*q.limit);
    if (m_style == SqlTextStyle::Released) text += having;
    if (!q.partner) return text;
    std::string op = setOpName(q.setOp);
    for (char& c : op) c = static_cast<char>(c - 32);
    return text + " " + op + " " + query(*q.partner);
  }

 private:
  std::string column(int id) const {
    if (id == 0) return "*";
    const auto& entry = m_schema.columns[static_cast<std::size_t>(id)];
    return m_schema.tables[static_cast<std::size_t>(entry.table)].key + "." + entry.key;
  }
  static std::string aggregated(int aggregate, const std::string& inner) {
    return aggregate == kAggNone ? inner : std::string(aggregateName(aggregate)) + "(" + inner + ")";
  }
  std::string columnUnit(const SqlColumnUnit& unit) const {
    return aggregated(unit.aggregate, (unit.distinct == 1 ? "DISTINCT " : "") + column(unit.column));
  }
  std::string valUnit(const SqlValUnit& unit) const {
    std::string text = columnUnit(unit.first);
    if (unit.second) text += std::string(" ") + unitOpName(unit.op) + " " + columnUnit(*unit.second);
    return text;
  }
  std::string value(const SqlValue& value) const {
    switch (value.kind) {
      case SqlValue::Kind::Query:
        return "(" + query(*value.query) + ")";
      case SqlValue::Kind::Column:
        return columnUnit(value.column);
      case SqlValue::Kind::Text:
        return value.text;
      case SqlValue::Kind::Number: {
        return shortestText(value.number);
      }
      case SqlValue::Kind::None:
        break;
    }
    return "\"value\"";
  }
  std::string conditions(const SqlConditions& list) const {
    std::string text;
    for (std::size_t i = 0; i < list.units.size(); ++i) {
      if (i > 0)
        text += i - 1 < list.connectives.size() && list.connectives[i - 1] == SqlConnective::Or ? " or "
                                                                                                : " and ";
      const SqlCondition& c = list.units[i];
      text += valUnit(c.unit) + (c.negated ? " not " : " ") + whereOpName(c.op) + " " + value(c.first);
      if (c.op == kOpBetween) text += " and " + value(c.second);
    }
    return text;
  }
  std::string from(const SqlQuery& q) const {
    std::string text;
    for (const auto& unit : q.tables) {
      text += text.empty() ? " FROM " : " JOIN ";
      text += unit.query ? "(" + query(*unit.query) + ")"
                         : m_schema.tables[static_cast<std::size_t>(unit.table)].key;
    }
    if (text.empty() && m_style == SqlTextStyle::Released) text = " FROM";
    if (!q.on.empty()) text += " ON  " + conditions(q.on);
    return text;
  }

  const SpiderSchema& m_schema;
  SqlTextStyle m_style;
};

}  // namespace

std::string sqlText(const SqlQuery& query, const SpiderSchema& schema, SqlTextStyle style) {
  return SqlPrinter(schema, style).query(query);
}

std::string correctedGold(std::string_view sql) {
  std::string text(sql);
  if (text.find("Professionals AS T1") != std::string::npos) {
    replaceAll(text, "JOIN Treatments AS T2 WHERE",
               "JOIN Treatments AS T2 ON T1.professional_id  =  T2.professional_id WHERE");
  }
  replaceAll(text, "JOIN player_award AS T2 WHERE",
             "JOIN player_award AS T2 ON T1.player_id  =  T2.player_id WHERE");
  replaceAll(text, "JOIN customers AS t3 GROUP BY",
             "JOIN customers AS t3 ON t2.customer_id  =  t3.customer_id GROUP BY");
  replaceAll(text, "T1.booking_start_date ,  T1.booking_start_date",
             "T1.booking_start_date ,  T1.booking_end_date");
  replaceAll(text, "AS T3 ON T2.actid  =  T2.actid", "AS T3 ON T2.actid  =  T3.actid");
  replaceAll(text, "AS T2 ON T2.actid  =  T2.actid", "AS T2 ON T1.actid  =  T2.actid");
  return text;
}

}  // namespace fathom
