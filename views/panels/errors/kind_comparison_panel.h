// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/errors/review_comparison.h"
#include "views/tables/kind_error_review.h"

namespace fathom {

// The comparison of a review of any kind: the kind's figures, and the metrics.
class KindComparisonPanel : public ReviewComparison {
  Q_OBJECT
 public:
  explicit KindComparisonPanel(KindErrorReview* review, QWidget* parent = nullptr);
  void setPairs(std::vector<KindPair> pairs);
  FigureRecipe recipe() const override;

 private:
  std::vector<OptionChoice> choicesOf(const OptionField& field) const override;
  Result<ReviewFigure> build(const FigureRecipe& recipe) const override;
  std::pair<int, int> modelsOfPair(std::size_t row) const override;
  std::vector<int> onlyRight(int right, int wrong) const override;
  KindErrorReview* m_review;
  std::vector<KindPair> m_pairs;
  PaperTableModel* m_scores;
};

}  // namespace fathom
