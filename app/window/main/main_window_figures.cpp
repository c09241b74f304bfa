// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>

#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"

// What belongs to the Figures workspace.
namespace fathom {

void MainWindow::makeFiguresActions() {
  add("view.figures", tr("Fi&gures"), QStringLiteral("figure"), QKeySequence(Qt::CTRL | Qt::Key_4), [this] {
    showWorkspace(Workspace::Figures);
  })->setCheckable(true);
  for (QAction* action : m_figuresActions->ordered())
    if (action != nullptr) m_actions.insert(action->objectName(), action);
}

void MainWindow::makeFiguresMenu() {
  QMenu* menu = menuBar()->addMenu(tr("F&igures"));
  for (QAction* action : m_figuresActions->ordered()) {
    if (action == nullptr) {
      menu->addSeparator();
    } else {
      menu->addAction(action);
    }
  }
  addCommands("Figure", menu);
}

FiguresWorkspace* MainWindow::figures() {
  if (m_figures == nullptr) {
    m_figures =
        new FiguresWorkspace(&m_service, &m_jobs, m_messages, &m_files, &m_selection, m_figuresActions, this);
    m_centre->addWidget(m_figures->widget());
    m_figures->restoreView(m_session->bytes(session::kFigures));
  }
  return m_figures;
}

FiguresWorkspace* MainWindow::showFigures() {
  if (m_workspace != Workspace::Figures) showWorkspace(Workspace::Figures);
  return figures();
}

}  // namespace fathom
