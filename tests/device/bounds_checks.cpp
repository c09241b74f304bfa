// SPDX-License-Identifier: Apache-2.0
// What no kernel of ours takes: relations outside of their tables, which nobody may send to a device, and
// shapes beyond a kernel's bounds, which LibTorch's operations compute.
#include <algorithm>
#include <functional>
#include <map>

#include "core/base/errors/error.h"
#include "core/kernels/device_address.h"
#include "core/kernels/device_relations.h"
#include "core/kernels/kernel_plugin.h"
#include "core/nn/attention/packed_relations.h"
#include "core/nn/attention/relation_blocks.h"
#include "core/nn/models/extra_layers.h"
#include "tests/device/device_checks.h"
#include "tests/device/stack_options.h"

namespace fathom::device_checks {

namespace {

void checkRefusal(Comparison& comparison, const std::string& what, const std::function<void()>& send) {
  ++comparison.checks;
  try {
    send();
    comparison.fail(what + ": relations outside of the tables were taken");
  } catch (const Failure& failure) {
    const std::string said = failure.error().text();
    for (const char* words : {"relation 7 in a batch, the tables have 5 rows", "relation_types"})
      if (said.find(words) == std::string::npos) comparison.fail(what + ": said " + said);
  }
}

void checkIds(Comparison& comparison) {
  const RowPacking packing = packingOf({2, 3}, device());
  torch::Tensor ids = at::zeros({4 + 9}, torch::kUInt8);
  const auto blocks = [&] { relationBlocks(ids, packing.spans, 5, device()); };
  const auto matrices = [&] { relationMatrices(ids, packing, 5, device()); };
  ids[12] = 4;
  blocks();
  matrices();
  ids[12] = 7;
  checkRefusal(comparison, "blocks of packed rows", blocks);
  checkRefusal(comparison, "matrices of padded rows", matrices);
}

struct Bound {
  const char* what;
  std::int64_t rows, headWidth, types;
};

std::unique_ptr<ExtraLayers> boundLayers(const Bound& bound, const torch::TensorOptions& numbers) {
  const OptionValues options =
      stackOptions({"model=extra_layers", "extra.attention=relation_aware", "extra.layers=1",
                    "model.width=" + std::to_string(2 * bound.headWidth), "model.extra_layers.heads=2",
                    "model.extra_layers.feed_forward=16", "model.extra_layers.dropout=0",
                    "model.extra_layers.relation_types=" + std::to_string(bound.types)});
  return std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"given", 6}},
                                       extraStackConfiguration(options), options, numbers);
}

torch::Tensor boundLoss(ExtraLayers& layers, const Bound& bound) {
  const torch::TensorOptions numbers = layers.parameters().options();
  ExtraLayers::RaggedFeatures features;
  features.states = {at::arange(bound.rows * 6, torch::kFloat32).mul(.7).sin().view({-1, 6}).to(numbers)};
  features.counts = {{bound.rows}};
  features.relations = at::arange(bound.rows * bound.rows, torch::kInt64)
                           .remainder(std::min<std::int64_t>(bound.types, 256))
                           .to(torch::kUInt8);
  StepContext context;
  context.training = true;
  const torch::Tensor rows = layers.forward(features, context).rows;
  return (rows - at::arange(rows.numel(), torch::kFloat32).mul(.37).sin().view(rows.sizes()).to(numbers))
      .square()
      .mean();
}

KernelWay boundWay(const Bound& bound) {
  AttentionSetup setup;
  setup.width = 2 * bound.headWidth;
  setup.heads = 2;
  setup.relationTypes = bound.types;
  return packedRelationsWay(setup, torch::TensorOptions(torch::kFloat32).device(device()), bound.rows);
}

void checkBeyond(Comparison& comparison, const Bound& bound) {
  ++comparison.checks;
  if (boundWay(bound) == KernelWay::Plugin) comparison.fail(std::string(bound.what) + ": a kernel takes it");
  std::unique_ptr<ExtraLayers> here = boundLayers(bound, torch::kFloat32),
                               there = boundLayers(bound, torch::TensorOptions(device()));
  std::map<std::string, torch::Tensor> values;
  for (const auto& [name, value] : here->parameters().state()) values[name] = at::randn_like(value) * .2;
  for (ExtraLayers* layers : {here.get(), there.get()}) layers->parameters().load(values).value();
  torch::Tensor losses[2];
  for (int side = 0; side < 2; ++side) {
    ExtraLayers& layers = side == 0 ? *here : *there;
    layers.parameters().zeroGradients();
    losses[side] = boundLoss(layers, bound);
    losses[side].backward();
  }
  comparison.close(losses[0], losses[1], std::string(bound.what) + ": loss");
  for (const Parameter& parameter : here->parameters().parameters())
    comparison.close(here->parameters().gradient(parameter),
                     there->parameters().gradient(parameter.info.name),
                     std::string(bound.what) + ": " + parameter.info.name);
}

}  // namespace

int checkBounds(const Words&) {
  static_cast<void>(device());
  Comparison comparison;
  comparison.tolerance = deviceStandsIn() ? 2e-5 : 5e-3;
  at::manual_seed(20);
  checkIds(comparison);
  if (kernelPlugin().table != nullptr) {
    ++comparison.checks;
    if (boundWay({"", kLongestPacked, kWidestRelationHead, kMostRelations}) != KernelWay::Plugin)
      comparison.fail("the kernel does not take what it is made for");
  }
  for (const Bound& bound :
       {Bound{"a sequence that is too long", kLongestPacked + 1, 8, 3},
        Bound{"a head that is too wide", 9, kWidestRelationHead + 8, 3},
        Bound{"too many relations", 9, 8, kMostRelations + 1}, Bound{"a head of an odd width", 9, 5, 3}})
    checkBeyond(comparison, bound);
  comparison.report("bounds");
  return comparison.failures > 0 ? 1 : 0;
}

}  // namespace fathom::device_checks
