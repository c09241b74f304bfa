// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/chain_softmax.h"
#include "core/kernels/norm_join.h"
#include "core/kernels/relation_attention.h"
#include "core/kernels/seeded_dropout.h"

namespace fathom {

// What a plug-in with kernels hands out: one C function, `fathomKernelTable`, and this table behind it. Raw
// pointers, sizes and a stream (`void*`, CUDA's handle) go through it; LibTorch does not, so one plug-in
// serves any LibTorch of the same CUDA runtime. A change of any call here or in the families' headers is
// another version.
inline constexpr std::uint32_t kKernelTableVersion = 2;

struct KernelTable {
  std::uint32_t version = kKernelTableVersion;
  std::uint32_t bytes = sizeof(KernelTable);
  const char* made = "";  // what compiled it, for which cards
  // 1: the kernels run on the processor (core/kernels/host) and take readable addresses.
  std::int32_t onHost = 0;
  // In words, of what a launch returned.
  const char* (*errorText)(int error) = nullptr;

  int (*seededDropout)(const DropoutCall& call, void* stream) = nullptr;
  int (*normJoin)(const NormJoinCall& call, void* stream) = nullptr;
  int (*normJoinBackward)(const NormJoinCall& call, const NormJoinGradients& gradients,
                          void* stream) = nullptr;
  int (*chainSoftmax)(const ChainSoftmaxCall& call, void* stream) = nullptr;
  int (*chainSoftmaxBackward)(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients,
                              void* stream) = nullptr;
  int (*relationAttention)(const RelationAttentionCall& call, void* stream) = nullptr;
  int (*relationAttentionBackward)(const RelationAttentionCall& call,
                                   const RelationAttentionGradients& gradients, void* stream) = nullptr;
};

inline constexpr const char* kKernelTableSymbol = "fathomKernelTable";
using KernelTableFunction = const KernelTable* (*)();

}  // namespace fathom
