// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures_actions.h"

#include <utility>

#include "app/window/figures_workspace.h"
#include "views/panels/icons.h"

namespace fathom {

FiguresActions::FiguresActions(std::function<FiguresWorkspace*()> workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {
  makeCompositions();
  m_ordered.append(nullptr);
  makePanels();
  m_ordered.append(nullptr);
  makePage();
  refresh(nullptr, false);
}

QAction* FiguresActions::add(const char* id, const QString& text, const QString& iconName,
                             const QKeySequence& keys, const QString& tip,
                             std::function<void(FiguresWorkspace*)> run) {
  auto* action = iconName.isEmpty() ? new QAction(text, this) : new QAction(icon(iconName), text, this);
  action->setObjectName(QString::fromLatin1(id));
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  const QString shown = keys.toString(QKeySequence::NativeText);
  action->setToolTip(shown.isEmpty() ? tip : tr("%1 (%2)").arg(tip, shown));
  connect(action, &QAction::triggered, this, [this, run = std::move(run)] { run(m_workspace()); });
  m_actions.insert(action->objectName(), action);
  m_ordered.append(action);
  return action;
}

void FiguresActions::makeCompositions() {
  add("figures.new", tr("&New composition"), QStringLiteral("new"), {},
      tr("An empty page for several figures"),
      [](FiguresWorkspace* workspace) { workspace->newComposition(); })
      ->setIconText(tr("New"));
  add("figures.duplicate", tr("&Duplicate composition"), QStringLiteral("clone"), {},
      tr("The same page under another name"),
      [](FiguresWorkspace* workspace) { workspace->duplicateComposition(); });
  add("figures.delete", tr("D&elete composition"), QStringLiteral("trash"), {}, tr("Undo brings it back"),
      [](FiguresWorkspace* workspace) { workspace->removeComposition(); });
}

void FiguresActions::makePanels() {
  add("figures.add", tr("&Put on the page"), QStringLiteral("import"), {},
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
    add(move.id, move.text, move.icon, QKeySequence(Qt::CTRL | move.key),
        tr("A panel in the way changes places with it"),
        [rows, columns](FiguresWorkspace* workspace) { workspace->moveSelected(rows, columns); });
  }
  add("figures.remove", tr("Re&move the panel"), QStringLiteral("close"), QKeySequence(Qt::Key_Delete),
      tr("From the page; stored figures stay"),
      [](FiguresWorkspace* workspace) { workspace->removeSelected(); });
  add("figures.use_runs", tr("Of the &selected runs"), QStringLiteral("run"), {},
      tr("Every panel of runs shows the runs that are selected in Train"),
      [](FiguresWorkspace* workspace) { workspace->useSelectedRuns(); });
}

void FiguresActions::makePage() {
  add("figures.regenerate", tr("Re&generate"), QStringLiteral("retry"), QKeySequence(Qt::Key_F5),
      tr("Reads all data again: after new runs, new analyses, new judgements"),
      [](FiguresWorkspace* workspace) { workspace->regenerate(); });
  QAction* gray = add("figures.gray", tr("Gra&yscale"), {}, QKeySequence(Qt::CTRL | Qt::Key_G),
                      tr("The page as a print without colour shows it"), [this](FiguresWorkspace* workspace) {
                        workspace->setGray(action(QStringLiteral("figures.gray"))->isChecked());
                      });
  gray->setCheckable(true);
  add("figures.copy", tr("&Copy the page"), QStringLiteral("copy"), QKeySequence::Copy,
      tr("To the clipboard as picture, SVG and PDF"),
      [](FiguresWorkspace* workspace) { workspace->copyPage(); })
      ->setIconText(tr("Copy"));
  add("figures.export", tr("E&xport the page…"), QStringLiteral("export"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
      tr("PDF, SVG, PNG or PGF, with the numbers as CSV beside"),
      [](FiguresWorkspace* workspace) { workspace->exportPage(); })
      ->setIconText(tr("Export…"));
  m_ordered.append(nullptr);
  add("figures.help", tr("&Help on Figures"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("The page, its panels, the checks, the keys"),
      [](FiguresWorkspace* workspace) { workspace->showHelp(); });
}

QList<QAction*> FiguresActions::actions(std::initializer_list<const char*> ids) const {
  QList<QAction*> list;
  for (const char* id : ids) list.append(action(QString::fromLatin1(id)));
  return list;
}

void FiguresActions::refresh(const FiguresWorkspace* workspace, bool projectOpen) {
  const bool writable = projectOpen && (workspace == nullptr || workspace->canBeChanged());
  const bool open = workspace != nullptr && workspace->composition() != nullptr;
  const bool panels = open && !workspace->composition()->panels.empty();
  const bool selected = open && workspace->selectedPanel() >= 0;
  action(QStringLiteral("figures.new"))->setEnabled(writable);
  for (QAction* each : actions({"figures.duplicate", "figures.delete"})) each->setEnabled(writable && open);
  action(QStringLiteral("figures.add"))
      ->setEnabled(writable && workspace != nullptr && workspace->somethingChosen());
  for (QAction* each :
       actions({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove"}))
    each->setEnabled(writable && selected);
  action(QStringLiteral("figures.use_runs"))->setEnabled(writable && panels);
  for (QAction* each : actions({"figures.regenerate", "figures.gray", "figures.copy", "figures.export"}))
    each->setEnabled(panels);
  action(QStringLiteral("figures.help"))->setEnabled(true);
}

}  // namespace fathom
