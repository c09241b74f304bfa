// SPDX-License-Identifier: Apache-2.0
// Graphs of the stand-in: what a capture records is done at once, as everything here, for the host may ask
// for its shapes; its numbers are then thrown away, since a card would have none.
#include "tests/fakes/device/device_graphs.h"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "core/kernels/device_graph.h"
#include "tests/fakes/device/device_log.h"
#include "tests/fakes/device/device_tensors.h"

namespace fathom::stand_in {

namespace {

std::atomic<RecordedGraph*> current = nullptr;
std::string lastFailure;

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

RecordedGraph* asGraph(void* graph) {
  return static_cast<RecordedGraph*>(graph);
}

const char* failureWords() {
  return lastFailure.c_str();
}
void* createGraph(int) {
  return new RecordedGraph;
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
  delete asGraph(graph);
}
int refuseWaits(int refuse) {
  DeviceLog::instance().refuseWaits(refuse != 0);
  return 0;
}

}  // namespace

RecordedGraph::~RecordedGraph() {
  DeviceMemory::instance().close(m_pool);
}

RecordedGraph* RecordedGraph::capturing() {
  return current.load();
}

void RecordedGraph::begin() {
  RecordedGraph* nobody = nullptr;
  TORCH_CHECK(current.compare_exchange_strong(nobody, this), "another graph is being captured");
  DeviceMemory::instance().take(&m_pool);
}

void RecordedGraph::end() {
  DeviceMemory::instance().take(nullptr);
  current = nullptr;
  const char* planted = std::getenv("FATHOM_DEVICE_GRAPHS");
  TORCH_CHECK(planted == nullptr || std::strcmp(planted, "fail") != 0, "a planted fault of a capture");
  TORCH_CHECK(m_refusal.empty(), m_refusal);
  DeviceMemory::instance().forget(m_pool);
}

void RecordedGraph::refuse(const std::string& reason) {
  m_refusal = reason;
  throw std::runtime_error(reason);
}

void RecordedGraph::launch() {
  DeviceLog::instance().operatorRan("fathom::graph");
  const at::NoGradGuard noGrad;
  for (const std::function<void()>& work : m_work) work();
}

std::vector<at::Tensor> computed(const std::function<std::vector<at::Tensor>()>& compute) {
  std::vector<void*> places;
  std::vector<at::Tensor> made;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    for (const at::Tensor& tensor : compute()) {
      made.push_back(tensor.defined() ? copyToDevice(tensor) : tensor);
      places.push_back(tensor.defined() ? DeviceMemory::instance().readable(made.back().storage().data())
                                        : nullptr);
    }
  }
  if (RecordedGraph* graph = RecordedGraph::capturing())
    graph->add([compute, places] {
      const at::AutoDispatchBelowADInplaceOrView below;
      const std::vector<at::Tensor> again = compute();
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != nullptr)
          std::memcpy(places[i], again[i].storage().data(), again[i].storage().nbytes());
    });
  return made;
}

}  // namespace fathom::stand_in

extern "C" __attribute__((visibility("default"))) const fathom::GraphTable* fathomGraphTable() {
  using namespace fathom::stand_in;
  static const fathom::GraphTable table = [] {
    fathom::GraphTable made;
    made.made = "stand-in device";
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
