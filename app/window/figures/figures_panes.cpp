// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_panes.h"

#include <QComboBox>
#include <QStackedWidget>
#include <QToolButton>
#include <utility>

#include "app/window/figures/figures_actions.h"
#include "views/look/theme.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

FiguresPanes::FiguresPanes(FiguresActions* actions, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      m_list(new FigureListPanel(this)),
      m_pages(new QStackedWidget(this)),
      m_form(new CompositionForm(this)) {
  fillPages(actions);
  lay(actions);
}

void FiguresPanes::fillPages(FiguresActions* actions) {
  auto* empty = new EmptyState(m_pages);
  empty->setText(tr("No page is open. Make one, and put figures of this project on it."));
  empty->setActions(actions->listed({"figures.new"}));
  auto* blank = new EmptyState(m_pages);
  blank->setText(tr("The page is empty. Choose a figure in the list and put it on the page."));
  blank->setActions(actions->listed({"figures.add"}));
  for (QWidget* part : {static_cast<QWidget*>(empty), makePage(actions), static_cast<QWidget*>(blank)})
    m_pages->addWidget(part);
}

void FiguresPanes::lay(FiguresActions* actions) {
  addWidget(m_list);
  addWidget(m_pages);
  addWidget(m_form);
  setStretchFactor(1, 1);
  setSizes({230, 720, 290});
  setCollapsible(1, false);
  m_list->setMinimumWidth(150);
  m_pages->setMinimumWidth(280);
  m_list->setActions(actions->listed({"figures.new", "figures.add"}),
                     actions->listed({"figures.add", "figures.new", "figures.duplicate", "figures.delete"}));
  m_form->setPanelActions(
      actions->listed({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove",
                       "figures.in_row", "figures.in_two", "figures.in_column", "figures.equal_heights"}));
  m_form->setRunsAction(actions->action(QStringLiteral("figures.same_runs")));
  for (QAction* action : actions->ordered())
    if (action != nullptr) addAction(action);
}

void FiguresPanes::makeZoom(QWidget* part) {
  m_zoom = new QComboBox(part);
  for (const auto& [title, zoom] :
       {std::pair{tr("Print size"), 1.0}, std::pair{tr("Fit"), 0.0}, std::pair{QStringLiteral("50 %"), 0.5},
        std::pair{QStringLiteral("150 %"), 1.5}, std::pair{QStringLiteral("200 %"), 2.0}})
    m_zoom->addItem(title, zoom);
  m_zoom->setAccessibleName(tr("Size of the page on screen"));
  connect(m_zoom, &QComboBox::activated, this, [this] { m_page->setZoom(m_zoom->currentData().toDouble()); });
  connect(m_page, &PageView::zoomChanged, this,
          [this](double zoom) { m_zoom->setCurrentIndex(m_zoom->findData(zoom)); });
}

QWidget* FiguresPanes::makePage(FiguresActions* actions) {
  auto* part = new QWidget(m_pages);
  m_page = new PageView(part);
  m_checks = new CheckStrip(part);
  makeZoom(part);
  auto* bar = new FlowLayout;
  bar->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid);
  bar->setSpacing(metrics::kGrid);
  bar->addWidget(m_zoom);
  const auto button = [&](const char* id) {
    auto* made = new QToolButton(part);
    made->setDefaultAction(actions->action(QString::fromLatin1(id)));
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setAutoRaise(true);
    bar->addWidget(made);
  };
  for (const char* id : {"figures.gray", "figures.regenerate", "figures.copy", "figures.export"}) button(id);
  makeColumn(part, {bar, {m_page, 1}, m_checks}, 0);
  return part;
}

void FiguresPanes::setPage(Page page) {
  m_pages->setCurrentIndex(page);
  m_form->setVisible(page != Nothing);
}

QList<QWidget*> FiguresPanes::places() const {
  if (m_pages->currentIndex() == Nothing) return {m_list};
  return {m_list, m_pages->currentWidget(), m_form};
}

}  // namespace fathom
