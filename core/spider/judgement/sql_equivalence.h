// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/spider/judgement/canonical_sql.h"

namespace fathom {

// The rules of docs/error_categories.md §5. Each rewrites both queries towards one normal form.
enum class EquivalenceRule { F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F13, F14, On };
constexpr std::size_t kEquivalenceRules = 13;
const char* equivalenceRuleName(EquivalenceRule rule);   // "F1", …, "ON"
Phrase::Text equivalenceRuleText(EquivalenceRule rule);  // one sentence

struct EquivalenceResult {
  bool equivalent = false;
  std::string rule;  // "F6", or "F8+F10" when several were needed; also set for `probable`
  Phrase words;      // the rules in words
  // Equal only under a rule that is not sound (F2, F5), or whose precondition is not known to hold (F1, F4,
  // F6, F9 without schema facts). Never decides alone.
  bool probable = false;
  // The rules hold whatever is in the tables (F3, F8, F10): results that differ do not take them back.
  bool always = false;
};

// Queries as canonicalise() made them, foreign-key siblings not merged.
EquivalenceResult findEquivalence(const CanonQuery& gold, const CanonQuery& predicted,
                                  const SpiderSchema& schema);

}  // namespace fathom
