// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_steps.h"

#include <QAction>
#include <QTableView>
#include <QToolButton>

#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/reviewed_predictions.h"

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

void WindowSteps::take(int step) const {
  if (step == SampleSteps::Watch) {
    m_window->train()->showCurves();
    m_window->showWorkspace(QStringLiteral("train"));
  } else if (step == SampleSteps::Heads) {
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
