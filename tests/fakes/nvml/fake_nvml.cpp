// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVIDIA's libnvidia-ml.so.1: two cards, the process FATHOM_FAKE_CARD_PROCESS on the second
// one. Power of the first one is not told.
#include <cstdint>
#include <cstdlib>

namespace {

struct Utilization {
  unsigned gpu, memory;
};
struct Memory {
  unsigned long long total, free, used;
};
struct Process {
  unsigned pid;
  unsigned long long usedMemory;
  unsigned instance, computeInstance;
};
constexpr unsigned long long kGib = 1ULL << 30;
constexpr int kNotSupported = 3;

unsigned numberOf(void* card) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(card)) - 1;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** card) {
  *card = reinterpret_cast<void*>(std::uintptr_t{index} + 1);
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* card, Utilization* busy) {
  *busy = {40 + numberOf(card), 7};
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* card, Memory* memory) {
  const unsigned long long used = (2 + numberOf(card)) * kGib;
  *memory = {80 * kGib, 80 * kGib - used, used};
  return 0;
}
int nvmlDeviceGetPowerUsage(void* card, unsigned* milliwatts) {
  *milliwatts = 123456;
  return numberOf(card) == 0 ? kNotSupported : 0;
}
int nvmlDeviceGetTemperature(void* card, unsigned sensor, unsigned* celsius) {
  *celsius = 50 + sensor + numberOf(card);
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* card, unsigned* count, Process* processes) {
  const char* process = std::getenv("FATHOM_FAKE_CARD_PROCESS");
  const unsigned there = process != nullptr && numberOf(card) == 1 ? 1 : 0;
  if (there > 0) processes[0] = {static_cast<unsigned>(std::atoi(process)), kGib + kGib / 2, 0, 0};
  *count = there;
  return 0;
}

}  // extern "C"
