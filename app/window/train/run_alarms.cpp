// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/run_alarms.h"

#include <QDateTime>

#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

const QString kLogPanel = QStringLiteral("log");
const QString kQueuePanel = QStringLiteral("queue");
const QString kGridPanel = QStringLiteral("grid");

QString countText(qsizetype count) {
  return count > 0 ? QString::number(count) : QString();
}

}  // namespace

void RunAlarms::reset() {
  m_since = double(QDateTime::currentMSecsSinceEpoch()) / 1000;
  m_runnerWorked = false;
  clearLog();
  Q_EMIT noteChanged(kQueuePanel, {});
  Q_EMIT noteChanged(kGridPanel, {});
}

void RunAlarms::take(const ProjectChanges& changes, const RunTableModel& known, const QString& current) {
  for (const RunItem& run : changes.runs) {
    const RunItem* before = known.run(run.uuid);
    if (before == nullptr || !isLive(before->state) || isOpen(run.state)) continue;
    Q_EMIT runEnded(run);
    if (run.uuid == current && endedBadly(run)) Q_EMIT wentWrong(kLogPanel, runStateLook(run.state).word);
  }
  if (changes.gridsChanged) Q_EMIT noteChanged(kGridPanel, countText(changes.grids.size()));
  if (!changes.queueChanged) return;
  const bool stands = changes.runnerPid <= 0 && !changes.settings.paused && !changes.queue.isEmpty();
  const QString waiting = countText(changes.queue.size());
  if (stands && m_runnerWorked) {
    Q_EMIT wentWrong(kQueuePanel, waiting);
  } else {
    Q_EMIT noteChanged(kQueuePanel, waiting);
  }
  m_runnerWorked = changes.runnerPid > 0;
}

void RunAlarms::clearLog() {
  m_warnings = 0;
  Q_EMIT noteChanged(kLogPanel, {});
}

QString RunAlarms::logNote() const {
  return m_warnings > 0 ? tr("warnings: %1").arg(m_warnings) : QString();
}

void RunAlarms::takeLog(const QVector<LogLine>& lines) {
  bool wrong = false;
  const int before = m_warnings;
  for (const LogLine& line : lines) {
    if (line.level < LogLine::Level::Warning) continue;
    ++m_warnings;
    wrong = wrong || (line.level == LogLine::Level::Error && line.time >= m_since);
  }
  if (wrong) {
    Q_EMIT wentWrong(kLogPanel, logNote());
  } else if (m_warnings != before) {
    Q_EMIT noteChanged(kLogPanel, logNote());
  }
}

}  // namespace fathom
