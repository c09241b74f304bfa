// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_graph.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "core/kernels/device_address.h"
#include "core/kernels/plugin_file.h"

namespace fathom {

namespace {

constexpr const char* kGraphsName = "libfathom-graphs-cuda.so";

GraphPlugin checkedGraphs(const GraphTable* table, const std::string& file) {
  if (table->version == kGraphTableVersion && table->bytes == sizeof(GraphTable)) return {table, file, {}};
  return {nullptr, file,
          file + ": it has version " + std::to_string(table->version) + " of the graphs (" +
              std::to_string(table->bytes) + " bytes), this engine needs " +
              std::to_string(kGraphTableVersion) + " (" + std::to_string(sizeof(GraphTable)) +
              " bytes): build both from one source"};
}

GraphPlugin findGraphs() {
  const char* wish = std::getenv("FATHOM_GRAPHS");
  if (wish != nullptr && std::string(wish) == "off") return {nullptr, {}, "switched off by FATHOM_GRAPHS"};
  if (wish != nullptr && *wish != '\0') return openGraphPlugin(wish);
  if (deviceStandsIn()) {
    const auto own = reinterpret_cast<GraphTableFunction>(::dlsym(RTLD_DEFAULT, kGraphTableSymbol));
    if (own == nullptr) return {nullptr, {}, "this stand-in device has no graphs"};
    return checkedGraphs(own(), {});
  }
  if (const std::string file = pluginBeside(kGraphsName); !file.empty()) return openGraphPlugin(file);
  return {nullptr, {}, std::string("there is no ") + kGraphsName + " beside the engine"};
}

void checkGraph(int outcome) {
  if (outcome != 0) throw std::runtime_error(graphPlugin().table->failure());
}

}  // namespace

GraphPlugin openGraphPlugin(const std::string& file) {
  const PluginSymbol found = openPluginFile(file, kGraphTableSymbol, "the graphs", "graphs");
  if (found.function == nullptr) return {nullptr, file, found.reason};
  return checkedGraphs(reinterpret_cast<GraphTableFunction>(found.function)(), file);
}

const GraphPlugin& graphPlugin() {
  static const GraphPlugin plugin = findGraphs();
  return plugin;
}

WaitsRefused::WaitsRefused() {
  checkGraph(graphPlugin().table->refuseWaits(1));
}
WaitsRefused::~WaitsRefused() {
  graphPlugin().table->refuseWaits(0);
}

DeviceGraph::DeviceGraph(const torch::Device& device)
    : m_graph(graphPlugin().table->create(device.has_index() ? device.index() : 0)) {
  if (m_graph == nullptr) throw std::runtime_error(graphPlugin().table->failure());
}
DeviceGraph::~DeviceGraph() {
  graphPlugin().table->destroy(m_graph);
}

void DeviceGraph::capture(const std::function<void()>& work) {
  const GraphTable& table = *graphPlugin().table;
  checkGraph(table.begin(m_graph));
  try {
    work();
  } catch (...) {
    table.end(m_graph);  // what it says of a capture that failed says less than what was thrown
    throw;
  }
  checkGraph(table.end(m_graph));
}

void DeviceGraph::launch() {
  checkGraph(graphPlugin().table->launch(m_graph));
}

}  // namespace fathom
