// SPDX-License-Identifier: Apache-2.0
#include "core/record/exit_code.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace fathom {

namespace {

bool mentions(const Error& error, const char* word) {
  return error.message.find(word) != std::string::npos;
}

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

// A file that was named and cannot be read is bad input; only reading that fails halfway is the disk's fault.
bool isUnusableInput(const Error& error) {
  const bool reading =
      error.message.rfind("cannot open: ", 0) == 0 || error.message.rfind("cannot read: ", 0) == 0;
  if (!reading) return false;
  for (const int code : {ENOENT, ENOTDIR, EISDIR, EACCES, ELOOP, ENAMETOOLONG})
    if (error.message.ends_with(std::strerror(code))) return true;
  return false;
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
      if (mentions(error, "memory")) {
        return mentions(error, "CUDA") || mentions(error, "device") ? ExitCode::DeviceMemory
                                                                    : ExitCode::OutOfMemory;
      }
      if (isUnusableInput(error)) return ExitCode::BadInput;
      return mentions(error, "CUDA") ? ExitCode::DeviceFault : ExitCode::Disk;
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
