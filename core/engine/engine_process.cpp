// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_process.h"

#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "core/base/files/standard_streams.h"
#include "core/base/text/shell_output.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

// libgomp's busy waiting makes training several times slower as soon as anything else wants a core, and it
// reads its settings before main: so the program starts itself once more with them set.
void limitBusyWaiting(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "1000", 1);
  // By its own path, so that process lists go on showing its name.
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = '\0';
    ::execv(path, arguments);
  }
  // A failure of this (no /proc) makes the run merely slower.
}

// Tensors of a step come and go in the same sizes: memory stays with the process instead of being returned
// to the kernel and cleared by it again for every one of them.
void keepMemory() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
  ::mallopt(M_TOP_PAD, 16 << 20);
}

}  // namespace

void beginEngineProcess(char** argv) {
  keepStandardStreams();
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);  // equal runs give equal bits on a GPU only with it
  limitBusyWaiting(argv);
  keepMemory();
  std::signal(SIGUSR1, SIG_IGN);  // means "save" to a run, and nothing to any other verb
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error like a full disk, not a sudden death
}

int endEngineProcess(int code) {
  std::cout.flush();
  return codeAfterOutput(code, static_cast<bool>(std::cout), static_cast<int>(ExitCode::Disk));
}

}  // namespace fathom
