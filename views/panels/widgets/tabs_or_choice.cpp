// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/tabs_or_choice.h"

#include <QComboBox>
#include <QEvent>
#include <QSignalBlocker>
#include <QTabBar>
#include <QTabWidget>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

TabsOrChoice::TabsOrChoice(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_tabs(new QTabWidget(this)), m_row(new QWidget(this)) {
  m_tabs->setDocumentMode(true);
  // Tabs that are shown are whole; so that the bar does not keep the panel wide they may be cut.
  m_tabs->setUsesScrollButtons(false);
  m_tabs->setElideMode(Qt::ElideRight);
  constexpr int kCharacters = 8;
  m_choice = narrowChoice(m_row, accessibleName, kCharacters);
  m_choice->setObjectName(QStringLiteral("pages"));
  makeRow(m_row, {{m_choice, 1}}, 0, {metrics::kMargin, 0, metrics::kMargin, 0});
  m_row->hide();
  makeColumn(this, {m_row, {m_tabs, 1}}, metrics::kGrid);
  connect(m_choice, &QComboBox::currentIndexChanged, m_tabs, &QTabWidget::setCurrentIndex);
  connect(m_tabs, &QTabWidget::currentChanged, m_choice, &QComboBox::setCurrentIndex);
}

void TabsOrChoice::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

// Pages come and go, and texts grow.
bool TabsOrChoice::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::FontChange)
    arrange();
  return done;
}

void TabsOrChoice::arrange() {
  const QTabBar* bar = m_tabs->tabBar();
  const bool fits = bar->sizeHint().width() <= width();
  {
    const QSignalBlocker quiet(m_choice);
    while (m_choice->count() > m_tabs->count()) m_choice->removeItem(m_choice->count() - 1);
    for (int i = 0; i < m_tabs->count(); ++i) {
      if (i == m_choice->count()) m_choice->addItem(QString());
      if (m_choice->itemText(i) != m_tabs->tabText(i)) m_choice->setItemText(i, m_tabs->tabText(i));
    }
    m_choice->setCurrentIndex(m_tabs->currentIndex());
  }
  if (bar->isHidden() == !fits && m_row->isHidden() == fits) return;
  const bool focused = fits ? m_choice->hasFocus() : bar->hasFocus();
  m_tabs->tabBar()->setVisible(fits);
  m_tabs->setFocusPolicy(fits ? Qt::TabFocus
                              : Qt::NoFocus);  // it hands the keyboard to its bar, hidden or not
  m_row->setVisible(!fits);
  if (focused) (fits ? static_cast<QWidget*>(m_tabs->tabBar()) : m_choice)->setFocus();
}

}  // namespace fathom
