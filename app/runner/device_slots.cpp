// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/device_slots.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "app/runner/machine_settings.h"

namespace fathom {

namespace {

// Devices of a run: the first, and a GPU behind it for each further rank. Ranks share the processor.
std::vector<std::string> devicesFrom(const std::string& first, int ranks) {
  constexpr std::string_view kCard = "cuda:";
  std::vector<std::string> all{first};
  int index = 0;
  const char* const end = first.data() + first.size();
  if (!first.starts_with(kCard) || std::from_chars(first.data() + kCard.size(), end, index).ptr != end)
    return all;
  for (int rank = 1; rank < ranks; ++rank) all.push_back(std::string(kCard) + std::to_string(index + rank));
  return all;
}

}  // namespace

void DeviceSlots::configure(const std::vector<std::string>& devices, const QueueSettings& settings) {
  m_capacity.clear();
  m_allAllowed = settings.devices.empty();
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

int DeviceSlots::usedOf(const std::string& device) const {
  const auto found = m_used.find(device);
  return found == m_used.end() ? 0 : found->second;
}

bool DeviceSlots::allHere(const std::vector<std::string>& devices) const {
  return std::all_of(devices.begin(), devices.end(),
                     [this](const std::string& device) { return m_capacity.count(device) > 0; });
}

std::string DeviceSlots::freeDevice(const std::string& wanted, int ranks) const {
  const bool enough = fits(wanted, ranks);
  if (!enough && !m_allAllowed) return {};
  std::string best;
  int bestUsed = 0;
  for (const std::string& first : candidates(wanted)) {
    const std::vector<std::string> all = devicesFrom(first, enough ? ranks : 1);
    if (!allHere(all)) continue;
    int used = 0;
    bool free = true;
    for (const std::string& device : all) {
      used = std::max(used, usedOf(device));
      free = free && usedOf(device) < m_capacity.at(device);
    }
    if (!free || (!best.empty() && used >= bestUsed)) continue;
    best = first;
    bestUsed = used;
  }
  return best;
}

void DeviceSlots::use(const std::string& device, int ranks, int more) {
  for (const std::string& one : devicesFrom(device, ranks)) m_used[one] += more;
}

bool DeviceSlots::fits(const std::string& wanted, int ranks) const {
  const std::vector<std::string> firsts = candidates(wanted);
  return std::any_of(firsts.begin(), firsts.end(),
                     [&](const std::string& first) { return allHere(devicesFrom(first, ranks)); });
}

bool DeviceSlots::possible(const std::string& wanted, int ranks) const {
  return m_allAllowed ? !candidates(wanted).empty() : fits(wanted, ranks);
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

int ranksOfEntry(const QueueEntry& entry) {
  if (entry.script.given()) return 1;
  const auto options = entry.config.find("options");
  if (options == entry.config.end() || !options->is_object()) return 1;
  const auto ranks = options->find("parallel.ranks");
  return ranks != options->end() && ranks->is_number_integer() ? std::max(1, ranks->get<int>()) : 1;
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
