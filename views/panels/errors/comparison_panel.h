// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "views/figures/figure_entry.h"
#include "views/look/qt_names.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

class MarkCanvasView;
class ModelPairs;
class PaperTableModel;

// All models of a review against each other: a figure of the registry with its numbers as a table, models in
// pairs, the metrics, and how far people agree with the program. Clicks on marks and cells lead to the
// examples behind them. Which figures there are, the kind of the review says.
class ComparisonPanel : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit ComparisonPanel(ReviewedPredictions* review, QWidget* parent = nullptr);
  ModelPairs* pairs() const { return m_pairs; }
  bool hasPairs() const;  // they came
  // Draws what is pending.
  void refresh();
  void showFigure(const QString& id);
  // Is drawn when it is seen; an unknown one changes nothing.
  void chooseFigure(const QString& id);
  QStringList figureIds() const;
  // The style of exported files, an id of figureStyles(); an unknown one changes nothing.
  QString exportStyle() const;
  void setExportStyle(const QString& id);
  // What the figure shows now in the style of exported files, as a recipe without name, data and date.
  FigureRecipe recipe() const;
  // The table of the tab that is shown.
  const PaperTable& shownTable() const;
  QComboBox* figureBox() const { return m_figureBox; }
  QComboBox* styleBox() const { return m_styleBox; }
  MarkCanvasView* canvas() const { return m_canvas; }

 Q_SIGNALS:
  // `title`: what is behind it, in words; empty: a mark of the figure.
  void selectionClicked(const QString& selection, const QString& title = {});
  void examplesPicked(const std::vector<int>& examples, const QString& title);
  void exportFigureRequested();
  void exportTableRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // Tables beside the figure, in this order.
  void addTable(PaperTableModel* model, const QString& name, const QString& title, QLabel* above = nullptr);
  void addTab(QWidget* page, const QString& title, QTableView* table, PaperTableModel* model);
  void addTables();
  // The review is another one.
  void restart();
  void setEntries(std::vector<FigureEntry> entries);
  const FigureEntry* entry() const;  // null: there is none
  void showAgreement();
  // What a field of a figure can be chosen from: a text may name what only the predictions know.
  std::vector<OptionChoice> choicesOf(const OptionField& field) const;
  std::vector<OptionChoice> numberChoices() const;
  // A box for every choice of the figure, none of them made; lengths are for the command export-figure.
  void makeChoices();
  void draw();
  QWidget* makeFigureSide();
  QWidget* makeTableSide();
  void addChoice(const OptionField& field, const std::vector<OptionChoice>& choices);
  void addSystem(const OptionField& field);
  void addSystems(const OptionField& field);
  double zoom() const;
  void limitTable(const FigureSpec& spec);
  QComboBox* m_figureBox;
  QWidget* m_choices;  // beside the choice of the figure
  QHBoxLayout* m_choicesLayout;
  Json m_options = Json::object();  // what was chosen there
  ReviewedPredictions* m_reviewed;
  std::vector<FigureEntry> m_entries;
  bool m_stale = true;
  QTimer m_wait;
  QComboBox* m_styleBox;
  QLabel* m_problem;
  QWidget* m_figureSide = nullptr;
  double m_zoom = 1;  // of the figure that is drawn
  MarkCanvasView* m_canvas;
  QTabWidget* m_tabs;
  QComboBox* m_system = nullptr;           // whose predictions the figure is of; null: of all
  std::vector<PaperTableModel*> m_tables;  // by tab
  PaperTableModel* m_numbers;
  ModelPairs* m_pairs;
  PaperTableModel* m_scores;
  PaperTableModel* m_agreement;
  QLabel* m_agreementText;
};

}  // namespace fathom
