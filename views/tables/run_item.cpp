// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_item.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/base/threads/progress.h"
#include "core/record/runs/run_verdict.h"
#include "views/look/engine_text.h"
#include "views/tables/run_job_text.h"

namespace fathom {

namespace {

QString itemText(const char* text) {
  return QCoreApplication::translate("RunItem", text);
}

struct StateEntry {
  RunState state;
  const char* word;
  const char* icon;
  const char* colour;
};
constexpr StateEntry kRunStates[] = {
    {RunState::Queued, QT_TRANSLATE_NOOP("RunItem", "queued"), "state-queued", "queued"},
    {RunState::Running, QT_TRANSLATE_NOOP("RunItem", "running"), "state-running", "running"},
    {RunState::Finished, QT_TRANSLATE_NOOP("RunItem", "finished"), "state-finished", "finished"},
    {RunState::Stopped, QT_TRANSLATE_NOOP("RunItem", "stopped"), "state-stopped", "stopped"},
    {RunState::Diverged, QT_TRANSLATE_NOOP("RunItem", "diverged"), "state-diverged", "diverged"},
    {RunState::Failed, QT_TRANSLATE_NOOP("RunItem", "failed"), "state-failed", "failed"},
    {RunState::Crashed, QT_TRANSLATE_NOOP("RunItem", "crashed"), "state-failed", "failed"},
    {RunState::Killed, QT_TRANSLATE_NOOP("RunItem", "killed"), "state-failed", "failed"},
    {RunState::Lost, QT_TRANSLATE_NOOP("RunItem", "lost"), "state-stalled", "failed"},
    {RunState::Ended, QT_TRANSLATE_NOOP("RunItem", "ended"), "state-finished", "finished"},
};

struct NamedText {
  const char* id;
  const char* text;
};
constexpr NamedText kCauses[] = {
    {"nan_loss", QT_TRANSLATE_NOOP("RunItem", "loss is not a number")},
    {"inf_loss", QT_TRANSLATE_NOOP("RunItem", "loss is infinite")},
    {"nonfinite_grad", QT_TRANSLATE_NOOP("RunItem", "gradient is not finite")},
    {"loss_above", QT_TRANSLATE_NOOP("RunItem", "loss exploded")},
    {"no_learning", QT_TRANSLATE_NOOP("RunItem", "not learning")},
    {"oom", QT_TRANSLATE_NOOP("RunItem", "out of memory")},
    {"disk", QT_TRANSLATE_NOOP("RunItem", "disk full or not writable")},
    {"data", QT_TRANSLATE_NOOP("RunItem", "data cannot be read")},
    {"config", QT_TRANSLATE_NOOP("RunItem", "configuration refused")},
    {"device_fault", QT_TRANSLATE_NOOP("RunItem", "device failed")},
    {"rank_lost", QT_TRANSLATE_NOOP("RunItem", "rank lost")},
    {"crash", QT_TRANSLATE_NOOP("RunItem", "crashed")},
    {"killed", QT_TRANSLATE_NOOP("RunItem", "killed")},
    {"time_limit", QT_TRANSLATE_NOOP("RunItem", "time limit")},
    {"aborted", QT_TRANSLATE_NOOP("RunItem", "aborted")},
    {"paused", QT_TRANSLATE_NOOP("RunItem", "paused")},  // following its source, by a person
    {"unknown", QT_TRANSLATE_NOOP("RunItem", "reason unknown")},
};

}  // namespace

RunStateLook runStateLook(RunState state, const QString& cause) {
  if (cause == QLatin1String(kAbortedCause) && !isOpen(state))
    return {itemText("aborted"), QStringLiteral("state-stopped"), QStringLiteral("stopped")};
  for (const StateEntry& entry : kRunStates) {
    if (state == entry.state)
      return {itemText(entry.word), QString::fromLatin1(entry.icon), QString::fromLatin1(entry.colour)};
  }
  return {fromUtf8(runStateName(state)), QStringLiteral("info"), QStringLiteral("queued")};
}

QString runConfigText(const RunItem& run, const QString& key) {
  const SharedOption* option = run.config.find(toUtf8(key));
  return option == nullptr ? QString() : option->text;
}

RunState countedState(const RunItem& run) {
  return countedState(run.state, toUtf8(run.cause));
}

bool endedBadly(const RunItem& run) {
  return isFailure(countedState(run));
}

QString runCauseText(const QString& cause) {
  for (const NamedText& entry : kCauses)
    if (cause == QLatin1String(entry.id)) return itemText(entry.text);
  return cause;
}

RunFacts factsOf(const RunItem& run) {
  RunFacts facts;
  facts.run = toUtf8(run.uuid);
  facts.outcome = countedState(run);
  facts.failed = endedBadly(run);
  facts.open = isOpen(run.state);
  for (auto it = run.last.cbegin(); it != run.last.cend(); ++it) facts.last[toUtf8(it.key())] = it.value();
  return facts;
}

MetricCatalogue metricsOf(const QVector<RunItem>& runs) {
  MetricCatalogue metrics;
  for (const RunItem& run : runs)
    if (!run.metrics.empty()) metrics.add(run.metrics);
  for (const std::string& id : metrics.kept()) {
    const QString name = fromUtf8(id);
    const bool ofProgram = std::any_of(runs.cbegin(), runs.cend(), [&](const RunItem& run) {
      return run.last.contains(name) && findMetric(run.metrics, id) == nullptr;
    });
    if (ofProgram) metrics.addOfProgram(id);
  }
  return metrics;
}

QString metricTitle(const Metric& metric) {
  return engineText(metric.shortTitle);
}

QString metricText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return locale.toString(value, 'e', 2);
  // Four digits that mean something; what is larger stands without a fraction.
  return size >= 1000 ? locale.toString(value, 'f', 0) : locale.toString(value, 'g', 4);
}

QString metricColumnText(const RunItem& run, const QString& metric, double value) {
  const std::string id = toUtf8(metric);
  const Metric* kept = findMetric(run.metrics, id);
  return metricColumnText(kept != nullptr ? *kept : MetricCatalogue().of(id), value);
}

QString metricColumnText(const Metric& metric, double value) {
  const int decimals = metric.decimals;
  constexpr double kMost = 1e6, kLeastDigits = 10;
  const double size = std::abs(value);
  const bool whole = std::isfinite(value) && decimals >= 0 && size < kMost;
  if (!whole || (size != 0 && size * std::pow(10, decimals) < kLeastDigits)) return metricText(value);
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  return locale.toString(value, 'f', decimals);
}

QString durationText(double seconds) {
  if (seconds < 0) return QStringLiteral("–");
  return QString::fromStdString(formatDuration(seconds));
}

QString growthText(const RunItem& run) {
  if (!run.followed) return {};
  return phraseText(run.growth.phrase(double(QDateTime::currentMSecsSinceEpoch()) / 1000));
}

QString jobText(const RunJob& job) {
  if (job.place.isEmpty()) return {};
  QStringList parts = {job.id.isEmpty() ? job.place : job.place + QLatin1Char(' ') + job.id,
                       jobReasonText(job)};
  parts.removeAll(QString());
  return parts.join(itemText(QT_TRANSLATE_NOOP("RunItem", ", ")));
}

QString jobReasonText(const RunJob& job) {
  QStringList parts;
  if (job.state == QLatin1String("stuck"))
    parts.append(itemText(QT_TRANSLATE_NOOP("RunItem", "will not start by itself")));
  if (!job.reason.isEmpty()) parts.append(job.reason);
  if (job.silentFrom.isValid()) {
    const QDateTime from = job.silentFrom.toLocalTime();
    const QLocale locale;
    parts.append(itemText(QT_TRANSLATE_NOOP("RunItem", "nothing heard since %1"))
                     .arg(from.date() == QDate::currentDate()
                              ? locale.toString(from.time(), QLocale::ShortFormat)
                              : locale.toString(from, QLocale::ShortFormat)));
  }
  return parts.join(itemText(QT_TRANSLATE_NOOP("RunItem", ", ")));
}

}  // namespace fathom
