// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/support_dataset_sql.h"

namespace fathom::fixtures {

namespace {

// Reads one value, condition or query of the data's `sql` member; a shape that does not fit throws Failure.
class DatasetSqlReader {
 public:
  explicit DatasetSqlReader(const SpiderSchema& schema) : m_schema(schema) {}

  SqlQuery query(const Json& json, int depth = 0) const {
    require(json.is_object() && depth < 64, "query");
    SqlQuery q;
    const Json& select = json.at("select");
    q.distinct = select.at(0).get<bool>();
    for (const Json& item : select.at(1)) q.select.push_back({small(item.at(0)), unit(item.at(1))});
    for (const Json& table : json.at("from").at("table_units")) {
      if (table.at(0) == "sql") {
        q.tables.push_back({-1, std::make_shared<const SqlQuery>(query(table.at(1), depth + 1))});
      } else {
        q.tables.push_back({index(table.at(1), m_schema.tables.size()), nullptr});
      }
    }
    q.on = conditions(json.at("from").at("conds"), depth);
    q.where = conditions(json.at("where"), depth);
    q.having = conditions(json.at("having"), depth);
    for (const Json& column : json.at("groupBy")) q.groupBy.push_back(columnUnit(column));
    if (const Json& order = json.at("orderBy"); !order.empty()) {
      SqlOrder out;
      out.descending = order.at(0) == "desc";
      for (const Json& u : order.at(1)) out.units.push_back(unit(u));
      q.orderBy = std::move(out);
    }
    if (!json.at("limit").is_null()) q.limit = json.at("limit").get<std::int64_t>();
    for (const auto op : {kSetIntersect, kSetUnion, kSetExcept}) {
      const Json& partner = json.at(setOpName(op));
      if (partner.is_null()) continue;
      q.setOp = op;
      q.partner = std::make_shared<const SqlQuery>(query(partner, depth + 1));
    }
    return q;
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw Failure(dataError(std::string("\"sql\" has no valid ") + what));
  }
  static std::int8_t small(const Json& json) { return static_cast<std::int8_t>(json.get<int>()); }
  static int index(const Json& json, std::size_t count) {
    const int value = json.get<int>();
    require(value >= 0 && value < static_cast<int>(count), "table or column id");
    return value;
  }

  SqlColumnUnit columnUnit(const Json& json) const {
    SqlColumnUnit out;
    out.aggregate = small(json.at(0));
    out.column = index(json.at(1), m_schema.columns.size());
    out.distinct = json.at(2).get<bool>();
    return out;
  }
  SqlValUnit unit(const Json& json) const {
    SqlValUnit out;
    out.op = small(json.at(0));
    out.first = columnUnit(json.at(1));
    if (!json.at(2).is_null()) out.second = columnUnit(json.at(2));
    return out;
  }
  SqlValue value(const Json& json, int depth) const {
    SqlValue out;
    if (json.is_number()) {
      out.kind = SqlValue::Kind::Number;
      out.number = json.get<double>();
    } else if (json.is_string()) {
      out.kind = SqlValue::Kind::Text;
      out.text = json.get<std::string>();
    } else if (json.is_array()) {
      out.kind = SqlValue::Kind::Column;
      out.column = columnUnit(json);
    } else if (json.is_object()) {
      out.kind = SqlValue::Kind::Query;
      out.query = std::make_shared<const SqlQuery>(query(json, depth + 1));
    }
    return out;
  }
  SqlConditions conditions(const Json& json, int depth) const {
    SqlConditions out;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const Json& item = json.at(i);
      if (i % 2 == 1) {
        out.connectives.push_back(item == "or" ? SqlConnective::Or : SqlConnective::And);
        continue;
      }
      SqlCondition c;
      c.negated = item.at(0).get<bool>();
      c.op = small(item.at(1));
      c.unit = unit(item.at(2));
      c.first = value(item.at(3), depth);
      c.second = value(item.at(4), depth);
      out.units.push_back(std::move(c));
    }
    return out;
  }

  const SpiderSchema& m_schema;
};

}  // namespace

Result<SqlQuery> queryFromDatasetJson(const Json& sql, const SpiderSchema& schema) {
  try {
    return DatasetSqlReader(schema).query(sql);
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const Json::exception& e) {
    return dataError(std::string("\"sql\" is not in the data set's form: ") + e.what());
  }
}

}  // namespace fathom::fixtures
