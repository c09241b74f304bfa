// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/judgement_bar.h"

#include <QAction>
#include <QEvent>
#include <QPainter>
#include <QToolButton>

#include "views/figure/figure_colours.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/prediction_table_delegate.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

namespace {

// The square of a category in the table; chosen, with a rim that parts it from the accent.
QIcon categoryIcon(const QString& category, const QColor& rim) {
  QIcon icon;
  if (!categoryColour(category).isValid()) return icon;  // it says nothing
  for (const bool chosen : {false, true}) {
    QPixmap pixmap(32, 32);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    paintCategory(&painter, {1, 1}, category, true, false, {}, Qt::transparent);
    if (chosen) {
      painter.setPen(QPen(rim, 1.5));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(1, 1, 14, 14), 2, 2);
    }
    icon.addPixmap(pixmap, QIcon::Normal, chosen ? QIcon::On : QIcon::Off);
  }
  return icon;
}

}  // namespace

JudgementBar::JudgementBar(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent), m_review(review), m_buttons(new FlowLayout(this)) {
  m_buttons->setContentsMargins(0, 0, 0, 0);
  m_buttons->setSpacing(metrics::kGrid);
  setAccessibleName(tr("Judge the prediction"));
  connect(review, &ReviewedPredictions::reviewChanged, this, &JudgementBar::showIcons);
  connect(review, &ReviewedPredictions::currentChanged, this, &JudgementBar::markChosen);
  connect(review, &ReviewedPredictions::exampleChanged, this, &JudgementBar::markChosen);
}

void JudgementBar::addButton(QAction* action) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setObjectName(action->objectName());
  button->setFocusPolicy(Qt::StrongFocus);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setIconSize({metrics::kIcon, metrics::kIcon});
  button->setProperty(kChoiceProperty, action->isCheckable());
  button->setVisible(action->isVisible());
  connect(action, &QAction::changed, button, [button, action] { button->setVisible(action->isVisible()); });
  m_buttons->addWidget(button);
}

void JudgementBar::setActions(const QList<QAction*>& categories, QAction* clear) {
  m_categories = categories;
  for (QAction* category : categories) addButton(category);
  addButton(clear);
}

// The actions are those of every kind: only an open review says what they stand for.
void JudgementBar::showIcons() {
  if (m_review->empty()) return;
  const Theme& theme = Theme::of(palette());
  const std::vector<int> given = m_review->personCategories();
  const auto& known = m_review->kind().categories;
  for (std::size_t i = 0; i < given.size() && qsizetype(i) < m_categories.size(); ++i)
    m_categories[qsizetype(i)]->setIcon(
        categoryIcon(fromUtf8(known[std::size_t(given[i])].id), theme.dark ? theme.window : theme.panel));
}

// The buttons show what a person chose, whatever was clicked since.
void JudgementBar::markChosen() {
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (m_review->empty() || model < 0 || example < 0) return;
  const bool human = m_review->isHuman(model, example);
  const int shown = m_review->category(model, example);
  const std::vector<int> given = m_review->personCategories();
  for (std::size_t i = 0; i < given.size() && qsizetype(i) < m_categories.size(); ++i)
    m_categories[qsizetype(i)]->setChecked(human && shown == given[i]);
}

void JudgementBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showIcons();
}

}  // namespace fathom
