// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/nn/parameter_store.h"

namespace fathom {

struct LongStructure;  // attention/global_local.h

// Place of an event in a network. name() = "encoder.layers.2.self_attention", as in parameter names.
struct SublayerSite {
  StackKind stack = StackKind::Encoder;
  std::int64_t layer = 0;     // 0-based in the stack
  std::int64_t sublayer = 0;  // 0-based in the layer
  std::int64_t index = 0;  // 0-based in order of execution in the stack: layer * sublayersPerLayer + sublayer
  SublayerKind kind = SublayerKind::SelfAttention;
  std::string name() const;
};

struct SublayerRecord {
  const SublayerSite& site;
  const torch::Tensor& input;         // x_{i-1} [B, T, d]
  const torch::Tensor& branchInput;   // what the branch read
  const torch::Tensor& branchOutput;  // f_i after the branch's dropout, before omega, alpha or scale
  const torch::Tensor& output;        // x_i
};

struct AttentionRecord {
  const SublayerSite& site;
  const torch::Tensor&
      scores;  // this layer's scaled product [B, H, T, S], unmasked (relation terms included)
  const torch::Tensor& relationScores;  // relation term alone, undefined without relations
  const torch::Tensor& chain;           // running sum handed on; equal to scores without a score chain
  const torch::Tensor& maskedScores;    // argument of the softmax
  const torch::Tensor& probabilities;   // softmax, before dropout
};

// Parts of the scores of an attention that are nothing but products under a mask (no score
// chain, no relations): for observers that need no tensor [B, H, T, S].
struct QueryKeyRecord {
  const SublayerSite& site;
  const torch::Tensor& query;  // [B, H, T, d/H]
  const torch::Tensor& key;    // [B, H, S, d/H]
  const torch::Tensor&
      additive;  // added to the scaled products, broadcastable to [B, H, T, S]; may be undefined
  double scale;  // of the products
};

// The one sink of probes and of the Admin profile pass; called on the forward's thread, in order of
// execution.
class ForwardObserver {
 public:
  virtual ~ForwardObserver() = default;
  virtual bool wantsAttention() const { return false; }  // true forces the path that materialises scores
  // true beside wantsAttention: where queriesAndKeys() can be called it is, instead of attention(), and no
  // score is kept.
  virtual bool takesQueriesAndKeys() const { return false; }
  virtual void queriesAndKeys(const QueryKeyRecord&) {}
  // true: parts whose output is kept (the states of a frozen encoder) are run all the same, to be seen.
  virtual bool watchesFrozenParts() const { return false; }
  // true: nothing but layerInput() is listened to. Layers above the last of them need not be run, and what
  // the forward returns then means nothing.
  virtual bool layerInputsAlone() const { return false; }
  virtual void stackInput(StackKind, const torch::Tensor& /*x0*/) {}
  // Called with the places of the tokens of a model of two streams, before its layers.
  virtual void longStructure(const LongStructure&) {}
  // States on their way into a stack, for DT-Fixup's mu: `part` "" is what enters the first layer, other
  // parts are states before their projection. [B, n, width]; padding [B, n] bool or undefined.
  virtual void layerInput(StackKind, std::string_view /*part*/, const torch::Tensor& /*states*/,
                          const torch::Tensor& /*padding*/) {}
  virtual void stackOutput(StackKind, const torch::Tensor& /*y*/) {}
  // Before x and the branch output are joined: the Admin profile sets omega here.
  virtual void beforeJoin(const SublayerSite&, const torch::Tensor& /*x*/, const torch::Tensor& /*branch*/) {}
  virtual void sublayer(const SublayerRecord&) {}
  virtual void attention(const AttentionRecord&) {}
};

// Everything one forward pass depends on beside weights and batch. Dropout at a site is seeded by
// streamSeed(seed, site, {update, microBatch}): nothing depends on call order.
struct StepContext {
  std::uint64_t seed = 1;
  std::int64_t update = 0;              // finished updates before this one
  std::int64_t microBatch = 0;          // position in the accumulation
  bool training = false;                // dropout on
  ForwardObserver* observer = nullptr;  // borrowed, may be null
};

}  // namespace fathom
