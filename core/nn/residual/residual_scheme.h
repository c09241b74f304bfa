// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/entry_table.h"
#include "core/base/options/option_field.h"
#include "core/nn/layer_norm.h"
#include "core/nn/parameter_store.h"
#include "core/nn/step_context.h"

namespace fathom {

// Place of dropout: on the branch output before the addition (fairseq, BERT), or on the whole stream after
// the sub-layer (DT-Fixup's relational layers: x <- drop(x + f(x))).
enum class DropoutPlace { Branch, Stream };

// Setup from which a residual scheme is built: one scheme per stack.
struct StackSetup {
  StackKind kind = StackKind::Encoder;
  // Depths of all stacks of the model, 0 = absent; an extra stack is an encoder of its own.
  std::int64_t encoderLayers = 0, decoderLayers = 0;
  std::int64_t width = 0;
  std::vector<SublayerKind> sublayers;  // of one layer, in order of execution
  double normEps = 1e-5;
  double dropout = 0;
  DropoutPlace dropoutPlace = DropoutPlace::Branch;
  bool finalNorm = false;  // one more LN above a normalised stack that would not have one (relational stack)
  std::int64_t layers() const { return kind == StackKind::Decoder ? decoderLayers : encoderLayers; }
};

// Scalars subtracted inside a feed-forward branch (FixUp); undefined elsewhere.
struct BranchShifts {
  torch::Tensor hidden;  // before the activation
  torch::Tensor output;  // after the activation
};

// The join as data, for the exact dependency recursion (beta) and for folding:
// x_i = norm(x_{i-1} * shortcut + branchScale * f_i), norm missing where `norm` is null.
struct ResidualTerms {
  torch::Tensor shortcut;     // [d] or [1]; undefined = 1
  torch::Tensor branchScale;  // [1]; undefined = 1
  const LayerNorm* norm = nullptr;
};

// One sub-layer's share of a scheme: norm place, shortcut factor, branch scale.
class ResidualSublayer {
 public:
  virtual ~ResidualSublayer() = default;
  // Input of the branch.
  virtual torch::Tensor branchInput(const torch::Tensor& x) const { return x; }
  // x_i from x_{i-1} and the branch output after its dropout.
  virtual torch::Tensor join(const torch::Tensor& x, const torch::Tensor& branch) const = 0;
  virtual BranchShifts shifts() const { return {}; }
  virtual ResidualTerms terms() const = 0;
  // True when join(x, b) = finish(x + b): lets dropout and addition be one pass.
  virtual bool plainSum() const { return false; }
  virtual torch::Tensor finish(const torch::Tensor& sum) const { return sum; }
};

// Built per stack (docs/architecture.md §2). Owns the scheme's parameters through the store; layers share
// what the scheme wants shared.
class ResidualScheme {
 public:
  explicit ResidualScheme(StackSetup setup) : m_setup(std::move(setup)) {}
  virtual ~ResidualScheme() = default;
  const std::string& id() const { return m_id; }  // of its entry
  virtual torch::Tensor entry(const torch::Tensor& x) const { return x; }
  virtual torch::Tensor exit(const torch::Tensor& x) const { return m_top ? (*m_top)(x) : x; }
  virtual bool branchBiases() const {
    return true;
  }  // false: linear maps of the branches have no biases (FixUp)
  const LayerNorm* topNorm() const { return m_top ? &*m_top : nullptr; }  // null: the stream ends without

  const StackSetup& setup() const { return m_setup; }
  std::int64_t sublayerCount() const { return static_cast<std::int64_t>(m_sublayers.size()); }
  ResidualSublayer& sublayer(std::int64_t layer, std::int64_t sublayer) const;
  SublayerSite site(std::int64_t layer, std::int64_t sublayer) const;
  // Parameter prefix of a sub-layer, "encoder.layers.0.self_attention", with where it belongs.
  ParameterInfo parameterAt(std::int64_t layer, std::int64_t sublayer, ParameterRole role) const;
  // "encoder.layers.0.<suffix>": shared by the sub-layers of a layer.
  ParameterInfo layerParameter(std::int64_t layer, const std::string& suffix) const;
  ParameterInfo parameterOfStack(const std::string& suffix, ParameterRole role) const;

 protected:
  std::vector<std::unique_ptr<ResidualSublayer>> m_sublayers;  // in order of execution
  // Constructor helper: makes(l, s) for every sub-layer in order.
  template <typename Make>
  void fillSublayers(Make make) {
    const auto perLayer = static_cast<std::int64_t>(m_setup.sublayers.size());
    for (std::int64_t l = 0; l < m_setup.layers(); ++l) {
      for (std::int64_t s = 0; s < perLayer; ++s) m_sublayers.push_back(make(l, s));
    }
  }
  LayerNorm sublayerNorm(ParameterStore& store, std::int64_t layer, std::int64_t sublayer) const;
  // After fillSublayers: the stream ends in a layer norm of its own.
  void addTopNorm(ParameterStore& store);

 private:
  friend std::unique_ptr<ResidualScheme> makeResidual(ParameterStore& store, const StackSetup& setup,
                                                      std::string_view id, const OptionValues& options);
  StackSetup m_setup;
  std::string m_id;
  std::optional<LayerNorm> m_top;
};

// `prefix` is "encoder" or "decoder": option keys are <prefix>.residual.<id>.<field>.
struct ResidualEntry {
  std::string id, title, reference;
  std::string paperInit;         // entry of inits.list that the paper of this scheme uses (init = by_scheme)
  bool normalised = true;        // has a layer norm in the residual stream
  bool depthIndependent = true;  // the first layers do not depend on the depth: sweeps may share prefixes
  std::vector<OptionField> (*fields)(const std::string& prefix) = noStackFields;
  std::unique_ptr<ResidualScheme> (*make)(ParameterStore& store, const StackSetup& setup,
                                          const OptionValues& options);
  // True if these options make the first layers depend on the depth, where an option decides; may be null.
  bool (*looksAtDepth)(const std::string& prefix, const OptionValues& options) = nullptr;
};
// ResidualEntry::make of a scheme without options.
template <typename Scheme>
std::unique_ptr<ResidualScheme> makeScheme(ParameterStore& store, const StackSetup& setup,
                                           const OptionValues&) {
  return std::make_unique<Scheme>(store, setup);
}
const std::vector<ResidualEntry>& residualEntries();      // residuals.list
const ResidualEntry& residualEntry(std::string_view id);  // Failure(usage) with the known ids
std::unique_ptr<ResidualScheme> makeResidual(ParameterStore& store, const StackSetup& setup,
                                             std::string_view id, const OptionValues& options);
// "<prefix>.residual" and the fields of every entry, active under their scheme.
std::vector<OptionField> residualOptionFields(const std::string& prefix, const std::string& title);

}  // namespace fathom
