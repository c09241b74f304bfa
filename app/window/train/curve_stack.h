// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QVector>
#include <QWidget>

#include "app/runner/event_follower.h"
#include "app/window/jobs/project_service.h"
#include "app/window/train/drawn_runs.h"
#include "core/library/figures/figure_recipe.h"
#include "views/look/qt_names.h"
#include "views/panels/train/curve_set.h"

namespace fathom {

class CurvePanel;
class GroupingChoice;

// Feeds the curve panel: the history of the drawn runs from their folders, continued by the events the
// follower brings. History is asked for again when a run gets a new attempt or ends, because a later attempt
// supersedes steps.
class CurveStack : public QWidget {
  Q_OBJECT
 public:
  explicit CurveStack(QWidget* parent = nullptr);
  CurvePanel* panel() const { return m_panel; }
  // Actions that are offered where there are no runs at all; borrowed.
  void setFirstSteps(const QList<QAction*>& actions) { m_firstSteps = actions; }
  QList<QAction*> firstSteps() const { return m_firstSteps; }
  // Tells that the project has runs, or none.
  void setAnyRuns(bool any);
  void setRuns(const DrawnRuns& drawn);
  // By what runs are put together where seeds are drawn as one; borrowed.
  void setGrouping(const GroupingChoice* grouping);
  // State, name or attempt of a run changed.
  void updateRun(const RunItem& run);
  void setHistory(const QString& uuid, const RunHistoryPtr& history);
  void append(const EventBatchPtr& batch);
  void clear();
  QByteArray saveView() const;
  void restoreView(const QByteArray& view);
  // The drawn curves as a recipe, of the runs that are drawn.
  FigureRecipe figureRecipe() const;

 Q_SIGNALS:
  void runPicked(const QString& uuid, bool toggle);
  void runsChosen(const QStringList& uuids);
  void historyNeeded(const QString& uuid, const QString& folder);
  void exportRequested();
  void drawAllRequested();

 private:
  struct Shown {
    RunItem run;
    QString name;   // beside the others
    QString group;  // of seedGroups, or of GroupingChoice
    bool loaded = false;
    // End of the history, at which the new points of the run go on.
    ScalarsEnd end;
    QHash<QString, double> lastStep;  // by metric
    double newestStep = -1;
    QVector<EventBatchPtr> waiting;  // the newest that came before the history
  };
  void takeRuns(const QVector<RunItem>& runs);
  void showEmptyState();
  void askHistory(Shown& shown);
  void nameRuns();
  void groupSeeds();
  CurveSeries head(const Shown& shown, const QString& metric) const;
  void appendNow(Shown& shown, const EventBatchPtr& batch);
  static void appendPoint(Shown& shown, const Event& event, QHash<QString, CurveSeries>& fresh);
  QHash<QString, Shown> m_shown;
  QStringList m_order;
  CurvePanel* m_panel;
  QList<QAction*> m_firstSteps;
  QAction* m_drawAll;
  const GroupingChoice* m_grouping = nullptr;
  bool m_anyRuns = true;
};

}  // namespace fathom
