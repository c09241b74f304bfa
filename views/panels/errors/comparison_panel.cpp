// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/comparison_panel.h"

#include <QLabel>

#include "views/look/engine_text.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/paper_table_model.h"

namespace fathom {

ComparisonPanel::ComparisonPanel(ErrorReview* review, QWidget* parent)
    : ReviewComparison(review, parent),
      m_review(review),
      m_agreement(new PaperTableModel(this)),
      m_agreementText(wrappedLabel(this)) {
  std::vector<FigureEntry> entries;
  for (const FigureEntry& entry : figures())
    if (entry.buildReview) entries.push_back(entry);
  setEntries(std::move(entries));
  addNumbers();
  addPairs();
  addTable(m_agreement, tr("Program and person"), tr("Program and person"), m_agreementText);
  connect(review, &ErrorReview::reviewChanged, this, [this] {
    forgetPairs();
    makeChoices();  // the names of the models are among them
    refresh();
  });
  connect(review, &ErrorReview::exampleChanged, this, &ComparisonPanel::refresh);
  connect(review, &ErrorReview::currentChanged, this, &ComparisonPanel::showMore);
  makeChoices();
}

Result<ReviewFigure> ComparisonPanel::build(const FigureRecipe& recipe) const {
  return buildReviewFigure(recipe, {m_review->review(), m_review->judgements().categories()});
}

void ComparisonPanel::setPairs(std::vector<ModelPair> pairs) {
  m_pairs = std::move(pairs);
  showPairs(pairsTable(*m_review, m_pairs));
}

std::pair<int, int> ComparisonPanel::modelsOfPair(std::size_t row) const {
  return {m_pairs[row].first, m_pairs[row].second};
}

std::vector<int> ComparisonPanel::onlyRight(int right, int wrong) const {
  return onlyFirstRight(*m_review, right, wrong);
}

void ComparisonPanel::showMore() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  m_agreement->setTable(agreementTable(*m_review, m_review->currentModel()));
  m_agreementText->setText(agreementText(*m_review, m_review->currentModel()));
}

}  // namespace fathom
