// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace fathom {

// Order of the tables of a rebuilt query. The official score compares the FROM of nested queries
// in order, so it can depend on this (8 training queries of Spider, none of the development set).
enum class TableOrder {
  Ascending,
  // As the released code prints them: a Python set into which the tables of all columns went in the order of
  // the tree, that of the global star as -1, which is taken out in the end.
  Released
};

// `visited`: tables in the order of the tree, any number of times, -1 for the global star.
std::vector<int> orderedTables(std::span<const int> visited, TableOrder order);

}  // namespace fathom
