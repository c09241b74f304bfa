// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/tick_button.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/compact_table.h"

namespace fathom {

namespace {

constexpr int kMostTickRows = 12;  // more are scrolled

}  // namespace

TickButton::TickButton(QLineEdit* line, QWidget* parent) : QToolButton(parent), m_line(line) {
  setObjectName(QStringLiteral("tickValues"));
  setIcon(fathom::icon(QStringLiteral("down")));
  setAutoRaise(true);
  setToolTip(tr("Tick the values"));
  setAccessibleName(toolTip());
  setFocusPolicy(Qt::StrongFocus);
  hide();
  line->installEventFilter(this);
  connect(this, &QToolButton::clicked, this, &TickButton::open);
}

void TickButton::setChoices(const QStringList& values, const QStringList& tips,
                            std::function<QStringList()> chosen) {
  m_values = values;
  m_tips = tips;
  m_chosen = std::move(chosen);
  setVisible(!values.isEmpty());
}

void TickButton::open() {
  delete m_list;
  m_list = new QListWidget(this);
  m_list->setWindowFlag(Qt::Popup);
  m_list->setAttribute(Qt::WA_DeleteOnClose);
  m_list->setAccessibleName(tr("Values to be ticked"));
  evenRows(m_list);
  const QStringList chosen = m_chosen();
  for (int i = 0; i < m_values.size(); ++i) {
    auto* item = new QListWidgetItem(m_values[i], m_list);
    item->setToolTip(m_tips.value(i));
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(chosen.contains(m_values[i]) ? Qt::Checked : Qt::Unchecked);
  }
  m_list->setCurrentRow(0);
  m_list->installEventFilter(this);
  connect(m_list, &QListWidget::itemChanged, this, &TickButton::take);
  const int rows = qMin<int>(kMostTickRows, int(m_values.size()));
  const int frame = 2 * m_list->frameWidth();
  const int wide = m_list->sizeHintForColumn(0) + frame + m_list->verticalScrollBar()->sizeHint().width();
  m_list->resize(qMax(m_line->width(), wide), rows * m_list->sizeHintForRow(0) + frame);
  m_list->move(m_line->mapToGlobal(QPoint(0, m_line->height())));
  m_list->show();
  m_list->setFocus(Qt::PopupFocusReason);
}

// In the order of the list. What was typed and is none of them goes: it is refused anyway.
void TickButton::take() {
  QStringList ticked;
  for (int i = 0; i < m_list->count(); ++i)
    if (m_list->item(i)->checkState() == Qt::Checked) ticked.append(m_list->item(i)->text());
  m_line->setText(ticked.join(QStringLiteral(", ")));
}

bool TickButton::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (watched == m_list && QList<int>{Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape}.contains(key->key()))
      return m_list->close();
    if (watched == m_line && key->key() == Qt::Key_Down && !isHidden()) {
      open();
      return true;
    }
  }
  return QToolButton::eventFilter(watched, event);
}

}  // namespace fathom
