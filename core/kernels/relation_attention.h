// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"
#include "core/kernels/mask_bits.h"
#include "core/kernels/number_format.h"

namespace fathom {

// Self attention with relations by id over packed rows (docs/attention.md §3), one head of one sequence at a
// time: p_ij = softmax_j(scale q_i (k_j + r^K_ij)), out_i = sum_j drop(p_ij) (v_j + r^V_ij). Streams and
// tables are of `format`; what sums (stats, shares of the tables' gradients) is float32, of float64 streams
// float64. Rows outside the spans are neither read nor written. Ids must be below `types`: whoever makes them
// checks that.
inline constexpr std::int64_t kWidestRelationHead = 128;
inline constexpr std::int64_t kMostRelations = 256;

struct RelationAttentionCall {
  NumberFormat format = NumberFormat::Float32;
  std::int64_t sequences = 0, heads = 1, width = 0;  // width of a head
  std::int64_t longest = 0, types = 0;
  const void* projected = nullptr;         // [rows, 3 * heads * width] query, key, value
  const void* relationKeys = nullptr;      // [types, width]
  const void* relationValues = nullptr;    // [types, width]
  const std::uint8_t* ids = nullptr;       // of each sequence a block [count, count], query by key
  const std::int64_t* idStarts = nullptr;  // [sequences] where its block begins
  const std::int64_t* spans = nullptr;     // [sequences, 2] first row and count
  double scale = 1;
  bool causal = false;
  MaskRule mask;         // of the probabilities
  double wideScale = 1;  // 1 / (1 - p) for float64; others take the mask's
  // Place of p_ij of sequence b and head h in the mask: as in a tensor [sequences, heads, maskLength,
  // maskLength].
  std::int64_t maskLength = 0;
  void* out = nullptr;    // [rows, heads * width]: forward writes, backward reads
  void* stats = nullptr;  // [rows, heads] logarithm of the softmax's sum: forward writes, backward reads
};

// The tables' gradients are products of what is summed here by type: of relationKeys by_key^T query, of
// relationValues by_value^T gradient, over rows and heads.
struct RelationAttentionGradients {
  const void* out = nullptr;  // [rows, heads * width]
  void* projected = nullptr;  // [rows, 3 * heads * width]
  void* byKey = nullptr;      // [rows, heads, types]
  void* byValue = nullptr;    // [rows, heads, types]
  void* along = nullptr;      // scratch [rows, heads]
};

// CUDA's error, 0 for none.
int launchRelationAttention(const RelationAttentionCall& call, void* stream);
int launchRelationAttention64(const RelationAttentionCall& call, void* stream);
int launchRelationAttentionBackward(const RelationAttentionCall& call,
                                    const RelationAttentionGradients& gradients, void* stream);
int launchRelationAttentionBackward64(const RelationAttentionCall& call,
                                      const RelationAttentionGradients& gradients, void* stream);

inline constexpr KernelPass<RelationAttentionCall> kRelationAttentionPass{"relation_attention"};
inline constexpr KernelPass<RelationAttentionCall, RelationAttentionGradients> kRelationAttentionBackwardPass{
    "relation_attention_backward"};

}  // namespace fathom
