// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/rule_words.h"

#include <string_view>
#include <utility>
#include <vector>

#include "core/spider/judgement/sql_equivalence.h"

namespace fathom {

namespace {

struct RuleSentence {
  const char* rule;
  Phrase::Text text;
};

constexpr RuleSentence kDecision[] = {
    {"5.3",
     Phrase::tr(
         "What stands before the decision: a gold query that cannot be read is nobody's error and is not "
         "counted, and another way of joining lowers the confidence.")},
    {"5.3(1)",
     Phrase::tr(
         "Exact match counts as correct. It looks neither at ON nor at columns that a foreign key makes "
         "equal: where those differ, the prediction may be wrong all the same.")},
    {"5.3(2)",
     Phrase::tr(
         "A prediction that cannot be read, that SQLite refuses or that is too large to be compared is "
         "Both: neither its sketch nor its columns can be told.")},
    {"5.3(5)",
     Phrase::tr(
         "Neither sketch nor columns differ: columns at swapped places are Column, another way of joining "
         "is Sketch, and what is left is a False negative of a strict metric.")},
    {"F12",
     Phrase::tr(
         "Executed results never decide alone: equal ones raise the confidence, and ones that differ take "
         "a False negative back unless its rule holds for any contents.")},
};

constexpr Phrase::Text kSketch = Phrase::tr(
    "The sketch is the query with its columns masked: clauses, operators, aggregates, how many columns are "
    "selected and tables joined, sub-queries. Where it differs, the error is Sketch, with other columns "
    "Both.");
constexpr Phrase::Text kColumns = Phrase::tr(
    "The columns are those named in SELECT, WHERE, GROUP BY, HAVING and ORDER BY of every level; those of ON "
    "do "
    "not count. Where they differ and the sketch is the same, the error is Column.");
constexpr Phrase::Text kTables =
    Phrase::tr("Sketch and columns are the same and only the joined tables differ: the error is Column.");
constexpr Phrase::Text kEquivalence = Phrase::tr(
    "Both queries are rewritten by such rules until they meet: then they mean the same, and the prediction "
    "is a "
    "False negative. %1.");

Phrase equivalenceMeaning(const std::string& rule) {
  std::vector<Phrase> meanings;
  for (std::size_t begin = 0; begin <= rule.size();) {
    const std::size_t end = std::min(rule.find('+', begin), rule.size());
    const std::string_view name = std::string_view(rule).substr(begin, end - begin);
    for (std::size_t i = 0; i < kEquivalenceRules; ++i) {
      const auto each = static_cast<EquivalenceRule>(i);
      if (equivalenceRuleName(each) == name)
        meanings.push_back(Phrase::tr("%1: %2")(Phrase::words(std::string(name)), equivalenceRuleText(each)));
    }
    begin = end + 1;
  }
  if (meanings.empty()) return {};
  return kEquivalence(Phrase::list(std::move(meanings), "; "));
}

}  // namespace

Phrase ruleMeaning(const std::string& rule, ReasonKind kind) {
  if (rule == "5.3(4)")
    return kind == ReasonKind::Sketch  ? Phrase(kSketch)
           : kind == ReasonKind::Table ? Phrase(kTables)
                                       : Phrase(kColumns);
  for (const RuleSentence& each : kDecision)
    if (rule == each.rule) return each.text;
  return equivalenceMeaning(rule);
}

}  // namespace fathom
