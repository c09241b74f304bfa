// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace fathom {

void keepStandardStreams() {
  // The lowest free number is the next one that is opened.
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != fd) return;
}

}  // namespace fathom
