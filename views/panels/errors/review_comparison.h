// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "views/figures/figure_entry.h"
#include "views/look/qt_names.h"

namespace fathom {

class MarkCanvasView;
class PaperTableModel;
class ReviewedPredictions;

// All models of a review against each other: a figure of the registry with its numbers as a table, models in
// pairs. Clicks on marks and cells lead to the examples behind them. What the figures are, a subclass says.
class ReviewComparison : public QWidget {
  Q_OBJECT
 public:
  // Draws what is pending; pairs come later, from a job.
  void refresh();
  bool hasPairs() const { return m_pairsKnown; }
  void showFigure(const QString& id);
  // Is drawn when it is seen; an unknown one changes nothing.
  void chooseFigure(const QString& id);
  QStringList figureIds() const;
  // The style of exported files, an id of figureStyles(); an unknown one changes nothing.
  QString exportStyle() const;
  void setExportStyle(const QString& id);
  // What the figure shows now in the style of exported files, as a recipe without name, data and date.
  virtual FigureRecipe recipe() const;
  // Of the tab that is shown.
  const PaperTable& shownTable() const;
  QComboBox* figureBox() const { return m_figureBox; }
  QComboBox* styleBox() const { return m_styleBox; }
  MarkCanvasView* canvas() const { return m_canvas; }

 Q_SIGNALS:
  void selectionClicked(const QString& selection);
  void examplesPicked(const std::vector<int>& examples, const QString& title);
  void exportFigureRequested();
  void exportTableRequested();

 protected:
  ReviewComparison(ReviewedPredictions* review, QWidget* parent);
  // Tables beside the figure, in this order.
  void addTable(PaperTableModel* model, const QString& name, const QString& title, QLabel* above = nullptr);
  void addNumbers();
  void addPairs();
  void setEntries(std::vector<FigureEntry> entries);
  const FigureEntry* entry() const;  // null: there is none
  void showPairs(PaperTable table);
  void forgetPairs();

  virtual Result<ReviewFigure> build(const FigureRecipe& recipe) const = 0;
  // The models of a row of the pairs, and what `right` has right and `wrong` wrong.
  virtual std::pair<int, int> modelsOfPair(std::size_t row) const = 0;
  virtual std::vector<int> onlyRight(int right, int wrong) const = 0;
  // What stands beside figure and pairs, whenever a figure was drawn.
  virtual void showMore() {}
  // What a field of a figure can be chosen from: a text may name what only the predictions know.
  virtual std::vector<OptionChoice> choicesOf(const OptionField& field) const { return field.choices; }
  // A box for every choice of the figure, none of them made; lengths are for the command export-figure.
  void makeChoices();
  void draw();
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  QComboBox* m_figureBox;

 private:
  QWidget* makeFigureSide();
  QWidget* makeTableSide();
  void addChoice(const OptionField& field, const std::vector<OptionChoice>& choices);
  void addSystems(const OptionField& field);
  void pickPair(const QModelIndex& index);
  double zoom() const;
  void limitTable(const FigureSpec& spec);
  QWidget* m_choices;  // beside the choice of the figure
  QHBoxLayout* m_choicesLayout;
  Json m_options = Json::object();  // what was chosen there
  ReviewedPredictions* m_reviewed;
  std::vector<FigureEntry> m_entries;
  bool m_pairsKnown = false, m_stale = true;
  QTimer m_wait;
  QComboBox* m_styleBox;
  QLabel* m_problem;
  QWidget* m_figureSide = nullptr;
  double m_zoom = 1;  // of the figure that is drawn
  MarkCanvasView* m_canvas;
  QTabWidget* m_tabs;
  std::vector<PaperTableModel*> m_tables;  // by tab
  PaperTableModel* m_numbers;
  PaperTableModel* m_pairsModel;
};

}  // namespace fathom
