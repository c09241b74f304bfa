// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/kind_comparison_panel.h"

#include <QComboBox>
#include <algorithm>

#include "views/look/engine_text.h"
#include "views/tables/paper_table_model.h"

namespace fathom {

KindComparisonPanel::KindComparisonPanel(KindErrorReview* review, QWidget* parent)
    : ReviewComparison(review, parent), m_review(review), m_scores(new PaperTableModel(this)) {
  addTable(m_scores, tr("Scores"), tr("Scores"));
  addNumbers();
  addPairs();
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    forgetPairs();
    const bool empty = m_review->empty();
    setEntries(empty ? std::vector<FigureEntry>() : figuresOfKind(m_review->kind()));
    makeChoices();
    m_scores->setTable(empty ? PaperTable() : kindScoresTable(m_review->review()));
    refresh();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, &KindComparisonPanel::refresh);
}

FigureRecipe KindComparisonPanel::recipe() const {
  FigureRecipe recipe = ReviewComparison::recipe();
  const auto system = [](const OptionField& field) { return field.key == "system"; };
  if (entry() == nullptr || m_review->currentModel() < 0) return recipe;
  if (std::any_of(entry()->fields.begin(), entry()->fields.end(), system))
    recipe.options["system"] = toUtf8(m_review->modelName(m_review->currentModel()));
  return recipe;
}

// By what examples are grouped, and what is averaged over them: the first one is what the figure takes.
std::vector<OptionChoice> KindComparisonPanel::choicesOf(const OptionField& field) const {
  std::vector<OptionChoice> choices;
  if (m_review->empty()) return choices;
  if (field.key == "facet")
    for (const KindFacet& facet : m_review->review().facets)
      if (!facet.ofExample.empty()) choices.push_back({facet.id, facet.title.english()});
  if (field.key != "number") return choices.empty() ? ReviewComparison::choicesOf(field) : choices;
  for (const KindNumber& number : m_review->kind().numbers)
    choices.push_back({number.id, number.title.english()});
  const bool first = m_review->kind().test == KindTest::McNemar;
  choices.insert(first ? choices.begin() : choices.end(),
                 {"right", Phrase(Phrase::tr("right, %")).english()});
  return choices;
}

Result<ReviewFigure> KindComparisonPanel::build(const FigureRecipe& recipe) const {
  return buildKindFigure(recipe, {m_review->review()});
}

void KindComparisonPanel::setPairs(std::vector<KindPair> pairs) {
  m_pairs = std::move(pairs);
  showPairs(kindPairsTable(m_review->review(), m_pairs));
}

std::pair<int, int> KindComparisonPanel::modelsOfPair(std::size_t row) const {
  return {int(m_pairs[row].first), int(m_pairs[row].second)};
}

std::vector<int> KindComparisonPanel::onlyRight(int right, int wrong) const {
  std::vector<int> examples;
  for (const std::size_t each : onlyFirstRight(m_review->review(), std::size_t(right), std::size_t(wrong)))
    examples.push_back(int(each));
  return examples;
}

}  // namespace fathom
