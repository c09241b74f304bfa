// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/fakes/device/device_memory.h"

namespace fathom::stand_in {

// What was asked of the device between two calls, as functions that do it again on the same bytes. Its memory
// is its own: nothing else gets a block of it while it lives.
class RecordedGraph {
 public:
  RecordedGraph() = default;
  ~RecordedGraph();
  RecordedGraph(const RecordedGraph&) = delete;
  RecordedGraph& operator=(const RecordedGraph&) = delete;

  void begin();
  // A card has done nothing of it by now: the memory is NaN until a launch. Throws where something was asked
  // that cannot be recorded.
  void end();
  void launch();

  void add(std::function<void()> work) { m_work.push_back(std::move(work)); }
  // Makes the capture worthless, and throws the reason.
  [[noreturn]] void refuse(const std::string& reason);

  static RecordedGraph* capturing();  // null outside of a capture

 private:
  DeviceMemory::Pool m_pool;
  std::vector<std::function<void()>> m_work;
  std::string m_refusal;
};

// Tensors of the device with what `compute` makes of twins, which it owns; undefined ones stay so. In a graph
// each launch computes them anew.
std::vector<at::Tensor> computed(const std::function<std::vector<at::Tensor>()>& compute);

}  // namespace fathom::stand_in
