// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace fathom {

// Copies an event file to stdout while it grows, for pipes and remote hosts (--events stdout). It only reads
// the file, so a reader that is slow or gone never delays the run; the file itself is the buffer. At the end
// the rest is written as long as the reader takes it, at most `kDrainSeconds`.
class EventMirror {
 public:
  static constexpr double kDrainSeconds = 10;
  explicit EventMirror(std::string path);
  ~EventMirror();

 private:
  void work();
  std::string m_path;
  std::atomic<bool> m_ending{false};
  std::thread m_thread;
};

}  // namespace fathom
