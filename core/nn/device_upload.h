// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Event.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace fathom {

// What the host has made for a device, sent there in one copy from pinned memory, for which the host does not
// wait. While one lives, uploaded() of the same thread adds to it; where one is alive already, a second one
// is part of it. What was added has no values before send().
class DeviceUpload {
 public:
  // `ahead`: the copy runs on a stream of its own beside what the device is doing; whatever is asked of the
  // current stream after send() waits for it there.
  explicit DeviceUpload(const torch::Device& device, bool ahead = false);
  ~DeviceUpload();
  DeviceUpload(const DeviceUpload&) = delete;
  DeviceUpload& operator=(const DeviceUpload&) = delete;

  // The tensor of the device that will hold `host`, contiguous; `host` itself for the processor. `host` is
  // read by send().
  torch::Tensor add(const torch::Tensor& host);
  void send();

 private:
  friend torch::Tensor uploaded(const torch::Tensor& host, const torch::Device& device);
  struct Item {
    torch::Tensor host, place;
    std::int64_t offset = 0;  // in bytes
  };
  torch::Device m_device;
  bool m_ahead;
  DeviceUpload* m_outer = nullptr;
  std::vector<Item> m_items;
  std::int64_t m_bytes = 0;
};

// A tensor of the processor on `device`: with the upload of this thread where there is one, else in a copy of
// its own, for which nobody waits either. `host` itself for the processor.
torch::Tensor uploaded(const torch::Tensor& host, const torch::Device& device);
// The same of whole numbers.
torch::Tensor uploaded(const std::vector<std::int64_t>& numbers, const torch::Device& device);

// Numbers of a device on their way to the host, which waits only when it reads them. Without a device they
// are there at once.
class LateNumbers {
 public:
  LateNumbers() = default;
  // numbers: [n] float64.
  explicit LateNumbers(const torch::Tensor& numbers);
  // Waits until they are there.
  std::vector<double> read() const;

 private:
  torch::Tensor m_onHost;
  std::shared_ptr<c10::Event> m_there;
};

}  // namespace fathom
