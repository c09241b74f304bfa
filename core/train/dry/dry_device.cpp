// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/dry_device.h"

#include <dlfcn.h>

#include <cstddef>

namespace fathom {

namespace {

// The CUDA runtime is there once libtorch_cuda.so is loaded (core/train/parts/compute_device.h); its headers
// are not, so its functions are found by name.
std::optional<MemoryRoom> cudaRoom(int index) {
  using SetDevice = int (*)(int);
  using MemGetInfo = int (*)(std::size_t*, std::size_t*);
  const auto set = reinterpret_cast<SetDevice>(::dlsym(RTLD_DEFAULT, "cudaSetDevice"));
  const auto ask = reinterpret_cast<MemGetInfo>(::dlsym(RTLD_DEFAULT, "cudaMemGetInfo"));
  std::size_t free = 0, total = 0;
  if (set == nullptr || ask == nullptr || set(index) != 0 || ask(&free, &total) != 0) return std::nullopt;
  return MemoryRoom{static_cast<std::int64_t>(free), static_cast<std::int64_t>(total), false};
}

}  // namespace

std::optional<MemoryRoom> deviceRoom(const torch::Device& device) {
  if (device.is_cuda()) return cudaRoom(device.has_index() ? device.index() : 0);
  auto room = memoryRoom();
  if (room) room->free += residentBytes();
  return room;
}

std::int64_t deviceProgramBytes() {
  return std::int64_t{600} << 20;  // context and libraries of CUDA
}

}  // namespace fathom
