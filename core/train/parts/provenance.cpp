// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/provenance.h"

#include <sys/utsname.h>
#include <torch/version.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

namespace fathom {

namespace {

std::string compilerName() {
#ifdef __clang__
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "g++ " __VERSION__;
#endif
}

Json mathEnvironment() {
  Json json = Json::object();
  for (const char* name :
       {"OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "MKL_NUM_THREADS", "MKL_ENABLE_INSTRUCTIONS",
        "ONEDNN_MAX_CPU_ISA", "ATEN_CPU_CAPABILITY", "CUBLAS_WORKSPACE_CONFIG"}) {
    if (const char* value = std::getenv(name)) json[name] = value;
  }
  return json;
}

}  // namespace

std::string programVersion() {
  return FATHOM_VERSION;
}

std::string cpuModelName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

Json libraryVersions() {
  return {{"torch", TORCH_VERSION}, {"compiler", compilerName()}};
}

Json makeProvenance(int threads, const std::string& device, const std::vector<DataHash>& data) {
  utsname system{};
  ::uname(&system);
  Json json;
  json["program"] = std::string(kProgramName) + " " + programVersion();
  json["revision"] = FATHOM_REVISION;
  json["libraries"] = libraryVersions();
  json["host"] = system.nodename;
  json["system"] = std::string(system.sysname) + " " + system.release;
  json["cpu"] = cpuModelName();
  json["cores"] = std::thread::hardware_concurrency();
  json["threads"] = threads;
  json["device"] = device;
  json["environment"] = mathEnvironment();
  json["data"] = Json::array();
  for (const DataHash& hash : data) {
    json["data"].push_back(
        {{"role", hash.role}, {"path", hash.path}, {"sha256", hash.sha256}, {"bytes", hash.bytes}});
  }
  return json;
}

Json bitExactEnvironment(int threads, const std::string& device) {
  Json json;
  json["program"] = std::string(kProgramName) + " " + programVersion() + " " + FATHOM_REVISION;
  json["libraries"] = libraryVersions();
  json["cpu"] = cpuModelName();
  json["threads"] = threads;
  json["device"] = device;
  json["environment"] = mathEnvironment();
  return json;
}

}  // namespace fathom
