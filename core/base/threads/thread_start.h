// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "core/base/errors/error.h"
#include "core/base/files/atomic_file.h"

namespace fathom {

// The error for a system that gives no further thread: a resource error, of memory.
Error threadError(int errnoValue);

// A thread that works, or Failure: std::thread alone would end in std::system_error, which nobody who reads
// the outcome of a run understands. Helpers that share work: thread_ranges.h. What runs on a thread
// catches its exceptions itself.
template <typename Work>
std::thread startThread(Work&& work) {
  if (const int fault = FileFaults::next(FileFaults::Call::Thread)) throw Failure(threadError(fault));
  try {
    return std::thread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    throw Failure(threadError(error.code().value()));
  }
}

}  // namespace fathom
