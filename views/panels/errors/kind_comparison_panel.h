// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/figures/figure_entry.h"
#include "views/look/qt_names.h"
#include "views/tables/kind_error_review.h"

namespace fathom {

class MarkCanvasView;
class PaperTableModel;

// All models of a review of any kind against each other: a figure with its numbers, the metrics, models in
// pairs. Clicks on marks and cells lead to the examples behind them.
class KindComparisonPanel : public QWidget {
  Q_OBJECT
 public:
  explicit KindComparisonPanel(KindErrorReview* review, QWidget* parent = nullptr);
  // Pairs come later, from a job.
  void setPairs(std::vector<KindPair> pairs);
  bool hasPairs() const { return m_pairsKnown; }
  void showFigure(const QString& id);
  FigureRecipe recipe() const;
  // Of the tab that is shown.
  const PaperTable& shownTable() const;
  QComboBox* figureBox() const { return m_figureBox; }
  MarkCanvasView* canvas() const { return m_canvas; }
  QTableView* pairsView() const { return m_pairsView; }

 Q_SIGNALS:
  void selectionClicked(const QString& selection);
  void examplesPicked(const std::vector<int>& examples, const QString& title);
  void exportFigureRequested();
  void exportTableRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeFigureSide();
  QWidget* makeTableSide();
  void fillFigures();
  void draw();
  void pickPair(const QModelIndex& index);
  KindErrorReview* m_review;
  std::vector<FigureEntry> m_entries;
  std::vector<KindPair> m_pairs;
  bool m_pairsKnown = false;
  QComboBox* m_figureBox;
  QComboBox* m_styleBox;
  QLabel* m_problem;
  MarkCanvasView* m_canvas;
  QTabWidget* m_tabs;
  PaperTableModel* m_scores;
  PaperTableModel* m_numbers;
  PaperTableModel* m_pairsModel;
  QTableView* m_pairsView;
};

}  // namespace fathom
