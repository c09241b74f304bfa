// SPDX-License-Identifier: Apache-2.0
// A plug-in for the stand-in device that shows what the one that nvcc built launches in a whole update: each
// call of the engine goes to the host half of that one, whose launches a CUDA runtime that runs nothing hands
// to the device's log (tests/fakes/cudart), and its results are zeros, which is enough for an engine that
// launches the same whatever the numbers are.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "core/kernels/chain_softmax.h"
#include "core/kernels/kernel_table.h"
#include "core/kernels/norm_join.h"
#include "core/kernels/relation_attention.h"
#include "core/kernels/seeded_dropout.h"

namespace fathom {

namespace {

[[noreturn]] void cannotCount() {
  const char* text = ::dlerror();
  std::fprintf(stderr, "a plug-in that counts: %s\n", text != nullptr ? text : "a function is missing");
  std::abort();
}

void* loaded(Lmid_t space, const char* file) {
  void* library = ::dlmopen(space, file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) cannotCount();
  return library;
}

template <typename Function>
Function functionOf(void* library, const char* name) {
  void* found = ::dlsym(library, name);
  if (found == nullptr) cannotCount();
  return reinterpret_cast<Function>(found);
}

// The table that nvcc's plug-in hands out. It lives in a namespace of its own: LibTorch has loaded the real
// CUDA runtime, which is the one that the plug-in would get here.
const KernelTable& ofCard() {
  static const KernelTable* table = [] {
    void* runtime = loaded(LM_ID_NEWLM, FATHOM_COUNTED_RUNTIME);
    using Seen = void (*)(const char* kernel);
    functionOf<void (*)(Seen)>(runtime,
                               "cudaFakeLaunchesGoTo")(functionOf<Seen>(RTLD_DEFAULT, "fathomCudaLaunched"));
    Lmid_t space = LM_ID_BASE;
    if (::dlinfo(runtime, RTLD_DI_LMID, &space) != 0) cannotCount();
    void* kernels = loaded(space, FATHOM_COUNTED_KERNELS);
    return functionOf<KernelTableFunction>(kernels, kKernelTableSymbol)();
  }();
  return *table;
}

template <typename... Calls>
int launchOfCard(const KernelPass<Calls...>& pass, void* stream, const Calls&... calls) {
  const KernelTable& table = ofCard();
  for (std::uint32_t i = 0; i < table.launchCount; ++i)
    if (std::string_view(pass.name) == table.launches[i].name)
      return reinterpret_cast<typename KernelPass<Calls...>::Launch>(table.launches[i].launch)(calls...,
                                                                                               stream);
  cannotCount();
}

class Zeros {
 public:
  explicit Zeros(NumberFormat format)
      : m_bytes(format == NumberFormat::Float64    ? 8
                : format == NumberFormat::BFloat16 ? 2
                                                   : 4),
        m_wide(format == NumberFormat::Float64 ? 8 : 4) {}
  void narrow(void* out, std::int64_t count) const { write(out, count * m_bytes); }
  void wide(void* out, std::int64_t count) const { write(out, count * m_wide); }

 private:
  static void write(void* out, std::int64_t bytes) {
    if (out != nullptr) std::memset(out, 0, static_cast<std::size_t>(bytes));
  }
  std::int64_t m_bytes, m_wide;
};

int dropout(const DropoutCall& call, void* stream) {
  Zeros(call.format).narrow(call.out, call.count);
  return launchOfCard(kSeededDropoutPass, stream, call);
}

int norm(const NormJoinCall& call, void* stream) {
  const Zeros zeros(call.format);
  zeros.narrow(call.sum, call.rows * call.width);
  zeros.narrow(call.y, call.rows * call.width);
  zeros.wide(call.moments, call.rows * 2);
  return launchOfCard(kNormJoinPass, stream, call);
}

int normBackward(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream) {
  const Zeros zeros(call.format);
  zeros.narrow(gradients.x, call.rows * call.width);
  zeros.narrow(gradients.branch, call.rows * call.width);
  zeros.wide(gradients.sums, 3 * call.width);
  return launchOfCard(kNormJoinBackwardPass, stream, call, gradients);
}

std::int64_t scoresOf(const ChainSoftmaxCall& call) {
  return call.batch * call.heads * call.queries * call.keys;
}

int chain(const ChainSoftmaxCall& call, void* stream) {
  const Zeros zeros(call.format);
  zeros.narrow(call.probabilities, scoresOf(call));
  zeros.narrow(call.kept, scoresOf(call));
  return launchOfCard(kChainSoftmaxPass, stream, call);
}

int chainBackward(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients, void* stream) {
  Zeros(call.format).wide(gradients.running, scoresOf(call));
  return launchOfCard(kChainSoftmaxBackwardPass, stream, call, gradients);
}

// Rows of the sequences, which lie one behind the other where the engine packs them.
std::int64_t rowsOf(const RelationAttentionCall& call) {
  std::int64_t rows = 0;
  for (std::int64_t b = 0; b < call.sequences; ++b) rows += call.spans[2 * b + 1];
  return rows;
}

int relations(const RelationAttentionCall& call, void* stream) {
  const Zeros zeros(call.format);
  const std::int64_t rows = rowsOf(call);
  zeros.narrow(call.out, rows * call.heads * call.width);
  zeros.wide(call.stats, rows * call.heads);
  return launchOfCard(kRelationAttentionPass, stream, call);
}

int relationsBackward(const RelationAttentionCall& call, const RelationAttentionGradients& gradients,
                      void* stream) {
  const Zeros zeros(call.format);
  const std::int64_t rows = rowsOf(call);
  zeros.narrow(gradients.projected, rows * 3 * call.heads * call.width);
  zeros.wide(gradients.byKey, rows * call.heads * call.types);
  zeros.wide(gradients.byValue, rows * call.heads * call.types);
  return launchOfCard(kRelationAttentionBackwardPass, stream, call, gradients);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const KernelTable* fathomKernelTable() {
  static const KernelTable table = [] {
    KernelTable made = ofCard();
    made.onHost = 1;
    static const KernelLaunch launches[] = {kSeededDropoutPass.with(dropout),
                                            kNormJoinPass.with(norm),
                                            kNormJoinBackwardPass.with(normBackward),
                                            kChainSoftmaxPass.with(chain),
                                            kChainSoftmaxBackwardPass.with(chainBackward),
                                            kRelationAttentionPass.with(relations),
                                            kRelationAttentionBackwardPass.with(relationsBackward)};
    made.launches = launches;
    made.launchCount = std::size(launches);
    return made;
  }();
  return &table;
}

}  // namespace fathom
