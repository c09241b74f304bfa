// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/judgement/canonical_sql.h"
#include "core/spider/judgement/sql_equivalence.h"
#include "core/spider/official/spider_evaluation.h"

namespace fathom {

// Why a prediction is wrong: the categories of DT-Fixup's Table 6, by the definitions of
// docs/error_categories.md §2, §3, §4.
enum class ErrorCategory { Correct, FalseNegative, Column, Sketch, Both, GoldError };
const char* errorCategoryName(ErrorCategory category);  // "Correct", "False negative", …
// "correct", "false_negative", …: in files, in the library, in colours of figures.
const char* errorCategoryId(ErrorCategory category);
std::optional<ErrorCategory> errorCategoryFromId(std::string_view id);

struct CategoryPreset {
  std::string id;
  bool countTables = true;   // switch J of the sketch
  bool slotColumns = false;  // column error per clause slot instead of by set
};
// Part of an override's key (annotations.h): changes whenever a definition changes.
constexpr int kCategoryPresetVersion = 2;
// "paper_like" (J on, set), "tables_inferred" (J off, slot).
const std::vector<CategoryPreset>& categoryPresets();
Result<CategoryPreset> categoryPreset(const std::string& id);

// Outcome of running both queries, when somebody ran them.
struct ExecutionEvidence {
  bool comparable = false;  // gold ran, and the prediction ran or SQLite refused it
  bool equal = false;
  Phrase words;                  // "the same 12 rows", "gold_error: no such table: x"; empty = nothing to add
  bool refused = false;          // SQLite does not run the prediction
  bool distinctIgnored = false;  // equal only with DISTINCT left out of both: says nothing
};

enum class ReasonKind { Sketch, Column, Table, Equivalence, Strictness, Note };
Phrase reasonKindTitle(ReasonKind kind);  // "sketch", "equal meaning", …

struct CategoryReason {
  std::string rule;    // "5.3(2)", "F6", "execution"
  std::string clause;  // "select", "where>select", …
  ReasonKind kind = ReasonKind::Note;
  Phrase words;
  SourceSpan gold, predicted;  // where to look, empty when nowhere
  std::string text() const { return words.english(); }
};

struct CategoryVerdict {
  ErrorCategory category = ErrorCategory::Correct;
  // Also swapped, join kind, results differ.
  std::string subType;  // a marked text: invalid, too large, table/JOIN, FK-sibling, metric strictness, or
                        // the rule of a false negative
  int listItem = 1;     // item of the decision list (docs/error_categories.md §4)
  bool possibleFalsePositive = false;
  bool flagsKnown = false;  // the three below were needed
  bool sketchError = false, columnError = false, tableError = false;
  double confidence = 1;  // 0 … 1
  std::vector<CategoryReason> reasons;
};

// A query read by the scoped parser, with and without foreign-key merging. Movable; `canon` points into
// `parse`.
struct PreparedSql {
  ScopedParse parse;
  CanonQuery canon, merged;
  bool ok() const { return parse.ok(); }
};
PreparedSql prepareSql(std::string_view sql, const SpiderSchema& schema);

CategoryVerdict categorise(const PreparedSql& gold, const PreparedSql& predicted, const MatchResult& match,
                           const SpiderSchema& schema, const CategoryPreset& preset,
                           const std::optional<ExecutionEvidence>& execution = {});

struct CategoriseOptions {
  CategoryPreset preset;
  int threads = 1;
  // One per pair where there is any; empty = none at all.
  std::vector<std::optional<ExecutionEvidence>> execution;
};
// All pairs of an evaluation. Errors: interrupted.
Result<std::vector<CategoryVerdict>> categoriseAll(const std::vector<SpiderPair>& pairs,
                                                   const SpiderEvaluation& evaluation,
                                                   const SpiderSchemas& schemas,
                                                   const CategoriseOptions& options,
                                                   const StopToken& stop = {});

struct CategoryCounts {
  int correct = 0, falseNegative = 0, column = 0, sketch = 0, both = 0, goldError = 0;
  int wrong() const { return falseNegative + column + sketch + both; }
  // Share among column, sketch and both (false negatives left out); 0 when there are none.
  double share(ErrorCategory category) const;
};
CategoryCounts countCategories(const std::vector<ErrorCategory>& categories);

}  // namespace fathom
