// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/spider/linking/question_tokens.h"
#include "core/spider/linking/schema_links.h"

namespace fathom {

// RAT-SQL's way of linking (docs/schema_linking.md §4). Names are linked by runs of up to five words, equal
// or at the start of a name; words by the cells of columns; numbers by the types of columns.

// The names of tables, or of columns, in the form of the bodies. Names over 200 bytes are never linked.
class RatNames {
 public:
  void add(int item, const std::string& name);
  const std::vector<int>& equal(const std::string& run) const;
  // Items whose name begins with the run, which ends there at a border of words.
  const std::vector<int>& beginning(const std::string& run) const;

 private:
  using Items = std::unordered_map<std::string, std::vector<int>>;
  static const std::vector<int>& itemsIn(const Items& items, const std::string& run);
  Items m_equal, m_beginning;
};

// The cells of columns, asked as SQL's LIKE with the patterns 'w', 'w %', '% w', '% w %': case of ASCII does
// not count, _ and % in a word stand for any character and any characters, a word with ' matches nothing.
class RatCells {
 public:
  void add(int column, const std::string& value);
  const std::vector<int>& columnsLike(const std::string& word);

 private:
  std::unordered_map<std::string, std::vector<int>> m_byWord;     // words between blanks
  std::unordered_map<std::string, std::vector<int>> m_byPattern;  // words with _ or %, once they were asked
  std::vector<std::pair<int, std::string>> m_values;              // for these
};

struct RatSchema {
  int columns = 0, tables = 0;  // expanded; with the extra one
  RatNames tableNames, columnNames;
  RatCells cells;
  std::vector<int> numberColumns, timeColumns;  // expanded ids
};

SchemaLinks linkRat(RatSchema& schema, const std::vector<QuestionToken>& tokens);

// English stop words and marks, which are no partial link and no cell.
bool isRatStopWord(std::string_view word);
// True for a word that Python's float takes.
bool isRatNumber(std::string_view word);
// SQL's LIKE without an escape, for ASCII lower-case texts.
bool matchesLike(std::string_view text, std::string_view pattern);

}  // namespace fathom
