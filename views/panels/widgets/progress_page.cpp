// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/progress_page.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/look/engine_text.h"

namespace fathom {

ProgressPage::ProgressPage(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this)) {
  constexpr int kBarWidth = 400;
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  m_bar->setFixedWidth(kBarWidth);
  m_bar->setTextVisible(false);
  auto* cancel = new QPushButton(tr("Cancel"), this);
  connect(cancel, &QPushButton::clicked, this, &ProgressPage::cancelRequested);
  auto* layout = new QVBoxLayout(this);
  layout->addStretch(1);
  layout->addWidget(m_text);
  layout->addWidget(m_bar, 0, Qt::AlignHCenter);
  layout->addWidget(cancel, 0, Qt::AlignHCenter);
  layout->addStretch(2);
}

void ProgressPage::setProgress(const QString& title, const ProgressUpdate& update) {
  QStringList parts;
  if (!title.isEmpty()) parts.append(title);
  if (!update.phase.empty()) parts.append(engineText(update.phase));
  const bool known = update.total > 0;
  if (!known && update.done > 0 && !update.unit.empty())
    parts.append(QLocale().toString(qlonglong(update.done)) + QLatin1Char(' ') + engineText(update.unit));
  if (update.remainingSeconds && *update.remainingSeconds >= 0)
    parts.append(tr("%1 left").arg(fromUtf8(formatDuration(*update.remainingSeconds))));
  m_text->setText(parts.join(QStringLiteral(" · ")));
  constexpr int kParts = 1000;
  m_bar->setRange(0, known ? kParts : 0);
  if (known) m_bar->setValue(int(kParts * std::clamp(update.done / update.total, 0.0, 1.0)));
}

}  // namespace fathom
