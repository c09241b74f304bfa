// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/eye_controls.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QTableView>
#include <QToolButton>
#include <utility>

#include "views/look/icons.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_groups.h"
#include "views/tables/run_table_model.h"

namespace fathom {

EyeControls::EyeControls(RunTableModel* runs, QTableView* table, std::function<QStringList()> selected,
                         QWidget* parent)
    : QObject(parent),
      m_runs(runs),
      m_table(table),
      m_selected(std::move(selected)),
      m_button(flatButton(parent, QStringLiteral("eye"), tr("Which runs are drawn"))) {
  m_button->setObjectName(QStringLiteral("eyes"));
  m_button->setPopupMode(QToolButton::InstantPopup);
  makeMenu();
  table->installEventFilter(this);
  watch(table);
}

void EyeControls::makeMenu() {
  auto* menu = new QMenu(m_button);
  m_button->setMenu(menu);
  const auto add = [&](const QString& text, auto act) {
    QAction* action = menu->addAction(text, this, act);
    return action;
  };
  QAction* toggle =
      add(tr("Draw or hide the selected runs"), [this] { m_runs->eyes()->toggle(m_selected()); });
  toggle->setShortcut(QKeySequence(Qt::Key_Space));
  toggle->setShortcutContext(Qt::WidgetShortcut);  // shown; the table itself hears the key
  QAction* only = add(tr("Draw only the selected runs"), [this] { m_runs->eyes()->openOnly(m_selected()); });
  QAction* group = add(tr("Draw all of the same group"),
                       [this] { m_runs->eyes()->set(groupsOf(m_selected(), m_runs->runs()), true); });
  group->setToolTip(tr("The runs of the same grid, or those that differ in the seed only"));
  m_actions = {toggle, only, group};
  menu->setToolTipsVisible(true);
  menu->addSeparator();
  add(tr("Draw all runs"), [this] { m_runs->eyes()->openAll(); })->setObjectName(QStringLiteral("eyesAll"));
  add(tr("Draw none"), [this] { m_runs->eyes()->closeAll(); })->setObjectName(QStringLiteral("eyesNone"));
  toggle->setObjectName(QStringLiteral("eyesToggle"));
  only->setObjectName(QStringLiteral("eyesOnly"));
  group->setObjectName(QStringLiteral("eyesGroup"));
  connect(menu, &QMenu::aboutToShow, this, &EyeControls::enableActions);
}

void EyeControls::enableActions() {
  const bool any = !m_selected().isEmpty();
  for (QAction* action : std::as_const(m_actions)) action->setEnabled(any);
}

void EyeControls::watch(QTableView* view) {
  m_views.append(view);
  view->viewport()->installEventFilter(this);
}

// The click is taken away from the view, which would select the row.
bool EyeControls::press(QTableView* view, QEvent* event) {
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QModelIndex index = view->indexAt(mouse->position().toPoint());
  if (mouse->button() != Qt::LeftButton || index.column() != RunTableModel::Eye) return false;
  const QStringList members = index.data(RunTableModel::MembersRole).toStringList();
  if (mouse->modifiers() & Qt::AltModifier) {
    m_runs->eyes()->openOnly(members);
  } else {
    m_runs->eyes()->toggle(members);
  }
  return true;
}

bool EyeControls::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    for (QTableView* view : std::as_const(m_views))
      if (watched == view->viewport()) return press(view, event);
  }
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool ofStar = m_table->currentIndex().column() == RunTableModel::Star;
    if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier && !ofStar) {
      m_runs->eyes()->toggle(m_selected());
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
