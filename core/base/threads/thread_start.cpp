// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/thread_start.h"

#include <cstring>
#include <string>

namespace fathom {

Error threadError(int errnoValue) {
  return memoryError(
      Phrase::tr("the system gives no further thread: %1")(std::string(std::strerror(errnoValue))),
      Phrase::tr("end other programs, or raise the limit of processes (ulimit -u)"));
}

}  // namespace fathom
