// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/attention_actions.h"

namespace fathom {

AttentionActions::AttentionActions(QObject* parent) : WorkspaceActions(parent) {
  add("attention.compute", tr("&Compute"), QStringLiteral("run"), QKeySequence(Qt::CTRL | Qt::Key_Return),
      tr("Computes what is missing at this checkpoint; the engine works beside the window"));
  add("attention.compute_all", tr("Compute at &all checkpoints"), {}, {},
      tr("Computes what is missing at every place of the slider"));
  addSeparator();
  QAction* table = add("attention.table", tr("Show as &table"), QStringLiteral("columns"),
                       QKeySequence(Qt::CTRL | Qt::Key_T), tr("The numbers of the figure as a table"));
  table->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  add("attention.play", tr("Ani&mate over checkpoints"), {}, {}, tr("Goes through all computed checkpoints"));
  add("attention.export", tr("E&xport the figure…"), QStringLiteral("export"), {},
      tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"));
  addSeparator();
  add("attention.help", tr("&Help on this analysis"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("What is computed, what the paper shows"));
  disableAllBut("attention.help", {});
}

}  // namespace fathom
