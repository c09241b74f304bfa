// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/spider_slices.h"

#include <algorithm>

namespace fathom {

namespace {

void addFeatures(const CanonQuery& q, SqlFeatures& out);

void addNested(const std::vector<CanonQueryPtr>& queries, SqlFeatures& out) {
  for (const auto& query : queries) {
    ++out.subqueries;
    addFeatures(*query, out);
  }
}

void addUnit(const CanonUnit& unit, SqlFeatures& out) {
  for (const char* name : {"max(", "min(", "count(", "sum(", "avg("})
    out.aggregates += unit.shape.find(name) != std::string::npos;
  out.arithmetic = out.arithmetic || unit.shape.find_first_of("+-*/") != std::string::npos;
  out.distinct = out.distinct || unit.distinct;
  addNested(unit.queries, out);
}

void addFeatures(const CanonQuery& q, SqlFeatures& out) {
  out.joins += std::max(0, static_cast<int>(q.tables.size() + q.derived.size()) - 1);
  for (const auto& unit : q.select) addUnit(unit, out);
  addNested(q.derived, out);
  for (const auto* conditions : {&q.where, &q.having}) {
    out.connectors += static_cast<int>(conditions->words.size());
    out.conditions += static_cast<int>(conditions->units.size());
    for (const auto& condition : conditions->units) {
      out.like = out.like || condition.op == "like";
      addUnit(condition.unit, out);
      addNested(condition.queries, out);
    }
  }
  for (const auto& unit : q.groupBy) addUnit(unit, out);
  for (const auto& order : q.order) {
    for (const auto& unit : order.units) addUnit(unit, out);
  }
  out.orderBy = out.orderBy || !q.order.empty();
  out.groupBy = out.groupBy || !q.groupBy.empty();
  out.having = out.having || !q.having.units.empty();
  out.limit = out.limit || q.limited;
  out.distinct = out.distinct || q.distinct;
  if (q.partner) {
    ++out.setOperators;
    addFeatures(*q.partner, out);
  }
}

int wordCount(const std::string& text) {
  int count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    count += !blank && !inside;
    inside = !blank;
  }
  return count;
}

const char* lengthBucket(int words) {
  if (words <= 8) return "1-8 words";
  if (words <= 12) return "9-12 words";
  if (words <= 16) return "13-16 words";
  return "17 words and more";
}

// Keeps slices in the order in which their groups and names are declared.
class SliceTable {
 public:
  void declare(const char* group, std::initializer_list<const char*> names) {
    for (const char* name : names) slot(group, name);
  }
  void add(const char* group, const std::string& name, std::size_t example) {
    slot(group, name).examples.push_back(example);
  }
  std::vector<SpiderSlice> take() {
    std::erase_if(m_slices, [](const auto& slice) { return slice.examples.empty(); });
    return std::move(m_slices);
  }

 private:
  SpiderSlice& slot(const char* group, const std::string& name) {
    const auto key = std::string(group) + "\n" + name;
    const auto [found, fresh] = m_index.emplace(key, m_slices.size());
    if (fresh) m_slices.push_back({group, name, {}});
    return m_slices[found->second];
  }
  std::vector<SpiderSlice> m_slices;
  std::map<std::string, std::size_t> m_index;
};

void addFeatureSlices(SliceTable& table, const SqlFeatures& f, std::size_t example) {
  const std::pair<const char*, bool> features[] = {{"with JOIN", f.joins > 0},
                                                   {"without JOIN", f.joins == 0},
                                                   {"with sub-query", f.subqueries > 0},
                                                   {"without sub-query", f.subqueries == 0},
                                                   {"with set operator", f.setOperators > 0},
                                                   {"with ORDER BY", f.orderBy},
                                                   {"without ORDER BY", !f.orderBy},
                                                   {"with GROUP BY", f.groupBy},
                                                   {"with HAVING", f.having},
                                                   {"with LIMIT", f.limit},
                                                   {"with LIKE", f.like},
                                                   {"with DISTINCT", f.distinct},
                                                   {"with arithmetic", f.arithmetic},
                                                   {"with aggregate", f.aggregates > 0},
                                                   {"with logical connector", f.connectors > 0},
                                                   {"without logical connector", f.connectors == 0}};
  for (const auto& [name, holds] : features) {
    if (holds) table.add("feature", name, example);
  }
  table.add("joins", std::to_string(f.joins) + (f.joins == 1 ? " JOIN" : " JOINs"), example);
}

}  // namespace

SqlFeatures sqlFeatures(const CanonQuery& gold) {
  SqlFeatures features;
  addFeatures(gold, features);
  return features;
}

std::vector<SpiderSlice> buildSlices(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation,
                                     const SpiderSchemas& schemas, const SliceInputs& inputs) {
  SliceTable table;
  table.declare("hardness", {"easy", "medium", "hard", "extra"});
  table.declare("category", {"Correct", "False negative", "Column", "Sketch", "Both"});
  table.declare("feature", {"with JOIN", "without JOIN", "with sub-query", "without sub-query",
                            "with set operator", "with ORDER BY", "without ORDER BY", "with GROUP BY",
                            "with HAVING", "with LIMIT", "with LIKE", "with DISTINCT", "with arithmetic",
                            "with aggregate", "with logical connector", "without logical connector"});
  table.declare("joins", {"0 JOINs", "1 JOIN", "2 JOINs", "3 JOINs", "4 JOINs", "5 JOINs"});
  table.declare("question length", {"1-8 words", "9-12 words", "13-16 words", "17 words and more"});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& verdict = evaluation.verdicts.at(i);
    if (!verdict.goldError) table.add("hardness", hardnessName(verdict.hardness), i);
    table.add("database", pairs[i].dbId, i);
    if (i < inputs.categories.size())
      table.add("category", errorCategoryName(inputs.categories[i].category), i);
    if (i < inputs.questions.size())
      table.add("question length", lengthBucket(wordCount(inputs.questions[i])), i);
    if (i < inputs.features.size()) {
      addFeatureSlices(table, inputs.features[i], i);
    } else if (const auto* schema = findSchema(schemas, pairs[i].dbId)) {
      const PreparedSql gold = prepareSql(pairs[i].gold, *schema);
      if (gold.ok()) addFeatureSlices(table, sqlFeatures(gold.canon), i);
    }
  }
  for (const auto& [tag, examples] : inputs.tags) {
    for (const auto example : examples) table.add("tag", tag, example);
  }
  return table.take();
}

QueryVariance queryVariance(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation) {
  struct Group {
    int questions = 0, right = 0;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Group& group = groups[{pairs[i].dbId, pairs[i].gold}];
    ++group.questions;
    group.right += evaluation.verdicts.at(i).match.exact;
  }
  QueryVariance out;
  for (const auto& [query, group] : groups) {
    if (group.questions < 2) continue;
    ++out.queries;
    out.answered += group.right > 0;
    out.score += static_cast<double>(group.right) / group.questions;
  }
  if (out.answered > 0) out.score /= out.answered;
  return out;
}

}  // namespace fathom
