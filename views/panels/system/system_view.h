// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/record/events/system_samples.h"
#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;
class MarkCanvasView;

// What a run takes of its machine: charts over time that grow while it trains, and its measured memory beside
// what was estimated. Asks for the samples while it is seen.
class SystemView : public QWidget {
  Q_OBJECT
 public:
  struct Run {
    QString uuid;          // "" = none
    bool begun = false;    // it has a folder
    bool live = false;     // it may grow
    bool askable = false;  // the engine can be asked what it needs
  };
  explicit SystemView(QWidget* parent = nullptr);
  void setRun(const Run& run);
  // Samples of the run, thinned to what charts show; null: nothing has come to those that are shown.
  void setSystem(const QString& uuid, const RunSystemPtr& system);
  void showEstimating();
  // What the engine says that the run needs of memory, for as long as it is shown.
  void setEstimate(const QString& uuid, qint64 bytes);
  void showProblem(const QString& uuid, const QString& text);
  MarkCanvasView* canvas() const { return m_canvas; }

 Q_SIGNALS:
  // The samples of the run are to be read. `grown`: they are shown, and only told where something has come.
  void wanted(const QString& uuid, bool grown);
  void estimateRequested(const QString& uuid);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void ask();
  void refresh();
  void showMemory();
  void draw();
  int columnsThatFit() const;
  qint64 neededBytes() const;
  Run m_run;
  RunSystemPtr m_system;
  qint64 m_estimate = 0;   // of the engine, asked for here
  int m_columns = 0;       // of the charts as they are drawn
  bool m_oldLook = false;  // theme or size of texts changed while it was hidden
  QTimer m_next;
  QWidget* m_content;
  QLabel* m_memory;
  QToolButton* m_ask;
  QLabel* m_remark;
  QScrollArea* m_scroll;
  MarkCanvasView* m_canvas;
  EmptyState* m_empty;
};

}  // namespace fathom
