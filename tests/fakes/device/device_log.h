// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace fathom::stand_in {

// What an operator does to the host that called it.
enum class HostEffect {
  None,
  Wait,          // the host waits for the device
  PageableCopy,  // a copy to the device that has to wait for the host's memory
  DataShape,     // the shape of the result depends on data, so the host waits
};

// Counts what an update asks of a device, and judges it in strict mode. An update is a range of the name
// "update N", as the engine marks it for profilers (nvtxRangePushA). Thread-safe.
class DeviceLog {
 public:
  static DeviceLog& instance();

  void operatorRan(const std::string& name);
  // A kernel of ours was called, an operator by itself; and a launch of nvcc's plug-in, which is none.
  void kernelCalled(const std::string& name);
  void kernelLaunched(const std::string& name);
  // Throws in strict mode, inside of an update, naming the operator and the function of ours that called it.
  void effect(HostEffect effect, const std::string& name);
  // What a kernel of a broken update did is told at the next wait, and at every operator and wait from then
  // on, as by a card whose context is lost.
  void throwFault();
  void copied(bool toDevice, std::size_t bytes);
  // From now on, in strict mode or not.
  void refuseWaits(bool refuse);
  void rangeBegins(const char* name);
  void rangeEnds();

 private:
  struct Counts {
    std::int64_t operators = 0, waits = 0, toDevice = 0, toHost = 0, bytesToDevice = 0, bytesToHost = 0;
    std::int64_t kernels = 0, launches = 0;
    std::map<std::string, std::int64_t> names;  // of operators
    std::map<std::string, std::int64_t> launched;
    std::int64_t waitsBefore = 0;                // since the update before ended
    std::map<std::string, std::int64_t> places;  // of waits and copies: "item < UpdateStep::sums"
  };
  DeviceLog();
  void write(const std::string& line) const;

  std::mutex m_mutex;
  std::string m_file;
  std::int64_t m_strictFrom = 0;  // 0: never
  std::int64_t m_brokenAt = 0;    // an update, one of whose kernels fails; 0: none
  bool m_broken = false, m_told = false;
  int m_depth = 0;            // of ranges inside of the update's
  std::int64_t m_update = 0;  // 0: outside of updates
  bool m_names = false, m_refuses = false;
  Counts m_counts;
};

}  // namespace fathom::stand_in
