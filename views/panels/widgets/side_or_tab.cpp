// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/side_or_tab.h"

#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

#include "views/panels/widgets/boxes.h"

namespace fathom {

SideOrTab::SideOrTab(QWidget* part, QTabWidget* tabs, QString title, QString tip, QWidget* parent)
    : QWidget(parent), m_part(part), m_tabs(tabs), m_title(std::move(title)), m_tip(std::move(tip)) {
  makeColumn(this, {part}, 0);
}

void SideOrTab::setAside(bool aside) {
  if (m_aside == aside) return;
  m_aside = aside;
  if (aside) {
    m_tabs->removeTab(m_tabs->indexOf(m_part));
    layout()->addWidget(m_part);
    m_part->show();
  } else {
    layout()->removeWidget(m_part);
    m_tabs->setTabToolTip(m_tabs->addTab(m_part, m_title), m_tip);
  }
  setVisible(aside);
}

}  // namespace fathom
