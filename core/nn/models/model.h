// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/nn/decode_state.h"
#include "core/nn/parameter_store.h"
#include "core/nn/row_packing.h"
#include "core/nn/step_context.h"

namespace fathom {

class ResidualScheme;

// What probes, initialisations and the run's details need to know about one stack.
struct StackDescription {
  StackKind kind = StackKind::Encoder;
  std::int64_t layers = 0;
  std::vector<SublayerKind> sublayers;  // of one layer, in order of execution
  std::int64_t width = 0, heads = 0;
  std::string residual;   // id of the residual scheme
  std::string attention;  // id of the attention kind
};

// A network: named parameters and a description. No mode flag and no hidden state: a forward is a function of
// weights, batch and StepContext. One thread at a time.
class Model {
 public:
  virtual ~Model() = default;
  virtual const std::string& id() const = 0;  // entry id in models.list
  virtual ParameterStore& parameters() = 0;
  const ParameterStore& parameters() const { return const_cast<Model*>(this)->parameters(); }
  virtual std::vector<StackDescription> stacks() const = 0;
  // The scheme of a stack (norm places, omega, LN statistics): analysis reads it, Admin's profile writes it.
  virtual ResidualScheme& residual(StackKind stack) = 0;
};

// Encoder output, made once per source batch. `keyPadding` [B, S] bool, true = pad; undefined when nothing is
// padded.
struct EncoderMemory {
  torch::Tensor states;      // [B, S, d], in training also [N, d] with its packing
  torch::Tensor keyPadding;  // [B, S] bool or undefined
  RowPacking packing;
};

// The interface translation needs: encoder-decoder models implement it (fairseq conventions, docs/models.md
// §1).
class SequenceModel : public Model {
 public:
  // sourceTokens [B, S] int64, left padded with padId.
  virtual EncoderMemory encode(const torch::Tensor& sourceTokens, const StepContext& context) const = 0;
  // decoderTokens [B, T] int64: target with its eos moved to the front, right padded. Returns the decoder's
  // hidden states [B, T, d], which outputWeight() maps to logits, so that a loss can fuse the projection.
  virtual torch::Tensor decoderHidden(const EncoderMemory& memory, const torch::Tensor& decoderTokens,
                                      const StepContext& context) const = 0;
  virtual torch::Tensor outputWeight() const = 0;  // [V, d], no bias
  torch::Tensor logits(const torch::Tensor& hidden) const;

  // Incremental decoding: rows = sentences x beam. `memory` rows are repeated by the caller through
  // DecodeState::reorder. Each step appends one token per row.
  virtual DecodeState beginDecoding(const EncoderMemory& memory) const = 0;
  // lastTokens [R] int64. Returns the hidden state of the new position [R, d].
  virtual torch::Tensor decodeStep(DecodeState& state, const torch::Tensor& lastTokens) const = 0;

  virtual std::int64_t padId() const = 0;
  virtual std::int64_t eosId() const = 0;
  virtual std::int64_t targetVocabulary() const = 0;
  virtual std::int64_t maxPositions() const = 0;  // longest source or target, in tokens
};

// What the data decide about a model, by name: "vocabulary", "pad_id", ... (Task::sizes as it is). Which
// names a model reads, its header says.
class ModelInputs {
 public:
  using Facts = std::map<std::string, std::int64_t, std::less<>>;
  ModelInputs() = default;
  ModelInputs(std::initializer_list<Facts::value_type> facts) : m_facts(facts) {}
  explicit ModelInputs(const std::map<std::string, std::int64_t>& facts)
      : m_facts(facts.begin(), facts.end()) {}
  // Where there are no data: every vocabulary a model asks for has so many pieces and is joined with the
  // others.
  static ModelInputs ofVocabulary(std::int64_t pieces);

  std::int64_t at(std::string_view name) const;  // throws Failure(usage) naming the fact
  std::int64_t value(std::string_view name, std::int64_t otherwise) const;
  void set(std::string_view name, std::int64_t value) { m_facts.insert_or_assign(std::string(name), value); }

 private:
  const std::int64_t* find(std::string_view name) const;
  Facts m_facts;
  std::int64_t m_pieces = 0;  // 0: only what was named
};

// Builds the model that the options name (`model`), with parameters at their declared constants: matrices are
// zero until an initialisation (core/init) or a checkpoint fills them. `tensors` gives dtype (float32,
// float64) and device. Errors are usage errors naming key and value.
Result<std::unique_ptr<Model>> buildModel(const OptionValues& options, const ModelInputs& inputs,
                                          const torch::TensorOptions& tensors);

// Parameters of the model that the options name, without allocating it.
struct ParameterCount {
  std::int64_t total = 0, embeddings = 0, encoder = 0, decoder = 0, extra = 0;
};
Result<ParameterCount> parameterCount(const OptionValues& options, const ModelInputs& inputs);

// Every option of attention, score chain, residual schemes and models, and the rules among them, for
// describe.
std::vector<OptionField> nnOptionFields();
std::vector<OptionRule> nnOptionRules();

}  // namespace fathom
