// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/review/judgement_book.h"
#include "core/review/review_kind.h"

namespace fathom {

// What people decided about a review of any kind, in categories of the kind. See Judgements. `review` is
// borrowed and outlives this object.
class KindJudgements final : public Judgements {
 public:
  static Result<KindJudgements> load(const KindReview& review, ProjectLibrary* library);

  // The person's category, else the program's; an index of ReviewKind::categories.
  std::size_t category(std::size_t model, std::size_t example) const;
  std::vector<std::vector<std::uint8_t>> categories() const;  // [model][example]

 private:
  KindJudgements(const KindReview& review, JudgementBook book)
      : Judgements(std::move(book)), m_review(&review) {}
  const std::string& answer(std::size_t model, std::size_t example) const override;
  const std::string& system(std::size_t model) const override;
  std::string programSays(std::size_t model, std::size_t example) const override;
  const KindReview* m_review;
};

}  // namespace fathom
