// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/spider/judgement/canonical_sql.h"

namespace fathom {

// Phrases by which reasons of the categoriser name parts of a query and their places. Lists are clipped.

Phrase columnList(const std::vector<int>& columns, const SpiderSchema& schema);  // or "nothing"
// The columns of a query that stand for `merged`, as it has them: merging names the first of a key's group,
// which may be a column of another table.
std::vector<int> columnsAsWritten(const std::vector<int>& written, const std::vector<int>& merged,
                                  const SpiderSchema& schema);
Phrase tableList(const std::vector<int>& tables, const SpiderSchema& schema);  // or "no table"
// The sketch of one clause in words.
Phrase sketchWords(const CanonQuery& q, std::size_t clause);
// Empty where the query has no such clause.
SourceSpan clauseSpan(const CanonQuery& query, std::size_t clause);
// The clause of the outermost level a path ("where>select") starts with.
std::size_t clauseOfPath(const std::string& path);

}  // namespace fathom
