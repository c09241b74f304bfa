// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/errors/review_comparison.h"
#include "views/tables/comparison_tables.h"

namespace fathom {

// The comparison of a review of SQL: choices of the figure, and program against person.
class ComparisonPanel : public ReviewComparison {
  Q_OBJECT
 public:
  explicit ComparisonPanel(ErrorReview* review, QWidget* parent = nullptr);
  void setPairs(std::vector<ModelPair> pairs);
  FigureRecipe recipe() const override;

 private:
  void makeChoices();
  void addChoice(const OptionField& field);
  void addSystems(const OptionField& field);
  Result<ReviewFigure> build(const FigureRecipe& recipe) const override;
  std::pair<int, int> modelsOfPair(std::size_t row) const override;
  std::vector<int> onlyRight(int right, int wrong) const override;
  void showMore() override;
  ErrorReview* m_review;
  Json m_options = Json::object();
  std::vector<ModelPair> m_pairs;
  QHBoxLayout* m_choicesLayout;
  PaperTableModel* m_agreement;
  QLabel* m_agreementText;
};

}  // namespace fathom
