// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fathom {

// Upper bounds of what one foreign query may cost. The longest query of Spider and its predictions has 633
// bytes and 125 tokens; beyond these
// limits a query is refused as too large, so that no text, however short for what it asks, takes the memory
// or the time of all the others (sub-queries named twice in each other double with every name).
constexpr std::size_t kMaxSqlBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxSqlTokens = 10'000;
// Steps of looking up names, of reading WITH again and of writing out result columns of sub-queries; Spider's
// queries stay below 1,000.
constexpr std::size_t kMaxSqlSteps = 20'000;
constexpr int kMaxSqlDepth = 100;    // brackets and sub-queries in each other
constexpr int kMaxSqlHeight = 1000;  // of an expression tree: a AND b AND c …, sub-queries inside counted
constexpr int kMaxCommonTableDepth = 20;  // WITH tables that use WITH tables that use …

// Thrown inside the readers of SQL where one of the limits is passed; never leaves them.
struct SqlTooLarge {
  std::string message;
};

// Work that may still be spent on a query.
class SqlSteps {
 public:
  void spend(std::size_t steps);  // throws SqlTooLarge

 private:
  std::size_t m_left = kMaxSqlSteps;
};

// At most `most` bytes of a foreign text, cut between two characters and ended by "…" where it is longer.
std::string clippedText(std::string_view text, std::size_t most);

// Parts with `between` between them, clipped: once the text is long, the rest is counted ("… (+12)").
class ClippedList {
 public:
  explicit ClippedList(std::string between = ", ") : m_between(std::move(between)) {}
  void add(std::string_view part);
  std::string text() const;

 private:
  std::string m_between, m_text;
  std::size_t m_parts = 0, m_more = 0;
};

}  // namespace fathom
