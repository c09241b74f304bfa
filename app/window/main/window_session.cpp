// SPDX-License-Identifier: GPL-3.0-or-later
// The window as it was left: geometry, docks, columns, project and selection, from one session to the next;
// and its preferences.
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/preferences_dialog.h"
#include "app/window/main/window_actions.h"
#include "app/window/main/window_docks.h"
#include "app/window/main/window_workspaces.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

namespace fathom {

void MainWindow::resetLayout() {
  m_train->showCurves();
  showWorkspace(kTrain);
  m_docks->layOut();
  m_docks->save();
}

void MainWindow::arrangeLikeSession() {
  const QByteArray geometry = m_session->bytes(session::kGeometry);
  if (!geometry.isEmpty()) restoreGeometry(geometry);
  m_docks->restore();
  m_train->runs()->restoreLayout(m_session->bytes(session::kColumns));
  m_train->restoreView(m_session->bytes(session::kCurves));
  if (const auto chosen = Selection::fromText(m_session->text(session::kRuns)); chosen.ok())
    m_train->wantRuns(chosen->of(Dimension::Run), m_session->text(session::kRunsOf));
  m_train->details()->showPart(m_session->text(session::kDetailsTab).toInt());
  const QString last = m_workspaces->named(m_session->text(session::kWorkspace));
  if (last != kTrain) showWorkspace(last);
  m_expects = !m_session->text(session::kProject).isEmpty();
  showDocks();
}

void MainWindow::restoreSession() {
  arrangeLikeSession();
  if (!m_expects) return;
  const QString project = m_session->text(session::kProject);
  if (m_painted) {
    openProject(project);
  } else {
    connect(
        this, &MainWindow::firstPainted, this, [this, project] { openProject(project); },
        Qt::SingleShotConnection);
  }
}

void MainWindow::saveSession() {
  keepSession();
  m_session->flush();
}

void MainWindow::keepSession() {
  m_session->setBytes(session::kGeometry, saveGeometry());
  m_docks->save();
  m_session->setBytes(session::kColumns, m_train->runs()->saveLayout());
  Selection chosen;
  chosen.set(Dimension::Run, m_selection.of(Dimension::Run).items, m_selection.current(Dimension::Run));
  m_session->setText(session::kRuns, chosen.text());
  const bool any = m_train->runModel()->rowCount() > 0;
  m_session->setText(session::kRunsOf, any ? m_service.path() : QString());
  m_session->setText(session::kDetailsTab, QString::number(m_train->details()->shownPart()));
  m_workspaces->keep();
  m_workspaces->saveViews();
}

void MainWindow::takeOver(MainWindow& other) {
  arrangeLikeSession();
  if (!isMaximized() && !isFullScreen()) setGeometry(other.geometry());
  m_train->takeOver(*other.m_train);
  m_workspaces->takeOver(*other.m_workspaces);
  if (m_expects) openProject(m_session->text(session::kProject));
  // Over the window, once that is there.
  if (other.findChild<PreferencesDialog*>() != nullptr)
    connect(this, &MainWindow::firstPainted, this, &MainWindow::showPreferences, Qt::SingleShotConnection);
}

void MainWindow::showPreferences() {
  auto* shown = findChild<PreferencesDialog*>();
  if (shown == nullptr)
    shown = new PreferencesDialog(
        {m_appearance, &m_keys, m_actions->listed(), [this](const QString& id) { return action(id); },
         [this](int percent) { setTextPercent(percent); }, m_session, &m_files, &m_jobs,
         [this] { m_train->newRun()->askEngine(); }},
        this);
  shown->show();
  shown->raise();
  shown->activateWindow();
}

}  // namespace fathom
