// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/review/judgement_book.h"
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
// always wins over the program. Storing and undoing is the book's.
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
  bool canUndo() const { return m_book.canUndo(); }
  bool canRedo() const { return m_book.canRedo(); }

  JudgementAgreement agreement(std::size_t model) const;

 private:
  ReviewJudgements(const SpiderReview& review, JudgementBook book)
      : m_review(&review), m_book(std::move(book)) {}
  CategoryOverride blank(std::size_t model, std::size_t example) const;
  const std::string& answer(std::size_t model, std::size_t example) const;
  std::string editTopic(std::size_t example, EditedSide side) const;

  const SpiderReview* m_review;
  JudgementBook m_book;
};

}  // namespace fathom
