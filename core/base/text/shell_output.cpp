// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/shell_output.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace fathom {

static_assert(kReaderGoneCode == 128 + SIGPIPE);

bool outputReaderHasGone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

int codeAfterOutput(int code, bool written, int diskCode) {
  const bool flushed = std::fflush(stdout) == 0;
  if (written && flushed) return code;
  if (outputReaderHasGone()) return code == 0 ? kReaderGoneCode : code;
  std::fprintf(stderr, "error: the output could not be written (is the disk full?)\n");
  return code == 0 ? diskCode : code;
}

}  // namespace fathom
