// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/help_window.h"

#include <QEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSplitter>
#include <algorithm>

#include "views/look/help_pages.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/markdown_text.h"

namespace fathom {

namespace {

bool hasAll(const QString& text, const QString& words) {
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::all_of(wanted.begin(), wanted.end(),
                     [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

// The head of a group, which is no page.
bool isHead(const QListWidgetItem* item) {
  return item->data(Qt::UserRole).isNull();
}

}  // namespace

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent),
      m_search(filterLine(nullptr, tr("Find a page"), tr("Find a page"))),
      m_list(new QListWidget),
      m_text(new HelpText(this)) {
  setWindowTitle(tr("Help"));
  resize(820, 640);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName(tr("Pages of the help"));
  m_text->setAccessibleName(tr("Help"));
  m_text->document()->setDocumentMargin(metrics::kGroupGap);
  for (const HelpGroup& group : helpGroups()) {
    auto* head = new QListWidgetItem(group.title, m_list);
    head->setFlags(Qt::NoItemFlags);  // read, never chosen
    QFont bold = m_list->font();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    for (const HelpTitle& page : group.pages) {
      auto* item = new QListWidgetItem(page.title, m_list);
      item->setData(Qt::UserRole, page.id);
      item->setToolTip(page.title);
    }
  }
  colourHeads();
  auto* side = new QWidget;
  makeColumn(side, {m_search, m_list}, kStyleGap, {metrics::kMargin, metrics::kMargin, 0, metrics::kMargin});
  auto* parts = new QSplitter;
  parts->addWidget(side);
  parts->addWidget(m_text);
  parts->setStretchFactor(1, 1);
  parts->setSizes({240, 580});
  makeColumn(this, {parts});
  connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::search);
  connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item != nullptr) read({item->data(Qt::UserRole).toString()});
  });
  connect(m_search, &QLineEdit::returnPressed, this, &HelpWindow::readFound);
}

HelpWindow* HelpWindow::openAt(QWidget* asker, const QStringList& ids) {
  QWidget* window = asker->window();
  auto* help = window->findChild<HelpWindow*>(QString(), Qt::FindDirectChildrenOnly);
  if (help == nullptr) help = new HelpWindow(window);
  help->showPages(ids);
  return help;
}

// Items that cannot be chosen would be as pale as what is switched off.
void HelpWindow::colourHeads() {
  for (int i = 0; i < m_list->count(); ++i)
    if (isHead(m_list->item(i))) m_list->item(i)->setForeground(palette().text());
}

void HelpWindow::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colourHeads();
}

void HelpWindow::search(const QString& words) {
  if (m_contents.isEmpty())
    for (int i = 0; i < m_list->count(); ++i)
      m_contents.append(helpPage(m_list->item(i)->data(Qt::UserRole).toString()));
  QListWidgetItem* head = nullptr;
  for (int i = 0; i < m_list->count(); ++i) {
    QListWidgetItem* item = m_list->item(i);
    if (isHead(item)) {
      head = item;
      head->setHidden(true);
      continue;
    }
    const QString text = item->text() + QLatin1Char(' ') + item->data(Qt::UserRole).toString() +
                         QLatin1Char(' ') + m_contents[i];
    item->setHidden(!hasAll(text, words));
    if (!item->isHidden()) head->setHidden(false);
  }
}

// Many pages mention a method; the one about it has its name in the title.
void HelpWindow::readFound() {
  int found = -1;
  for (int i = 0; i < m_list->count(); ++i) {
    const QListWidgetItem* item = m_list->item(i);
    if (item->isHidden() || isHead(item)) continue;
    const bool inTitle = hasAll(item->text(), m_search->text());
    if (found < 0 || inTitle) found = i;
    if (inTitle) break;
  }
  if (found < 0) return;
  m_list->setCurrentRow(found);
  m_list->setFocus(Qt::ShortcutFocusReason);
}

void HelpWindow::read(const QStringList& ids) {
  QStringList pages;
  for (const QString& id : ids)
    if (const QString page = helpPage(id); !page.isEmpty()) pages.append(page);
  showMarkdown(pages.join(QStringLiteral("\n\n---\n\n")));
}

void HelpWindow::showMarkdown(const QString& markdown) {
  setMarkdownText(m_text->document(), markdown, m_text->font());
}

void HelpWindow::showText(const QString& title, const QString& markdown) {
  setWindowTitle(title);
  m_list->setCurrentItem(nullptr);
  showMarkdown(markdown);
  show();
  raise();
  activateWindow();
}

void HelpWindow::showPages(const QStringList& ids) {
  setWindowTitle(tr("Help"));
  m_list->setCurrentItem(nullptr);
  for (int i = 0; i < m_list->count(); ++i) {
    if (ids.contains(m_list->item(i)->data(Qt::UserRole).toString())) {
      m_list->setCurrentRow(i);
      break;
    }
  }
  if (ids.isEmpty()) {
    m_list->setCurrentRow(1);  // below the head of its group
  } else {
    read(ids);
  }
  show();
  raise();
  activateWindow();
}

}  // namespace fathom
