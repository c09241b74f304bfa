// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

struct HostBenchSize {
  int runs = 50, events = 100, rounds = 3;
  double idleSeconds = 20, megabytes = 100;
};

// Runs of a host, over a real sshd of this user on the loopback.
struct HostBench {
  std::vector<double> arrived, drawn;      // seconds from an event's write, sorted
  double client = 0, host = 0, bytes = 0;  // idle: shares of a core, and bytes a second in both directions
  std::vector<double> ours, sftp;          // seconds until a long log is here, by round
  double megabytes = 0;
  std::string sftpMissing;  // why there is no peer; "" = there is
};
// The bench plays the engines. In the GUI thread, with a QApplication. Unavailable where there is no sshd.
Result<HostBench> benchHost(const HostBenchSize& size, Progress& progress, const StopToken& stop);

}  // namespace fathom
