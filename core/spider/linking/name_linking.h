// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/spider/linking/concept_tables.h"
#include "core/spider/linking/question_tokens.h"
#include "core/spider/linking/schema_links.h"

namespace fathom {

// DT-Fixup's way of linking (docs/schema_linking.md §3) on names and values that are prepared: everything
// here is in the form that the bodies of the question have.

// When a part of a name is a partial link.
enum class PartialRule : std::uint8_t {
  Substring,  // any characters in a row: "age" of "average"
  WholeWords  // words in a row
};

// The names of tables, or of columns. Work per word of a question is bounded: names over 200 bytes are never
// linked. One thread at a time (what was looked up is remembered).
class NameIndex {
 public:
  explicit NameIndex(PartialRule rule = PartialRule::Substring) : m_rule(rule) {}
  // Items are numbered in the order of the calls. Synonyms are whole names.
  void add(const std::string& name, const std::vector<std::string>& synonyms = {});

  int count() const { return static_cast<int>(m_names.size()); }
  std::size_t longest() const {
    return m_longest;
  }  // bytes of a name or synonym; no longer span is worth a look
  const std::vector<int>& named(const std::string& span) const;
  const std::vector<int>& synonymous(const std::string& span) const;
  // Items that have `span` as a part of their names, whatever the stop list says.
  const std::vector<int>& containing(const std::string& span);
  int words(int item) const { return m_words[static_cast<std::size_t>(item)]; }

 private:
  using Items = std::unordered_map<std::string, std::vector<int>>;
  static const std::vector<int>& itemsIn(const Items& items, const std::string& span);
  // A name or a span as one is looked for in the other: blanks keep words whole.
  std::string searched(const std::string& text) const;
  PartialRule m_rule;
  std::vector<std::string> m_names;  // as searched
  std::vector<int> m_words;
  std::size_t m_longest = 0;
  Items m_byName, m_bySynonym, m_containing;
};

// Which words occur in the values of which columns.
class ValueWords {
 public:
  void add(int column, const std::string& word);
  const std::vector<int>& columnsOf(const std::string& word) const;

 private:
  std::unordered_map<std::string, std::vector<int>> m_columns;  // ascending
};

struct NamedSchema {
  NameIndex tables, columns;  // tables with the extra one, columns expanded
  ValueWords values;
};

struct NameLinks {
  SchemaLinks links;
  std::vector<bool> consumed;  // tokens of names of tables of several words: no value rule looks at them
};

NameLinks linkNames(NamedSchema& schema, const std::vector<QuestionToken>& tokens,
                    const ConceptTables& concepts = {});

// The words that are no partial link and no value.
bool isLinkStopWord(std::string_view word);

}  // namespace fathom
