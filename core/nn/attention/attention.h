// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/entry_table.h"
#include "core/base/options/option_field.h"
#include "core/nn/attention/score_chain.h"
#include "core/nn/decode_state.h"
#include "core/nn/parameter_store.h"
#include "core/nn/step_context.h"

namespace fathom {

// How masked scores enter the softmax; applied after chain and division.
enum class MaskStyle {
  MinusInfinity,  // fairseq
  AddMinus10000,  // BERT, RealFormer: -10000 is added
  SetMinus1e9     // DT-Fixup's relational stack: scores are replaced
};

// Which keys a query must not see; made once per forward and shared by all layers.
struct AttentionMask {
  torch::Tensor blocked;   // bool, broadcastable to [B, H, T, S]; undefined = nothing is blocked
  torch::Tensor additive;  // float, same shape: what is added to the scores (MinusInfinity, AddMinus10000)
  // The same for fused attention of a device: its rows begin at whole 16 entries, and under mixed precision
  // it is of that format. Undefined on the processor.
  torch::Tensor aligned;
  MaskStyle style = MaskStyle::MinusInfinity;
  bool causal = false;  // `blocked` is exactly the triangle above the diagonal: kernels may skip it
  // The same rule by rows of streams [N, d], for kernels that skip padding: first row and count of every
  // sequence, int64 [B, 2] on the CPU. Without querySpans every row of [B, T, d] is a query; without keySpans
  // and `padded` every row of [B, S, d] is a key.
  torch::Tensor querySpans, keySpans;
  bool triangle = false;  // a query sees no later key
  bool padded = false;    // some keys are padding
};
// keyPadding [B, S] bool or undefined; causal adds the triangle for T = S = length. dtype of the additive
// form.
AttentionMask makeAttentionMask(const torch::Tensor& keyPadding, bool causal, std::int64_t length,
                                MaskStyle style, const torch::TensorOptions& tensors);

// First row (b * T + t) and count of the real positions of each sequence, int64 [B, 2]; padding [B, T] bool
// on the CPU. Undefined where a sequence has a hole, or on another device.
torch::Tensor sequenceSpans(const torch::Tensor& padding);
// The same where nothing is padding.
torch::Tensor wholeSpans(std::int64_t batch, std::int64_t length);

// Relational stacks: a pair is visible when query and key are both real, so a padded query sees no key at
// all.
AttentionMask makePairMask(const torch::Tensor& padding, MaskStyle style,
                           const torch::TensorOptions& tensors);

// Everything one attention branch reads in one forward.
struct BranchInputs {
  const torch::Tensor& query;  // [B, T, d]
  // [B, S, d] cross attention; undefined: self; the whole stream where queries are some of its rows.
  const torch::Tensor& memory;
  const AttentionMask& mask;
  const torch::Tensor& previousScores;  // chain of the layer below [B, H, T, S] or undefined
  // int64 [B, T, S] relation ids, with packed streams their blocks (relation_blocks.h), or undefined.
  const torch::Tensor& relations;
  KeyValueCache* cache = nullptr;  // incremental decoding
  const SublayerSite& site;
  const StepContext& context;
};

struct BranchOutputs {
  torch::Tensor value;   // [B, T, d]
  torch::Tensor scores;  // chain to hand on: raw, unmasked, undivided; undefined without a chain
};

struct AttentionSetup {
  std::int64_t width = 0, heads = 1;
  double dropout = 0;  // on the probabilities
  ScoreChain chain = ScoreChain::None;
  bool queryKeyValueBias = true, outputBias = true;
  std::int64_t relationTypes = 0;
  bool fusedKernel =
      true;  // scaled-dot-product kernel where scores are not needed; false: always the plain path
};

class Attention {
 public:
  virtual ~Attention() = default;
  virtual BranchOutputs forward(const BranchInputs& inputs) const = 0;
  // Projects the encoder memory once for a decoding (cross attention).
  virtual KeyValueCache projectMemory(const torch::Tensor& memory) const = 0;
  // Whether queries and memory may be packed streams [N, d] with spans in the mask, for sequences up to
  // `longest`, while nobody observes.
  virtual bool takesPackedRows(const torch::TensorOptions&, std::int64_t /*longest*/) const { return false; }
  // Whether a packed self attention may have some rows of its memory as queries, by the query spans.
  virtual bool readsSomeRows() const { return false; }
};

struct AttentionEntry {
  std::string id, title, reference;
  bool relations = false;  // needs relation ids
  // <prefix>.attention.<id>.<field>
  std::vector<OptionField> (*fields)(const std::string& prefix) = noStackFields;
  // `where` carries the parameter prefix ("encoder.layers.0.self_attention") and place.
  std::unique_ptr<Attention> (*make)(ParameterStore& store, const ParameterInfo& where,
                                     const AttentionSetup& setup);
  bool twoStreams = false;  // of a long and a global stream (global_local.h): an encoder's alone, no `make`
};
template <typename Kind>
std::unique_ptr<Attention> makeAttention(ParameterStore& store, const ParameterInfo& where,
                                         const AttentionSetup& setup) {
  return std::make_unique<Kind>(store, where, setup);
}
const std::vector<AttentionEntry>& attentionEntries();  // attentions.list
const AttentionEntry& attentionEntry(std::string_view id);
std::vector<OptionField> attentionOptionFields(const std::string& prefix, const std::string& title);

}  // namespace fathom
