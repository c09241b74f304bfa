// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>

#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/train_workspace.h"

// What of the main window belongs to Attention.
namespace fathom {

void MainWindow::makeAttentionActions() {
  QAction* show = add("view.attention", tr("&Attention"), QStringLiteral("attention"),
                      QKeySequence(Qt::CTRL | Qt::Key_2), [this] { showWorkspace(Workspace::Attention); });
  show->setCheckable(true);
  show->setToolTip(tr("Entropy, divergence, dependency, gradients, attention itself"));
  for (QAction* action : m_attentionActions->ordered())
    if (action != nullptr) m_actions.insert(action->objectName(), action);
}

void MainWindow::makeAttentionMenu() {
  QMenu* menu = menuBar()->addMenu(tr("Ana&lyse"));
  for (QAction* action : m_attentionActions->ordered()) {
    if (action == nullptr) {
      menu->addSeparator();
    } else {
      menu->addAction(action);
    }
  }
}

AttentionWorkspace* MainWindow::attention() {
  if (m_attention == nullptr) {
    m_attention =
        new AttentionWorkspace({&m_service, &m_jobs, m_messages, &m_files, &m_selection, m_train->runModel(),
                                m_attentionActions, [this] { return m_train->engine(); }, this});
    m_centre->addWidget(m_attention->widget());
    connect(m_train, &TrainWorkspace::runsChanged, m_attention, &AttentionWorkspace::runsChanged);
    connect(m_train, &TrainWorkspace::engineKnown, m_attention, &AttentionWorkspace::engineKnown);
    m_attention->restoreView(m_session->bytes(session::kAttention));
  }
  return m_attention;
}

AttentionWorkspace* MainWindow::showAttention() {
  if (m_workspace != Workspace::Attention) showWorkspace(Workspace::Attention);
  return attention();
}

}  // namespace fathom
