// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_drawing.h"

#include <algorithm>
#include <utility>

#include "app/window/figures/built_figures.h"
#include "app/window/figures/figure_thumbnails.h"
#include "app/window/figures/figures_panes.h"
#include "app/window/figures/fresh_row.h"
#include "app/window/figures/page_editor.h"
#include "core/library/figures/panel_places.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_dashes.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

const QString kFiguresPage = QStringLiteral("figures page");
constexpr int kDrawMilliseconds = 60;

std::vector<FigureRecipe> recipesOf(const FigureComposition& page) {
  std::vector<FigureRecipe> recipes;
  for (const CompositionPanel& panel : page.panels) recipes.push_back(panel.recipe);
  return recipes;
}

}  // namespace

QString PageDrawing::readingOwner() {
  return QStringLiteral("figures data");
}

QString PageDrawing::computingOwner() {
  return QStringLiteral("figures compute");
}

PageDrawing::PageDrawing(PageEditor* editor, BuiltFigures* figures, FiguresPanes* panes, MessageBar* messages)
    : m_editor(editor), m_figures(figures), m_panes(panes), m_messages(messages) {
  m_wait.setSingleShot(true);
  m_wait.setInterval(kDrawMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &PageDrawing::build);
  connect(panes->checks(), &CheckStrip::computeRequested, this, &PageDrawing::computeMissing);
  connect(panes->checks(), &CheckStrip::dashesRequested, this, &PageDrawing::addDashes);
  connect(panes->checks(), &CheckStrip::fitRequested, this, &PageDrawing::fitToPage);
}

void PageDrawing::clear() {
  m_building = false;
}

void PageDrawing::showProblem() {
  const CompositionPanel* panel = m_editor->selectedPanel();
  m_panes->form()->setProblem(panel != nullptr ? m_figures->problem(panel->recipe) : QString());
}

// Reads the data of panels that have none yet, then draws.
void PageDrawing::build() {
  m_building = true;
  const FigureComposition* open = m_editor->page();
  m_figures->read(open != nullptr ? recipesOf(*open) : std::vector<FigureRecipe>(),
                  tr("Reading the data of the page"), readingOwner(), [this](const Status& read) {
                    m_building = false;
                    if (!read.ok()) return m_messages->showError(read.error(), readingOwner());
                    // A panel names the results that it shows when it is made. No edit of a person's, so
                    // nothing to undo; panels that were stored without pins wait for Regenerate.
                    if (m_editor->page() != nullptr)
                      if (const auto pinned = m_figures->pinned(*m_editor->page()))
                        m_editor->replace(*pinned);
                    draw();
                  });
}

void PageDrawing::draw() {
  const FigureComposition* open = m_editor->page();
  if (open == nullptr || open->panels.empty()) return;
  auto specs = m_figures->shownOn(*open);
  if (!specs) return;
  showProblem();
  const auto style = compositionStyle(*open);
  if (!style.ok()) return m_messages->showError(style.error(), kFiguresPage);
  if (const auto next = withFreshRow(*open, *specs, *style, m_editor->takeFresh());
      next && m_editor->canBeChanged())
    return m_editor->amend(*next);
  PageView* view = m_panes->page();
  const auto composed = composePage(compositionPage(*open, *std::move(specs), *style), *style);
  const Status shown = composed.ok() ? view->setPage(*composed, *style) : Status(composed.error());
  if (!shown.ok()) return m_messages->showError(shown.error(), kFiguresPage);
  m_messages->closeErrors(kFiguresPage);
  view->setSelectedFigure(m_editor->selected());
  showChecks(*open);
  const QSizeF units(unitsOfMm(view->pageSize().widthMm), unitsOfMm(view->pageSize().heightMm));
  const QSizeF small = FigureThumbnails::kSize;
  m_panes->list()->setPicture(fromUtf8(open->uuid), view->picture(std::min(small.width() / units.width(),
                                                                           small.height() / units.height())));
  Q_EMIT drawn();
}

void PageDrawing::showChecks(const FigureComposition& page) {
  const PageView* view = m_panes->page();
  const auto style = compositionStyle(page);
  CheckOffers offers;
  if (m_editor->canBeChanged() && style.ok()) {
    offers.compute = m_figures->canBeComputed(page);
    offers.dashes = !view->checks().alikeInGray.isEmpty() && !page.dashes &&
                    dashesWouldHelp(view->composed().spec, *style);
    const FigureChecks& checks = view->checks();
    const double column = columnWidthMm(page, *style);
    const bool fits = checks.outside.isEmpty() && checks.overlapping.isEmpty() && checks.touching.isEmpty() &&
                      checks.cut.isEmpty();
    if (!fits && column < kLeastColumnMm && columnsOf(page) > columnsThatFit(page, *style))
      offers.narrowMm = column;
    offers.fit = checks.tooHighMm > 0 || offers.narrowMm > 0;
  }
  m_panes->checks()->setChecks(view->checks(), m_figures->emptyPanels(page), offers);
}

void PageDrawing::computeMissing() {
  if (m_editor->page() == nullptr) return;
  m_figures->compute(*m_editor->page(), computingOwner(), [this](const Status& computed) {
    if (!computed.ok()) m_messages->showError(computed.error(), computingOwner());
    build();
  });
}

void PageDrawing::addDashes() {
  if (m_editor->page() == nullptr) return;
  FigureComposition next = *m_editor->page();
  next.dashes = true;
  m_editor->apply(next);
}

double PageDrawing::ownHeightMm(FigureComposition page) const {
  page.heightMm = 0;
  auto specs = m_figures->shownOn(page);
  const auto style = compositionStyle(page);
  if (!specs || !style.ok()) return 0;
  const auto composed = composePage(compositionPage(page, *std::move(specs), *style), *style);
  return composed.ok() ? composed->spec.heightMm : 0;
}

void PageDrawing::fitToPage() {
  if (m_editor->page() == nullptr || m_editor->page()->panels.empty()) return;
  const auto style = compositionStyle(*m_editor->page());
  if (!style.ok()) return;
  FigureComposition next = *m_editor->page();
  next.widthMm = 0;
  const int columns = columnsThatFit(next, *style);
  if (columnsOf(next) > columns && columnWidthMm(next, *style) < kLeastColumnMm &&
      arrangePanels(next, columns)) {
    next.rowShares.clear();
    next.columnShares.clear();
  }
  const double own = ownHeightMm(next);
  if (own <= 0) return;
  next.heightMm = own > style->mostHeightMm ? style->mostHeightMm : 0;
  m_editor->apply(next);
}

void PageDrawing::regenerate() {
  m_figures->forget();
  if (m_editor->page() != nullptr) {
    FigureComposition next = *m_editor->page();
    for (CompositionPanel& panel : next.panels)
      if (panel.recipe.pins && !panel.recipe.pins->empty()) panel.recipe.pins.reset();
    if (m_editor->canBeChanged()) {
      m_editor->apply(next);
    } else {
      m_editor->replace(next);
    }
  }
  build();
}

}  // namespace fathom
