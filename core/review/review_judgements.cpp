// SPDX-License-Identifier: Apache-2.0
#include "core/review/review_judgements.h"

#include "core/base/files/hash.h"

namespace fathom {

namespace {

std::size_t numberOf(ErrorCategory category) {
  return static_cast<std::size_t>(category);
}

}  // namespace

double JudgementAgreement::kappa() const {
  if (judged == 0) return 0;
  double expected = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    double row = 0, column = 0;
    for (std::size_t other = 0; other < table.size(); ++other) {
      row += table[k][other];
      column += table[other][k];
    }
    expected += row * column / judged / judged;
  }
  return expected >= 1 ? 1 : (share() - expected) / (1 - expected);
}

Result<ReviewJudgements> ReviewJudgements::load(const SpiderReview& review, ProjectLibrary* library) {
  FATHOM_TRY(auto book, JudgementBook::load(review.dataset, review.presetKey(), review.examples(), library));
  return ReviewJudgements(review, std::move(book));
}

const std::string& ReviewJudgements::answer(std::size_t model, std::size_t example) const {
  return m_review->models.at(model).normalised.at(example);
}

const std::string& ReviewJudgements::system(std::size_t model) const {
  return m_review->models.at(model).name;
}

std::string ReviewJudgements::programSays(std::size_t model, std::size_t example) const {
  return errorCategoryId(m_review->models.at(model).verdicts.at(example).category);
}

ErrorCategory ReviewJudgements::category(std::size_t model, std::size_t example) const {
  if (const auto* verdict = human(model, example)) {
    if (const auto category = errorCategoryFromId(verdict->category)) return *category;
  }
  return m_review->models.at(model).verdicts.at(example).category;
}

std::vector<std::vector<ErrorCategory>> ReviewJudgements::categories() const {
  auto out = m_review->categories();
  for (std::size_t m = 0; m < out.size() && m_book.anyVerdict(); ++m) {
    for (std::size_t i = 0; i < out[m].size(); ++i) out[m][i] = category(m, i);
  }
  return out;
}

std::string ReviewJudgements::editTopic(std::size_t example, EditedSide side) const {
  if (side.gold) return "edited gold";
  return "edited " + sha256Hex(answer(side.model, example)).substr(0, 16);
}

std::string ReviewJudgements::editedSql(std::size_t example, EditedSide side) const {
  return m_book.note(example, editTopic(example, side));
}

Status ReviewJudgements::setEditedSql(std::size_t example, EditedSide side, const std::string& sql) {
  return m_book.setNote(example, editTopic(example, side), sql);
}

JudgementAgreement ReviewJudgements::agreement(std::size_t model) const {
  JudgementAgreement out;
  for (std::size_t i = 0; i < m_review->examples(); ++i) {
    const auto program = m_review->models.at(model).verdicts[i].category;
    if (program == ErrorCategory::Correct || !human(model, i)) continue;
    const auto person = category(model, i);
    ++out.judged;
    out.agreed += person == program;
    ++out.table[numberOf(program)][numberOf(person)];
  }
  return out;
}

}  // namespace fathom
