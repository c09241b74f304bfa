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

const std::string& KindJudgements::answer(std::size_t model, std::size_t example) const {
  return m_review->models.at(model).outputs.at(example).key;
}

const std::string& KindJudgements::system(std::size_t model) const {
  return m_review->models.at(model).name;
}

std::string KindJudgements::programSays(std::size_t model, std::size_t example) const {
  return m_review->kind->categories.at(m_review->models.at(model).verdicts.at(example).category).id;
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

}  // namespace fathom
