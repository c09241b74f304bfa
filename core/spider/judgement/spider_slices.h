// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

// Contents of a gold query: the features of NL2SQL360 and a few counts.
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
  std::vector<SqlFeatures> features;                     // of gold, one per pair, or empty: read again
  std::map<std::string, std::vector<std::size_t>> tags;  // people's own
};
// Every slice that has at least one example, in a fixed order.
std::vector<SpiderSlice> buildSlices(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation,
                                     const SpiderSchemas& schemas, const SliceInputs& inputs = {});

// Query variance (NL2SQL360): does a model get the same query right however it is asked? Over the gold
// queries with several questions of which at least one is answered right, the mean share of right answers.
struct QueryVariance {
  int queries = 0;   // that have several questions
  int answered = 0;  // of those, with at least one right answer
  double score = 0;  // 0 … 1; 0 when nothing is answered
};
QueryVariance queryVariance(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation);

}  // namespace fathom
