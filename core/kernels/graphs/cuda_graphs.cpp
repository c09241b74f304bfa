// SPDX-License-Identifier: Apache-2.0
// The plug-in with graphs of a card, libfathom-graphs-cuda.so: the table of core/kernels/device_graph.h by
// LibTorch's CUDAGraph. Beside the engine, which has no header of CUDA, and linked to nothing: LibTorch's
// CUDA part, which the engine has loaded before, fills its symbols.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/kernels/device_graph.h"

namespace fathom {

namespace {

std::string lastFailure;

// 0, or 1 with the words of what was thrown.
template <typename Work>
int tried(const Work& work) {
  try {
    work();
    return 0;
  } catch (const std::exception& failure) {
    lastFailure = failure.what();
    return 1;
  }
}

// Graphs of a device share their memory: one is launched at a time, and what it leaves is used up before the
// next one begins.
at::cuda::MempoolId_t poolOf(c10::DeviceIndex device) {
  static std::map<c10::DeviceIndex, at::cuda::MempoolId_t> pools;
  const auto known = pools.find(device);
  return known != pools.end() ? known->second
                              : pools.emplace(device, at::cuda::graph_pool_handle()).first->second;
}

// The stream on which everything is captured: LibTorch captures none on the default one.
c10::cuda::CUDAStream captureStream(c10::DeviceIndex device) {
  static std::map<c10::DeviceIndex, c10::cuda::CUDAStream> streams;
  const auto known = streams.find(device);
  return known != streams.end()
             ? known->second
             : streams.emplace(device, c10::cuda::getStreamFromPool(false, device)).first->second;
}

class CudaGraph {
 public:
  explicit CudaGraph(c10::DeviceIndex device) : m_device(device) {}

  void begin() {
    c10::cuda::device_synchronize();
    m_stream.emplace(captureStream(m_device));
    // Other threads make batches meanwhile, which is no business of the capture.
    m_graph.capture_begin(poolOf(m_device), cudaStreamCaptureModeThreadLocal);
  }
  // A capture that failed leaves the allocator as it was before.
  void end() {
    try {
      m_graph.capture_end();
      m_stream.reset();
    } catch (...) {
      try {
        c10::cuda::CUDACachingAllocator::endAllocateToPool(m_device, poolOf(m_device));
      } catch (const std::exception&) {  // it had been told already
      }
      m_stream.reset();
      static_cast<void>(cudaGetLastError());
      throw;
    }
  }
  void launch() { m_graph.replay(); }

 private:
  c10::DeviceIndex m_device;
  at::cuda::CUDAGraph m_graph;
  std::optional<c10::cuda::CUDAStreamGuard> m_stream;
};

CudaGraph* asGraph(void* graph) {
  return static_cast<CudaGraph*>(graph);
}

const char* failureWords() {
  return lastFailure.c_str();
}
void* createGraph(int index) {
  CudaGraph* made = nullptr;
  tried([&] { made = new CudaGraph(static_cast<c10::DeviceIndex>(index)); });
  return made;
}
int beginGraph(void* graph) {
  return tried([&] { asGraph(graph)->begin(); });
}
int endGraph(void* graph) {
  return tried([&] { asGraph(graph)->end(); });
}
int launchGraph(void* graph) {
  return tried([&] { asGraph(graph)->launch(); });
}
void destroyGraph(void* graph) {
  // It may be at work still.
  tried([&] { c10::cuda::device_synchronize(); });
  tried([&] { delete asGraph(graph); });
}
int refuseWaits(int refuse) {
  using c10::cuda::SyncDebugMode;
  c10::cuda::warning_state().set_sync_debug_mode(refuse != 0 ? SyncDebugMode::L_ERROR
                                                             : SyncDebugMode::L_DISABLED);
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const GraphTable* fathomGraphTable() {
  static const GraphTable table = [] {
    GraphTable made;
    made.made = FATHOM_GRAPHS_MADE;
    made.failure = failureWords;
    made.create = createGraph;
    made.begin = beginGraph;
    made.end = endGraph;
    made.launch = launchGraph;
    made.destroy = destroyGraph;
    made.refuseWaits = refuseWaits;
    return made;
  }();
  return &table;
}

}  // namespace fathom
