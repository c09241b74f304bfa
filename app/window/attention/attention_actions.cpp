// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/attention_actions.h"

#include <utility>

#include "app/window/attention/attention_workspace.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/checkpoint_bar.h"

namespace fathom {

AttentionActions::AttentionActions(std::function<AttentionWorkspace*()> workspace, QObject* parent)
    : WorkspaceActions(parent), m_workspace(std::move(workspace)) {
  add("attention.compute", tr("&Compute"), QStringLiteral("run"), QKeySequence(Qt::CTRL | Qt::Key_Return),
      tr("Computes what is missing at this checkpoint; the engine works beside the window"),
      [this] { m_workspace()->compute(false); });
  add("attention.compute_all", tr("Compute at &all checkpoints"), {}, {},
      tr("Computes what is missing at every place of the slider"), [this] { m_workspace()->compute(true); });
  addSeparator();
  QAction* table =
      add("attention.table", tr("Show as &table"), QStringLiteral("columns"),
          QKeySequence(Qt::CTRL | Qt::Key_T), tr("The numbers of the figure as a table"), [this] {
            AnalysisView* view = m_workspace()->view();
            view->setTableShown(!view->tableShown());
          });
  table->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  add("attention.play", tr("Ani&mate over checkpoints"), {}, {}, tr("Goes through all computed checkpoints"),
      [this] {
        CheckpointBar* bar = m_workspace()->side()->checkpoints();
        bar->setPlaying(!bar->playing());
      });
  add("attention.export", tr("E&xport the figure…"), QStringLiteral("export"), {},
      tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"),
      [this] { m_workspace()->exportFigure(); });
  addSeparator();
  add("attention.help", tr("&Help on this analysis"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("What is computed, what the paper shows"), [this] { m_workspace()->showHelp(); });
  refresh(nullptr);
}

void AttentionActions::refresh(const AttentionWorkspace* workspace) {
  const bool figure = workspace != nullptr && workspace->hasFigure();
  const bool compute = workspace != nullptr && workspace->canCompute();
  enable({"attention.compute"}, compute);
  enable({"attention.compute_all"}, workspace != nullptr && workspace->canComputeEverywhere());
  enable({"attention.table", "attention.export"}, figure);
  enable({"attention.play"}, workspace != nullptr && workspace->side()->checkpoints()->canPlay());
}

}  // namespace fathom
