// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

// Counts the runs that fit on each device at once, and which places are taken. One thread.
class DeviceSlots {
 public:
  // `devices` of this machine; the settings may allow only some of them.
  void configure(const std::vector<std::string>& devices, const QueueSettings& settings);
  // A device for an entry that wants `wanted` ("auto", "cpu", "cuda:0"), or "": none is free now. auto takes
  // GPUs where there are some, the processor otherwise. A run of several ranks needs as many GPUs, one behind
  // the other; it gets the first. Where this machine has never so many its engine is to say so.
  std::string freeDevice(const std::string& wanted, int ranks = 1) const;
  // Could such an entry ever run here?
  bool possible(const std::string& wanted, int ranks = 1) const;
  // Runs of such entries that it lets work at the same time, at least 1.
  int atOnce(const std::string& wanted) const;
  void take(const std::string& device, int ranks = 1) { use(device, ranks, 1); }
  void release(const std::string& device, int ranks = 1) { use(device, ranks, -1); }
  // Cores ÷ runs that may share them.
  int threadsFor(const std::string& device) const;

 private:
  std::vector<std::string> candidates(const std::string& wanted) const;
  int usedOf(const std::string& device) const;
  // Such a run has room where nothing else runs.
  bool fits(const std::string& wanted, int ranks) const;
  bool allHere(const std::vector<std::string>& devices) const;
  void use(const std::string& device, int ranks, int more);
  std::map<std::string, int> m_capacity;
  bool m_allAllowed = true;  // the settings leave out no device
  std::map<std::string, int> m_used;
};

// Processes that the run of an entry will have.
int ranksOfEntry(const QueueEntry& entry);

// Runs that an engine's devices here take at once, where each asks for any of them.
int runsAtOnceHere(const EngineDescription& engine, const QueueSettings& settings);

// Cores that runs of this machine may share: what this process may use, or fewer by the user's choice.
int usableCores();

}  // namespace fathom
