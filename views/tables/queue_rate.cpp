// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/queue_rate.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <vector>

namespace fathom {

namespace {

constexpr qint64 kLookedBack = 6 * 3600;  // seconds
constexpr std::size_t kFewestEnded = 2;

}  // namespace

QueueRate queueRate(const QVector<RunItem>& runs, const QDateTime& now) {
  int waiting = 0;
  qint64 longest = 0;             // since the first of them began
  std::vector<double> durations;  // of those that ended, in seconds
  for (const RunItem& run : runs) {
    if (!run.origin.isEmpty()) continue;
    if (isOpen(run.state)) {
      waiting += isLive(run.state) ? 0 : 1;
      continue;
    }
    if (!run.created.isValid() || run.durationSeconds <= 0) continue;
    const qint64 began = run.created.secsTo(now);
    if (began < 0 || static_cast<double>(began) - run.durationSeconds > static_cast<double>(kLookedBack))
      continue;
    durations.push_back(run.durationSeconds);
    longest = std::max(longest, began);
  }
  QueueRate rate;
  if (durations.size() < kFewestEnded || longest <= 0) return rate;
  // A run that is longer than the time looked back on counts with the part that fell into it.
  const double seconds = static_cast<double>(std::min(longest, kLookedBack));
  double ended = 0;
  for (const double duration : durations) ended += std::min(1.0, seconds / duration);
  rate.runsAnHour = 3600.0 * ended / seconds;
  rate.secondsLeft = waiting / rate.runsAnHour * 3600;
  return rate;
}

namespace {

QString beginWords(const char* text) {
  return QCoreApplication::translate("fathom::QueuePanel", text);
}

// A run of this machine trains; elsewhere another queue takes turns.
bool trainsHere(const RunItem& run) {
  return isLive(run.state) && run.origin.isEmpty() && run.job.place.isEmpty();
}

// The run of this machine that will have ended first, one that says so before one that does not.
const RunItem* nextToEnd(const QVector<RunItem>& runs) {
  const RunItem* next = nullptr;
  for (const RunItem& run : runs) {
    if (!trainsHere(run)) continue;
    const bool sooner =
        next == nullptr || (run.remainingSeconds >= 0 &&
                            (next->remainingSeconds < 0 || run.remainingSeconds < next->remainingSeconds));
    if (sooner) next = &run;
  }
  return next;
}

}  // namespace

QString beginText(const QVector<RunItem>& runs, const QueueWait& wait, const QDateTime& now) {
  if (wait.paused)
    return beginWords(
        QT_TRANSLATE_NOOP("fathom::QueuePanel", "The queue is paused: nothing begins until it goes on."));
  const auto training = static_cast<int>(std::count_if(runs.cbegin(), runs.cend(), trainsHere));
  const int toEnd = training + wait.ahead - wait.atOnce + 1;
  if (toEnd <= 0)
    return wait.runs > 1 ? beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel", "The first begins at once."))
                         : beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel", "It begins at once."));
  const RunItem* next = nextToEnd(runs);
  if (toEnd == 1 && next != nullptr && next->remainingSeconds >= 0)
    return beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel", "Begins when “%1” has ended, in about %2."))
        .arg(next->name, durationText(next->remainingSeconds));
  if (toEnd == 1 && next != nullptr && training == 1)
    return beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel", "Begins when “%1” has ended.")).arg(next->name);
  const double rate = queueRate(runs, now).runsAnHour;
  const QString count = QLocale().toString(toEnd);
  if (rate <= 0)
    return beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel", "Begins when runs before it have ended: %1."))
        .arg(count);
  return beginWords(QT_TRANSLATE_NOOP("fathom::QueuePanel",
                                      "Begins when runs before it have ended: %1, in about %2."))
      .arg(count, durationText(toEnd / rate * 3600));
}

QString queueRateText(const QueueRate& rate) {
  if (rate.runsAnHour < 0) return {};
  const QString runs = QLocale().toString(rate.runsAnHour, 'g', 2);
  if (rate.secondsLeft <= 0)
    return QCoreApplication::translate("fathom::QueuePanel", "%1 runs an hour.").arg(runs);
  return QCoreApplication::translate("fathom::QueuePanel", "%1 runs an hour; what waits takes about %2.")
      .arg(runs, durationText(rate.secondsLeft));
}

}  // namespace fathom
