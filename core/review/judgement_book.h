// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/library/records/annotations.h"

namespace fathom {

// What people decided about the examples of a data set, whatever the kind of review. A verdict belongs to
// (data set, example, key of the answer, rules), so models with the same answer share it and importing the
// same predictions anew finds it. Every change is in the library when the call returns; undo and redo store
// the value before or after as a further change, so the history keeps everything.
//
// One thread. `library` is not owned and outlives this object; without one nothing is kept.
class JudgementBook {
 public:
  // `rules`: preset and version of the program's own verdicts, part of an override's key.
  static Result<JudgementBook> load(std::string dataset, std::string rules, std::size_t examples,
                                    ProjectLibrary* library);

  const CategoryOverride* verdict(std::size_t example, const std::string& answer) const;
  bool anyVerdict() const { return !m_verdicts.empty(); }
  // Verdicts on other answers of this system to the example.
  std::vector<CategoryOverride> ofOtherAnswers(std::size_t example, const std::string& answer,
                                               const std::string& system) const;
  Result<std::vector<OverrideChange>> history(std::size_t example, const std::string& answer) const;
  // With the key filled.
  CategoryOverride blank(std::size_t example, const std::string& answer) const;
  // Sets it, or clears it where the category is empty; nothing where it is so already.
  Status change(CategoryOverride value);

  const std::string& note(std::size_t example, const std::string& topic) const;
  Status setNote(std::size_t example, const std::string& topic, const std::string& text);
  std::vector<std::string> tags(std::size_t example) const;  // sorted
  Status setTags(std::size_t example, const std::vector<std::string>& tags);
  std::map<std::string, std::vector<std::size_t>> taggedExamples() const;

  // Each returns the example that changed, or nothing when there is nothing to undo.
  Result<std::optional<std::size_t>> undo();
  Result<std::optional<std::size_t>> redo();
  bool canUndo() const { return m_done > 0; }
  bool canRedo() const { return m_done < m_edits.size(); }

  static constexpr const char* kNoteTopic = "note";

 private:
  using Key = std::pair<std::size_t, std::string>;  // example, answer
  struct Edit {
    std::size_t example = 0;
    std::string answer;  // of a verdict, or
    std::string topic;   // of a note
    std::optional<CategoryOverride> verdictBefore, verdictAfter;
    std::string noteBefore, noteAfter;
  };
  Status apply(const Edit& edit, bool forward);
  Status applyNote(const Edit& edit, const std::string& text);
  void push(Edit edit);
  std::string m_dataset, m_rules;
  ProjectLibrary* m_library = nullptr;
  std::map<Key, CategoryOverride> m_verdicts;
  std::map<Key, std::string> m_notes;  // example, topic
  std::vector<Edit> m_edits;
  std::size_t m_done = 0;
};

}  // namespace fathom
