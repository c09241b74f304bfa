// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>

#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/train_workspace.h"
#include "views/look/icons.h"
#include "views/panels/widgets/message_bar.h"

// The workspaces of the main window, and what belongs to Errors.
namespace fathom {

void MainWindow::makeErrorsActions() {
  add("view.errors", tr("&Errors"), QStringLiteral("errors"), QKeySequence(Qt::CTRL | Qt::Key_3), [this] {
    showWorkspace(Workspace::Errors);
  })->setCheckable(true);
  auto* workspaces = new QActionGroup(this);
  for (const char* id : {"view.train", "view.attention", "view.errors", "view.figures"})
    workspaces->addAction(action(QString::fromLatin1(id)));
  for (QAction* action : m_errorsActions->ordered())
    if (action != nullptr) m_actions.insert(action->objectName(), action);
  connect(m_train->pages(), &QStackedWidget::currentChanged, this, [this](int page) {
    if (page != 0) showWorkspace(Workspace::Train);
  });
}

void MainWindow::makeErrorsMenu() {
  QMenu* menu = menuBar()->addMenu(tr("E&rrors"));
  for (QAction* action : m_errorsActions->ordered()) {
    if (action == nullptr) {
      menu->addSeparator();
    } else {
      menu->addAction(action);
    }
  }
  addCommands("Text-to-SQL", menu);
}

ErrorsWorkspace* MainWindow::errors() {
  if (m_errors == nullptr) {
    m_errors =
        new ErrorsWorkspace(&m_service, &m_jobs, m_messages, &m_files, &m_selection, m_errorsActions, this);
    m_centre->addWidget(m_errors->widget());
    m_errors->restoreView(m_session->bytes(session::kErrors));
  }
  return m_errors;
}

ErrorsWorkspace* MainWindow::showErrors() {
  if (m_workspace != Workspace::Errors) showWorkspace(Workspace::Errors);
  return errors();
}

QWidget* MainWindow::workspaceWidget() const {
  if (m_workspace == Workspace::Errors) return m_errors->widget();
  if (m_workspace == Workspace::Figures) return m_figures->widget();
  if (m_workspace == Workspace::Attention) return m_attention->widget();
  return m_train->pages();
}

void MainWindow::showWorkspace(Workspace workspace) {
  m_workspace = workspace;
  const bool errors = workspace == Workspace::Errors, attention = workspace == Workspace::Attention;
  if (errors) this->errors();
  if (attention) this->attention();
  const bool figures = workspace == Workspace::Figures;
  if (figures) this->figures();
  const QString name = errors      ? QStringLiteral("errors")
                       : attention ? QStringLiteral("attention")
                       : figures   ? QStringLiteral("figures")
                                   : QStringLiteral("train");
  action(QStringLiteral("view.") + name)->setChecked(true);
  m_messages->setWorkspace(name);
  // A wide workspace and the docks never share the window: one would press the other.
  const bool train = workspace == Workspace::Train;
  if (!train) showDocksFor(m_train->pages()->currentIndex());
  refreshState();
  if (train) showDocksFor(m_train->pages()->currentIndex());
  // The buttons of that bar are about runs. After the docks: their state holds the bars too.
  if (auto* bar = findChild<QToolBar*>(QStringLiteral("actions"))) bar->setVisible(train);
  m_session->setText(session::kWorkspace, name);
  if (errors) m_errors->activate();
  if (figures) m_figures->activate();
  if (attention && m_service.isOpen()) m_attention->activate();
}

void MainWindow::nextPanel() {
  QList<QWidget*> places;
  if (m_workspace == Workspace::Errors) {
    places = m_errors->places();
  } else if (m_workspace == Workspace::Figures) {
    places = m_figures->places();
  } else if (m_workspace == Workspace::Attention) {
    places = m_attention->places();
  } else {
    places.append(m_train->pages());
    for (const char* id : {"runs", "details", "log", "queue", "grid"}) {
      QDockWidget* dock = m_docks[QString::fromLatin1(id)];
      if (dock->isVisible() && !dock->visibleRegion().isEmpty()) places.append(dock->widget());
    }
  }
  int at = 0;
  for (int i = 0; i < places.size(); ++i)
    if (places[i]->isAncestorOf(QApplication::focusWidget())) at = i + 1;
  QWidget* next = places[at % places.size()];
  for (QWidget* child : next->findChildren<QWidget*>()) {
    if (!child->isVisible() || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus)) continue;
    child->setFocus(Qt::TabFocusReason);
    return;
  }
}

}  // namespace fathom
