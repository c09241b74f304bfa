// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_process.h"

#include <alloca.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "core/base/files/standard_streams.h"
#include "core/base/text/shell_output.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

// libgomp's busy waiting makes training several times slower as soon as anything else wants a core, and it
// reads its settings when it is loaded: so the program starts itself once more with them set. Before any
// library is initialised, as torch takes half a second for that, and so without what needs it, like getenv
// and malloc.
void startWithoutBusyWaiting(int, char** arguments, char** environment) {
  std::size_t count = 0;
  for (; environment[count] != nullptr; ++count)
    for (const char* known : {"OMP_WAIT_POLICY=", "GOMP_SPINCOUNT="})
      if (std::strncmp(environment[count], known, std::strlen(known)) == 0) return;
  static char setting[] = "GOMP_SPINCOUNT=1000";
  auto** more = static_cast<char**>(::alloca((count + 2) * sizeof(char*)));
  std::copy_n(environment, count, more);
  more[count] = setting;
  more[count + 1] = nullptr;
  // By its own path, so that process lists go on showing its name.
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  if (length > 0) {
    path[length] = '\0';
    ::execve(path, arguments, more);
  }
  // A failure of this (no /proc) makes the run merely slower.
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const kBeforeLibraries)(int, char**, char**) = &startWithoutBusyWaiting;

// Tensors of a step come and go in the same sizes: memory stays with the process instead of being returned
// to the kernel and cleared by it again for every one of them.
void keepMemory() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
  ::mallopt(M_TOP_PAD, 16 << 20);
}

}  // namespace

void beginEngineProcess() {
  keepStandardStreams();
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);  // equal runs give equal bits on a GPU only with it
  keepMemory();
  std::signal(SIGUSR1, SIG_IGN);  // means "save" to a run, and nothing to any other verb
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error like a full disk, not a sudden death
}

void endEngineProcess(int code) {
  std::cout.flush();
  const int last = codeAfterOutput(code, static_cast<bool>(std::cout), static_cast<int>(ExitCode::Disk));
  std::fflush(nullptr);
  ::_exit(last);
}

}  // namespace fathom
