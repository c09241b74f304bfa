// SPDX-License-Identifier: Apache-2.0
// Norms of what enters every stack, µ being the largest, and the scale of every tensor (DT-Fixup §3;
// docs/initialisation.md §5.2).
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/analysis/norms/input_norm.h"
#include "core/base/errors/phrase.h"
#include "core/probe/probe_entry.h"
#include "core/probe/work_estimate.h"
#include "core/tasks/example_sample.h"

namespace fathom {

namespace {

struct Collected {
  NormHistogram histogram;
  std::int64_t skipped = 0;
};

// States of models that say what enters their layers (layerInput), else the stream at its beginning.
class InputCollector : public ForwardObserver {
 public:
  using Key = std::pair<StackKind, std::string>;
  std::vector<Key> order;
  std::map<Key, Collected> collected;
  TokenMasks masks;

  void layerInput(StackKind stack, std::string_view part, const torch::Tensor& states,
                  const torch::Tensor& padding) override {
    m_told.insert(stack);
    add({stack, std::string(part)}, states, padding.defined() ? padding.logical_not() : torch::Tensor());
  }
  void stackInput(StackKind stack, const torch::Tensor& x0) override {
    if (m_told.count(stack) == 0) add({stack, ""}, x0, masks.of(stack));
  }

 private:
  // states [B, n, width]; real [B, n] bool or undefined.
  void add(const Key& key, const torch::Tensor& states, const torch::Tensor& real) {
    if (collected.count(key) == 0) order.push_back(key);
    Collected& part = collected[key];
    if (states.dim() != 3 || states.size(1) == 0) return;
    const torch::Tensor norms =
        states.detach().to(torch::kFloat64).square().sum(-1).sqrt().to(torch::kCPU).contiguous();
    const torch::Tensor mask =
        real.defined() ? real.to(torch::kCPU, torch::kBool).contiguous() : torch::Tensor();
    const std::int64_t columns = norms.size(1);
    for (std::int64_t row = 0; row < norms.size(0); ++row) {
      const double* values = norms.const_data_ptr<double>() + row * columns;
      const bool* counts = mask.defined() ? mask.const_data_ptr<bool>() + row * columns : nullptr;
      addExample(part, values, counts, columns);
    }
  }
  static void addExample(Collected& part, const double* values, const bool* counts, std::int64_t columns) {
    const auto looked = [&](std::int64_t i) { return counts == nullptr || counts[i]; };
    for (std::int64_t i = 0; i < columns; ++i) {
      if (!looked(i) || std::isfinite(values[i])) continue;
      ++part.skipped;
      return;
    }
    for (std::int64_t i = 0; i < columns; ++i)
      if (looked(i)) part.histogram.add(values[i]);
  }
  std::set<StackKind> m_told;
};

InputNormPart partOf(const Model& model, const InputCollector::Key& key, const Collected& collected) {
  InputNormPart part;
  part.stack = stackName(key.first);
  part.part = key.second;
  for (const StackDescription& stack : model.stacks()) {
    if (stack.kind != key.first) continue;
    part.layers = stack.layers;
    part.residual = stack.residual;
  }
  part.values = collected.histogram.summary();
  part.width = collected.histogram.width();
  part.counts = collected.histogram.counts();
  part.skipped = collected.skipped;
  return part;
}

// Recorded scales of the initialisation, by name of the tensor, and the present scale of each.
std::vector<TensorScale> scalesOf(const Model& model, const Json& recorded) {
  std::map<std::string, const Json*> rows;
  if (recorded.contains("rows"))
    for (const Json& row : recorded["rows"]) rows[row.at("name").get<std::string>()] = &row;
  std::vector<TensorScale> scales;
  for (const Parameter& parameter : model.parameters().parameters()) {
    const torch::Tensor value = model.parameters().value(parameter).detach().to(torch::kFloat64);
    TensorScale scale;
    scale.name = parameter.info.name;
    scale.shape = value.sizes().vec();
    scale.mean = value.mean().item<double>();
    scale.deviation = std::sqrt((value - scale.mean).square().mean().item<double>());
    if (const auto row = rows.find(scale.name); row != rows.end()) {
      scale.rule = row->second->at("rule").get<std::string>();
      scale.base = realFromJson(row->second->at("base_std")).value();
      scale.factor = realFromJson(row->second->at("factor")).value();
    }
    scales.push_back(std::move(scale));
  }
  return scales;
}

std::vector<UsedInputNorm> usedNorms(const Json& recorded) {
  std::vector<UsedInputNorm> used;
  for (const Json& item : recorded.value("profile", Json::array())) {
    if (item.value("rule", "") != "mu" || !item.contains("factor")) continue;
    used.push_back({item.at("stack").get<std::string>(), realFromJson(item.at("value")).value(),
                    realFromJson(item.at("factor")).value()});
  }
  return used;
}

// After the first batch: all of them need as long each, being as large.
void sayHowLong(const ProbeSubject& subject, std::chrono::steady_clock::time_point begun) {
  if (!subject.say || (subject.batches < 2 && subject.states < 2)) return;
  ProbeWork work;
  work.what = Phrase::tr("%1 examples")(subject.examples);
  work.pieces = static_cast<double>(subject.batches);
  work.option = "examples";
  work.asked = subject.examples;
  work.fewer = roundTenth(subject.examples);
  work.states = subject.states;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  if (const Phrase words = workEstimate(work, spent.count()); !words.empty()) subject.say(words);
}

Result<Json> runInputNorm(const ProbeSubject& subject, const OptionValues&) {
  InputCollector collector;
  InputNorms norms;
  const auto begun = std::chrono::steady_clock::now();
  bool first = true;
  norms.examples =
      forProbeBatches(subject, Phrase::tr("measuring inputs").english, [&](const ProbeBatch& batch) {
        const torch::NoGradGuard noGradients;
        collector.masks = batch.realTokens;
        StepContext context;
        context.seed = subject.seed;
        context.observer = &collector;
        batch.forward(context);
        if (std::exchange(first, false)) sayHowLong(subject, begun);
      });
  for (const auto& key : collector.order) {
    InputNormPart part = partOf(subject.model, key, collector.collected.at(key));
    if (part.values.count == 0 && part.skipped > 0)
      return dataError(
          Phrase::tr("what enters the %1 is not a number in any example (NaN weights?)")(part.stack),
          Phrase::tr("choose an earlier checkpoint"));
    if (part.values.count > 0) norms.parts.push_back(std::move(part));
  }
  if (norms.parts.empty())
    return dataError(
        Phrase::tr("no vector enters a stack of the model %1 on this part of the data")(subject.model.id()),
        Phrase::tr("choose another part of the data"));
  const Json recorded = subject.initialisation.is_object() ? subject.initialisation : Json::object();
  norms.used = usedNorms(recorded);
  norms.tensors = scalesOf(subject.model, recorded);
  return inputNormsToJson(norms);
}

}  // namespace

ProbeEntry inputNormProbeEntry() {
  return {analysisOf("input_norm"),
          {.fields = exampleFields(ProbeExamples::Chosen, kAllExamples),  // a largest needs them all
           .run = runInputNorm,
           .part = "train"}};  // what DT-Fixup measures µ on
}

}  // namespace fathom
