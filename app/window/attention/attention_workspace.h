// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QTimer>
#include <functional>

#include "app/window/attention/analysis_loader.h"
#include "app/window/attention/kept_head.h"
#include "app/window/workspace.h"
#include "app/window/workspace_entry.h"
#include "views/figures/figure_entry.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_item.h"

namespace fathom {

class AnalysisSide;
class AnalysisView;
class AttentionActions;

// The Attention workspace: the analyses of any number of runs over their checkpoints. Every figure of runs in
// figures.list is in it but the curves of Train. What is missing is computed in a job of its own engine; the
// window puts `widget` into its centre.
class AttentionWorkspace : public Workspace {
  Q_OBJECT
 public:
  // `actions` are borrowed, too.
  AttentionWorkspace(WorkspaceParts with, AttentionActions* actions);

  QWidget* widget() const override { return m_widget; }
  AnalysisSide* side() const { return m_side; }
  AnalysisView* view() const { return m_view; }
  bool hasFigure() const { return m_loaded.figure.has_value(); }
  bool canCompute() const;
  bool canComputeEverywhere() const { return (canCompute() && !isInitialOnly()) || canFollow(); }
  // Something is being read or computed.
  bool busy() const { return m_loading || m_computing; }

  void activate() override;
  void deactivate() override { m_active = false; }
  void takeRunList() override;
  void takeDescription() override;
  void reset() override;
  void refreshActions() override;
  // At the shown place, or at all places of the slider.
  void compute(bool everywhere);
  // Asks for a file name where it is empty; the recipe is kept in the project.
  void exportFigure(QString file = {});
  void takeRuns(const QStringList& uuids) override;
  void showHelp();
  QList<QWidget*> places() const override;
  QByteArray saveView() const override;
  void restoreView(const QByteArray& view) override;

 private:
  // Owners of its jobs.
  static constexpr const char* kComputing = "attention compute";
  static constexpr const char* kLoading = "attention load";
  static constexpr const char* kDetail = "attention detail";
  void bindActions();
  void connectPanels();
  void chooseAnalysis(const QString& id);
  void chooseRuns(const QStringList& uuids);
  void pick(const QString& selection);
  void followSelection(Dimension dimension, QObject* source);
  void refreshComputation();
  void showVariants();
  void chooseVariant(int index);
  void load();
  void loadDetail();
  int mostRuns() const;
  QString whyNot(const RunItem& run) const;
  QString whyNotText() const;
  void listRuns();
  QVector<RunItem> fittingRuns() const;
  QVector<RunItem> shownRuns() const;
  void arrangeRuns();
  bool followHead();
  QVector<int> shownColours() const;
  AnalysisAsk ask() const;
  AnalysisWish wish(const AnalysisAsk& ask) const;
  bool canFollow() const { return m_loaded.canFollow && !m_loading && !m_computing; }
  void follow();
  // Writes the time that a computation takes below its progress; called on the thread that computes.
  std::function<void(const Phrase&)> progressNote();
  void startComputing(const QString& title, std::function<Result<int>(Progress&, const StopToken&)> work);
  void computed(const Result<int>& result);
  void showProblem();
  void taken(const Result<LoadedAnalysis>& result);
  void showMissing();
  QString missingText() const;
  QStringList elsewhereLines() const;
  QString noneWord(const std::string& key) const;
  QString nameOf(const std::string& uuid) const;
  Json probeOf(const QString& id) const;
  bool isProbed() const;
  bool isInitialOnly() const;
  WorkspaceParts m_with;
  AttentionActions* m_actions;
  QWidget* m_widget;
  AnalysisSide* m_side;
  AnalysisView* m_view;
  KeptHead m_head;
  FigureEntry m_entry;
  QHash<QString, Json> m_options;      // of each figure, what differs from the defaults
  QHash<QString, Json> m_computation;  // of each probe
  std::vector<OptionField> m_computationFields;
  bool m_insists = false;  // what the form asks for was set by hand
  LoadedAnalysis m_loaded;
  qint64 m_step = -1;  // as chosen by hand; -1: the newest
  QTimer m_live;       // runs that are trained get new checkpoints
  bool m_active = false, m_loading = false, m_computing = false;
  QVector<int> m_colours;  // of the shown runs, when they were drawn
  bool m_stale = true;     // what is shown is not what is chosen: it was not in view
};

}  // namespace fathom
