// SPDX-License-Identifier: Apache-2.0
// Asks a plug-in for one launch of every call: kernel_launches PLUGIN. Prints what each returned; the runtime
// that it runs with (tests/fakes/cudart) prints the launches themselves.
#include <dlfcn.h>

#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "core/kernels/chain_softmax.h"
#include "core/kernels/kernel_table.h"
#include "core/kernels/norm_join.h"
#include "core/kernels/relation_attention.h"
#include "core/kernels/seeded_dropout.h"

namespace {

using namespace fathom;

void said(const KernelTable& table, const char* call, int error) {
  std::printf("%s returned %d: %s\n", call, error, table.errorText(error));
}

template <typename... Calls>
int launched(const KernelTable& table, const KernelPass<Calls...>& pass, const Calls&... calls) {
  for (std::uint32_t i = 0; i < table.launchCount; ++i)
    if (std::string_view(pass.name) == table.launches[i].name)
      return reinterpret_cast<typename KernelPass<Calls...>::Launch>(table.launches[i].launch)(calls...,
                                                                                               nullptr);
  return -1;
}

void dropouts(const KernelTable& table, void* memory) {
  DropoutCall call;
  call.x = call.out = memory;
  call.mask = MaskRule(0.1, 7);
  call.count = 5000;
  for (const auto format : {NumberFormat::Float32, NumberFormat::BFloat16, NumberFormat::Float64}) {
    call.format = format;
    said(table, "dropout", launched(table, kSeededDropoutPass, call));
  }
  call.count = std::int64_t{3} << 30;
  call.format = NumberFormat::Float32;
  said(table, "dropout of 2^31 + 2^30", launched(table, kSeededDropoutPass, call));
}

void norms(const KernelTable& table, void* memory) {
  NormJoinCall call;
  call.rows = 1000;
  call.width = 512;
  call.x = call.branch = call.sum = call.y = memory;
  for (const auto format : {NumberFormat::Float32, NumberFormat::BFloat16, NumberFormat::Float64}) {
    call.format = format;
    said(table, "norm", launched(table, kNormJoinPass, call));
    said(table, "norm backward", launched(table, kNormJoinBackwardPass, call, NormJoinGradients{}));
  }
}

void chains(const KernelTable& table, void* memory) {
  ChainSoftmaxCall call;
  call.batch = 32;
  call.heads = 12;
  call.queries = call.keys = 512;
  call.scores = call.probabilities = memory;
  for (const auto format : {NumberFormat::Float32, NumberFormat::BFloat16, NumberFormat::Float64}) {
    call.format = format;
    said(table, "chain", launched(table, kChainSoftmaxPass, call));
    said(table, "chain backward", launched(table, kChainSoftmaxBackwardPass, call, ChainSoftmaxGradients{}));
  }
}

void relations(const KernelTable& table, void* memory) {
  RelationAttentionCall call;
  call.sequences = 16;
  call.heads = 8;
  call.width = 32;
  call.longest = 61;
  call.types = 51;
  call.projected = call.out = memory;
  for (const auto format : {NumberFormat::Float32, NumberFormat::BFloat16, NumberFormat::Float64}) {
    call.format = format;
    said(table, "relations", launched(table, kRelationAttentionPass, call));
    said(table, "relations backward",
         launched(table, kRelationAttentionBackwardPass, call, RelationAttentionGradients{}));
  }
  call.width = kWidestRelationHead + 1;
  said(table, "a head that is too wide", launched(table, kRelationAttentionPass, call));
}

}  // namespace

int main(int count, char** words) {
  void* library = count == 2 ? ::dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) {
    std::fprintf(stderr, "kernel_launches PLUGIN: %s\n", count == 2 ? ::dlerror() : "one word");
    return 2;
  }
  const auto table = reinterpret_cast<KernelTableFunction>(::dlsym(library, kKernelTableSymbol));
  if (table == nullptr || table()->version != kKernelTableVersion) return 3;
  std::printf("made by %s\n", table()->made);
  char memory[64] = {};
  dropouts(*table(), memory);
  norms(*table(), memory);
  chains(*table(), memory);
  relations(*table(), memory);
  return 0;
}
