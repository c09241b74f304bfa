// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_workspace.h"

#include <QComboBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "app/window/figures/figures_actions.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/hash.h"
#include "core/record/runs/run_folder.h"
#include "views/figures/composition_page.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/panels/widgets/message_bar.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_abilities.h"
#include "views/tables/run_table_model.h"

namespace fathom {

bool FiguresWorkspace::somethingChosen() const {
  const auto entry = m_list->current();
  return entry && entry->kind != FigureListPanel::Kind::Composition;
}

void FiguresWorkspace::activateEntry(const FigureListPanel::Entry& entry) {
  if (entry.kind == FigureListPanel::Kind::Composition) return openComposition(entry.id);
  if (canBeChanged()) addChosen();
}

void FiguresWorkspace::openComposition(const QString& uuid) {
  m_fresh = -1;
  for (const FigureComposition& each : m_shelf.compositions) {
    if (fromUtf8(each.uuid) != uuid) continue;
    m_selected = each.panels.empty() ? -1 : 0;
    show(m_open, each);
    return;
  }
}

QString FiguresWorkspace::freeName(const QString& wanted) const {
  const auto taken = [this](const QString& name) {
    return std::any_of(m_shelf.compositions.begin(), m_shelf.compositions.end(),
                       [&](const FigureComposition& each) { return fromUtf8(each.name) == name; });
  };
  for (int number = 1;; ++number)
    if (const QString name = wanted.arg(number); !taken(name)) return name;
}

void FiguresWorkspace::newComposition() {
  if (!m_service->isOpen() || !canBeChanged()) return;
  FigureComposition made;
  made.uuid = makeUuid();
  made.name = toUtf8(freeName(tr("Figure %1")));
  made.created = isoTimeNow();
  if (m_open) made.style = m_open->style;
  m_selected = -1;
  apply(made);
}

void FiguresWorkspace::duplicateComposition() {
  if (!m_open || !canBeChanged()) return;
  FigureComposition copy = *m_open;
  copy.uuid = makeUuid();
  copy.created = isoTimeNow();
  copy.name = toUtf8(freeName(fromUtf8(m_open->name) + QStringLiteral(" (%1)")));
  apply(copy);
}

void FiguresWorkspace::removeComposition() {
  if (!m_open || !canBeChanged()) return;
  const QString name = fromUtf8(m_open->name);
  apply({});
  m_messages->showNote(tr("“%1” was deleted; undo brings it back.").arg(name));
}

}  // namespace fathom
