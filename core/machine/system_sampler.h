// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/machine/card_load.h"
#include "core/machine/host_load.h"
#include "core/record/events/system_stream.h"

namespace fathom {

// A run that trains on this machine.
struct SampledRun {
  std::string path;              // of its folder
  int attemptsBefore = 0;        // the attempt that is sampled is a later one
  std::string device;            // that it was given: "cpu", "cuda:0"; "" = as its own log says
  std::int64_t neededBytes = 0;  // of memory as its dry run estimated; 0 = not known
  bool operator==(const SampledRun&) const = default;
};

// Samples what runs take of this machine into their streams, on a thread of its own, which sleeps in between:
// a second after a run was first seen, then ever more seldom down to once in `seconds`. What cannot be looked
// at or written is left out until the next time.
class SystemSampler {
 public:
  explicit SystemSampler(double seconds = samplingPause());
  ~SystemSampler();
  SystemSampler(const SystemSampler&) = delete;
  SystemSampler& operator=(const SystemSampler&) = delete;

  // The runs that train here now, one process holding the lock of each. Never waits for a look.
  void watch(const std::vector<SampledRun>& runs);

  // Seconds between two samples: 10, or FATHOM_SAMPLE_SECONDS of the environment.
  static double samplingPause();

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    SampledRun run;
    std::unique_ptr<SystemStream> stream = nullptr;  // of `attempt`
    int attempt = 0;
    std::string device = {};
    double cpuSeconds = -1;  // of its processes at `looked`; -1 = not looked at yet
    Clock::time_point looked = {}, next = {};
    double pause = 0;
  };
  void work();
  void takeRuns(const std::vector<SampledRun>& runs);
  void sampleDue();
  // False where nothing was sampled: no attempt yet, no process, no room on the disk.
  bool sample(Watched& watched);
  bool openStream(Watched& watched);
  void lookAtHost();
  void addHost(SystemSample& sample) const;

  const double m_seconds;
  std::mutex m_guard;  // of what both threads see
  std::condition_variable m_wake;
  std::vector<SampledRun> m_wanted;
  bool m_changed = false, m_ends = false;
  std::thread m_thread;
  // Of the thread alone.
  std::map<std::string, Watched> m_watched;  // by path
  HostLook m_hostLook;
  HostLoad m_host;
  CardLook m_cardLook;
  std::vector<CardLoad> m_cards;
  Clock::time_point m_hostAt = {};
};

}  // namespace fathom
