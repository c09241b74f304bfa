// SPDX-License-Identifier: GPL-3.0-or-later
// The steps through the sample, and the curves on a page of their own.
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

// The curves as they are looked at, on a page of their own.
void MainWindow::exportCurves() {
  showWorkspace(kFigures);
  figures()->composeOf(m_train->curves()->figureRecipe());
}

void MainWindow::takeStep(int step) {
  if (step == SampleSteps::Watch) {
    m_train->showCurves();
    showWorkspace(kTrain);
  } else if (step == SampleSteps::Heads) {
    showWorkspace(kAttention);
  } else if (step == SampleSteps::Errors) {
    showWorkspace(kErrors);
    if (errors()->shown()->empty() && errors()->page() != ErrorsWorkspace::kLoading)
      action(QStringLiteral("errors.sample"))->trigger();
  } else {
    exportCurves();
  }
  m_steps->point(step);
}

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

QWidget* MainWindow::placeOfStep(int step) {
  if (step == SampleSteps::Watch) return inSight(m_train->runs()->table());
  if (step == SampleSteps::Heads) return inSight(attention()->view()->findChild<AnalysisCanvas*>());
  if (step == SampleSteps::Export) return buttonOf(this, action(QStringLiteral("figures.export")));
  const auto* predictions = errors()->widget()->findChild<PredictionPanel*>();
  return predictions == nullptr ? nullptr : inSight(predictions->table());
}

}  // namespace fathom
