// SPDX-License-Identifier: GPL-3.0-or-later
// How the pages of the Errors workspace are laid out.
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/job_center.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/open_predictions_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/progress_page.h"

namespace fathom {

void ErrorsWorkspace::makePages() {
  m_empty->setText(tr("No predictions yet. Open those of a model, or generate the sample."));
  m_empty->setActions(
      {m_actions->action(QStringLiteral("errors.open")), m_actions->action(QStringLiteral("errors.sample"))});
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_progress);
  connect(m_progress, &ProgressPage::cancelRequested, this, [this] {
    m_jobs->cancelOwner(QLatin1String(kOpening));
    show(m_back);
  });
  m_pages->addWidget(m_openPage);
  m_pages->addWidget(makeReviewPage());
  m_pages->addWidget(m_comparison);
  m_tabs->addTab(tr("Review"));
  m_tabs->addTab(tr("Comparison"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the predictions"));
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (m_pages->currentIndex() >= kReview) show(index == 0 ? kReview : kCompare);
  });
  auto* layout = new QVBoxLayout(m_widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tabs);
  layout->addWidget(m_pages, 1);
  for (int i = 0; i < m_pages->count(); ++i) m_pages->widget(i)->setMinimumSize(280, 200);
}

QWidget* ErrorsWorkspace::makeReviewPage() {
  // Two results side by side need the width that a column beside the example does not have: they go below.
  m_columns->addWidget(m_predictions);
  m_columns->addWidget(m_detail);
  m_detail->addWidget(m_above);
  m_detail->addWidget(m_results);
  m_above->addWidget(m_example);
  m_above->addWidget(m_schema);
  m_columns->setStretchFactor(1, 1);
  m_columns->setSizes({405, 805});
  m_columns->setCollapsible(1, false);
  m_detail->setChildrenCollapsible(false);
  m_detail->setStretchFactor(0, 1);
  m_detail->setSizes({480, 190});
  m_above->setStretchFactor(0, 1);
  m_above->setSizes({520, 280});
  m_above->setCollapsible(0, false);
  m_predictions->setMinimumWidth(180);
  m_example->setMinimumWidth(280);
  m_schema->setMinimumWidth(160);
  m_example->setActions(m_actions->categories(), m_actions->action(QStringLiteral("errors.clear")),
                        m_actions->action(QStringLiteral("errors.previous")),
                        m_actions->action(QStringLiteral("errors.next")),
                        m_actions->action(QStringLiteral("errors.edit")));
  QList<QAction*> context;
  for (QAction* action : m_actions->ordered()) {
    if (action == nullptr) continue;
    m_widget->addAction(action);
    if (action->shortcutContext() == Qt::WidgetWithChildrenShortcut) context.append(action);
  }
  m_predictions->setContextActions(context);
  return m_columns;
}

}  // namespace fathom
