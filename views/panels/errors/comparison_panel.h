// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/errors/review_comparison.h"
#include "views/tables/comparison_tables.h"

namespace fathom {

// The comparison of a review of SQL: figures, pairs, and program against person.
class ComparisonPanel : public ReviewComparison {
  Q_OBJECT
 public:
  explicit ComparisonPanel(ErrorReview* review, QWidget* parent = nullptr);
  void setPairs(std::vector<ModelPair> pairs);

 private:
  Result<ReviewFigure> build(const FigureRecipe& recipe) const override;
  std::pair<int, int> modelsOfPair(std::size_t row) const override;
  std::vector<int> onlyRight(int right, int wrong) const override;
  void showMore() override;
  ErrorReview* m_review;
  std::vector<ModelPair> m_pairs;
  PaperTableModel* m_agreement;
  QLabel* m_agreementText;
};

}  // namespace fathom
