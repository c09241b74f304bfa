// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_editor.h"

#include <algorithm>
#include <utility>

#include "core/base/files/hash.h"
#include "core/library/figures/panel_places.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kStretchMilliseconds = 1500;

}  // namespace

const CompositionPanel* PageEditor::selectedPanel() const {
  return m_open && m_selected >= 0 ? &m_open->panels[std::size_t(m_selected)] : nullptr;
}

void PageEditor::setShelf(FigureShelf shelf) {
  const auto& waiting = m_store->waiting();
  for (auto it = waiting.cbegin(); it != waiting.cend(); ++it) {
    std::erase_if(shelf.compositions,
                  [&](const FigureComposition& each) { return fromUtf8(each.uuid) == it.key(); });
    if (it.value()) shelf.compositions.push_back(*it.value());
  }
  m_shelf = std::move(shelf);
}

void PageEditor::clear() {
  m_steps.clear();
  m_done = 0;
  m_shelf = {};
  show(m_open, {});
}

bool PageEditor::open(const QString& uuid) {
  m_fresh = -1;
  for (const FigureComposition& each : m_shelf.compositions) {
    if (fromUtf8(each.uuid) != uuid) continue;
    m_selected = each.panels.empty() ? -1 : 0;
    show(m_open, each);
    return true;
  }
  return false;
}

QString PageEditor::freeName(const QString& wanted) const {
  const auto taken = [this](const QString& name) {
    return std::any_of(m_shelf.compositions.begin(), m_shelf.compositions.end(),
                       [&](const FigureComposition& each) { return fromUtf8(each.name) == name; });
  };
  for (int number = 1;; ++number)
    if (const QString name = wanted.arg(number); !taken(name)) return name;
}

void PageEditor::create() {
  if (!canBeChanged()) return;
  FigureComposition made;
  made.uuid = makeUuid();
  made.name = toUtf8(freeName(tr("Figure %1")));
  made.created = isoTimeNow();
  if (m_open) made.style = m_open->style;
  m_selected = -1;
  apply(made);
}

void PageEditor::duplicate() {
  if (!m_open || !canBeChanged()) return;
  FigureComposition copy = *m_open;
  copy.uuid = makeUuid();
  copy.created = isoTimeNow();
  copy.name = toUtf8(freeName(fromUtf8(m_open->name) + QStringLiteral(" (%1)")));
  apply(copy);
}

void PageEditor::remove() {
  if (m_open) apply({});
}

void PageEditor::add(FigureRecipe recipe) {
  if (!m_open) create();
  if (!m_open) return;
  CompositionPanel panel;
  panel.recipe = std::move(recipe);
  const PanelPlace place = freePlace(*m_open);
  panel.row = place.row;
  panel.column = place.column;
  FigureComposition next = *m_open;
  next.panels.push_back(std::move(panel));
  if (!checkComposition(next).ok()) {
    Q_EMIT refused(tr("The page is full: %1 rows.").arg(FigureComposition::kMostTracks));
    return;
  }
  m_selected = m_fresh = int(next.panels.size()) - 1;
  apply(next);
}

void PageEditor::put(FigureRecipe recipe, PanelPlace place) {
  if (!m_open) create();
  if (!m_open) return;
  CompositionPanel panel;
  panel.recipe = std::move(recipe);
  FigureComposition next = *m_open;
  if (!putPanelAt(next, std::move(panel), place)) {
    Q_EMIT refused(tr("The page is full: %1 rows.").arg(FigureComposition::kMostTracks));
    return;
  }
  m_fresh = -1;
  m_selected = int(next.panels.size()) - 1;
  apply(next);
}

void PageEditor::select(int index) {
  m_selected = m_open && index < int(m_open->panels.size()) ? index : -1;
  Q_EMIT panelChosen();
}

void PageEditor::moveSelected(int rows, int columns) {
  if (selectedPanel() == nullptr || !canBeChanged()) return;
  FigureComposition next = *m_open;
  CompositionPanel wanted = *selectedPanel();
  wanted.row += rows;
  wanted.column += columns;
  if (placePanel(next, std::size_t(m_selected), wanted)) apply(next);
}

void PageEditor::removeSelected() {
  if (selectedPanel() == nullptr || !canBeChanged()) return;
  FigureComposition next = *m_open;
  next.panels.erase(next.panels.begin() + m_selected);
  m_selected = std::min(m_selected, int(next.panels.size()) - 1);
  apply(next);
}

void PageEditor::arrange(int columns) {
  if (!m_open || !canBeChanged()) return;
  FigureComposition next = *m_open;
  if (arrangePanels(next, columns)) return apply(next);
  Q_EMIT refused(tr("%1 panels do not fit: a page has at most %2 rows and columns.")
                     .arg(next.panels.size())
                     .arg(FigureComposition::kMostTracks));
}

void PageEditor::setRuns(const QStringList& uuids) {
  if (!m_open || !canBeChanged()) return;
  FigureComposition next = *m_open;
  for (CompositionPanel& panel : next.panels) {
    const auto entry = findFigure(panel.recipe.figure);
    if (!entry.ok() || entry->ofPredictions()) continue;
    panel.recipe.runs.clear();
    for (const QString& uuid : uuids) panel.recipe.runs.push_back(toUtf8(uuid));
  }
  apply(next);
}

bool PageEditor::canSpreadRuns() const {
  const CompositionPanel* chosen = selectedPanel();
  return chosen != nullptr && !chosen->recipe.runs.empty() && m_open->panels.size() > 1;
}

void PageEditor::spreadRuns() {
  if (!canSpreadRuns()) return;
  QStringList uuids;
  for (const std::string& uuid : selectedPanel()->recipe.runs) uuids.append(fromUtf8(uuid));
  setRuns(uuids);
}

void PageEditor::setEqualRows() {
  if (!m_open || !canBeChanged()) return;
  FigureComposition next = *m_open;
  next.rowShares.assign(std::size_t(rowsOf(next)), 1);
  apply(next);
}

bool PageEditor::hasSizes() const {
  return m_open && (!m_open->rowShares.empty() || !m_open->columnShares.empty() || m_open->heightMm > 0);
}

void PageEditor::forgetSizes() {
  if (!hasSizes()) return;
  FigureComposition next = *m_open;
  next.rowShares.clear();
  next.columnShares.clear();
  next.heightMm = 0;
  apply(next);
}

// The edit is of one stretch with the one before: the same kind, of the same page, and soon after.
bool PageEditor::goesOn(const Page& next, const QString& what) const {
  return !what.isEmpty() && m_done > 0 && m_done == m_steps.size() && m_steps.back().what == what && m_open &&
         next && m_steps.back().after && m_steps.back().after->uuid == next->uuid && m_lastStep.isValid() &&
         m_lastStep.elapsed() < kStretchMilliseconds;
}

void PageEditor::apply(const Page& next, const QString& what) {
  if (!canBeChanged()) return;
  if (m_open && next && m_open->toJson() == next->toJson()) return;
  const bool stretch = goesOn(next, what);
  m_lastStep.start();
  m_steps.resize(m_done);
  // A new composition takes the place of the open one on screen, not in the project.
  const bool made = next && (!m_open || m_open->uuid != next->uuid);
  const Page before = made ? Page() : m_open;
  if (stretch) {
    m_steps.back().after = next;
  } else {
    m_steps.push_back({before, next, what});
    ++m_done;
  }
  store(before, next);
  show(m_open, next);
}

void PageEditor::amend(const FigureComposition& next) {
  if (m_done > 0 && m_steps[m_done - 1].after) m_steps[m_done - 1].after = next;
  store(m_open, next);
  show(m_open, next);
}

void PageEditor::replace(const FigureComposition& next) {
  if (canBeChanged()) store(m_open, next);
  m_open = next;
  Q_EMIT panelChosen();
}

void PageEditor::undo() {
  if (m_done == 0) return;
  const Step& step = m_steps[--m_done];
  m_lastStep.invalidate();
  store(step.after, step.before);
  show(step.after, step.before);
}

void PageEditor::redo() {
  if (m_done == m_steps.size()) return;
  const Step& step = m_steps[m_done++];
  m_lastStep.invalidate();
  store(step.before, step.after);
  show(step.before, step.after);
}

int PageEditor::takeFresh() {
  return std::exchange(m_fresh, -1);
}

void PageEditor::store(const Page& before, const Page& after) {
  const std::string uuid = after ? after->uuid : before ? before->uuid : std::string();
  if (uuid.empty()) return;
  auto& known = m_shelf.compositions;
  const auto at = std::find_if(known.begin(), known.end(),
                               [&](const FigureComposition& each) { return each.uuid == uuid; });
  const bool renamed =
      at == known.end() || !after || at->name != after->name || at->panels.size() != after->panels.size();
  if (!after) {
    if (at != known.end()) known.erase(at);
  } else if (at == known.end()) {
    known.push_back(*after);
  } else {
    *at = *after;
  }
  if (renamed) Q_EMIT pagesChanged();
  m_store->write(uuid, after);
}

// Another page where this one is gone.
void PageEditor::show(const Page& before, const Page& after) {
  m_open = after;
  if (!m_open && before && !m_shelf.compositions.empty()) {
    m_open = m_shelf.compositions.front();
    m_selected = 0;
  }
  m_selected = std::min(m_selected, m_open ? int(m_open->panels.size()) - 1 : -1);
  Q_EMIT shown();
}

}  // namespace fathom
