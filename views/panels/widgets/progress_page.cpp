// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/progress_page.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

#include "views/look/engine_text.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

ProgressPage::ProgressPage(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_note(new QLabel(this)), m_bar(new QProgressBar(this)) {
  constexpr int kBarWidth = 400;
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  m_note->setAlignment(Qt::AlignCenter);
  m_note->setWordWrap(true);
  m_note->hide();
  m_bar->setFixedWidth(kBarWidth);
  m_bar->setTextVisible(false);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  connect(cancel, &QPushButton::clicked, this, &ProgressPage::cancelRequested);
  const BoxPart above = BoxPart::stretch(1), below = BoxPart::stretch(2);
  makeColumn(this,
             {above, m_text, {m_bar, 0, Qt::AlignHCenter}, m_note, {cancel, 0, Qt::AlignHCenter}, below},
             kStyleGap, kStyleMargins);
}

void ProgressPage::setNote(const QString& text) {
  m_note->setText(text);
  m_note->setVisible(!text.isEmpty());
}

void ProgressPage::setProgress(const QString& title, const ProgressUpdate& update) {
  QStringList parts;
  if (!title.isEmpty()) parts.append(title);
  if (!update.phase.empty()) parts.append(engineText(update.phase));
  if (update.total <= 0 && update.done > 0 && !update.unit.empty())
    parts.append(QLocale().toString(qlonglong(update.done)) + QLatin1Char(' ') + engineText(update.unit));
  if (update.remainingSeconds && *update.remainingSeconds >= 0)
    parts.append(tr("%1 left").arg(fromUtf8(formatDuration(*update.remainingSeconds))));
  m_text->setText(parts.join(QStringLiteral(" · ")));
  showProgress(m_bar, update);
}

}  // namespace fathom
