// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"
#include "core/base/json/json.h"

namespace fathom {

// None: tables and heads outside the stacks. Extra: layers above an encoder (DT-Fixup). Global: the global
// stream of an encoder of two streams (ETC), whose long stream is the Encoder; options are the encoder's.
enum class StackKind { None, Encoder, Decoder, Extra, Global };
enum class SublayerKind { SelfAttention, CrossAttention, FeedForward };
inline constexpr EnumWord<StackKind> kStackWords[] = {{StackKind::None, ""},
                                                      {StackKind::Encoder, "encoder"},
                                                      {StackKind::Decoder, "decoder"},
                                                      {StackKind::Extra, "extra"},
                                                      {StackKind::Global, "global"}};
inline constexpr EnumWord<SublayerKind> kSublayerWords[] = {{SublayerKind::SelfAttention, "self_attention"},
                                                            {SublayerKind::CrossAttention, "cross_attention"},
                                                            {SublayerKind::FeedForward, "feed_forward"}};
inline const char* stackName(StackKind kind) {
  return wordOf(kStackWords, kind);
}
// The name before the stack's options.
inline const char* stackOptions(StackKind kind) {
  return stackName(kind == StackKind::Global ? StackKind::Encoder : kind);
}
inline const char* sublayerName(SublayerKind kind) {
  return wordOf(kSublayerWords, kind);
}

// Meaning of a parameter, so that an initialisation, a scaling rule or a probe chooses by it, not by name.
enum class ParameterRole {
  TokenEmbedding,
  SegmentEmbedding,
  PositionEmbedding,
  OutputProjection,
  Query,
  Key,
  Value,
  AttentionOutput,
  RelationKey,
  RelationValue,
  RelationTable,  // E of an attention of two streams [types, d]
  FeedForwardInput,
  FeedForwardOutput,
  Dense,
  Bias,
  NormWeight,
  NormBias,
  Scheme,    // owned by the residual scheme (omega, alpha, scale, shift): starts at the constant it was
             // declared with
  Recurrent  // both maps of an LSTM, its four gates by rows
};

struct ParameterInfo {
  std::string name;  // "encoder.layers.0.self_attention.query.weight"
  ParameterRole role = ParameterRole::Dense;
  StackKind stack = StackKind::None;
  std::int64_t layer = -1;                            // 0-based, -1 outside layers
  SublayerKind sublayer = SublayerKind::FeedForward;  // meaningful when layer >= 0
  std::int64_t padRow = -1;                           // row kept at 0 by initialisation (token tables), or -1
};

// A named parameter. Several may be row ranges of one stored tensor (fused query-key-value): the names are
// what checkpoints, probes and initialisation see; the stored tensors (leaves) are what optimisers see.
struct Parameter {
  ParameterInfo info;
  std::size_t leaf = 0;       // index into ParameterStore::leaves()
  std::int64_t firstRow = 0;  // row range in the leaf
  std::int64_t rows = 0;
  double initialConstant = 0;  // value at declaration
};

struct Leaf {
  std::string name;  // name of its single parameter, or the joined name of its parts
  torch::Tensor tensor;
};

// A weight that is several named parameters stacked by rows: {"query","key","value"} -> one [3d, d] tensor.
struct ParameterPart {
  ParameterInfo info;
  std::int64_t rows = 0;
};

// The flat registry of a model's parameters and buffers in construction order. Owns the tensors; not
// thread-safe.
class ParameterStore {
 public:
  // `options` gives dtype and device (device meta: shapes only, for counting).
  explicit ParameterStore(torch::TensorOptions options);

  // Declares a parameter filled with `constant`. Duplicate names throw Failure(internal).
  torch::Tensor add(ParameterInfo info, torch::IntArrayRef shape, double constant = 0);
  // Declares parts that share a tensor [sum of rows, columns] (columns < 0: vector [sum of rows]).
  torch::Tensor addFused(const std::string& leafName, std::vector<ParameterPart> parts, std::int64_t columns,
                         double constant = 0);
  // Constant tensors that are not trained (position tables). Not part of checkpoints.
  void setBuffer(const std::string& name, torch::Tensor value);
  torch::Tensor buffer(const std::string& name) const;

  const std::vector<Parameter>& parameters() const { return m_parameters; }
  const std::vector<Leaf>& leaves() const { return m_leaves; }
  const Parameter* find(std::string_view name) const;
  // View of the values / of the gradient (undefined when none has been accumulated). No copy.
  torch::Tensor value(const Parameter& parameter) const;
  torch::Tensor gradient(const Parameter& parameter) const;
  torch::Tensor value(std::string_view name) const;  // Failure(internal) for an unknown name
  torch::Tensor gradient(std::string_view name) const;
  const torch::TensorOptions& options() const { return m_options; }

  std::int64_t parameterCount() const;
  std::int64_t parameterCount(const std::function<bool(const ParameterInfo&)>& chosen) const;
  void zeroGradients();

  // Named tensors for checkpoints: contiguous copies on the CPU, fine-grained names.
  std::vector<std::pair<std::string, torch::Tensor>> state() const;
  // Copies `values` in (any float dtype). Every parameter must be present with its exact shape; unknown names
  // are data errors unless `ignoreUnknown`. On an error nothing is changed.
  Status load(const std::map<std::string, torch::Tensor>& values, bool ignoreUnknown = false);

 private:
  void declare(Parameter parameter);
  torch::TensorOptions m_options;
  std::vector<Parameter> m_parameters;
  std::vector<Leaf> m_leaves;
  std::map<std::string, std::size_t, std::less<>> m_index;
  std::map<std::string, torch::Tensor> m_buffers;
};

// A model alone owns its store; as a part of a larger one it borrows that one's.
struct StoreOwnership {
  std::unique_ptr<ParameterStore> own;  // may be null
  ParameterStore& store;
};
StoreOwnership ownedStore(const torch::TensorOptions& options);

// As messages write it: "[2, 3]".
std::string shapeText(torch::IntArrayRef shape);

}  // namespace fathom
