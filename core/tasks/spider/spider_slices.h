// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tasks/spider/spider_error_category.h"

namespace fathom {

// What a gold query contains: the features of NL2SQL360 and a few counts.
struct SqlFeatures {
  int joins = 0;       // tables - 1, all levels
  int subqueries = 0;  // in WHERE, HAVING, FROM
  int setOperators = 0;
  int connectors = 0;  // AND and OR of WHERE and HAVING
  int aggregates = 0;
  int conditions = 0;
  bool orderBy = false, groupBy = false, having = false, limit = false, like = false, distinct = false,
       arithmetic = false;
};
SqlFeatures sqlFeatures(const CanonQuery& gold);

struct SpiderSlice {
  std::string group;  // "hardness", "database", "category", "feature", "joins", "question length", "tag"
  std::string name;
  std::vector<std::size_t> examples;
};

struct SliceInputs {
  std::vector<std::string> questions;                    // one per pair, or empty
  std::vector<CategoryVerdict> categories;               // one per pair, or empty
  std::map<std::string, std::vector<std::size_t>> tags;  // people's own
};
// Every slice that has at least one example, in a fixed order.
std::vector<SpiderSlice> buildSlices(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation,
                                     const SpiderSchemas& schemas, const SliceInputs& inputs = {});

}  // namespace fathom
