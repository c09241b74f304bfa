// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/library/queue/queue_folder.h"

namespace fathom {

struct QueuedRuns {
  std::vector<QueueEntry> entries;  // with uuid and order
  bool paused = false;              // the queue is: nobody was started to work through it
};

// Queues runs, at the end or in front of all others: all of them with their record, or after an error (no
// room, settings that cannot be read) or kill -9 none.
Result<std::vector<QueueEntry>> addRuns(const std::string& project, std::vector<QueueEntry> entries,
                                        bool atFront = false, const QueueRecord& record = {});
// Queues runs and sees to it that somebody works through the queue. One step or none: without a
// runner nothing is queued or recorded either.
Result<QueuedRuns> queueRuns(const std::string& project, std::vector<QueueEntry> entries,
                             bool atFront = false, const QueueRecord& record = {});

}  // namespace fathom
