// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/help_window.h"

#include <QVBoxLayout>

#include "views/look/theme.h"
#include "views/panels/form/option_help_panel.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/markdown_text.h"

namespace fathom {

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), m_text(new HelpText(this)) {
  setWindowTitle(tr("Help"));
  resize(560, 640);
  m_text->setAccessibleName(tr("Help"));
  m_text->document()->setDocumentMargin(metrics::kGroupGap);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_text);
}

void HelpWindow::showPages(const QStringList& ids) {
  QStringList pages;
  for (const QString& id : ids)
    if (const QString page = helpPage(id); !page.isEmpty()) pages.append(page);
  setMarkdownText(m_text->document(), pages.join(QStringLiteral("\n\n---\n\n")), m_text->font());
  show();
  raise();
  activateWindow();
}

}  // namespace fathom
