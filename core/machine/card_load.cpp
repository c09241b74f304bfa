// SPDX-License-Identifier: Apache-2.0
#include "core/machine/card_load.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "core/base/text/number_text.h"

namespace fathom {

namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";
constexpr std::size_t kMostCards = 64, kMostCardProcesses = 256;

// The part of NVML that is asked (nvml.h of NVIDIA's driver API); each returns 0 when it could answer.
using CardHandle = void*;
struct CardUtilization {
  unsigned gpu, memory;  // %
};
struct CardMemory {
  unsigned long long total, free, used;  // bytes
};
struct CardProcess {
  unsigned pid;
  unsigned long long usedMemory;  // bytes; all ones = not told
  unsigned instance, computeInstance;
};

template <typename Function>
bool findFunction(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

struct CardLook::Driver {
  void* library = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, CardHandle*) = nullptr;
  int (*utilization)(CardHandle, CardUtilization*) = nullptr;
  int (*memory)(CardHandle, CardMemory*) = nullptr;
  int (*power)(CardHandle, unsigned*) = nullptr;                  // mW
  int (*temperature)(CardHandle, unsigned, unsigned*) = nullptr;  // sensor 0, °C
  int (*processes)(CardHandle, unsigned*, CardProcess*) = nullptr;
  bool begun = false;

  ~Driver() {
    if (begun) (void)shutdown();
    if (library != nullptr) ::dlclose(library);
  }
  bool open() {
    library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    const bool whole = findFunction(library, "nvmlInit_v2", init) &&
                       findFunction(library, "nvmlShutdown", shutdown) &&
                       findFunction(library, "nvmlDeviceGetCount_v2", count) &&
                       findFunction(library, "nvmlDeviceGetHandleByIndex_v2", handle);
    if (!whole) return false;
    findFunction(library, "nvmlDeviceGetUtilizationRates", utilization);
    findFunction(library, "nvmlDeviceGetMemoryInfo", memory);
    findFunction(library, "nvmlDeviceGetPowerUsage", power);
    findFunction(library, "nvmlDeviceGetTemperature", temperature);
    if (!findFunction(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes))
      findFunction(library, "nvmlDeviceGetComputeRunningProcesses_v2", processes);
    begun = init() == 0;
    return begun;
  }
  CardLoad load(int index, CardHandle card) const {
    CardLoad load;
    load.index = index;
    if (CardUtilization busy{}; utilization != nullptr && utilization(card, &busy) == 0)
      load.busyPercent = busy.gpu;
    if (CardMemory bytes{}; memory != nullptr && memory(card, &bytes) == 0)
      load.memoryBytes = static_cast<std::int64_t>(bytes.used);
    if (unsigned milliwatts = 0; power != nullptr && power(card, &milliwatts) == 0)
      load.watts = milliwatts / 1000.0;
    if (unsigned degrees = 0; temperature != nullptr && temperature(card, 0, &degrees) == 0)
      load.celsius = degrees;
    std::array<CardProcess, kMostCardProcesses> there{};
    unsigned many = there.size();
    if (processes != nullptr && processes(card, &many, there.data()) == 0)
      for (unsigned i = 0; i < std::min<unsigned>(many, there.size()); ++i)
        load.processes[there[i].pid] +=
            there[i].usedMemory == ~0ULL ? 0 : static_cast<std::int64_t>(there[i].usedMemory);
    return load;
  }
};

CardLook::CardLook() = default;
CardLook::~CardLook() = default;

std::vector<CardLoad> CardLook::look() {
  if (!m_looked) {
    m_looked = true;
    m_driver = std::make_unique<Driver>();
    if (!m_driver->open()) m_driver.reset();
  }
  std::vector<CardLoad> loads;
  unsigned count = 0;
  if (!m_driver || m_driver->count(&count) != 0) return loads;
  for (unsigned i = 0; i < std::min<unsigned>(count, kMostCards); ++i)
    if (CardHandle card = nullptr; m_driver->handle(i, &card) == 0)
      loads.push_back(m_driver->load(static_cast<int>(i), card));
  return loads;
}

namespace {

// The card that "cuda:N" is, or -1: the N-th of those that CUDA is shown by their numbers.
int cardNumber(const std::string& device, const std::string& visible) {
  const std::size_t colon = device.find(':');
  auto number = numberFrom<int>(colon == std::string::npos ? std::string_view("0")
                                                           : std::string_view(device).substr(colon + 1));
  if (!number || visible.empty()) return number.value_or(-1);
  std::string_view rest(visible);
  for (int place = 0; place < *number; ++place) {
    const std::size_t comma = rest.find(',');
    if (comma == std::string_view::npos) return -1;
    rest.remove_prefix(comma + 1);
  }
  return numberFrom<int>(rest.substr(0, rest.find(','))).value_or(-1);  // names of cards are not numbers
}

}  // namespace

std::vector<CardLoad> cardsOf(const std::vector<CardLoad>& cards, const std::vector<std::int64_t>& processes,
                              const std::string& device, const std::string& visible) {
  if (!device.starts_with("cuda")) return {};
  std::vector<CardLoad> seen, named;
  const int number = cardNumber(device, visible);
  for (const CardLoad& card : cards) {
    if (std::any_of(processes.begin(), processes.end(),
                    [&](std::int64_t process) { return card.processes.contains(process); }))
      seen.push_back(card);
    if (card.index == number) named.push_back(card);
  }
  if (!seen.empty()) return seen;
  return named.empty() ? cards : named;
}

}  // namespace fathom
