// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fathom {

// SQL as a prediction: both parsers, match, categories, the grammar, value places.
void fuzzSql(std::string_view bytes);
void fuzzSqlPair(std::string_view bytes);  // gold, line end, prediction
// A prediction file in every format, paired with gold.
void fuzzPredictions(std::string_view bytes);
// tables.json.
void fuzzTables(std::string_view bytes);
// A file of links, a prepared file of values, and a question that is linked.
void fuzzLinks(std::string_view bytes);

}  // namespace fathom
