// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>

#include "core/engine/engine_verbs.h"

namespace {

// libgomp's busy waiting makes training several times slower as soon as anything else wants a core, and it
// reads its settings before main: so the program starts itself once more with them set.
void limitBusyWaiting(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "1000", 1);
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  // By its own path, so that process lists go on showing its name.
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = '\0';
    ::execv(path, arguments);
  }
  // Where that fails (no /proc) the run is merely slower.
}

}  // namespace

int main(int argc, char** argv) {
  limitBusyWaiting(argv);
  return fathom::runEngine(argc, argv);
}
