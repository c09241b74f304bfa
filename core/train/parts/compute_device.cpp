// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/compute_device.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/base/errors/error_key.h"
#include "core/base/files/process_identity.h"
#include "core/base/files/shared_library.h"
#include "core/train/parallel/nccl_plugin.h"
#include "core/train/parallel/rank_devices.h"
#include "core/train/parts/provenance.h"

namespace fathom {

namespace {

constexpr const char* kCudaPart = "libtorch_cuda.so";

// CUDA's number of a version, 13040, as it is written.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// LibTorch counts no device without a driver, and with one that is too old; the runtime says which it is.
std::string whyNoDevices(void* library) {
  using AskVersion = int (*)(int*);
  const auto version = [&](const char* name) {
    const auto ask = reinterpret_cast<AskVersion>(::dlsym(library, name));
    int found = -1;
    return ask != nullptr && ask(&found) == 0 ? found : -1;
  };
  const int driver = version("cudaDriverGetVersion"), runtime = version("cudaRuntimeGetVersion");
  if (driver == 0) return Phrase::tr("there is no NVIDIA driver: install one").english;
  if (driver > 0 && driver / 1000 < runtime / 1000)
    return "the NVIDIA driver is too old: it is for CUDA " + versionText(driver) +
           ", this LibTorch needs CUDA " + versionText(runtime) + "; install a newer driver";
  return Phrase::tr("no CUDA device was found").english;
}

std::string loadCuda() {
  const std::string file = libraryFile(kCudaPart);
  if (isLibraryCutShort(file))
    return "the CUDA part of LibTorch does not load: " + file + " is cut short; install LibTorch again";
  void* library = ::dlopen(kCudaPart, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    return std::string("the CUDA part of LibTorch does not load: ") +
           (text != nullptr ? text : "no reason given");
  }
  try {
    if (at::detail::getCUDAHooks().deviceCount() > 0) return {};
    return whyNoDevices(library);
  } catch (const std::exception& e) {
    return std::string("CUDA does not start: ") + e.what();
  }
}

}  // namespace

std::string standInName() {
  const auto name = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "fathomStandInDevice"));
  return name != nullptr ? name() : "";
}

const std::string& cudaProblem() {
  static const std::string problem = loadCuda();
  return problem;
}

std::vector<ComputeDevice> computeDevices() {
  std::vector<ComputeDevice> devices;
  if (cudaProblem().empty()) {
    const int count = at::detail::getCUDAHooks().deviceCount();
    const std::string standIn = standInName();
    for (int i = 0; i < count; ++i)
      devices.push_back({"cuda:" + std::to_string(i),
                         "CUDA device " + std::to_string(i) + (standIn.empty() ? "" : " (" + standIn + ")"),
                         true,
                         {}});
  } else {
    devices.push_back({"cuda:0", "CUDA device", false, cudaProblem()});
  }
  devices.push_back({"cpu", cpuModelName(), true, {}});
  return devices;
}

Result<torch::Device> chooseDevice(const std::string& wanted) {
  const auto refuse = [&](const Phrase& reason, const Phrase& hint) {
    return aboutKey(
        "device",
        unavailableError(Phrase::tr("option 'device': '%1' cannot be used: %2")(wanted, reason), hint));
  };
  if (wanted == "cpu") return torch::Device(torch::kCPU);
  if (wanted == "auto")
    return cudaProblem().empty() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  if (wanted == "cuda" || wanted.starts_with("cuda:")) {
    const std::string digits = wanted.size() > 5 ? wanted.substr(5) : "0";
    if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
      return refuse(Phrase::tr("it is not of the form cuda:N"), Phrase::tr("write cuda:0"));
    if (!cudaProblem().empty()) return refuse(Phrase::known(cudaProblem()), Phrase::tr("use device=cpu"));
    const int index = std::stoi(digits);
    const int count = at::detail::getCUDAHooks().deviceCount();
    if (index >= count)
      return refuse(Phrase::tr("there are %1 CUDA devices")(count), Phrase::tr("the first is cuda:0"));
    return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(index));
  }
  return refuse(Phrase::tr("no such device"), Phrase::tr("use auto, cpu or cuda:0"));
}

Result<torch::Device> chooseDevice(const std::string& wanted, const Ranks& ranks) {
  if (ranks.alone() || wanted == "cpu") return chooseDevice(wanted);
  const int cards = cudaProblem().empty() ? at::detail::getCUDAHooks().deviceCount() : 0;
  FATHOM_TRY(const std::string own, deviceOfRank(wanted, ranks, cards));
  FATHOM_TRY(const torch::Device device, chooseDevice(own));
  if (device.type() != torch::kCPU && ncclPlugin().table == nullptr)
    return withoutNccl(device.str(), ncclPlugin().reason);
  return device;
}

// The runtime knows its place in the machine (its functions: core/train/dry/dry_device.cpp).
std::string cardName(const torch::Device& device) {
  if (device.type() == torch::kCPU) return {};
  using AskPlace = int (*)(char*, int, int);
  void* library = ::dlopen(kCudaPart, RTLD_NOW | RTLD_NOLOAD);
  const auto ask =
      library != nullptr ? reinterpret_cast<AskPlace>(::dlsym(library, "cudaDeviceGetPCIBusId")) : nullptr;
  char place[32] = "";
  if (ask == nullptr || ask(place, sizeof place, device.index()) != 0) return hostName() + " " + device.str();
  return hostName() + " " + place;
}

int prepareNumerics(const torch::Device& device, std::int64_t threads) {
  // Without a wish the runner's share of the machine (OMP_NUM_THREADS), else every core.
  const char* environment = std::getenv("OMP_NUM_THREADS");
  std::int64_t wanted = threads > 0 ? threads : environment != nullptr ? std::atoll(environment) : 0;
  if (wanted <= 0) wanted = std::max(1u, std::thread::hardware_concurrency());
  const int count = static_cast<int>(std::min<std::int64_t>(wanted, 1024));
  at::set_num_threads(count);
  at::Context& context = at::globalContext();
  if (device.is_cuda()) {
    // Whatever is asked of "the device" without a number is asked of this one.
    c10::impl::VirtualGuardImpl(device.type()).setDevice(device);
    context.setDeterministicAlgorithms(true, false);
    context.setDeterministicFillUninitializedMemory(false);
    context.setDeterministicCuDNN(true);
    context.setBenchmarkCuDNN(false);
    context.setAllowTF32CuDNN(false);
  }
  return count;
}

}  // namespace fathom
