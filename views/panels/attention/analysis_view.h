// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/threads/progress.h"
#include "views/figures/figure_entry.h"
#include "views/look/qt_names.h"
#include "views/selection/selection.h"

namespace fathom {

class AnalysisCanvas;
class ElidedLabel;
class EmptyState;
class FigureChoices;
class FoldedText;
class PaperTableModel;
class ProgressPage;
class RunArrangement;

// The figure of an analysis: above it the sentence of its options and how its runs stand, below it what it
// means in words, as a caption; beside it what lies behind the selected place. Its numbers as a table.
// Nothing computed, a computation, a problem: each is said where the figure would stand.
class AnalysisView : public QWidget {
  Q_OBJECT
 public:
  enum Page { kMessage, kProgress, kFigure, kTable };
  explicit AnalysisView(QWidget* parent = nullptr);

  // Another figure: its options, with what was chosen before.
  void setFigure(const FigureEntry& entry, const Json& options);
  FigureChoices* choices() const { return m_choices; }
  // The style of exported files, an id of figureStyles().
  QString exportStyle() const;
  void setExportStyle(const QString& id);

  void showFigure(const FigureSpec& spec);
  // Above the figure: what it leaves out, and the button that changes that; empty text: nothing.
  void showPartial(const QString& text, QAction* action);
  // `actions` become buttons.
  void showMessage(const QString& text, const QList<QAction*>& actions);
  void showProgress(const QString& title, const ProgressUpdate& update);
  // Stays below the progress until it is empty.
  void setProgressNote(const QString& text);
  void showDetail(const FigureSpec* spec);
  void showSelection(const Selection& selection);
  void setTableShown(bool shown);
  bool tableShown() const;
  AnalysisCanvas* canvas() const { return m_canvas; }
  AnalysisCanvas* detail() const { return m_detail; }
  QStackedWidget* pages() const { return m_pages; }
  QTableView* table() const { return m_tableView; }
  EmptyState* message() const { return m_message; }
  FoldedText* words() const { return m_words; }
  RunArrangement* arrangement() const { return m_arrangement; }
  QByteArray saveLayout() const;
  void restoreLayout(const QByteArray& state);

 Q_SIGNALS:
  void placeClicked(const QString& selection);
  void exportRequested();
  void cancelRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeBottom();
  void makeDetail();
  void draw();
  void drawAnew();
  void drawDetail();
  void showDetailNumbers();
  void fitDetailNumbers();
  void tell();
  FigureSpec m_spec, m_detailSpec;
  bool m_oldLook = false;  // theme or size of texts changed while it was hidden
  QString m_id;
  FigureChoices* m_choices;
  RunArrangement* m_arrangement;
  QComboBox* m_style;
  QToolButton* m_asTable;
  QToolButton* m_export;
  QWidget* m_partial;
  ElidedLabel* m_partialText;
  QToolButton* m_partialButton;
  QStackedWidget* m_pages;
  EmptyState* m_message;
  ProgressPage* m_progress;
  QScrollArea* m_figureArea;  // a figure of many rows has its height and is scrolled
  AnalysisCanvas* m_canvas;
  PaperTableModel* m_table;
  QTableView* m_tableView;
  QSplitter* m_columns;
  QWidget* m_detailPart;  // title, and the detail, which is as high as its words need
  QLabel* m_detailTitle;
  PaperTableModel* m_detailModel;
  QTableView* m_detailNumbers;
  QScrollArea* m_detailArea;
  AnalysisCanvas* m_detail;
  FoldedText* m_words;
};

}  // namespace fathom
