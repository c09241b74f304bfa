// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/library/annotations.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

// Which text of an example somebody rewrote to try something; the files are never touched.
struct EditedSide {
  bool gold = false;
  std::size_t model = 0;  // when it is a prediction
};

// How far people and program agree on one model's wrong predictions that were judged by hand.
struct JudgementAgreement {
  int judged = 0, agreed = 0;
  // [program][person], in the order of ErrorCategory.
  std::array<std::array<int, 6>, 6> table{};
  double share() const { return judged == 0 ? 0 : static_cast<double>(agreed) / judged; }
  double kappa() const;  // Cohen's; 1 when everything is one category
};

// What people decided about a review. A verdict belongs to (data set, example, normalised predicted SQL,
// preset version), so models with the same SQL share it and importing the same predictions anew finds it. It
// always wins over the program. Every change is in the library when the call returns; undo and redo store the
// value before or after as a further change, so the history keeps everything.
//
// One thread. `review` and `library` are not owned and outlive this object; without a library nothing is
// kept.
class ReviewJudgements {
 public:
  static Result<ReviewJudgements> load(const SpiderReview& review, ProjectLibrary* library);

  // The verdict of a person, null when there is none.
  const CategoryOverride* human(std::size_t model, std::size_t example) const;
  // The person's category, else the program's.
  ErrorCategory category(std::size_t model, std::size_t example) const;
  std::vector<std::vector<ErrorCategory>> categories() const;  // [model][example]
  // Verdicts on what this system predicted before, its SQL having changed since; none once the new one is
  // judged.
  std::vector<CategoryOverride> stale(std::size_t model, std::size_t example) const;
  Result<std::vector<OverrideChange>> history(std::size_t model, std::size_t example) const;

  // Correct: "right after all" is FalseNegative for a wrong prediction; GoldError tags a wrong gold query.
  Status setCategory(std::size_t model, std::size_t example, ErrorCategory category, const std::string& note,
                     const std::string& author);
  Status clearCategory(std::size_t model, std::size_t example, const std::string& author);

  const std::string& note(std::size_t example) const;
  Status setNote(std::size_t example, const std::string& text);
  std::vector<std::string> tags(std::size_t example) const;  // sorted
  Status setTags(std::size_t example, const std::vector<std::string>& tags);
  // For slices: examples per tag.
  std::map<std::string, std::vector<std::size_t>> taggedExamples() const;
  // "" = as in the file.
  std::string editedSql(std::size_t example, EditedSide side) const;
  Status setEditedSql(std::size_t example, EditedSide side, const std::string& sql);

  // Each returns the example that changed, or nothing when there is nothing to undo.
  Result<std::optional<std::size_t>> undo();
  Result<std::optional<std::size_t>> redo();
  bool canUndo() const { return m_done > 0; }
  bool canRedo() const { return m_done < m_edits.size(); }

  JudgementAgreement agreement(std::size_t model) const;

 private:
  using Key = std::pair<std::size_t, std::string>;  // example, normalised SQL
  struct Edit {
    std::size_t example = 0;
    std::string sql;    // of a verdict, or
    std::string topic;  // of a note
    std::optional<CategoryOverride> verdictBefore, verdictAfter;
    std::string noteBefore, noteAfter;
  };
  ReviewJudgements(const SpiderReview& review, ProjectLibrary* library)
      : m_review(&review), m_library(library) {}
  CategoryOverride blank(std::size_t model, std::size_t example) const;
  std::string editTopic(std::size_t example, EditedSide side) const;
  std::string noteText(std::size_t example, const std::string& topic) const;
  Status change(std::size_t model, std::size_t example, CategoryOverride value);
  Status changeNote(std::size_t example, const std::string& topic, const std::string& text);
  Status apply(const Edit& edit, bool forward);
  void push(Edit edit);

  const SpiderReview* m_review;
  ProjectLibrary* m_library;
  std::map<Key, CategoryOverride> m_verdicts;
  std::map<std::pair<std::size_t, std::string>, std::string> m_notes;  // example, topic
  std::vector<Edit> m_edits;
  std::size_t m_done = 0;
};

}  // namespace fathom
