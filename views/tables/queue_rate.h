// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QVector>

#include "views/tables/run_item.h"

namespace fathom {

// How fast the queue is worked through: own runs that ended within the last hours, and what that makes of
// those that wait. Both are -1 where too few have ended to say.
struct QueueRate {
  double runsAnHour = -1;
  double secondsLeft = -1;  // until the last one that waits has ended
};
QueueRate queueRate(const QVector<RunItem>& runs, const QDateTime& now);
// "4 runs an hour; what waits takes about 1:30:00."; empty where it is not known.
QString queueRateText(const QueueRate& rate);

// What runs that were queued just now wait for on this machine.
struct QueueWait {
  int runs = 1;    // that were queued together
  int ahead = 0;   // that wait before them
  int atOnce = 1;  // that the machine trains at once
  bool paused = false;
};
// "It begins when “deep” has ended, in about 4:50.", as far as it is known.
QString beginText(const QVector<RunItem>& runs, const QueueWait& wait, const QDateTime& now);

}  // namespace fathom
