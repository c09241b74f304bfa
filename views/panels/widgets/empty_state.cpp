// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/empty_state.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_label(new QLabel(this)), m_buttons(new QHBoxLayout) {
  m_label->setAlignment(Qt::AlignCenter);
  m_label->setWordWrap(true);
  m_label->setObjectName(QStringLiteral("emptyText"));
  m_buttons->setSpacing(metrics::kMargin);
  m_buttons->addStretch();
  m_buttons->addStretch();
  makeColumn(this, {BoxPart::stretch(1), m_label, m_buttons, BoxPart::stretch(2)}, metrics::kGroupGap,
             {metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap, metrics::kGroupGap});
}

void EmptyState::setText(const QString& text) {
  m_label->setText(text);
  setAccessibleName(text);
}

QString EmptyState::text() const {
  return m_label->text();
}

// In a low place the words come before the room around them.
void EmptyState::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int buttons = m_buttons->sizeHint().height();
  const int needed = m_label->heightForWidth(width() - 2 * metrics::kGroupGap) + buttons;
  const int gap = qBound(0, (height() - needed) / 4, metrics::kGroupGap);
  layout()->setContentsMargins(metrics::kGroupGap, gap, metrics::kGroupGap, gap);
  layout()->setSpacing(gap);
}

void EmptyState::setActions(const QList<QAction*>& actions) {
  while (m_buttons->count() > 2) {
    QLayoutItem* item = m_buttons->takeAt(1);
    delete item->widget();
    delete item;
  }
  for (QAction* action : actions) {
    const bool primary = action == actions.first();
    // An icon is drawn in the colour of texts, which is not that of a text on the accent.
    auto* button = new QPushButton(primary ? QIcon() : action->icon(), action->text(), this);
    button->setProperty("primary", primary);
    button->setToolTip(action->toolTip());
    button->setEnabled(action->isEnabled());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, button, [button, action] { button->setEnabled(action->isEnabled()); });
    m_buttons->insertWidget(m_buttons->count() - 1, button);
  }
}

}  // namespace fathom
