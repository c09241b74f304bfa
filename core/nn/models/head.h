// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/options/entry_table.h"
#include "core/nn/layer_norm.h"
#include "core/nn/models/feed_forward.h"
#include "core/nn/models/model.h"
#include "core/nn/models/representation.h"
#include "core/nn/parameter_store.h"

namespace fathom {

class EncoderModel;

// The fifth axis of a model: what is put on top of it for a task. A head's own parameters follow those of the
// network in the same store; its output is what an objective asks for.
class Head {
 public:
  virtual ~Head() = default;
};

// Reads one stream of states and answers with logits.
class TextHead : public Head {
 public:
  // hidden [B, T, d] of `model`; the shape of the answer is that of the entry.
  virtual torch::Tensor logits(const EncoderModel& model, const torch::Tensor& hidden,
                               const StepContext& context) const = 0;
};

// Where a head is put, and what it may ask of the model below it.
struct HeadSite {
  ParameterStore& store;
  const OptionValues& options;
  std::string prefix;        // of the options: "model.bert"
  const ModelInputs& facts;  // of the data: "vocabulary", "classes"
  torch::Tensor tokenTable;  // [V, d], for heads that are tied to it
  std::int64_t width = 0;
  Activation activation = Activation::Relu;
  double normEps = 0, dropout = 0;
};

struct HeadEntry {
  std::string id, title, reference;
  std::vector<Representation> reads;
  std::string shape;                    // of its logits: "[B, classes]"
  std::vector<std::string> lossInputs;  // arrays that a batch brings for its loss (HostBatch)
  // Heads of pre-training go from model to model; under them an encoder of one stream keeps its pooler, read
  // or not, as released weights have it.
  bool ofPreTraining = false;
  std::vector<OptionField> (*fields)(const std::string& prefix) = noStackFields;  // "<prefix>.…"
  std::unique_ptr<Head> (*make)(const HeadSite& site) = nullptr;

  bool readsAny(Representation one) const;
};
const std::vector<HeadEntry>& headEntries();  // heads.list

// The heads that fit a model of these offers, in the order of the list.
std::vector<HeadEntry> headsFor(const std::vector<Representation>& offers);
// Throws Failure (internal) for an id that is not listed.
const HeadEntry& headEntry(const std::string& id);

// "<prefix>.head" and the options of those heads, each active under the heads that have it.
OptionField headChoice(const std::string& prefix, const std::vector<Representation>& offers,
                       const std::string& title, const std::string& help, const std::string& usually);
std::vector<OptionField> headFields(const std::string& prefix, const std::vector<Representation>& offers);

// A dense map of a head, by its name in the store.
struct HeadMap {
  torch::Tensor weight, bias;  // [out, d], [out]
  torch::Tensor operator()(const torch::Tensor& x) const { return at::linear(x, weight, bias); }
};
HeadMap headMap(ParameterStore& store, const std::string& name, std::int64_t out, std::int64_t in);
LayerNorm headNorm(ParameterStore& store, const std::string& name, std::int64_t width, double eps);

}  // namespace fathom
