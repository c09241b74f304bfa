// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/panel_drag.h"

#include <QStackedWidget>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "app/window/figures/figures_panes.h"
#include "app/window/figures/page_editor.h"
#include "core/library/figures/panel_places.h"
#include "views/figure/figure_page.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/drag_gesture.h"
#include "views/panels/figures/drop_target.h"
#include "views/panels/figures/page_dividers.h"
#include "views/panels/figures/page_view.h"

namespace fathom {

namespace {

// The letter of a panel of the page, or its number where the page has no letters.
QString letterOf(const FigureComposition& page, std::size_t panel) {
  std::vector<PlacedFigure> places;
  for (const CompositionPanel& each : page.panels)
    places.push_back({{}, each.row, each.column, each.rowSpan, each.columnSpan, {}});
  const std::size_t order = letterOrder(places)[panel];
  return page.letters.empty() ? QString::number(order + 1) : fromUtf8(panelLetter(page.letters, order));
}

QVector<QRect> cellsOf(const PageGrid& grid) {
  QVector<QRect> cells;
  for (std::size_t row = 0; row + 1 < grid.rows.size(); ++row)
    for (std::size_t column = 0; column + 1 < grid.columns.size(); ++column)
      cells.append(QRectF(QPointF(grid.columns[column], grid.rows[row]),
                          QPointF(grid.columns[column + 1], grid.rows[row + 1]))
                       .toRect());
  return cells;
}

}  // namespace

PanelDrag::PanelDrag(PageEditor* editor, FiguresPanes* panes, RecipeOf recipeOf)
    : m_editor(editor),
      m_panes(panes),
      m_recipeOf(std::move(recipeOf)),
      m_target(new DropTarget(panes->pages())) {
  auto* ofPage = new DragGesture(panes->page(), [this](const QPoint& position) { return mayTake(position); });
  auto* ofList = new DragGesture(panes->list()->tree(), [this](const QPoint& position) {
    const auto entry = m_panes->list()->entryAt(position);
    return m_editor->canBeChanged() && entry && entry->kind != FigureListPanel::Kind::Composition;
  });
  connect(ofPage, &DragGesture::begun, this, &PanelDrag::takePanel);
  connect(ofList, &DragGesture::begun, this, &PanelDrag::takeEntry);
  for (DragGesture* gesture : {ofPage, ofList}) {
    connect(gesture, &DragGesture::moved, this, &PanelDrag::follow);
    connect(gesture, &DragGesture::dropped, this, &PanelDrag::drop);
    connect(gesture, &DragGesture::cancelled, this, &PanelDrag::finish);
  }
  m_dividers = new PageDividers(panes->page());
  connect(m_dividers, &PageDividers::moved, this, &PanelDrag::resize);
  connect(m_dividers, &PageDividers::evened, this, [this](bool columns) {
    if (m_editor->page() == nullptr) return;
    resize(columns, std::vector<double>(
                        std::size_t(columns ? columnsOf(*m_editor->page()) : rowsOf(*m_editor->page())), 1));
  });
}

void PanelDrag::setReadOnly(bool readOnly) {
  m_dividers->setReadOnly(readOnly);
}

bool PanelDrag::mayTake(const QPoint& position) const {
  return m_editor->canBeChanged() && m_panes->page()->figureAt(position) >= 0 && !m_dividers->isActive();
}

void PanelDrag::takePanel(const QPoint& position) {
  m_dragged = {m_panes->page()->figureAt(position), std::nullopt};
}

void PanelDrag::takeEntry(const QPoint& position) {
  const auto entry = m_panes->list()->entryAt(position);
  m_dragged = {-1, entry ? m_recipeOf(*entry) : std::nullopt};
}

std::optional<PageCell> PanelDrag::cellBelow(const QPoint& global) const {
  const QWidget* pages = m_panes->pages();
  const QPoint there = pages->mapFromGlobal(global);
  if (!pages->rect().contains(there)) return std::nullopt;
  // An empty page is one place.
  if (!m_panes->page()->isVisible() || !m_panes->page()->hasPage())
    return PageCell{0, 0, false, false, pages->rect().adjusted(8, 8, -8, -8)};
  const QWidget* view = m_panes->page()->viewport();
  auto cell = cellAt(pageGrid(*m_panes->page()), view->mapFromGlobal(global), FigureComposition::kMostTracks);
  if (cell) cell->box.translate(view->mapTo(pages, QPoint(0, 0)));
  return cell;
}

QString PanelDrag::wordFor(const PageCell& cell) const {
  if (cell.newRow) return tr("new row");
  if (cell.newColumn) return tr("new column");
  const FigureComposition* page = m_editor->page();
  const auto there = page != nullptr ? panelAt(*page, {cell.row, cell.column}) : std::nullopt;
  if (!there) return tr("row %1, column %2").arg(cell.row + 1).arg(cell.column + 1);
  if (int(*there) == m_dragged.panel) return tr("stays here");
  const QString letter = letterOf(*page, *there);
  return m_dragged.panel >= 0 ? tr("changes places with %1").arg(letter)
                              : tr("here; %1 moves on").arg(letter);
}

void PanelDrag::showTarget(const std::optional<PageCell>& cell) const {
  if (!cell) return m_target->hide();
  QVector<QRect> places;
  if (m_panes->page()->isVisible()) {
    const QPoint corner = m_panes->page()->viewport()->mapTo(m_panes->pages(), QPoint(0, 0));
    for (const QRect& place : cellsOf(pageGrid(*m_panes->page()))) places.append(place.translated(corner));
  }
  const FigureComposition* page = m_editor->page();
  const bool stays = page != nullptr && m_dragged.panel >= 0 &&
                     panelAt(*page, {cell->row, cell->column}) == std::size_t(m_dragged.panel);
  m_target->showAt(cell->box.toRect(), places, wordFor(*cell), !stays);
}

void PanelDrag::follow(const QPoint& global) {
  showTarget(cellBelow(global));
}

void PanelDrag::drop(const QPoint& global) {
  const auto cell = cellBelow(global);
  const Dragged dragged = std::exchange(m_dragged, {});
  finish();
  if (!cell || !m_editor->canBeChanged()) return;
  const PanelPlace place{cell->row, cell->column};
  if (dragged.recipe) return m_editor->put(*dragged.recipe, place);
  if (dragged.panel < 0 || m_editor->page() == nullptr) return;
  FigureComposition next = *m_editor->page();
  if (!movePanelTo(next, std::size_t(dragged.panel), place)) {
    Q_EMIT placeRefused();
    return;
  }
  m_editor->select(dragged.panel);
  m_editor->apply(next);
}

void PanelDrag::finish() {
  m_dragged = {};
  m_target->hide();
}

void PanelDrag::resize(bool columns, const std::vector<double>& sizesMm) {
  if (m_editor->page() == nullptr) return;
  FigureComposition next = *m_editor->page();
  (columns ? next.columnShares : next.rowShares) = sizesMm;
  m_editor->apply(next);
}

}  // namespace fathom
