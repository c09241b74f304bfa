// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/device/device_log.h"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/fakes/device/calling_place.h"
#include "tests/fakes/device/device_graphs.h"
#include "tests/fakes/device/device_memory.h"

namespace fathom::stand_in {

namespace {

constexpr const char* kUpdate = "update ";

std::string words(HostEffect effect) {
  switch (effect) {
    case HostEffect::Wait:
      return "makes the host wait";
    case HostEffect::PageableCopy:
      return "copies pageable memory";
    case HostEffect::DataShape:
      return "has a result whose shape depends on data";
    case HostEffect::None:
      break;
  }
  return "does nothing to the host";
}

std::string textOf(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? text : "";
}

// As LibTorch throws what CUDA's runtime returned.
[[noreturn]] void faultOfDevice() {
  constexpr std::int32_t kIllegalAddress = 700;
  throw c10::AcceleratorError({__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)}, kIllegalAddress,
                              "CUDA error: an illegal memory access was encountered");
}

}  // namespace

DeviceLog& DeviceLog::instance() {
  static auto* log = new DeviceLog;
  return *log;
}

DeviceLog::DeviceLog()
    : m_file(textOf("FATHOM_DEVICE_LOG")),
      m_strictFrom(std::atoll(textOf("FATHOM_DEVICE_STRICT").c_str())),
      m_brokenAt(std::atoll(textOf("FATHOM_DEVICE_FAULT").c_str())),
      m_names(textOf("FATHOM_DEVICE_NAMES") == "1") {}

void DeviceLog::operatorRan(const std::string& name) {
  const std::lock_guard lock(m_mutex);
  if (m_told) faultOfDevice();
  m_broken = m_broken || (m_brokenAt != 0 && m_update == m_brokenAt);
  ++m_counts.operators;
  if (m_names) ++m_counts.names[name];
}

void DeviceLog::kernelCalled(const std::string& name) {
  operatorRan("fathom::" + name);
  const std::lock_guard lock(m_mutex);
  ++m_counts.kernels;
}

void DeviceLog::kernelLaunched(const std::string& name) {
  const std::lock_guard lock(m_mutex);
  ++m_counts.launches;
  if (m_names) ++m_counts.launched[name];
}

void DeviceLog::effect(HostEffect effect, const std::string& name) {
  if (effect == HostEffect::None) return;
  const std::lock_guard lock(m_mutex);
  if (effect != HostEffect::PageableCopy) ++m_counts.waits;
  const bool refused = m_refuses || RecordedGraph::capturing() != nullptr;
  if (!refused && (m_update == 0 || (m_file.empty() && m_strictFrom == 0))) return;
  const std::string place = callingPlace();
  ++m_counts.places[name + " < " + place];
  if (refused) {
    const std::string reason =
        name + " " + words(effect) + ", called by " + (place.empty() ? "an unknown function" : place);
    if (RecordedGraph* graph = RecordedGraph::capturing()) graph->refuse(reason);
    throw std::runtime_error(reason);
  }
  TORCH_CHECK(m_strictFrom == 0 || m_update < m_strictFrom, "strict device: in update ", m_update, " ", name,
              " ", words(effect), ", called by ", place.empty() ? "an unknown function" : place);
}

void DeviceLog::throwFault() {
  const std::lock_guard lock(m_mutex);
  if (!m_broken) return;
  m_told = true;
  faultOfDevice();
}

void DeviceLog::copied(bool toDevice, std::size_t bytes) {
  const std::lock_guard lock(m_mutex);
  ++(toDevice ? m_counts.toDevice : m_counts.toHost);
  (toDevice ? m_counts.bytesToDevice : m_counts.bytesToHost) += static_cast<std::int64_t>(bytes);
}

void DeviceLog::refuseWaits(bool refuse) {
  const std::lock_guard lock(m_mutex);
  m_refuses = refuse;
}

void DeviceLog::rangeBegins(const char* name) {
  const std::lock_guard lock(m_mutex);
  if (m_update != 0) {
    ++m_depth;
    return;
  }
  if (std::strncmp(name, kUpdate, std::strlen(kUpdate)) != 0) return;
  m_update = std::atoll(name + std::strlen(kUpdate));
  const std::int64_t waits = m_counts.waits;
  m_counts = {};
  m_counts.waitsBefore = waits;
  DeviceMemory::instance().forgetPeak();
}

void DeviceLog::rangeEnds() {
  const std::lock_guard lock(m_mutex);
  if (m_update == 0) return;
  if (m_depth > 0) {
    --m_depth;
    return;
  }
  nlohmann::json line = {{"update", m_update},
                         {"operators", m_counts.operators},
                         {"kernels", m_counts.kernels},
                         {"launches", m_counts.launches},
                         {"waits", m_counts.waits},
                         {"waits_before", m_counts.waitsBefore},
                         {"copies_to_device", m_counts.toDevice},
                         {"copies_to_host", m_counts.toHost},
                         {"bytes_to_device", m_counts.bytesToDevice},
                         {"bytes_to_host", m_counts.bytesToHost},
                         {"peak_bytes", DeviceMemory::instance().peak()},
                         {"places", m_counts.places}};
  if (m_names) line["names"] = m_counts.names;
  if (m_names) line["launched"] = m_counts.launched;
  write(line.dump() + "\n");
  m_update = 0;
  m_counts = {};
}

void DeviceLog::write(const std::string& line) const {
  if (m_file.empty()) return;
  const int file = ::open(m_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  TORCH_CHECK(file >= 0, "FATHOM_DEVICE_LOG: ", m_file, ": ", std::strerror(errno));
  const bool whole = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  ::close(file);
  TORCH_CHECK(whole, "FATHOM_DEVICE_LOG: ", m_file, " could not be written");
}

}  // namespace fathom::stand_in
