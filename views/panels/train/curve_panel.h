// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "views/figure/figure_spec.h"
#include "views/look/qt_names.h"
#include "views/panels/train/curve_figure.h"
#include "views/panels/train/curve_notes.h"
#include "views/panels/train/curve_set.h"

namespace fathom {

class CurveBar;
class CurveCanvas;
class CurveTableModel;
class EmptyState;

// Live curves of several runs: one metric large, others small below it. GUI thread. Data come from outside as
// plain structs; drawing is coalesced (at most every 50 ms) and costs the width of the widget, not the length
// of the runs. Drag: pan; wheel: zoom (Ctrl: the values); Shift and drag: zoom to a stretch; Ctrl and drag:
// the runs whose curves pass there; double click: all; click: the run, or a small curve large (Esc: back).
class CurvePanel : public QWidget {
  Q_OBJECT

 public:
  explicit CurvePanel(QWidget* parent = nullptr);
  ~CurvePanel() override;

  void setSeries(CurveSeries series);          // replaces run and metric
  void appendSeries(const CurveSeries& more);  // new points of a running run
  void setOutcome(const QString& run, RunState outcome);
  // CurveSeries::group by run; `by`: what a person groups by (RunGrouping), "" = the seed.
  void setSeedGroups(const QHash<QString, QString>& groups, const QString& by = {});
  void setNames(const QHash<QString, QString>& names);  // what runs are called beside each other
  void clear();
  // The run's history is there, as far as there is one: what it lacks then is said under the curves.
  void setRead(const QString& run) { m_notes.read.insert(run); }
  // Names of selected runs whose eye is closed, and the number of those that are too many to be drawn.
  void setUndrawn(const QStringList& hidden, int left);
  // Runs shown at all; removes the others.
  void keepRuns(const QStringList& runs);

  void setCatalogue(const MetricCatalogue& metrics) { m_set.setCatalogue(metrics); }
  void setMetrics(const QStringList& metrics);  // shown ones, the first one large
  QStringList metrics() const { return m_look.metrics; }
  void setCurrentRun(const QString& run);  // emphasised; emits nothing
  QString currentRun() const { return m_look.current; }
  // Runs beside which the others are dim; none: all are alike.
  void setSelectedRuns(const QStringList& runs);
  void setEmptyState(const QString& text, const QList<QAction*>& actions);

  // The same view for `fathom export-figure --set`: key=value, one a word.
  QStringList figureOptions() const;
  // The main metric in words: number of runs, range, last and best value of each.
  QString summary();
  // View settings as JSON for the session; restoring ignores what it does not know.
  QByteArray saveView() const;
  void restoreView(const QByteArray& json);
  // Draws now what is pending (tests, benchmarks).
  void drawNow();
  CurveCanvas* canvas() const { return m_canvas; }
  CurveBar* bar() const { return m_bar; }

 Q_SIGNALS:
  // A curve was picked (click, or Enter): its run becomes the current one, or with Ctrl leaves the selection.
  void runPicked(const QString& run, bool toggle);
  // Curves were chosen together (Ctrl and drag, or a mean over seeds): these runs, in the order of the
  // curves.
  void runsChosen(const QStringList& runs);
  void exportRequested();
  void viewChanged();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void connectBar();
  void connectCanvas();
  QStringList shownMetrics() const;
  CurveLook shownLook() const;
  // The panel at one place takes another; at the first it is the large one.
  void moveMetric(int from, int to);
  void toggleMetric(const QString& metric, bool shown);
  void applyChoices();
  void schedule();
  void draw();  // the view only: what panning needs
  void updateStack();
  // Sets the height of the canvas, and of its large curve: small ones have a least height and are scrolled.
  void divideHeight(CurveLook& look);
  void pan(double unitsX, double unitsY, int panel);
  void zoom(double factor, double centreX, double centreY, bool vertical, int panel);
  void resetView();
  void readValues(double unitX, int panel, double unitY);
  void enlarge(int panel);
  void goBack();
  // Into the panel of the large metric, or out of it.
  void joinMetric(const QString& metric, bool on);
  void stepCurrent(int direction);
  void showTable(bool shown);
  void fillTable(bool shown);
  void copy();
  AxisRange shownX();
  QString m_groupedBy;
  CurveSet m_set;
  CurveLook m_look;
  CurveBar* m_bar;
  CurveCanvas* m_canvas;
  QScrollArea* m_scroll;
  QLabel* m_note = nullptr;
  CurveNotes m_notes;
  QStringList m_before;  // the metrics before a small one was made large
  QStackedWidget* m_stack;
  EmptyState* m_empty;
  CurveTableModel* m_tableModel;
  QTableView* m_table;
  QTimer m_timer;
  bool m_builtOnce = false;
};

}  // namespace fathom
