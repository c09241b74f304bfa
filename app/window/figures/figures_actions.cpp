// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_actions.h"

#include <utility>

#include "app/window/figures/figures_workspace.h"

namespace fathom {

QAction* FiguresActions::addFor(const char* id, const QString& text, const QString& iconName,
                                const QKeySequence& keys, const QString& tip,
                                std::function<void(FiguresWorkspace*)> run) {
  return add(id, text, iconName, keys, tip, [this, run = std::move(run)] { run(m_workspace()); });
}

FiguresActions::FiguresActions(std::function<FiguresWorkspace*()> workspace, QObject* parent)
    : WorkspaceActions(parent), m_workspace(std::move(workspace)) {
  makeCompositions();
  addSeparator();
  makePanels();
  addSeparator();
  makePage();
  refresh(nullptr, false);
}

void FiguresActions::makeCompositions() {
  addFor("figures.new", tr("&New composition"), QStringLiteral("new"), {},
         tr("An empty page for several figures"),
         [](FiguresWorkspace* workspace) { workspace->newComposition(); })
      ->setIconText(tr("New"));
  addFor("figures.duplicate", tr("Duplic&ate composition"), QStringLiteral("clone"), {},
         tr("The same page under another name"),
         [](FiguresWorkspace* workspace) { workspace->duplicateComposition(); });
  addFor("figures.delete", tr("D&elete composition"), QStringLiteral("trash"), {}, tr("Undo brings it back"),
         [](FiguresWorkspace* workspace) { workspace->removeComposition(); });
}

void FiguresActions::makePanels() {
  addFor("figures.add", tr("&Put on the page"), QStringLiteral("import"), {},
         tr("The figure chosen in the list, at the first free place"),
         [](FiguresWorkspace* workspace) { workspace->addChosen(); })
      ->setIconText(tr("Add"));
  const struct {
    const char* id;
    QString text, icon;
    Qt::Key key;
    int rows, columns;
  } moves[] = {{"figures.left", tr("Move &left"), QStringLiteral("left"), Qt::Key_Left, 0, -1},
               {"figures.right", tr("Move &right"), QStringLiteral("right"), Qt::Key_Right, 0, 1},
               {"figures.up", tr("Move &up"), QStringLiteral("up"), Qt::Key_Up, -1, 0},
               {"figures.down", tr("Move &down"), QStringLiteral("down"), Qt::Key_Down, 1, 0}};
  for (const auto& move : moves) {
    const int rows = move.rows, columns = move.columns;
    addFor(move.id, move.text, move.icon, QKeySequence(Qt::CTRL | move.key),
           tr("A panel in the way changes places with it"),
           [rows, columns](FiguresWorkspace* workspace) { workspace->moveSelected(rows, columns); });
  }
  addFor("figures.remove", tr("Re&move the panel"), QStringLiteral("close"), QKeySequence(Qt::Key_Delete),
         tr("From the page; stored figures stay"),
         [](FiguresWorkspace* workspace) { workspace->removeSelected(); });
  addFor("figures.use_runs", tr("Of the &selected runs"), QStringLiteral("run"), {},
         tr("Every panel of runs shows the runs that are selected in Train"),
         [](FiguresWorkspace* workspace) { workspace->useSelectedRuns(); });
}

void FiguresActions::makePage() {
  addFor("figures.regenerate", tr("Re&generate"), QStringLiteral("retry"), QKeySequence(Qt::Key_F5),
         tr("Reads all data again: after new runs, new analyses, new judgements"),
         [](FiguresWorkspace* workspace) { workspace->regenerate(); });
  QAction* gray =
      addFor("figures.gray", tr("Gra&yscale"), {}, QKeySequence(Qt::CTRL | Qt::Key_G),
             tr("The page as a print without colour shows it"), [this](FiguresWorkspace* workspace) {
               workspace->setGray(action(QStringLiteral("figures.gray"))->isChecked());
             });
  gray->setCheckable(true);
  addFor("figures.copy", tr("&Copy the page"), QStringLiteral("copy"), QKeySequence::Copy,
         tr("To the clipboard as picture, SVG and PDF"),
         [](FiguresWorkspace* workspace) { workspace->copyPage(); })
      ->setIconText(tr("Copy"));
  addFor("figures.export", tr("E&xport the page…"), QStringLiteral("export"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
         tr("PDF, SVG, PNG or PGF, with the numbers as CSV beside"),
         [](FiguresWorkspace* workspace) { workspace->exportPage(); })
      ->setIconText(tr("Export…"));
  addSeparator();
  addFor("figures.help", tr("&Help on Figures"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
         tr("The page, its panels, the checks, the keys"),
         [](FiguresWorkspace* workspace) { workspace->showHelp(); });
}

void FiguresActions::refresh(const FiguresWorkspace* workspace, bool projectOpen) {
  const bool writable = projectOpen && (workspace == nullptr || workspace->canBeChanged());
  const bool open = workspace != nullptr && workspace->composition() != nullptr;
  const bool panels = open && !workspace->composition()->panels.empty();
  const bool selected = open && workspace->selectedPanel() >= 0;
  enable({"figures.new"}, writable);
  enable({"figures.duplicate", "figures.delete"}, writable && open);
  enable({"figures.add"}, writable && workspace != nullptr && workspace->somethingChosen());
  enable({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove"},
         writable && selected);
  enable({"figures.use_runs"}, writable && panels);
  enable({"figures.regenerate", "figures.gray", "figures.copy", "figures.export"}, panels);
  enable({"figures.help"}, true);
}

}  // namespace fathom
