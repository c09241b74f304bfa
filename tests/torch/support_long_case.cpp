// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_long_case.h"

#include <QTest>
#include <algorithm>
#include <random>

namespace fathom::fixtures {

namespace {

const char* const kGlobalKinds[] = {"padding", "cls", "question", "candidate", "paragraph", "sentence"};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

std::string LongCase::ownName(const std::string& fixture) {
  std::string name = fixture;
  const bool global = name.find("global_") != std::string::npos;
  if (name.starts_with("embedding.")) return replaced(name, "long_layer_norm", "layer_norm");
  if (global && name.starts_with("encoder.")) name = "global." + name.substr(8);
  name = replaced(replaced(name, "long_", ""), "global_", "");
  return replaced(name, ".attention.", ".self_attention.");
}

LongStructure longStructureOf(const TensorCase& layerCase) {
  const auto places = [&](const char* name) {
    return layerCase.at(std::string("input.") + name).to(torch::kInt32).contiguous();
  };
  LongStructure structure;
  structure.sentence = places("long_sentence");
  structure.paragraph = places("long_paragraph");
  structure.link = places("long_link");
  structure.context = places("long_context");
  structure.globalContext = places("global_context");
  structure.everything =
      everythingOf(places("global_kind"), layerCase.json.at("config").at("everything_kinds"));
  return structure;
}

torch::Tensor everythingOf(const torch::Tensor& kinds, const Json& words) {
  torch::Tensor everything = at::zeros_like(kinds);
  for (const Json& word : words) {
    const auto found = std::find(std::begin(kGlobalKinds), std::end(kGlobalKinds), word.get<std::string>());
    everything.masked_fill_(kinds.eq(static_cast<std::int64_t>(found - std::begin(kGlobalKinds))), 1);
  }
  return everything;
}

void comparePiecesOf(const TensorCase& layerCase, const RelationPieces& own) {
  const std::pair<const char*, const torch::Tensor&> pieces[] = {
      {"l2l_ids", own.longLongIds},     {"l2g_ids", own.longGlobalIds},    {"g2l_ids", own.globalLongIds},
      {"g2g_ids", own.globalGlobalIds}, {"l2l_mask", own.longLongMask},    {"l2g_mask", own.longGlobalMask},
      {"g2l_mask", own.globalLongMask}, {"g2g_mask", own.globalGlobalMask}};
  for (const auto& [name, piece] : pieces) {
    const torch::Tensor& expected = layerCase.at(std::string("side.") + name);
    QVERIFY2(piece.sizes() == expected.sizes() && at::equal(piece.to(torch::kUInt8), expected), name);
  }
}

LongCase::LongCase(const TensorCase& layerCase) : one(layerCase), structure(longStructureOf(layerCase)) {
  const Json& c = one.json.at("config");
  rules.heads = c.at("heads").get<std::int64_t>();
  rules.radius = c.at("local_radius").get<std::int64_t>();
  rules.ids.distance = c.at("max_distance").get<std::int64_t>();
  rules.hardGlobal = c.at("hard_g2l").get<bool>();
  rules.chain = valueOf(kScoreChains, c.at("chain").get<std::string>());
  configuration.rules = rules;
  StackConfiguration& stack = configuration.encoder;
  stack.setup.encoderLayers = c.at("layers").get<std::int64_t>();
  stack.setup.width = c.at("d_model").get<std::int64_t>();
  stack.setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
  stack.setup.normEps = c.at("eps").get<double>();
  stack.residual = c.at("scheme").get<std::string>();
  stack.attention = "global_local";
  stack.selfAttention.heads = rules.heads;
  stack.selfAttention.chain = rules.chain;
  stack.selfAttention.relationTypes = c.at("relative_vocabulary").get<std::int64_t>();
  stack.feedForward = c.at("feed_forward").get<std::int64_t>();
  stack.activation = valueOf(kActivations, c.at("activation").get<std::string>());
  configuration.head = "none";
  configuration.vocabulary =
      c.contains("vocabulary") && c.at("vocabulary").is_number() ? c.at("vocabulary").get<std::int64_t>() : 1;
  configuration.segments = c.value("segments", 2);
}

void LongCase::load(ParameterStore& store) const {
  std::map<std::string, torch::Tensor> values;
  for (const auto& [name, value] : one.beginning("parameter.")) {
    const std::string own = ownName(name);
    const Parameter* parameter = store.find(own);
    if (parameter != nullptr) values[own] = value.reshape(store.value(*parameter).sizes());
  }
  store.load(values).value();
}

std::string LongCase::gradientDifference(const ParameterStore& store, const std::string& word) const {
  const Json& tolerance = one.json.at("tolerance");
  for (const auto& [name, expected] : one.beginning(word + ".")) {
    if (name.starts_with("input.")) continue;
    const Parameter* parameter = store.find(ownName(name));
    if (parameter == nullptr) return name + ": no such parameter";
    const torch::Tensor own = store.gradient(*parameter);
    if (!own.defined()) return name + ": no gradient";
    const std::string wrong =
        difference(own.reshape(expected.sizes()), expected, tolerance.at("gradients_abs").get<double>(),
                   tolerance.at("gradients_rel").get<double>());
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return {};
}

LongStructure randomStructure(std::int64_t batch, std::int64_t length, std::int64_t globals,
                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(std::uniform_int_distribution<std::int64_t>(low, high)(random));
  };
  const auto room = [&](std::int64_t count, std::int64_t value) {
    return at::full({batch, count}, value, torch::kInt32);
  };
  LongStructure s{room(length, -1), room(length, -1), room(length, -1),
                  room(length, 0),  room(globals, 0), room(globals, 0)};
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::int64_t real = b == 0 ? length : pick(1, length), realGlobals = pick(1, globals);
    const auto line = [&](torch::Tensor& all) { return all.accessor<std::int32_t, 2>()[b]; };
    auto sentence = line(s.sentence), paragraph = line(s.paragraph), link = line(s.link);
    auto context = line(s.context), globalContext = line(s.globalContext), everything = line(s.everything);
    std::int32_t document = 1;
    for (std::int64_t i = 0; i < real; ++i) {
      if (i > 0 && pick(0, 11) == 0) ++document;
      context[i] = document;
      sentence[i] = pick(-1, realGlobals - 1);
      paragraph[i] = pick(0, 2) == 0 ? pick(0, realGlobals - 1) : -1;
      link[i] = pick(0, 3) == 0 ? pick(0, realGlobals - 1) : -1;
    }
    for (std::int64_t g = 0; g < realGlobals; ++g) {
      globalContext[g] = pick(1, document);
      everything[g] = pick(0, 3) == 0;
    }
  }
  return s;
}

}  // namespace fathom::fixtures
