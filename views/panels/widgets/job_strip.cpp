// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/job_strip.h"

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

QString timeText(const ProgressUpdate& progress) {
  QStringList parts = {fromUtf8(formatDuration(progress.spentSeconds))};
  if (progress.remainingSeconds)
    parts.append(JobStrip::tr("%1 left").arg(fromUtf8(formatDuration(*progress.remainingSeconds))));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

JobStrip::JobStrip(QWidget* parent)
    : QWidget(parent),
      m_text(new QToolButton(this)),
      m_bar(new QProgressBar(this)),
      m_left(new QLabel(this)),
      m_cancel(flatButton(this, QStringLiteral("close"), tr("Cancel this job"))),
      m_list(new QFrame(this, Qt::Popup)),
      m_listLayout(new QVBoxLayout(m_list)) {
  m_text->setAutoRaise(true);
  m_text->setFocusPolicy(Qt::TabFocus);
  m_text->setToolTip(tr("All jobs of this window"));
  m_bar->setFixedWidth(120);
  m_bar->setTextVisible(false);
  m_bar->setMaximumHeight(10);
  m_cancel->setFocusPolicy(Qt::TabFocus);
  m_list->setFrameShape(QFrame::StyledPanel);
  makeRow(this, {m_text, m_bar, m_left, m_cancel}, metrics::kGrid);
  connect(m_text, &QToolButton::clicked, this, &JobStrip::showList);
  connect(m_cancel, &QToolButton::clicked, this, [this] {
    if (!m_jobs.isEmpty()) Q_EMIT cancelRequested(m_jobs.first().id);
  });
  hide();
}

void JobStrip::setJobs(const QVector<JobView>& jobs) {
  m_jobs = jobs;
  setVisible(!jobs.isEmpty());
  if (m_list->isVisible()) fillList();
  if (jobs.isEmpty()) {
    m_list->hide();
    return;
  }
  const JobView& first = jobs.first();
  QString text = first.cancelling ? tr("Cancelling: %1").arg(first.title) : first.title;
  if (jobs.size() > 1) text += QLatin1Char(' ') + tr("(+%1)").arg(jobs.size() - 1);
  m_text->setText(literalActionText(text));
  m_text->setAccessibleName(text);
  showProgress(m_bar, first.progress);
  m_left->setText(timeText(first.progress));
  m_cancel->setEnabled(!first.cancelling);
}

void JobStrip::fillList() {
  clearLayout(m_listLayout);
  for (const JobView& job : std::as_const(m_jobs)) {
    auto* row = new QWidget(m_list);
    auto* bar = new QProgressBar(row);
    bar->setTextVisible(false);
    bar->setFixedSize(120, 10);
    showProgress(bar, job.progress);
    auto* cancel = new QToolButton(row);
    cancel->setText(tr("Cancel"));
    cancel->setEnabled(!job.cancelling);
    connect(cancel, &QToolButton::clicked, this, [this, id = job.id] { Q_EMIT cancelRequested(id); });
    makeRow(row, {{new QLabel(job.title, row), 1},
                  new QLabel(engineText(job.progress.phase), row),
                  bar,
                  new QLabel(timeText(job.progress), row),
                  cancel});
    m_listLayout->addWidget(row);
  }
  m_list->adjustSize();
}

void JobStrip::showList() {
  if (m_jobs.isEmpty()) return;
  fillList();
  const QPoint corner = m_text->mapToGlobal(QPoint(0, 0));
  m_list->move(corner - QPoint(0, m_list->height()));
  m_list->show();
}

}  // namespace fathom
