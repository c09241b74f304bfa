// SPDX-License-Identifier: GPL-3.0-or-later
// The list of figures: what is opened from it, made anew, copied and deleted.
#include <algorithm>

#include "app/window/figures/figures_workspace.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/hash.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/message_bar.h"

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
