// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "views/figures/figure_entry.h"
#include "views/look/qt_names.h"
#include "views/tables/comparison_tables.h"

namespace fathom {

class MarkCanvasView;
class PaperTableModel;

// All models of a review against each other: a figure of the registry with its numbers as a table, models in
// pairs, program against person. Clicks on marks and cells lead to the examples behind them.
class ComparisonPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ComparisonPanel(ErrorReview* review, QWidget* parent = nullptr);
  // Draws what is pending; pairs come later, from a job.
  void refresh();
  void setPairs(std::vector<ModelPair> pairs);
  bool hasPairs() const { return m_pairsKnown; }
  void showFigure(const QString& id);
  QStringList figureIds() const;
  // The style of exported files, an id of figureStyles(); an unknown one changes nothing.
  QString exportStyle() const;
  void setExportStyle(const QString& id);
  // What the figure shows now in the style of exported files, as a recipe without name, data and date.
  FigureRecipe recipe() const;
  // Of the tab that is shown.
  const PaperTable& shownTable() const;
  QComboBox* figureBox() const { return m_figureBox; }
  QComboBox* styleBox() const { return m_styleBox; }
  QTableView* pairsTableView() const { return m_pairsView; }
  MarkCanvasView* canvas() const { return m_canvas; }

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
  void makeChoices();
  void addChoice(const OptionField& field);
  void addSystems(const OptionField& field);
  void draw();
  void showAgreement();
  void pickPair(const QModelIndex& index);
  ErrorReview* m_review;
  std::vector<FigureEntry> m_entries;
  Json m_options = Json::object();
  std::vector<ModelPair> m_pairs;
  bool m_pairsKnown = false, m_stale = true;
  QTimer m_wait;
  QComboBox* m_figureBox;
  QComboBox* m_styleBox;
  QWidget* m_choices;
  QHBoxLayout* m_choicesLayout;
  QLabel* m_problem;
  MarkCanvasView* m_canvas;
  QTabWidget* m_tabs;
  PaperTableModel* m_numbers;
  PaperTableModel* m_pairsModel;
  PaperTableModel* m_agreement;
  QTableView* m_pairsView;
  QLabel* m_agreementText;
};

}  // namespace fathom
