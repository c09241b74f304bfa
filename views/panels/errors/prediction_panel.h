// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "core/base/json/json.h"
#include "views/look/qt_names.h"

namespace fathom {

class ElidedLabel;
class EmptyState;
class FacetPanel;
class NaturalSplit;
class PredictionColumns;
class PredictionTableModel;

// The predictions of all models: which model is looked at, which set, filter box, facets, table, and how far
// the check by hand has come. The current row is the current example of the review, both ways.
class PredictionPanel : public QWidget {
  Q_OBJECT
 public:
  // `model` is borrowed.
  explicit PredictionPanel(PredictionTableModel* model, QWidget* parent = nullptr);
  QTableView* table() const { return m_table; }
  QLineEdit* filterBox() const { return m_filterBox; }
  QToolButton* facetButton() const { return m_facetButton; }  // folds and unfolds facets()
  FacetPanel* facets() const { return m_facets; }
  void setContextActions(const QList<QAction*>& actions);
  // Only these examples, called `title`; filter and facets are cleared.
  void showPicked(const std::vector<int>& examples, const QString& title);
  // Only one category (its id) of the current model.
  void showCategory(const QString& category);
  void showSubset(int subset);  // a ReviewSubset
  void showAll();               // without filter and facets
  // The current example moves by one wrong prediction; false at the end of the list.
  bool goWrong(int direction);
  // "37 of 241 reviewed"
  QString progressText() const;
  // Pixels in which every column is in view.
  int naturalWidth() const;
  // Facets beside the table instead of above it.
  void setFacetsBeside(bool beside);
  QByteArray saveLayout() const;
  void restoreLayout(const QByteArray& json);
  // Text, set and facets as they were saved.
  Json saveFilter() const;
  void restoreFilter(const Json& saved);

 Q_SIGNALS:
  void layoutChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeTable();
  void makeLayout();
  void connectModel();
  void fillModels();
  void fillSubsets();
  QString filterHint() const;
  void applyFilter(const QString& text);
  void moveIntoList();
  void followCurrent();
  void showCounts();
  void showShare();
  int facetsLength() const;
  void clearFilter();
  void copyRows() const;
  PredictionTableModel* m_model;
  QComboBox* m_modelBox;
  QComboBox* m_subsetBox;
  QLineEdit* m_filterBox;
  QToolButton* m_facetButton;
  QLabel* m_problem;
  QLabel* m_count;
  FacetPanel* m_facets;
  QStackedWidget* m_stack;
  QTableView* m_table;
  PredictionColumns* m_columns = nullptr;
  EmptyState* m_nothingMatches;
  QAction* m_clear;
  QProgressBar* m_progress;
  ElidedLabel* m_progressText;
  QSplitter* m_split;
  NaturalSplit* m_natural = nullptr;
  bool m_following = false;
  bool m_facetsChosen = false;  // somebody folded or unfolded them
  QTimer m_move;                // typing pauses: an example that the filter leaves out makes room
  QTimer m_complain;            // what is wrong with the pattern is said after a pause
};

}  // namespace fathom
