// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPair>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <optional>

#include "core/base/errors/error.h"
#include "core/base/threads/progress.h"
#include "views/figure/figure_spec.h"
#include "views/look/qt_names.h"
#include "views/tables/comparison_model.h"

namespace fathom {

class EmptyState;
class MarkCanvasView;

// Choices of a person on the page.
struct CompareChoice {
  QString base;                // UUID of the run that the others are compared with
  bool seedsTogether = false;  // one column for runs that differ only in the seed
  bool best = false;           // best values instead of those at the end
  QString figure;              // id in figures.list
  QString metric;              // of the figure
  QString option;              // key, of a figure by an option
  bool operator==(const CompareChoice&) const = default;
};

// Two or more runs side by side: what differs in their options, scores with the best marked, differences from
// one of them with interval and test, and a figure of it below. What is shown comes from outside.
class ComparePage : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePage(QWidget* parent = nullptr);
  // Runs by UUID and name, in the order of their columns. Fewer than two: the page says what to do.
  void setRuns(const QVector<QPair<QString, QString>>& runs, const QString& base);
  // Runs that were chosen and have no column: said above the table.
  void setLeft(qsizetype left);
  // Metrics that a figure can be of, by id and title; the first that is chosen where the one before is gone.
  void setMetrics(const QVector<QPair<QString, QString>>& metrics);
  // Options in which the runs differ, by key and title, for figures by an option.
  void setOptions(const QVector<QPair<QString, QString>>& options);
  // Some of the runs differ in the seed alone.
  void setSeedsPossible(bool possible);
  void showComparison(const RunComparison& comparison, const OptionSchema& titles,
                      const QVector<QColor>& colours);
  void showTest(const std::optional<ComparisonTest>& test);
  void showTesting(const ProgressUpdate& update);
  // A line about the test: what went wrong, how predictions were made; empty hides it.
  void showTestNote(const QString& note);
  void showFigure(const FigureSpec& spec);
  void showFigureNote(const QString& note);
  const CompareChoice& choice() const { return m_choice; }
  ComparisonModel* model() const { return m_model; }

 Q_SIGNALS:
  void chosen();  // another choice()
  void testRequested(const QString& split);
  void testCancelled();
  void figureRequested();  // on a page of figures
  void runPicked(const QString& uuid);
  void closed();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeHead();
  QWidget* makeBar();
  QWidget* makeFigure();
  void choose(CompareChoice choice);
  void fillFigures(QComboBox* box);
  void spanHeadings();
  void drawFigure();
  void fitTable();
  void offerTest();
  void copyLatex();
  CompareChoice m_choice;
  ComparisonModel* m_model;
  QStackedWidget* m_stack;
  EmptyState* m_empty;
  QTableView* m_table;
  QStringList m_heads;  // of the columns whose widths were given
  QComboBox* m_base;
  QComboBox* m_score;
  QCheckBox* m_seeds;
  QComboBox* m_split;
  QPushButton* m_asText;
  QPushButton* m_asLatex;
  QPushButton* m_test;
  QPushButton* m_cancel;
  QLabel* m_left;
  QLabel* m_note;
  QComboBox* m_figureKind;
  QComboBox* m_metric;
  QComboBox* m_option;
  QPushButton* m_figure;
  QLabel* m_figureNote;
  MarkCanvasView* m_canvas;
  FigureSpec m_spec;
  bool m_oldLook = false;  // theme or size of texts changed while it was hidden
};

}  // namespace fathom
