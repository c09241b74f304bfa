// SPDX-License-Identifier: Apache-2.0
#include "core/review/judgements.h"

#include "core/base/files/hash.h"

namespace fathom {

namespace {

constexpr int kRulesVersion = 1;

std::string rulesOf(const Review& review) {
  if (review.kind->rules != nullptr) return review.kind->rules(review.sources);
  return review.kind->id + "/" + std::to_string(kRulesVersion);
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

Result<Judgements> Judgements::load(const Review& review, ProjectLibrary* library) {
  FATHOM_TRY(auto book, JudgementBook::load(review.dataset, rulesOf(review), review.examples(), library));
  return Judgements(review, std::move(book));
}

const std::string& Judgements::answer(std::size_t model, std::size_t example) const {
  return m_review->models.at(model).outputs.at(example).key;
}

std::uint8_t Judgements::program(std::size_t model, std::size_t example) const {
  return m_review->models.at(model).verdicts.at(example).category;
}

std::size_t Judgements::category(std::size_t model, std::size_t example) const {
  if (const auto* verdict = human(model, example))
    if (const auto category = categoryIndex(*m_review->kind, verdict->category)) return *category;
  return program(model, example);
}

std::vector<std::vector<std::uint8_t>> Judgements::categories() const {
  std::vector<std::vector<std::uint8_t>> out;
  for (std::size_t m = 0; m < m_review->models.size(); ++m) {
    auto& ofModel = out.emplace_back(m_review->examples());
    for (std::size_t i = 0; i < ofModel.size(); ++i)
      ofModel[i] = m_book.anyVerdict() ? static_cast<std::uint8_t>(category(m, i)) : program(m, i);
  }
  return out;
}

const CategoryOverride* Judgements::human(std::size_t model, std::size_t example) const {
  return m_book.verdict(example, answer(model, example));
}

std::vector<CategoryOverride> Judgements::stale(std::size_t model, std::size_t example) const {
  if (!m_book.anyVerdict() || human(model, example)) return {};
  return m_book.ofOtherAnswers(example, answer(model, example), m_review->models.at(model).name);
}

Result<std::vector<OverrideChange>> Judgements::history(std::size_t model, std::size_t example) const {
  return m_book.history(example, answer(model, example));
}

Status Judgements::setVerdict(std::size_t model, std::size_t example, const std::string& category,
                              const std::string& note, const std::string& author) {
  CategoryOverride value = m_book.blank(example, answer(model, example));
  value.category = category;
  value.programSays = m_review->kind->categories.at(program(model, example)).id;
  value.system = m_review->models.at(model).name;
  value.note = note;
  value.author = author;
  return m_book.change(std::move(value));
}

JudgementAgreement Judgements::agreement(std::size_t model) const {
  const std::size_t categories = m_review->kind->categories.size();
  JudgementAgreement out;
  out.table.assign(categories, std::vector<int>(categories, 0));
  for (std::size_t i = 0; i < m_review->examples(); ++i) {
    const std::size_t said = program(model, i);
    if (said == 0 || !human(model, i)) continue;
    const std::size_t person = category(model, i);
    ++out.judged;
    out.agreed += person == said;
    ++out.table[said][person];
  }
  return out;
}

const std::string& Judgements::note(std::size_t example) const {
  return m_book.note(example, JudgementBook::kNoteTopic);
}

Status Judgements::setNote(std::size_t example, const std::string& text) {
  return m_book.setNote(example, JudgementBook::kNoteTopic, text);
}

std::vector<std::string> Judgements::tags(std::size_t example) const {
  return m_book.tags(example);
}

Status Judgements::setTags(std::size_t example, const std::vector<std::string>& tags) {
  return m_book.setTags(example, tags);
}

std::string Judgements::editTopic(std::size_t example, EditedSide side) const {
  if (side.gold) return "edited gold";
  return "edited " + sha256Hex(answer(side.model, example)).substr(0, 16);
}

std::string Judgements::editedText(std::size_t example, EditedSide side) const {
  return m_book.note(example, editTopic(example, side));
}

Status Judgements::setEditedText(std::size_t example, EditedSide side, const std::string& text) {
  return m_book.setNote(example, editTopic(example, side), text);
}

}  // namespace fathom
