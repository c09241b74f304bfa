// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/exit_code.h"

#include <array>
#include <csignal>
#include <string>

namespace fathom {

namespace {

// Signals a program brings on itself; the others come from outside.
bool crashSignal(int number) {
  return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGTRAP || number == SIGSYS;
}

std::array<std::string, 65> signalTexts() {
  std::array<std::string, 65> texts;
  for (int i = 0; i < 65; ++i) {
    texts[static_cast<std::size_t>(i)] =
        std::string(crashSignal(i) ? "crashed" : "killed") + " (signal " + std::to_string(i) + ")";
  }
  return texts;
}

ExitCode codeFor(ResourceKind resource) {
  switch (resource) {
    case ResourceKind::Disk:
      return ExitCode::Disk;
    case ResourceKind::HostMemory:
      return ExitCode::OutOfMemory;
    case ResourceKind::DeviceMemory:
      return ExitCode::DeviceMemory;
    case ResourceKind::DeviceFault:
      return ExitCode::DeviceFault;
    case ResourceKind::Unavailable:
      return ExitCode::BadInput;
  }
  return ExitCode::Internal;
}

}  // namespace

ExitCode exitCodeFor(const Error& error) {
  switch (error.kind) {
    case ErrorKind::Usage:
      return ExitCode::Usage;
    case ErrorKind::Data:
      return ExitCode::BadInput;
    case ErrorKind::Numeric:
      return ExitCode::Diverged;
    case ErrorKind::Interrupted:
      return ExitCode::Stopped;
    case ErrorKind::Resource:
      return codeFor(error.resource);
    case ErrorKind::Internal:
      break;
  }
  return ExitCode::Internal;
}

const char* runStateForExitCode(int code) {
  static const std::array<std::string, 65> texts = signalTexts();
  switch (code) {
    case static_cast<int>(ExitCode::Finished):
      return "finished";
    case static_cast<int>(ExitCode::Stopped):
      return "stopped";
    case static_cast<int>(ExitCode::Diverged):
      return "diverged";
    default:
      return code > 128 && code <= 192 ? texts[static_cast<std::size_t>(code - 128)].c_str() : "failed";
  }
}

}  // namespace fathom
