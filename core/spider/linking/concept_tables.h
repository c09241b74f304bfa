// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Names of columns that a phrase (words joined by _) is, or is related to. ConceptNet's tables, where
// somebody has them (docs/schema_linking.md §3).
struct ConceptTables {
  using Table = std::unordered_map<std::string, std::vector<std::string>>;
  Table isA, relatedTo;
  bool empty() const { return isA.empty() && relatedTo.empty(); }
};

// {"is_a": {phrase: [names]}, "related_to": {…}}, plain or gzip. Errors name file, key and phrase.
Result<ConceptTables> readConceptTables(const std::string& path);
// The same of a text; `path` is for errors.
Result<ConceptTables> parseConceptTables(std::string_view text, const std::string& path);
// As parseConceptTables() reads it: all phrases, but only the names that are in `names`.
std::string conceptTablesText(const ConceptTables& tables, const std::set<std::string>& names);

}  // namespace fathom
