// SPDX-License-Identifier: Apache-2.0
// The plug-in with sums over ranks on cards, libfathom-nccl.so: the table of
// core/train/parallel/nccl_plugin.h by c10d's ProcessGroupNCCL. Beside the engine, which has no header of
// CUDA or NCCL, and linked to nothing: LibTorch's CUDA part, which the engine has loaded before, fills its
// symbols.
#define USE_C10D_NCCL
#include <ATen/ops/zeros.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/env.h>
#include <torch/csrc/cuda/nccl.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <vector>

#include "core/train/parallel/nccl_plugin.h"

namespace fathom {

namespace {

thread_local std::string lastFailure;

// Words of what was thrown, without a stack.
std::string wordsOf(const std::exception& failure) {
  const auto* torchs = dynamic_cast<const c10::Error*>(&failure);
  return torchs != nullptr ? torchs->what_without_backtrace() : failure.what();
}

// The number of `work`, or `failed` with the words of what was thrown.
template <typename Work>
int tried(int failed, const Work& work) {
  try {
    return work();
  } catch (const std::exception& failure) {
    lastFailure = wordsOf(failure);
    return failed;
  }
}

std::string versionText(std::uint64_t version) {
  constexpr std::uint64_t kPart = 0xFFFF;
  return std::to_string(version >> 32) + "." + std::to_string(version >> 16 & kPart) + "." +
         std::to_string(version & kPart);
}

constexpr std::uint64_t kHeader =
    std::uint64_t{NCCL_MAJOR} << 32 | std::uint64_t{NCCL_MINOR} << 16 | std::uint64_t{NCCL_PATCH};

// The settings of NCCL have another size in each version, and are a part of LibTorch's own objects.
const char* unfitFor() {
  static const std::string words =
      torch::cuda::nccl::version() == kHeader
          ? std::string()
          : "it was made for NCCL " + versionText(kHeader) + ", LibTorch for NCCL " +
                versionText(torch::cuda::nccl::version()) + ": build it with that header";
  return words.c_str();
}

void wish(const char* variable, const std::string& value, bool overwrite) {
  c10::utils::set_env(variable, value.c_str(), overwrite);
}

// NCCL and c10d read them when a group is made.
void settle(const NcclPlace& place) {
  // Without it c10d has a watchdog that ends the process, in words of its own, when a rank is lost.
  wish("TORCH_NCCL_BLOCKING_WAIT", "1", true);
  // All connections are made where there is a deadline, and not by the first sum that needs them.
  wish("NCCL_RUNTIME_CONNECT", "0", false);
  if (*place.interface != '\0') wish("NCCL_SOCKET_IFNAME", std::string("=") + place.interface, true);
}

class NcclGroup {
 public:
  explicit NcclGroup(const NcclPlace& place)
      : m_device(c10::kCUDA, static_cast<c10::DeviceIndex>(place.device)) {
    settle(place);
    const auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = std::chrono::milliseconds(place.timeout);
    m_group = c10::make_intrusive<c10d::ProcessGroupNCCL>(
        *static_cast<const c10::intrusive_ptr<c10d::Store>*>(place.store), place.rank, place.size, options);
    meet();
  }

  void add(const at::Tensor& flat) {
    std::vector<at::Tensor> tensors{flat};
    m_begun.push_back(m_group->allreduce(tensors));
  }
  void collect(at::Tensor mine, at::Tensor all) { m_begun.push_back(m_group->_allgather_base(all, mine)); }

  bool done() const {
    for (const auto& work : m_begun) {
      if (!work->isCompleted()) return false;
      if (work->exception()) std::rethrow_exception(work->exception());
    }
    return true;
  }
  void follow() {
    for (const auto& work : m_begun) work->synchronize();
    m_begun.clear();
  }
  void leave(bool broken) {
    if (broken)
      m_group->abort();
    else
      m_group->shutdown();
  }

 private:
  // A communicator, and a first sum over it: whoever is not there is missed now.
  void meet() {
    const c10::cuda::CUDAGuard guard(m_device);
    m_group->eagerConnectSingleDevice(m_device);
    const at::Tensor number = at::zeros({1}, at::TensorOptions(m_device).dtype(at::kFloat));
    add(number);
    while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a card can only be asked
    follow();
  }

  c10::Device m_device;
  c10::intrusive_ptr<c10d::ProcessGroupNCCL> m_group;
  std::vector<c10::intrusive_ptr<c10d::Work>> m_begun;
};

NcclGroup* asGroup(void* group) {
  return static_cast<NcclGroup*>(group);
}

const char* failureWords() {
  return lastFailure.c_str();
}
void* joinGroup(const NcclPlace* place) {
  NcclGroup* made = nullptr;
  tried(1, [&] {
    made = new NcclGroup(*place);
    return 0;
  });
  return made;
}
int addTensor(void* group, const torch::Tensor* flat) {
  return tried(1, [&] {
    asGroup(group)->add(*flat);
    return 0;
  });
}
int collectTensors(void* group, const torch::Tensor* mine, const torch::Tensor* all) {
  return tried(1, [&] {
    asGroup(group)->collect(*mine, *all);
    return 0;
  });
}
int isDone(void* group) {
  return tried(-1, [&] { return asGroup(group)->done() ? 1 : 0; });
}
int followGroup(void* group) {
  return tried(1, [&] {
    asGroup(group)->follow();
    return 0;
  });
}
void leaveGroup(void* group, int broken) {
  tried(1, [&] {
    asGroup(group)->leave(broken != 0);
    return 0;
  });
  tried(1, [&] {
    delete asGroup(group);
    return 0;
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const NcclTable* fathomNcclTable() {
  static const NcclTable table = [] {
    NcclTable made;
    made.made = FATHOM_NCCL_MADE;
    made.unfit = unfitFor;
    made.failure = failureWords;
    made.join = joinGroup;
    made.add = addTensor;
    made.collect = collectTensors;
    made.done = isDone;
    made.follow = followGroup;
    made.leave = leaveGroup;
    return made;
  }();
  return &table;
}

}  // namespace fathom
