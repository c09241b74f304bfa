// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom {

// Load of one graphics card; what its driver does not tell is left out.
struct CardLoad {
  int index = 0;                            // as nvidia-smi counts
  std::optional<double> busyPercent;        // of the time of the last sample
  std::optional<std::int64_t> memoryBytes;  // in use, whoever uses it
  std::optional<double> watts, celsius;
  std::map<std::int64_t, std::int64_t> processes;  // id -> bytes; empty in a container that hides them
};

// Cards of this machine through the library of their driver (NVML), which is loaded at the first look and
// costs nothing where there is none. Not thread-safe.
class CardLook {
 public:
  CardLook();
  ~CardLook();
  CardLook(const CardLook&) = delete;
  CardLook& operator=(const CardLook&) = delete;
  // Loads of all cards; none where there are none.
  std::vector<CardLoad> look();

 private:
  struct Driver;
  std::unique_ptr<Driver> m_driver;
  bool m_looked = false;
};

// Those cards that a run works on: where its processes are seen, else the one that `device` ("cuda:1") names
// among the visible ones (`visible`: CUDA_VISIBLE_DEVICES, "" = all), else all. A run on the processor has
// none.
std::vector<CardLoad> cardsOf(const std::vector<CardLoad>& cards, const std::vector<std::int64_t>& processes,
                              const std::string& device, const std::string& visible);

}  // namespace fathom
