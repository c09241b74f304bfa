// SPDX-License-Identifier: Apache-2.0
// NCCL of the stand-in: sums of tensors of several processes, by way of the store at which they have met.
// What is added has no numbers until the sum is there, and the sum only where somebody has asked for it.
#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <utility>
#include <vector>

#include "core/train/parallel/nccl_plugin.h"
#include "tests/fakes/device/device_memory.h"
#include "tests/fakes/device/device_tensors.h"

namespace fathom::stand_in {

namespace {

thread_local std::string lastSumFailure;

template <typename Work>
int triedSum(int failed, const Work& work) {
  try {
    return work();
  } catch (const std::exception& failure) {
    lastSumFailure = failure.what();
    return failed;
  }
}

// FATHOM_DEVICE_NCCL=N: the sum N of a rank fails, counted from 0.
std::int64_t plantedFault() {
  const char* text = std::getenv("FATHOM_DEVICE_NCCL");
  return text != nullptr ? std::atoll(text) : -1;
}

class StoreSums {
 public:
  explicit StoreSums(const NcclPlace& place)
      : m_store(*static_cast<const c10::intrusive_ptr<c10d::Store>*>(place.store)),
        m_rank(place.rank),
        m_size(place.size) {
    m_store->set("joined/" + std::to_string(m_rank), std::vector<std::uint8_t>{1});
    m_store->wait(keysOf("joined/"), std::chrono::milliseconds(place.timeout));
  }

  // `all` is undefined where the sum goes back to `mine`.
  void begin(const at::Tensor& mine, const at::Tensor& all) {
    const std::string round = "sum/" + std::to_string(m_round++) + "/";
    std::uint8_t* bytes = bytesOf(mine);
    m_store->set(round + std::to_string(m_rank), std::vector<std::uint8_t>(bytes, bytes + mine.nbytes()));
    m_begun.push_back({round, all.defined() ? all : mine, all.defined()});
    std::memset(bytesOf(m_begun.back().result), 0xFF, m_begun.back().result.nbytes());
  }

  bool done() {
    for (const Begun& one : m_begun) {
      TORCH_CHECK(m_taken + (&one - m_begun.data()) != plantedFault(), "a planted fault of NCCL");
      if (!m_store->check(keysOf(one.round))) return false;
    }
    return true;
  }

  void follow() {
    const std::vector<Begun> begun = std::exchange(m_begun, {});
    for (const Begun& one : begun) take(one);
    // Whoever has begun these has taken those before.
    for (const std::string& round : m_old) m_store->deleteKey(round + std::to_string(m_rank));
    m_old.clear();
    for (const Begun& one : begun) m_old.push_back(one.round);
    m_taken += static_cast<std::int64_t>(begun.size());
  }

 private:
  struct Begun {
    std::string round;
    at::Tensor result;
    bool gathered;
  };

  static std::uint8_t* bytesOf(const at::Tensor& tensor) {
    TORCH_CHECK(tensor.is_contiguous(), "NCCL takes contiguous tensors alone");
    return static_cast<std::uint8_t*>(
        DeviceMemory::instance().readable(static_cast<const void*>(tensor.const_data_ptr())));
  }
  std::vector<std::string> keysOf(const std::string& round) const {
    std::vector<std::string> keys;
    for (int i = 0; i < m_size; ++i) keys.push_back(round + std::to_string(i));
    return keys;
  }

  void take(const Begun& one) {
    const at::Tensor twin = twinOf(one.result);
    const std::int64_t share = one.gathered ? twin.numel() / m_size : twin.numel();
    const at::Tensor flat = twin.view({-1});
    for (int rank = 0; rank < m_size; ++rank) {
      std::vector<std::uint8_t> bytes = m_store->get(one.round + std::to_string(rank));
      const at::Tensor theirs = at::from_blob(bytes.data(), {share}, twin.options());
      if (one.gathered)
        flat.narrow(0, rank * share, share).copy_(theirs);
      else if (rank == 0)
        flat.copy_(theirs);
      else
        flat.add_(theirs);
    }
  }

  c10::intrusive_ptr<c10d::Store> m_store;
  int m_rank, m_size;
  std::int64_t m_round = 0, m_taken = 0;
  std::vector<Begun> m_begun;
  std::vector<std::string> m_old;
};

StoreSums* asSums(void* group) {
  return static_cast<StoreSums*>(group);
}

const char* fitsAlways() {
  return "";
}
const char* sumFailure() {
  return lastSumFailure.c_str();
}
void* joinSums(const NcclPlace* place) {
  StoreSums* made = nullptr;
  triedSum(1, [&] {
    made = new StoreSums(*place);
    return 0;
  });
  return made;
}
int addToSum(void* group, const torch::Tensor* flat) {
  return triedSum(1, [&] {
    asSums(group)->begin(*flat, {});
    return 0;
  });
}
int collectOfAll(void* group, const torch::Tensor* mine, const torch::Tensor* all) {
  return triedSum(1, [&] {
    asSums(group)->begin(*mine, *all);
    return 0;
  });
}
int sumsAreDone(void* group) {
  return triedSum(-1, [&] { return asSums(group)->done() ? 1 : 0; });
}
int followSums(void* group) {
  return triedSum(1, [&] {
    asSums(group)->follow();
    return 0;
  });
}
void leaveSums(void* group, int) {
  delete asSums(group);
}

}  // namespace

}  // namespace fathom::stand_in

extern "C" __attribute__((visibility("default"))) const fathom::NcclTable* fathomNcclTable() {
  using namespace fathom::stand_in;
  static const fathom::NcclTable table = [] {
    fathom::NcclTable made;
    made.made = "stand-in device";
    made.unfit = fitsAlways;
    made.failure = sumFailure;
    made.join = joinSums;
    made.add = addToSum;
    made.collect = collectOfAll;
    made.done = sumsAreDone;
    made.follow = followSums;
    made.leave = leaveSums;
    return made;
  }();
  return &table;
}
