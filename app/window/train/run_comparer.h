// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <optional>

#include "app/predictions/run_tests.h"
#include "core/library/figures/figure_recipe.h"
#include "views/panels/train/compare_page.h"
#include "views/tables/run_item.h"

namespace fathom {

class JobCenter;
class ProjectService;
class RunTableModel;

// Fills the page that compares runs and keeps it in step with them: the numbers come from the list of runs,
// its figure and the test of the predictions from jobs. All that it is given is borrowed; GUI thread.
class RunComparer : public QObject {
  Q_OBJECT
 public:
  RunComparer(ComparePage* page, RunTableModel* runs, ProjectService* service, JobCenter* jobs,
              QObject* parent);
  // Compares these runs, at most kMostCompared of them, the first with all others, unless one of them is the
  // base already.
  void compare(const QStringList& uuids);
  const QStringList& runs() const { return m_uuids; }
  // Runs changed, went or came. A page that is not in sight takes them when it is shown.
  void takeRuns();
  // Another project: nothing is compared.
  void reset();
  // The figure as it is shown.
  FigureRecipe recipe() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  static constexpr qsizetype kMostCompared = 50;  // columns that can still be read
  static constexpr int kRestMs = 150;             // between changes and the table
  static constexpr int kFigureMs = 2000;          // between points that arrive and the figure
  QVector<RunItem> items() const;
  void show();
  void fillMetrics(const std::vector<RunFacts>& facts, const MetricCatalogue& catalogue);
  void fillOptions(const RunComparison& comparison);
  void forgetTest();
  void test(const QString& split);
  void takeTest(const Result<RunTest>& test, const QStringList& uuids);
  void drawFigure();
  ComparePage* m_page;
  RunTableModel* m_runs;
  ProjectService* m_service;
  JobCenter* m_jobs;
  QStringList m_uuids;
  qsizetype m_left = 0;         // runs that were chosen and are not compared
  QStringList m_names;          // short ones, in the order of m_uuids
  std::string m_drawn, m_came;  // what the figure is of, and how far its runs were
  QString m_testedAgainst;      // UUID; empty: there is no test
  bool m_stale = false;         // runs changed while the page was hidden
  QTimer m_soon, m_figureSoon;
};

}  // namespace fathom
