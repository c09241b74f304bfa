// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

namespace fathom {

// One rank of a group that adds on cards.
struct NcclPlace {
  const void* store = nullptr;  // c10::intrusive_ptr<c10d::Store>, by which the ranks find each other
  int rank = 0, size = 1;
  int device = 0;              // index of the card
  std::int64_t timeout = 0;    // milliseconds
  const char* interface = "";  // of the network, "" = NCCL's choice
};

// Functions that a plug-in with NCCL hands out, by one C function, `fathomNcclTable`: sums over ranks of
// tensors that lie on cards, one card a rank, by c10d's ProcessGroupNCCL. Built against one LibTorch and its
// NCCL. Whoever says nothing else gives 0 when all went well; else failure() says why. All ranks make the
// same calls in the same order. A change of any call is another version.
inline constexpr std::uint32_t kNcclTableVersion = 1;

struct NcclTable {
  std::uint32_t version = kNcclTableVersion;
  std::uint32_t bytes = sizeof(NcclTable);
  const char* made = "";               // what compiled it, and which NCCL it was made for
  const char* (*unfit)() = nullptr;    // why it does not go with the LibTorch that is loaded, or ""
  const char* (*failure)() = nullptr;  // of the last call of this thread, in words
  // Waits for all ranks; null: failed.
  void* (*join)(const NcclPlace* place) = nullptr;
  // Begins, behind what this thread has asked of the card. `flat` becomes the sum; `all` [size * n] gets
  // `mine` [n] of each rank, in their order. The tensors live until leave().
  int (*add)(void* group, const torch::Tensor* flat) = nullptr;
  int (*collect)(void* group, const torch::Tensor* mine, const torch::Tensor* all) = nullptr;
  // Never waits. 1: all that was begun is done, 0: not yet, -1: failed.
  int (*done)(void* group) = nullptr;
  // Whatever this thread asks of the card from now on comes behind all that was begun, which is done.
  int (*follow)(void* group) = nullptr;
  // Ends the group. `broken`: it waits for nobody, and what was begun is given up.
  void (*leave)(void* group, int broken) = nullptr;
};

inline constexpr const char* kNcclTableSymbol = "fathomNcclTable";
using NcclTableFunction = const NcclTable* (*)();

// libfathom-nccl.so beside the engine or in ../lib of it, or the file that FATHOM_NCCL names; of a stand-in
// device its own functions. FATHOM_NCCL=off: none.
struct NcclPlugin {
  const NcclTable* table = nullptr;  // null: there is none, because of `reason`
  std::string file, reason;
};
// Looked for at the first call, behind the loading of LibTorch's CUDA part. Thread-safe.
const NcclPlugin& ncclPlugin();
NcclPlugin openNcclPlugin(const std::string& file);

}  // namespace fathom
