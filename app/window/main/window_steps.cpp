// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_steps.h"

#include <QAction>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "app/sample/trained_run.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "core/record/runs/run_verdict.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/reviewed_predictions.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

template <class Widget>
Widget* inSight(Widget* widget) {
  return widget != nullptr && widget->isVisible() ? widget : nullptr;
}

// The button of the shown workspace that starts the action.
QWidget* buttonOf(const QWidget* over, const QAction* action) {
  for (QToolButton* each : over->findChildren<QToolButton*>())
    if (each->defaultAction() == action && each->isVisible()) return each;
  return nullptr;
}

}  // namespace

// The curves as they are looked at, on a page of their own.
void WindowSteps::exportCurves() const {
  m_window->showWorkspace(QStringLiteral("figures"));
  m_window->figures()->composeOf(m_window->train()->curves()->figureRecipe());
}

// Runs that have just begun have no heads to look into yet.
void WindowSteps::chooseTrained() const {
  const RunTableModel* model = m_window->train()->runModel();
  const QStringList chosen = m_window->selection()->of(Dimension::Run).items;
  const auto ended = [model](const QString& uuid) {
    const RunItem* run = model->run(uuid);
    return run != nullptr && isDone(run->state);
  };
  if (std::any_of(chosen.begin(), chosen.end(), ended)) return;
  const QString trained = fromUtf8(trainedRunPath(toUtf8(m_window->service()->path())));
  for (const RunItem& run : model->runs())
    if (run.folder == trained) m_window->attention()->takeRuns({run.uuid});
}

void WindowSteps::take(int step) const {
  if (step == SampleSteps::Watch) {
    m_window->train()->showCurves();
    m_window->showWorkspace(QStringLiteral("train"));
  } else if (step == SampleSteps::Heads) {
    chooseTrained();
    m_window->showWorkspace(QStringLiteral("attention"));
  } else if (step == SampleSteps::Errors) {
    m_window->showWorkspace(QStringLiteral("errors"));
    ErrorsWorkspace* errors = m_window->errors();
    if (errors->shown()->empty() && errors->page() != ErrorsWorkspace::kLoading)
      m_window->action(QStringLiteral("errors.sample"))->trigger();
  } else {
    exportCurves();
  }
  m_window->steps()->point(step);
}

QWidget* WindowSteps::placeOf(int step) const {
  if (step == SampleSteps::Watch) return inSight(m_window->train()->runs()->table());
  if (step == SampleSteps::Heads) return inSight(m_window->attention()->view()->findChild<AnalysisCanvas*>());
  if (step == SampleSteps::Export)
    return buttonOf(m_window, m_window->action(QStringLiteral("figures.export")));
  for (const auto* each : m_window->errors()->widget()->findChildren<PredictionPanel*>())
    if (QWidget* table = inSight(each->table())) return table;
  return nullptr;
}

}  // namespace fathom
