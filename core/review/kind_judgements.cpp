// SPDX-License-Identifier: Apache-2.0
#include "core/review/kind_judgements.h"

#include "core/spider/judgement/spider_error_category.h"

namespace fathom {

namespace {

constexpr int kKindRulesVersion = 1;

// Spider's are those of its preset, so that both ways of looking at them find the same verdicts.
std::string rulesOf(const KindReview& review) {
  if (!review.kind->ownPanels) return review.kind->id + "/" + std::to_string(kKindRulesVersion);
  const Json preset = review.sources.options.value("preset", Json());
  const std::string id = preset.is_string() ? preset.get<std::string>() : categoryPresets().front().id;
  return id + "/" + std::to_string(kCategoryPresetVersion);
}

}  // namespace

Result<KindJudgements> KindJudgements::load(const KindReview& review, ProjectLibrary* library) {
  FATHOM_TRY(auto book,
             JudgementBook::load(review.dataset, rulesOf(review), review.gold.examples.size(), library));
  return KindJudgements(review, std::move(book));
}

const CategoryOverride* KindJudgements::human(std::size_t model, std::size_t example) const {
  return m_book.verdict(example, m_review->models.at(model).outputs.at(example).key);
}

std::size_t KindJudgements::category(std::size_t model, std::size_t example) const {
  if (const auto* verdict = human(model, example))
    if (const auto category = categoryIndex(*m_review->kind, verdict->category)) return *category;
  return m_review->models[model].verdicts[example].category;
}

std::vector<std::vector<std::uint8_t>> KindJudgements::categories() const {
  std::vector<std::vector<std::uint8_t>> out;
  for (std::size_t m = 0; m < m_review->models.size(); ++m) {
    auto& ofModel = out.emplace_back(m_review->gold.examples.size());
    for (std::size_t i = 0; i < ofModel.size(); ++i) ofModel[i] = static_cast<std::uint8_t>(category(m, i));
  }
  return out;
}

std::vector<CategoryOverride> KindJudgements::stale(std::size_t model, std::size_t example) const {
  if (!m_book.anyVerdict() || human(model, example)) return {};
  const KindModel& m = m_review->models.at(model);
  return m_book.ofOtherAnswers(example, m.outputs.at(example).key, m.name);
}

Result<std::vector<OverrideChange>> KindJudgements::history(std::size_t model, std::size_t example) const {
  return m_book.history(example, m_review->models.at(model).outputs.at(example).key);
}

CategoryOverride KindJudgements::blank(std::size_t model, std::size_t example) const {
  const KindModel& m = m_review->models.at(model);
  CategoryOverride value = m_book.blank(example, m.outputs.at(example).key);
  value.programSays = m_review->kind->categories.at(m.verdicts.at(example).category).id;
  value.system = m.name;
  return value;
}

Status KindJudgements::setCategory(std::size_t model, std::size_t example, std::size_t category,
                                   const std::string& note, const std::string& author) {
  CategoryOverride value = blank(model, example);
  value.category = m_review->kind->categories.at(category).id;
  value.note = note;
  value.author = author;
  return m_book.change(std::move(value));
}

Status KindJudgements::clearCategory(std::size_t model, std::size_t example, const std::string& author) {
  if (!human(model, example)) return {};
  CategoryOverride value = blank(model, example);
  value.author = author;
  return m_book.change(std::move(value));
}

const std::string& KindJudgements::note(std::size_t example) const {
  return m_book.note(example, JudgementBook::kNoteTopic);
}

Status KindJudgements::setNote(std::size_t example, const std::string& text) {
  return m_book.setNote(example, JudgementBook::kNoteTopic, text);
}

std::vector<std::string> KindJudgements::tags(std::size_t example) const {
  return m_book.tags(example);
}

Status KindJudgements::setTags(std::size_t example, const std::vector<std::string>& tags) {
  return m_book.setTags(example, tags);
}

std::map<std::string, std::vector<std::size_t>> KindJudgements::taggedExamples() const {
  return m_book.taggedExamples();
}

}  // namespace fathom
