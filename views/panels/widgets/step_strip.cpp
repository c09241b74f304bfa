// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/step_strip.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/panels/widgets/heading.h"

namespace fathom {

StepStrip::StepStrip(const QString& title, const QVector<QPair<QString, QString>>& steps, QWidget* parent)
    : QWidget(parent),
      m_done(steps.size(), false),
      m_sentence(wrappedLabel(this, QStringLiteral("stepSentence"))),
      m_close(flatButton(this, QStringLiteral("close"), tr("Take these steps away; Help shows them again"))) {
  setObjectName(QStringLiteral("stepStrip"));
  setAccessibleName(title);
  auto* line = new QWidget(this);
  auto* flow = new FlowLayout(line);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->setSpacing(metrics::kGrid);
  auto* head = new QLabel(title, line);
  setHeadingRank(head, HeadingRank::Panel);
  flow->addWidget(head);
  for (int step = 0; step < steps.size(); ++step) {
    auto* button = new QPushButton(tr("%1. %2").arg(step + 1).arg(steps[step].first), line);
    button->setToolTip(steps[step].second);
    button->setObjectName(QStringLiteral("step%1").arg(step));
    flow->addWidget(button);
    m_steps.append(button);
    connect(button, &QPushButton::clicked, this, [this, step] { Q_EMIT chosen(step); });
  }
  m_close->setObjectName(QStringLiteral("closeSteps"));
  m_sentence->hide();
  auto* column = makeColumn({line, m_sentence}, metrics::kGrid);
  makeRow(this, {{column, 1}, {m_close, 0, Qt::AlignTop}}, metrics::kMargin,
          {metrics::kMargin, metrics::kGrid, metrics::kGrid, metrics::kGrid});
  connect(m_close, &QToolButton::clicked, this, &StepStrip::dismissed);
  refresh();
}

void StepStrip::setDone(int step, bool done) {
  if (step < 0 || step >= m_done.size() || m_done[step] == done) return;
  m_done[step] = done;
  refresh();
}

void StepStrip::setSentence(const QString& sentence) {
  showText(m_sentence, sentence);
}

void StepStrip::startAgain() {
  m_done.fill(false);
  refresh();
}

void StepStrip::refresh() {
  const Theme& theme = Theme::of(palette());
  const qsizetype next = m_done.indexOf(false);
  for (int step = 0; step < m_steps.size(); ++step) {
    QPushButton* button = m_steps[step];
    button->setIcon(m_done[step] ? QIcon(iconPixmap(QStringLiteral("check"), theme.finished, metrics::kIcon,
                                                    devicePixelRatioF()))
                                 : QIcon());
    button->setAccessibleDescription(m_done[step] ? tr("done") : QString());
    button->setProperty("primary", step == next);
    button->style()->unpolish(button);
    button->style()->polish(button);
  }
}

void StepStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace fathom
