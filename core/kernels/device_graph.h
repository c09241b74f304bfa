// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace fathom {

// What a plug-in with graphs hands out, by one C function, `fathomGraphTable`. A graph is what a device was
// asked for between two calls, recorded and done again as a whole by a third. Functions give 0 when all went
// well; else failure() says why. Unlike kernels it is built against one LibTorch, whose allocator keeps what
// a graph works on. A change of any call is another version.
inline constexpr std::uint32_t kGraphTableVersion = 1;

struct GraphTable {
  std::uint32_t version = kGraphTableVersion;
  std::uint32_t bytes = sizeof(GraphTable);
  const char* made = "";                 // what compiled it
  const char* (*failure)() = nullptr;    // of the last call, in words
  void* (*create)(int index) = nullptr;  // a graph of device `index`; null: failed
  // From here on what this thread, and LibTorch for it, asks of the device is recorded and not done.
  int (*begin)(void* graph) = nullptr;
  int (*end)(void* graph) = nullptr;  // also where the work in between failed
  int (*launch)(void* graph) = nullptr;
  void (*destroy)(void* graph) = nullptr;
  // 1: what would make the host wait for a device throws, 0: no longer.
  int (*refuseWaits)(int refuse) = nullptr;
};

inline constexpr const char* kGraphTableSymbol = "fathomGraphTable";
using GraphTableFunction = const GraphTable* (*)();

// libfathom-graphs-cuda.so beside the engine or in ../lib of it, or the file that FATHOM_GRAPHS names; of a
// stand-in device its own functions. FATHOM_GRAPHS=off: none.
struct GraphPlugin {
  const GraphTable* table = nullptr;  // null: there is none, because of `reason`
  std::string file, reason;
};
// Looked for at the first call, behind the loading of LibTorch's CUDA part. Thread-safe.
const GraphPlugin& graphPlugin();
GraphPlugin openGraphPlugin(const std::string& file);

// While one lives, what would make the host wait for a device throws (std::exception).
class WaitsRefused {
 public:
  WaitsRefused();
  ~WaitsRefused();
  WaitsRefused(const WaitsRefused&) = delete;
  WaitsRefused& operator=(const WaitsRefused&) = delete;
};

// One graph. Needs a plug-in; throws std::exception with the device's words.
class DeviceGraph {
 public:
  explicit DeviceGraph(const torch::Device& device);
  ~DeviceGraph();
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  // Records what `work` asks of the device; nothing of it is done yet, so that no number of it may be read.
  // Tensors that it makes and that live on are filled anew by each launch. What `work` throws is thrown.
  void capture(const std::function<void()>& work);
  // Does it all, in the order of the current stream, without a wait.
  void launch();

 private:
  void* m_graph;
};

}  // namespace fathom
