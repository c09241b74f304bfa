// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/device_slots.h"

#include <sched.h>

#include <algorithm>

#include "app/runner/machine_settings.h"

namespace fathom {

void DeviceSlots::configure(const std::vector<std::string>& devices, const QueueSettings& settings) {
  m_capacity.clear();
  for (const std::string& device : devices) {
    const auto& allowed = settings.devices;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), device) == allowed.end()) continue;
    m_capacity[device] = std::max(1, device == "cpu" ? settings.concurrentCpuRuns : settings.runsPerGpu);
  }
}

std::vector<std::string> DeviceSlots::candidates(const std::string& wanted) const {
  std::vector<std::string> found;
  const bool any = wanted.empty() || wanted == "auto";
  for (const auto& [device, capacity] : m_capacity) {
    if (any ? device != "cpu" : device == wanted) found.push_back(device);
  }
  if (any && found.empty() && m_capacity.count("cpu")) found.push_back("cpu");
  return found;
}

std::string DeviceSlots::freeDevice(const std::string& wanted) const {
  std::string best;
  int bestUsed = 0;
  for (const std::string& device : candidates(wanted)) {
    const auto found = m_used.find(device);
    const int used = found == m_used.end() ? 0 : found->second;
    if (used >= m_capacity.at(device) || (!best.empty() && used >= bestUsed)) continue;
    best = device;
    bestUsed = used;
  }
  return best;
}

bool DeviceSlots::possible(const std::string& wanted) const {
  return !candidates(wanted).empty();
}

int DeviceSlots::atOnce(const std::string& wanted) const {
  int runs = 0;
  for (const std::string& device : candidates(wanted)) runs += m_capacity.at(device);
  return std::max(1, runs);
}

int DeviceSlots::threadsFor(const std::string& device) const {
  int sharers = 0;
  for (const auto& [other, capacity] : m_capacity) {
    if ((other == "cpu") == (device == "cpu")) sharers += capacity;
  }
  return std::max(1, usableCores() / std::max(1, sharers));
}

int runsAtOnceHere(const EngineDescription& engine, const QueueSettings& settings) {
  std::vector<std::string> devices;
  for (const EngineDevice& device : engine.devices)
    if (device.available) devices.push_back(device.id);
  DeviceSlots slots;
  slots.configure(devices, settings);
  return slots.atOnce("auto");
}

int usableCores() {
  cpu_set_t set;
  const int here = sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
  const int chosen = machineSettings().cores;
  return chosen > 0 ? std::min(chosen, here) : here;
}

}  // namespace fathom
