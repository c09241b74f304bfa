// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/device/device_runtime.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "tests/fakes/device/device_graphs.h"
#include "tests/fakes/device/device_log.h"
#include "tests/fakes/device/device_memory.h"

namespace fathom::stand_in {

namespace {

thread_local c10::DeviceIndex currentDevice = 0;
thread_local std::map<c10::DeviceIndex, c10::Stream> currentStreams;

constexpr int kRuntime = 13000;  // CUDA's number of 13.0

// CUDA of the driver; 0 where there is none.
int driverVersion() {
  const char* text = std::getenv("FATHOM_DEVICE_DRIVER");
  return text != nullptr ? std::atoi(text) : kRuntime;
}

c10::DeviceIndex deviceCount() {
  if (driverVersion() < kRuntime) return 0;
  const char* text = std::getenv("FATHOM_DEVICE_COUNT");
  return static_cast<c10::DeviceIndex>(text != nullptr ? std::atoi(text) : 1);
}

void releaseDevice(void* address) {
  DeviceMemory::instance().release(address);
}

class DeviceAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* address = DeviceMemory::instance().allocate(bytes);
    return {address, address, &releaseDevice, c10::Device(c10::kCUDA, currentDevice)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &releaseDevice; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    const DeviceMemory& memory = DeviceMemory::instance();
    std::memcpy(memory.readable(to), memory.readable(from), bytes);
  }
};

// Blocks of pinned memory, and the copies from them that no wait has ended yet.
struct PinnedMemory {
  std::mutex mutex;
  std::map<const char*, std::size_t> blocks;
  struct Copy {
    const char* source;
    std::vector<char> bytes;
  };
  std::vector<Copy> copies;
  struct Read {
    char* target;
    std::vector<char> bytes;
  };
  std::vector<Read> reads;  // have not arrived
};

PinnedMemory& pinned() {
  static auto* memory = new PinnedMemory;
  return *memory;
}

// Everything that was asked for has happened.
void settlePinned(PinnedMemory& memory) {
  for (const PinnedMemory::Copy& copy : memory.copies)
    if (std::memcmp(copy.source, copy.bytes.data(), copy.bytes.size()) != 0) {
      std::fprintf(stderr,
                   "stand-in device: a pinned buffer was changed before the copy from it was waited for\n");
      std::abort();
    }
  memory.copies.clear();
  for (const PinnedMemory::Read& read : memory.reads)
    std::memcpy(read.target, read.bytes.data(), read.bytes.size());
  memory.reads.clear();
}

void releasePinned(void* data) {
  if (data == nullptr) return;
  {
    const std::lock_guard lock(pinned().mutex);
    settlePinned(pinned());
    pinned().blocks.erase(static_cast<const char*>(data));
  }
  std::free(data);
}

class PinnedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0) return {nullptr, c10::Device(c10::kCPU)};
    void* data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    TORCH_CHECK_WITH(OutOfMemoryError, data != nullptr, "no pinned memory of ", bytes, " bytes");
    const std::lock_guard lock(pinned().mutex);
    pinned().blocks[static_cast<const char*>(data)] = bytes;
    return {data, data, &releasePinned, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &releasePinned; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
};

PinnedAllocator pinnedAllocator;

class DeviceGenerator final : public c10::GeneratorImpl {
 public:
  explicit DeviceGenerator(c10::DeviceIndex index)
      : GeneratorImpl(c10::Device(c10::kCUDA, index), c10::DispatchKeySet(c10::DispatchKey::CUDA)),
        m_processor(at::detail::createCPUGenerator()) {}

  const at::Generator& processor() const { return m_processor; }
  void set_current_seed(std::uint64_t seed) override { m_processor.set_current_seed(seed); }
  void set_offset(std::uint64_t) override {}
  std::uint64_t get_offset() const override { return 0; }
  std::uint64_t current_seed() const override { return m_processor.current_seed(); }
  std::uint64_t seed() override { return m_processor.seed(); }
  void set_state(const c10::TensorImpl& state) override {
    m_processor.unsafeGetGeneratorImpl()->set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return m_processor.unsafeGetGeneratorImpl()->get_state();
  }

 private:
  GeneratorImpl* clone_impl() const override {
    auto* copy = new DeviceGenerator(device_.index());
    copy->set_state(*get_state());
    return copy;
  }
  at::Generator m_processor;
};

struct Hooks final : at::CUDAHooksInterface {
  explicit Hooks(at::CUDAHooksArgs) {}
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasCUDA() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return stand_in::deviceCount(); }
  int getNumGPUs() const override { return stand_in::deviceCount(); }
  c10::DeviceIndex current_device() const override { return currentDevice; }
  c10::DeviceIndex getCurrentDevice() const override { return currentDevice; }
  void setCurrentDevice(c10::DeviceIndex index) const override { currentDevice = index; }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    return std::exchange(currentDevice, index);
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return exchangeDevice(index);
  }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    static auto* generator = new at::Generator(at::make_generator<DeviceGenerator>(c10::DeviceIndex{0}));
    return *generator;
  }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return at::make_generator<DeviceGenerator>(index < 0 ? currentDevice : index);
  }
  c10::Device getDeviceFromPtr(void*) const override { return c10::Device(c10::kCUDA, currentDevice); }
  bool isPinnedPtr(const void* data) const override { return isPinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinnedAllocator; }
  c10::Allocator* getCUDADeviceAllocator() const override { return deviceAllocator(); }
  void deviceSynchronize(c10::DeviceIndex) const override {
    DeviceLog::instance().effect(HostEffect::Wait, "synchronize");
    hostWaits();
  }
  std::string showConfig() const override { return "stand-in device of Fathom's tests"; }
};

// Everything is done in the order of the host, so streams and events are always done; their waits are
// counted.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return c10::kCUDA; }
  c10::Device exchangeDevice(c10::Device device) const override {
    return {c10::kCUDA, std::exchange(currentDevice, device.index())};
  }
  c10::Device getDevice() const override { return {c10::kCUDA, currentDevice}; }
  void setDevice(c10::Device device) const override { currentDevice = device.index(); }
  void uncheckedSetDevice(c10::Device device) const noexcept override { currentDevice = device.index(); }
  c10::Stream getStream(c10::Device device) const override {
    const auto found = currentStreams.find(device.index());
    return found == currentStreams.end() ? c10::Stream(c10::Stream::DEFAULT, device) : found->second;
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return newStream(device); }
  c10::Stream getNewStream(c10::Device device, int) const override { return newStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    const c10::Stream before = getStream(stream.device());
    currentStreams.insert_or_assign(stream.device_index(), stream);
    return before;
  }
  void record(void** event, const c10::Stream&, c10::DeviceIndex, c10::EventFlag) const override {
    static char recorded;
    *event = &recorded;
  }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override { waits("synchronize stream"); }
  void synchronizeEvent(void*) const override { waits("synchronize event"); }
  void synchronizeDevice(c10::DeviceIndex) const override { waits("synchronize device"); }
  c10::DeviceIndex deviceCount() const noexcept override { return stand_in::deviceCount(); }

 private:
  static c10::Stream newStream(c10::Device device) {
    static std::atomic<c10::StreamId> last = 0;
    return c10::Stream(c10::Stream::UNSAFE, device, ++last);
  }
  static void waits(const char* what) {
    DeviceLog::instance().effect(HostEffect::Wait, what);
    hostWaits();
  }
};

DeviceAllocator theDeviceAllocator;

struct Registration {
  Registration() { c10::SetAllocator(c10::kCUDA, &theDeviceAllocator); }
} registration;

const c10::impl::DeviceGuardImplRegistrar guardRegistrar(c10::kCUDA, new Guard);

}  // namespace

c10::Allocator* deviceAllocator() {
  return &theDeviceAllocator;
}

bool isPinned(const void* data) {
  const char* byte = static_cast<const char*>(data);
  const std::lock_guard lock(pinned().mutex);
  auto block = pinned().blocks.upper_bound(byte);
  if (block == pinned().blocks.begin()) return false;
  --block;
  return byte < block->first + block->second;
}

at::Generator processorGenerator(const std::optional<at::Generator>& generator) {
  const at::Generator& chosen =
      generator && generator->defined() ? *generator : at::detail::getCUDAHooks().getDefaultGenerator();
  const auto* device = dynamic_cast<const DeviceGenerator*>(chosen.unsafeGetGeneratorImpl());
  return device != nullptr ? device->processor() : chosen;
}

void pinnedCopyBegins(const void* source, std::size_t bytes) {
  const char* data = static_cast<const char*>(source);
  const std::lock_guard lock(pinned().mutex);
  pinned().copies.push_back({data, std::vector<char>(data, data + bytes)});
}

void pinnedReadBegins(void* target, const void* bytes, std::size_t count) {
  const char* data = static_cast<const char*>(bytes);
  std::memset(target, 0xFF, count);  // NaN until somebody waits
  const std::lock_guard lock(pinned().mutex);
  pinned().reads.push_back({static_cast<char*>(target), std::vector<char>(data, data + count)});
}

void hostWaits() {
  DeviceLog::instance().throwFault();
  const std::lock_guard lock(pinned().mutex);
  settlePinned(pinned());
}

}  // namespace fathom::stand_in

namespace at {
// The registry is asked for this very name.
using CUDAHooks = fathom::stand_in::Hooks;
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace at

// Functions of the CUDA runtime and of profilers that the engine looks up by name.
extern "C" {
__attribute__((visibility("default"))) int cudaSetDevice(int index) {
  return index >= 0 && index < fathom::stand_in::deviceCount() ? 0 : 101;  // invalid device ordinal
}
__attribute__((visibility("default"))) int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const fathom::stand_in::DeviceMemory& memory = fathom::stand_in::DeviceMemory::instance();
  *total = memory.size();
  *free = memory.size() - memory.inUse();
  return 0;
}
__attribute__((visibility("default"))) int cudaDriverGetVersion(int* version) {
  *version = fathom::stand_in::driverVersion();
  return 0;
}
__attribute__((visibility("default"))) int cudaRuntimeGetVersion(int* version) {
  *version = fathom::stand_in::kRuntime;
  return 0;
}
__attribute__((visibility("default"))) int cudaDeviceGetPCIBusId(char* place, int length, int index) {
  return std::snprintf(place, static_cast<std::size_t>(length), "0000:%02x:00.0", index + 1) > 0 ? 0 : 1;
}
__attribute__((visibility("default"))) int nvtxRangePushA(const char* name) {
  fathom::stand_in::DeviceLog::instance().rangeBegins(name);
  return 0;
}
__attribute__((visibility("default"))) int nvtxRangePop() {
  fathom::stand_in::DeviceLog::instance().rangeEnds();
  return 0;
}
// For kernels that run on the processor (core/kernels/device_address.h).
__attribute__((visibility("default"))) void* fathomReadableAddress(void* shown) {
  return fathom::stand_in::DeviceMemory::instance().readable(shown);
}
__attribute__((visibility("default"))) void fathomKernelLaunched(const char* name,
                                                                 const std::function<int()>& launch) {
  fathom::stand_in::DeviceLog::instance().kernelCalled(name);
  if (auto* graph = fathom::stand_in::RecordedGraph::capturing())
    graph->add([launch] { TORCH_CHECK(launch() == 0, "a kernel fails in a graph"); });
}
// For a CUDA runtime that runs nothing (tests/fakes/cudart).
__attribute__((visibility("default"))) void fathomCudaLaunched(const char* name) {
  fathom::stand_in::DeviceLog::instance().kernelLaunched(name);
}
// How `describe` knows that this is no card.
__attribute__((visibility("default"))) const char* fathomStandInDevice() {
  return "stand-in of Fathom's tests, no GPU: its operators run on the processor";
}
}
