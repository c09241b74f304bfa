// SPDX-License-Identifier: Apache-2.0
#include "core/nn/device_upload.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "core/nn/host_tape.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

constexpr std::int64_t kAlignment = 64;  // of each tensor in the buffer

thread_local DeviceUpload* currentUpload = nullptr;

c10::Stream streamNow(const torch::Device& device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

// One for each device, for copies that run ahead.
c10::Stream copyStream(const torch::Device& device) {
  static std::mutex mutex;
  static std::map<torch::DeviceIndex, c10::Stream> streams;
  const std::lock_guard lock(mutex);
  const auto known = streams.find(device.index());
  if (known != streams.end()) return known->second;
  const c10::Stream stream = c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
  return streams.emplace(device.index(), stream).first->second;
}

torch::Tensor pinnedBytes(std::int64_t count) {
  return at::empty({count}, torch::TensorOptions(torch::kUInt8).pinned_memory(true));
}

// LibTorch gives a pinned buffer out again only when the copies from it are done: they are a ring without
// our doing.
torch::Tensor sent(const torch::Tensor& pinned, const torch::Device& device) {
  torch::Tensor buffer = at::empty(pinned.sizes(), pinned.options().device(device).pinned_memory(false));
  buffer.copy_(pinned, /*non_blocking=*/true);
  return buffer;
}

torch::Tensor sentAhead(const torch::Tensor& pinned, const torch::Device& device) {
  const c10::Stream now = streamNow(device), ahead = copyStream(device);
  torch::Tensor buffer;
  c10::Event copied(device.type());
  {
    const c10::StreamGuard guard(ahead);
    buffer = sent(pinned, device);
    copied.record(ahead);
  }
  copied.block(now);
  buffer.record_stream(now);
  return buffer;
}

}  // namespace

DeviceUpload::DeviceUpload(const torch::Device& device, bool ahead)
    : m_device(device), m_ahead(ahead), m_outer(currentUpload) {
  if (m_outer == nullptr) currentUpload = this;
}

DeviceUpload::~DeviceUpload() {
  if (currentUpload == this) currentUpload = nullptr;
}

torch::Tensor DeviceUpload::add(const torch::Tensor& host) {
  if (isOnHost(m_device)) return host;
  if (m_outer != nullptr) return m_outer->add(host);
  if (HostTape* tape = HostTape::current())
    if (torch::Tensor held = tape->upload(host); held.defined()) return held;
  const at::NoGradGuard noGrad;
  m_items.push_back({host.contiguous(), at::empty({0}, host.options().device(m_device)), m_bytes});
  m_bytes += (static_cast<std::int64_t>(host.nbytes()) + kAlignment - 1) / kAlignment * kAlignment;
  return m_items.back().place;
}

void DeviceUpload::send() {
  if (m_outer != nullptr || m_items.empty()) return;
  const at::NoGradGuard noGrad;
  const torch::Tensor pinned = pinnedBytes(std::max(m_bytes, kAlignment));
  auto* bytes = pinned.mutable_data_ptr<std::uint8_t>();
  for (const Item& item : m_items)
    if (item.host.nbytes() > 0)
      std::memcpy(bytes + item.offset, item.host.const_data_ptr(), item.host.nbytes());
  const torch::Tensor buffer = m_ahead ? sentAhead(pinned, m_device) : sent(pinned, m_device);
  for (Item& item : m_items) {
    const auto size = static_cast<std::int64_t>(item.host.itemsize());
    item.place.set_(buffer.storage(), item.offset / size, item.host.sizes(), item.host.strides());
  }
  m_items.clear();
  m_bytes = 0;
}

torch::Tensor uploaded(const torch::Tensor& host, const torch::Device& device) {
  if (isOnHost(device)) return host;
  if (currentUpload != nullptr) return currentUpload->add(host);
  DeviceUpload alone(device);
  torch::Tensor place = alone.add(host);
  alone.send();
  return place;
}

torch::Tensor uploaded(const std::vector<std::int64_t>& numbers, const torch::Device& device) {
  return uploaded(at::tensor(numbers, torch::TensorOptions(torch::kInt64)), device);
}

LateNumbers::LateNumbers(const torch::Tensor& numbers) {
  if (isOnHost(numbers)) {
    m_onHost = numbers;
    return;
  }
  m_onHost = at::empty(numbers.sizes(), torch::TensorOptions(torch::kFloat64).pinned_memory(true));
  m_onHost.copy_(numbers, /*non_blocking=*/true);
  m_there = std::make_shared<c10::Event>(numbers.device().type());
  m_there->record(streamNow(numbers.device()));
}

std::vector<double> LateNumbers::read() const {
  if (m_there) m_there->synchronize();
  const auto* numbers = m_onHost.const_data_ptr<double>();
  return {numbers, numbers + m_onHost.numel()};
}

}  // namespace fathom
