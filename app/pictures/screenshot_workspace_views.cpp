// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of Attention and Errors: every analysis with and without a result, every page and tab.
#include <QComboBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

#include "app/pictures/screenshot_stage.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/main/main_window.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/hypothesis_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/errors/try_panel.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

namespace {

using Scene = ScreenshotStage::Scene;

AttentionWorkspace* showAttention(MainWindow& window) {
  window.action(QStringLiteral("view.attention"))->trigger();
  AttentionWorkspace* attention = window.attention();
  ScreenshotStage::waitFor([&] { return window.jobs()->count() == 0 && !attention->busy(); }, 200);
  return attention;
}

// True when the analysis has a figure.
bool showAnalysis(MainWindow& window, const QString& id) {
  AttentionWorkspace* attention = showAttention(window);
  QListWidget* list = attention->side()->analyses();
  for (int row = 0; row < list->count() && attention->side()->analysis() != id; ++row)
    list->setCurrentRow(row);
  ScreenshotStage::waitFor([&] { return window.jobs()->count() == 0 && !attention->busy(); }, 200);
  return attention->hasFigure();
}

QStringList analyses(MainWindow& window, bool withFigure) {
  QStringList ids, fitting;
  AttentionWorkspace* attention = showAttention(window);
  QListWidget* list = attention->side()->analyses();
  for (int row = 0; row < list->count(); ++row) {
    list->setCurrentRow(row);
    ids.append(attention->side()->analysis());
  }
  for (const QString& id : ids)
    if (showAnalysis(window, id) == withFigure) fitting.append(id);
  return fitting;
}

// With a place of it chosen, so that its detail stands beside.
Result<ShownView> showResult(ScreenshotStage&, MainWindow& window, const QString& id) {
  if (!showAnalysis(window, id)) return unavailableError("the project has no " + toUtf8(id));
  AnalysisCanvas* canvas = window.attention()->view()->canvas();
  canvas->setFocus();
  QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
  for (int i = 0; i < 2; ++i) QCoreApplication::sendEvent(canvas, &down);
  showAttention(window);
  return wholeWindow(window);
}

void setChoice(AttentionWorkspace* attention, const char* key, const char* value) {
  auto* box = qobject_cast<QComboBox*>(attention->view()->choices()->control(QLatin1String(key)));
  if (box != nullptr) box->setCurrentIndex(box->findData(QLatin1String(value)));
}

// A long stream and a global one: all heads, the band of one head, and what the global tokens look at.
Result<ShownView> showStreams(ScreenshotStage& stage, MainWindow& window, const QString& variant) {
  if (!showAnalysis(window, QStringLiteral("attention_maps")))
    return unavailableError("the made run has no attention");
  AttentionWorkspace* attention = window.attention();
  setChoice(attention, "form", variant == QLatin1String("heads") ? "model" : "matrix");
  showAttention(window);
  setChoice(attention, "attention",
            variant == QLatin1String("global") ? "global.self_attention" : "encoder.self_attention");
  return showResult(stage, window, QStringLiteral("attention_maps"));
}

// Up to three runs beside each other, as the list's first are; the choice is put back.
Result<ShownView> showRuns(ScreenshotStage&, MainWindow& window, const QString& id) {
  constexpr int kRuns = 3;
  if (!showAnalysis(window, id)) return unavailableError("the project has no " + toUtf8(id));
  QListWidget* runs = window.attention()->side()->runs();
  QList<int> added;
  for (int row = 0; row < qMin(kRuns, runs->count()); ++row) {
    if (runs->item(row)->checkState() == Qt::Checked) continue;
    added.append(row);
    runs->item(row)->setCheckState(Qt::Checked);
  }
  showAttention(window);
  return wholeWindow(window, [&window, runs, added] {
    for (const int row : added) runs->item(row)->setCheckState(Qt::Unchecked);
    showAttention(window);
  });
}

QList<ScreenshotView> attentionViews() {
  const QStringList parts = {"AnalysisView", "AnalysisSide", "FoldedText"};
  return {
      singleView("attention_empty", Scene::Fresh, {"AnalysisView", "EmptyState"},
                 [](MainWindow& window) {
                   showAttention(window);
                   return wholeWindow(window);
                 }),
      {"attention", Scene::Project, parts + QStringList{"AnalysisCanvas"},
       [](ScreenshotStage&, MainWindow& window) { return analyses(window, true); }, showResult},
      {"attention_none",
       Scene::Project,
       {"AnalysisView", "AnalysisSide", "EmptyState"},
       [](ScreenshotStage&, MainWindow& window) { return analyses(window, false); },
       [](ScreenshotStage&, MainWindow& window, const QString& id) {
         showAnalysis(window, id);
         return wholeWindow(window);
       }},
      {"attention_runs", Scene::Project, parts + QStringList{"AnalysisCanvas", "RunArrangement"},
       [](ScreenshotStage&, MainWindow& window) {
         QStringList shown;
         for (const char* id :
              {"attention_entropy", "attention_maps", "beta_dependency", "epoch_norm", "over_training"})
           if (showAnalysis(window, QLatin1String(id))) shown.append(QLatin1String(id));
         return shown;
       },
       showRuns},
      {"streams", Scene::Streams, parts + QStringList{"AnalysisCanvas"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{"heads", "band", "global"};
       },
       showStreams},
      singleView("attention_table", Scene::Project,
                 {"AnalysisView", "AnalysisSide", "CheckpointBar", "FigureChoices"},
                 [](MainWindow& window) -> Result<ShownView> {
                   // One that looks at checkpoints; norms of epochs and the course over training have no
                   // slider.
                   bool found = false;
                   for (const QString& id : analyses(window, true)) {
                     showAnalysis(window, id);
                     found = window.attention()->side()->checkpoints()->isVisible();
                     if (found) break;
                   }
                   if (!found) return unavailableError("the project has no analysis of a checkpoint");
                   window.attention()->view()->setTableShown(true);
                   return wholeWindow(window,
                                      [&window] { window.attention()->view()->setTableShown(false); });
                 }),
      singleView("attention_progress", Scene::Project, {"AnalysisView", "ProgressPage"},
                 [](MainWindow& window) {
                   AnalysisView* view = showAttention(window)->view();
                   const int before = view->pages()->currentIndex();
                   ProgressUpdate update;
                   update.phase = "watching attention";
                   update.unit = "examples";
                   update.done = 320;
                   update.total = 1000;
                   view->showProgress(window.attention()->side()->analyses()->currentItem()->text(), update);
                   return wholeWindow(window, [view, before] { view->pages()->setCurrentIndex(before); });
                 }),
  };
}

bool settled(MainWindow& window) {
  return ScreenshotStage::waitFor(
      [&window] { return !window.errors()->sqlPage()->review()->empty() && window.jobs()->count() == 0; },
      300);
}

// On a wrong prediction of the last model.
Result<ErrorsWorkspace*> showReview(MainWindow& window) {
  window.action(QStringLiteral("view.errors"))->trigger();
  ErrorsWorkspace* errors = window.errors();
  ScreenshotStage::settle(&window, 200);
  if (errors->sqlPage()->review()->empty()) errors->openSample();
  if (!settled(window)) return unavailableError("the predictions could not be opened");
  errors->show(ErrorsWorkspace::kReview);
  errors->sqlPage()->review()->choose(errors->sqlPage()->review()->models() - 1, 0, nullptr);
  for (int i = 0; i < 3; ++i) errors->shown()->goWrong(1);
  settled(window);
  return errors;
}

std::function<Result<ShownView>(ScreenshotStage&, MainWindow&, const QString&)> onReview(
    std::function<Result<ShownView>(MainWindow&, ErrorsWorkspace*, const QString&)> show) {
  return [show = std::move(show)](ScreenshotStage&, MainWindow& window,
                                  const QString& variant) -> Result<ShownView> {
    FATHOM_TRY(ErrorsWorkspace * errors, showReview(window));
    return show(window, errors, variant);
  };
}

ScreenshotView reviewView(const char* name, QStringList shows,
                          std::function<Result<ShownView>(MainWindow&, ErrorsWorkspace*)> show) {
  return singleView(name, Scene::Review, std::move(shows),
                    [show = std::move(show)](MainWindow& window) -> Result<ShownView> {
                      FATHOM_TRY(ErrorsWorkspace * errors, showReview(window));
                      return show(window, errors);
                    });
}

// Pairs are shown with the rows of people, who judge two predictions for as long as the picture is drawn.
Result<ShownView> showComparisonTab(MainWindow& window, ErrorsWorkspace* errors, const QString& tab) {
  const bool judged = tab == QLatin1String("pairs");
  if (judged)
    for (const int category : {0, 4}) errors->shown()->setCategory(category);
  errors->show(ErrorsWorkspace::kCompare);
  settled(window);
  auto* tabs = errors->sqlPage()->comparison()->findChild<QTabWidget*>();
  tabs->setCurrentIndex(tab == QLatin1String("numbers") ? 1 : tab == QLatin1String("pairs") ? 2 : 3);
  settled(window);
  return wholeWindow(window, [tabs, errors, judged] {
    tabs->setCurrentIndex(1);
    for (int i = 0; judged && i < 2; ++i) errors->shown()->undo();
  });
}

QList<ScreenshotView> errorsViews() {
  const QStringList review = {"SqlReviewPage", "PredictionPanel", "ExamplePanel",
                              "SqlEditor",     "JudgementBar",    "ReasonList"};
  return {
      singleView("errors_empty", Scene::Fresh, {"EmptyState"},
                 [](MainWindow& window) {
                   window.action(QStringLiteral("view.errors"))->trigger();
                   ScreenshotStage::settle(&window, 200);
                   return wholeWindow(window);
                 }),
      reviewView("errors_open", {"OpenPage"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->showOpenPage();
                   return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
                 }),
      reviewView("errors_loading", {"ProgressPage"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->pages()->setCurrentIndex(ErrorsWorkspace::kLoading);
                   return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
                 }),
      reviewView("errors", review, [](MainWindow& window, ErrorsWorkspace*) { return wholeWindow(window); }),
      reviewView("errors_facets", {"PredictionPanel", "FacetPanel"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   QToolButton* fold = errors->sqlPage()->predictions()->facetButton();
                   const bool before = fold->isChecked();
                   fold->setChecked(true);
                   return wholeWindow(window, [fold, before] { fold->setChecked(before); });
                 }),
      reviewView("errors_history", {"ExamplePanel", "JudgementHistory"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->tabs()->setCurrentIndex(1);
                   return wholeWindow(window,
                                      [errors] { errors->sqlPage()->example()->tabs()->setCurrentIndex(0); });
                 }),
      reviewView("errors_hypotheses", {"ExamplePanel", "HypothesisPanel"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->tabs()->setCurrentWidget(errors->sqlPage()->hypotheses());
                   return wholeWindow(window,
                                      [errors] { errors->sqlPage()->example()->tabs()->setCurrentIndex(0); });
                 }),
      // Tabs, or beside the example where the window is large.
      reviewView("errors_schema", {"ExamplePanel", "SchemaPanel", "SchemaGraph"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->tabs()->setCurrentWidget(errors->sqlPage()->schema());
                   return wholeWindow(window,
                                      [errors] { errors->sqlPage()->example()->tabs()->setCurrentIndex(0); });
                 }),
      reviewView("errors_results", {"ExamplePanel", "ResultsPanel"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->tabs()->setCurrentWidget(errors->sqlPage()->results());
                   return wholeWindow(window,
                                      [errors] { errors->sqlPage()->example()->tabs()->setCurrentIndex(0); });
                 }),
      reviewView("errors_alone", {"ExamplePanel", "SqlEditor"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->setAlone(true);
                   return wholeWindow(window, [errors] { errors->sqlPage()->example()->setAlone(false); });
                 }),
      reviewView("errors_try", {"TryPanel"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   // Its tab is for predictions that lie in a run, which these do not.
                   TryPanel* panel = errors->sqlPage()->tryPanel();
                   panel->setSubject(0, 0);
                   qobject_cast<QStackedWidget*>(panel->parentWidget())->setCurrentWidget(panel);
                   return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
                 }),
      reviewView("errors_editing", {"ExamplePanel", "SqlEditor"},
                 [](MainWindow& window, ErrorsWorkspace* errors) {
                   errors->sqlPage()->example()->setEditing(true);
                   return wholeWindow(window, [errors] { errors->sqlPage()->example()->setEditing(false); });
                 }),
      reviewView(
          "errors_no_match", {"PredictionPanel", "EmptyState"},
          [](MainWindow& window, ErrorsWorkspace* errors) {
            errors->sqlPage()->predictions()->filterBox()->setText(QStringLiteral("nothing of this kind"));
            ScreenshotStage::settle(&window, 400);
            return wholeWindow(window, [errors] { errors->sqlPage()->predictions()->filterBox()->clear(); });
          }),
      {"errors_figure",
       Scene::Review,
       {"ComparisonPanel", "MarkCanvasView"},
       [](ScreenshotStage&, MainWindow& window) {
         return window.errors()->sqlPage()->comparison()->figureIds();
       },
       onReview([](MainWindow& window, ErrorsWorkspace* errors, const QString& figure) {
         errors->show(ErrorsWorkspace::kCompare);
         errors->sqlPage()->comparison()->showFigure(figure);
         settled(window);
         return wholeWindow(window, [errors] { errors->show(ErrorsWorkspace::kReview); });
       })},
      {"errors_comparison",
       Scene::Review,
       {"ComparisonPanel"},
       [](ScreenshotStage&, MainWindow&) {
         return QStringList{"numbers", "agreement"};
       },
       onReview(showComparisonTab)},
      {"errors_pairs",
       Scene::Review,
       {"ComparisonPanel", "ModelPairs"},
       [](ScreenshotStage&, MainWindow&) { return QStringList{"pairs"}; },
       onReview(showComparisonTab)},
  };
}

}  // namespace

QList<ScreenshotView> workspaceScreenshotViews() {
  return attentionViews() + errorsViews() + textReviewViews() + figureScreenshotViews();
}

}  // namespace fathom
