// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of Train: its docks, the page of a comparison, messages, with and without a project.
#include <QCoreApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabWidget>
#include <QThread>
#include <QToolButton>
#include <cerrno>
#include <string_view>

#include "app/pictures/screenshot_stage.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "core/base/errors/phrase.h"
#include "views/look/engine_text.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

using Scene = ScreenshotStage::Scene;

constexpr int kRunsShown = 3;
constexpr const char* kDetailsTabs[] = {"outcome", "options", "origin",  "files",
                                        "initial", "system",  "attempts"};
constexpr const char* kInitialTab = "initial";
constexpr const char* kSystemTab = "system";
constexpr QLatin1String kOfTask("of_");  // before a task's id, where others are states

void showTrain(MainWindow& window) {
  window.action(QStringLiteral("view.train"))->trigger();
  window.train()->showCurves();
}

void raiseDock(MainWindow& window, const char* id) {
  showTrain(window);
  if (auto* dock = window.findChild<QDockWidget*>(QString::fromLatin1(id))) {
    dock->show();
    dock->raise();
  }
}

// As the window is at first: what lies below the curves is folded.
void foldBelow(MainWindow& window) {
  for (const char* id : {"log", "queue", "grid"})
    if (auto* dock = window.findChild<QDockWidget*>(QString::fromLatin1(id))) dock->hide();
}

void chooseRuns(MainWindow& window, const QStringList& runs) {
  window.selection()->set(Dimension::Run, runs, runs.value(0), nullptr);
  window.service()->drain();
  ScreenshotStage::settle(&window, 400);
}

QStringList firstRuns(MainWindow& window) {
  QStringList runs;
  for (const RunItem& run : window.train()->runModel()->runs())
    if (runs.size() < kRunsShown && !run.folder.isEmpty()) runs.append(run.uuid);
  return runs;
}

ScreenshotView dockView(const char* name, const char* dock, QStringList shows) {
  return singleView(name, Scene::Project, std::move(shows), [dock](MainWindow& window) {
    raiseDock(window, dock);
    if (window.selection()->of(Dimension::Run).items.isEmpty()) chooseRuns(window, firstRuns(window));
    return wholeWindow(window, [&window] { foldBelow(window); });
  });
}

// They lie over the curves in a narrow window.
void foldDetails(MainWindow& window) {
  auto* dock = window.findChild<QDockWidget*>(QStringLiteral("details"));
  if (dock != nullptr && window.dockWidgetArea(dock) == Qt::NoDockWidgetArea) dock->hide();
}

ScreenshotView emptyView(const char* name, const char* dock, QStringList shows) {
  return singleView(name, Scene::Fresh, std::move(shows), [dock](MainWindow& window) {
    raiseDock(window, dock);
    return wholeWindow(window, [&window] { foldDetails(window); });
  });
}

Result<ShownView> showDetails(MainWindow& window, const QString& tab, const QStringList& runs) {
  raiseDock(window, "details");
  chooseRuns(window, runs);
  auto* tabs = window.train()->details()->findChild<QTabWidget*>();
  if (tabs == nullptr || tabs->count() != int(std::size(kDetailsTabs)))
    return internalError("the details of a run have other tabs than their pictures");
  for (int i = 0; i < tabs->count(); ++i)
    if (tab == QLatin1String(kDetailsTabs[i])) tabs->setCurrentIndex(i);
  return wholeWindow(window, [tabs, &window] {
    tabs->setCurrentIndex(0);
    foldDetails(window);
  });
}

// The states that runs of the project are in, and the tasks that they learn.
QStringList kindsOfRuns(ScreenshotStage&, MainWindow& window) {
  QStringList states, tasks;
  for (const RunItem& run : window.train()->runModel()->runs()) {
    const QString state = fromUtf8(runStateName(run.state));
    if (!states.contains(state)) states.append(state);
    const QString task = runConfigText(run, QStringLiteral("task"));
    if (!task.isEmpty() && !tasks.contains(kOfTask + task)) tasks.append(kOfTask + task);
  }
  return states + tasks;
}

Result<ShownView> showRunOfKind(ScreenshotStage&, MainWindow& window, const QString& kind) {
  raiseDock(window, "log");
  QStringList runs;
  for (const RunItem& run : window.train()->runModel()->runs()) {
    const bool fits = fromUtf8(runStateName(run.state)) == kind ||
                      kOfTask + runConfigText(run, QStringLiteral("task")) == kind;
    if (fits && runs.isEmpty()) runs.append(run.uuid);
  }
  const QStringList before = firstRuns(window);
  raiseDock(window, "details");
  chooseRuns(window, runs);
  return wholeWindow(window, [&window, before] {
    foldDetails(window);
    chooseRuns(window, before);
  });
}

// A page that has no runs to compare says what to do.
Result<ShownView> showNothingCompared(MainWindow& window) {
  showTrain(window);
  window.train()->showComparison();
  return wholeWindow(window, [&window] { window.train()->showCurves(); });
}

// Runs side by side; none where the project has fewer than two.
QStringList comparedRuns(ScreenshotStage&, MainWindow& window) {
  return firstRuns(window).size() > 1 ? QStringList{QStringLiteral("runs")} : QStringList();
}

Result<ShownView> showCompared(ScreenshotStage&, MainWindow& window, const QString&) {
  showTrain(window);
  chooseRuns(window, firstRuns(window));
  window.action(QStringLiteral("run.compare"))->trigger();
  ScreenshotStage::settle(&window, 400);
  return wholeWindow(window, [&window] { window.train()->showCurves(); });
}

QList<ScreenshotView> messageViews() {
  return {
      singleView("message_error", Scene::Project, {"MessageBar"},
                 [](MainWindow& window) {
                   showTrain(window);
                   window.messages()->showError(
                       systemError(Phrase::tr("cannot write"), "my.fathom/runs/1/checkpoints", ENOSPC));
                   return wholeWindow(window, [&window] { window.messages()->closeCurrent(); });
                 }),
      singleView("message_note", Scene::Project, {"MessageBar"},
                 [](MainWindow& window) {
                   showTrain(window);
                   window.messages()->showNote(
                       QCoreApplication::translate("PageOutput",
                                                   "%1 was written, its numbers beside it as CSV.")
                           .arg(QStringLiteral("curve.pdf")));
                   return wholeWindow(window, [&window] { window.messages()->closeCurrent(); });
                 }),
      singleView("jobs", Scene::Project, {"JobStrip"},
                 [](MainWindow& window) {
                   showTrain(window);
                   constexpr int kShownAfter = 700;  // short jobs are not shown
                   const int job = window.jobs()->start<bool>(
                       QCoreApplication::translate("fathom::NewRunController", "Reading the data"),
                       QStringLiteral("screenshots"),
                       [](Progress& progress, const StopToken& stop) -> Result<bool> {
                         progress.begin(Phrase::tr("reading train pairs").english,
                                        Phrase::tr("lines").english, 48001);
                         progress.report(12500);
                         while (!stop.stopRequested()) QThread::msleep(20);
                         return true;
                       },
                       [](const Result<bool>&) {});
                   ScreenshotStage::waitFor([] { return true; }, kShownAfter);
                   return wholeWindow(window, [&window, job] {
                     window.jobs()->cancel(job);
                     ScreenshotStage::settle(&window);
                   });
                 }),
  };
}

}  // namespace

QList<ScreenshotView> trainScreenshotViews() {
  QList<ScreenshotView> views = {
      singleView("welcome", Scene::Welcome, {"MainWindow", "EmptyState"},
                 [](MainWindow& window) { return wholeWindow(window); }),
      emptyView("train_empty", "runs", {"RunTablePanel", "CurveStack", "EmptyState"}),
      emptyView("details_empty", "details", {"RunDetailsPanel", "EmptyState"}),
      emptyView("log_empty", "log", {"LogPanel"}),
      emptyView("queue_empty", "queue", {"QueuePanel"}),
      emptyView("grid_empty", "grid", {"GridPanel"}),
      singleView("train", Scene::Project,
                 {"RunTablePanel", "CurveStack", "CurvePanel", "CurveBar", "CurveCanvas", "FoldBar"},
                 [](MainWindow& window) -> Result<ShownView> {
                   showTrain(window);
                   foldBelow(window);
                   const QStringList runs = firstRuns(window);
                   if (runs.isEmpty()) return unavailableError("the project has no runs");
                   chooseRuns(window, runs);
                   return wholeWindow(window);
                 }),
      singleView("first_steps", Scene::Project, {"StepStrip"},
                 [](MainWindow& window) {
                   showTrain(window);
                   window.steps()->bringBack();
                   return wholeWindow(window, [&window] { window.steps()->strip()->closeButton()->click(); });
                 }),
      singleView("curve_table", Scene::Project, {"CurvePanel"},
                 [](MainWindow& window) -> Result<ShownView> {
                   showTrain(window);
                   auto* bar = window.train()->curves()->findChild<CurveBar*>();
                   if (bar == nullptr) return unavailableError("there is no curve");
                   bar->showTable(true);
                   return wholeWindow(window, [bar] { bar->showTable(false); });
                 }),
      singleView("runs_grouped", Scene::Project, {"GroupBar"},
                 [](MainWindow& window) -> Result<ShownView> {
                   showTrain(window);
                   GroupingChoice* grouping = window.train()->runModel()->grouping();
                   FATHOM_CHECK(grouping->set(QStringLiteral("name:")));
                   return wholeWindow(window, [grouping] { (void)grouping->set({}); });
                 }),
      singleView("run_condition", Scene::Project, {"RunTablePanel"},
                 [](MainWindow& window) -> Result<ShownView> {
                   showTrain(window);
                   QLineEdit* filter = window.train()->runs()->filterBox();
                   filter->setText(QStringLiteral("time > 0 and layers >="));
                   return wholeWindow(window, [filter] { filter->clear(); });
                 }),
      singleView("compare_empty", Scene::Fresh, {"ComparePage", "EmptyState"}, showNothingCompared),
      {"compare", Scene::Project, {"ComparePage", "MarkCanvasView"}, comparedRuns, showCompared},
      {"run", Scene::Project, {"RunDetailsPanel"}, kindsOfRuns, showRunOfKind},
      dockView("log", "log", {"LogPanel"}),
      dockView("queue", "queue", {"QueuePanel"}),
      dockView("grid", "grid", {"GridPanel"}),
      {"details",
       Scene::Project,
       {"RunDetailsPanel"},
       [](ScreenshotStage&, MainWindow&) {
         QStringList tabs;
         for (const char* tab : kDetailsTabs)
           if (tab != std::string_view(kInitialTab) && tab != std::string_view(kSystemTab))
             tabs.append(QString::fromLatin1(tab));
         return tabs;
       },
       [](ScreenshotStage&, MainWindow& window, const QString& tab) {
         return showDetails(window, tab, firstRuns(window));
       }},
      singleView("details_scores", Scene::Project, {"RunDetailsPanel", "RunScores"},
                 [](MainWindow& window) -> Result<ShownView> {
                   for (const RunItem& run : window.train()->runModel()->runs())
                     if (!run.best.isEmpty())
                       return showDetails(window, QStringLiteral("outcome"), {run.uuid});
                   return unavailableError("no run has a score");
                 }),
      singleView("details_initial", Scene::Project, {"RunDetailsPanel", "InitReportView"},
                 [](MainWindow& window) {
                   return showDetails(window, QString::fromLatin1(kInitialTab), firstRuns(window));
                 }),
      singleView("details_system", Scene::Project, {"RunDetailsPanel", "SystemView"},
                 [](MainWindow& window) {
                   return showDetails(window, QString::fromLatin1(kSystemTab), firstRuns(window));
                 }),
  };
  return views + newRunScreenshotViews() + messageViews();
}

}  // namespace fathom
