// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

// What people decided about a review of SQL. A verdict belongs to (data set, example, normalised predicted
// SQL, preset version), so models with the same SQL share it and importing the same predictions anew finds
// it. See Judgements.
//
// One thread. `review` and `library` are not owned and outlive this object; without a library nothing is
// kept.
class ReviewJudgements final : public Judgements {
 public:
  static Result<ReviewJudgements> load(const SpiderReview& review, ProjectLibrary* library);

  // The person's category, else the program's. "Right after all" is FalseNegative for a wrong prediction;
  // GoldError tags a wrong gold query.
  ErrorCategory category(std::size_t model, std::size_t example) const;
  std::vector<std::vector<ErrorCategory>> categories() const;  // [model][example]
  // "" = as in the file.
  std::string editedSql(std::size_t example, EditedSide side) const;
  Status setEditedSql(std::size_t example, EditedSide side, const std::string& sql);

  JudgementAgreement agreement(std::size_t model) const;

 private:
  ReviewJudgements(const SpiderReview& review, JudgementBook book)
      : Judgements(std::move(book)), m_review(&review) {}
  const std::string& answer(std::size_t model, std::size_t example) const override;
  const std::string& system(std::size_t model) const override;
  std::string programSays(std::size_t model, std::size_t example) const override;
  std::string editTopic(std::size_t example, EditedSide side) const;

  const SpiderReview* m_review;
};

}  // namespace fathom
