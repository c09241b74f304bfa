// SPDX-License-Identifier: Apache-2.0
#include "core/base/thread_start.h"

#include <cstring>
#include <string>

namespace fathom {

Error threadError(int errnoValue) {
  return memoryError("the system gives no further thread: " + std::string(std::strerror(errnoValue)),
                     "end other programs, or raise the limit of processes (ulimit -u)");
}

}  // namespace fathom
