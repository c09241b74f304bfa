// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/library/runs/run_condition.h"

namespace fathom {

// A piece of a condition: a sign ("<=", "("), a word, or a text between quotation marks.
struct ConditionToken {
  enum class Kind { Sign, Word, Quoted, End };
  Kind kind = Kind::End;
  std::string text;
  std::int64_t place = 1;  // of its first character, from 1
};

// An error names a quotation mark that has no second one.
Result<std::vector<ConditionToken>> conditionTokens(std::string_view text);

// Reads "a or b and not (c < 3)" into a RunCondition: `not` binds closest, then `and`, then `or`.
class ConditionParser {
 public:
  explicit ConditionParser(std::vector<ConditionToken> tokens) : m_tokens(std::move(tokens)) {}
  Result<RunCondition> condition();

 private:
  using Operator = RunCondition::Operator;
  using Node = RunCondition::Node;
  const ConditionToken& here() const { return m_tokens[m_at]; }
  bool takes(std::string_view sign);
  bool takesWord(std::string_view word);
  Error expected(const Phrase& what) const;
  Result<int> anyOf();
  Result<int> allOf();
  Result<int> term();
  Result<int> comparison();
  Result<int> turnedComparison();
  Result<int> oneOfList(int name);
  std::optional<Operator> sign();
  Result<int> name();
  Result<RunCondition::Value> value(const AskedName& name, Operator how);
  Result<int> add(Node node);
  std::vector<ConditionToken> m_tokens;
  std::size_t m_at = 0;
  int m_depth = 0;
  RunCondition m_made;
};

}  // namespace fathom
