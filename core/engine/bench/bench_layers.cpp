// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_layers.h"

#include "core/base/numbers/random_stream.h"
#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/extra_layers.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/tensor_file.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/optim/gradient_clip.h"
#include "core/optim/optimizer.h"
#include "core/train/parts/compute_device.h"

namespace fathom {

OptionValues benchModelOptions(const Json& values) {
  std::vector<OptionField> fields = nnOptionFields();
  std::vector<OptionRule> rules = nnOptionRules();
  for (const auto& more : {initOptionFields(), optimOptionFields()})
    fields.insert(fields.end(), more.begin(), more.end());
  OptionValues options{OptionSchema(std::move(fields), std::move(rules))};
  options.merge(values, "bench").value();
  return options;
}

namespace {

constexpr double kUpdateGap = 1e-6;  // relative; norm and sum are double on both sides

torch::Tensor uniformIds(torch::IntArrayRef shape, std::int64_t low, std::int64_t high, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::randint(low, high, shape, generator, torch::kInt64);
}

// [B, n] true = pad; the first row is full, the mean fill about 60 %.
torch::Tensor spreadPadding(std::int64_t rows, std::int64_t length, torch::Tensor& lengths) {
  lengths = at::empty({rows}, torch::kInt64);
  for (std::int64_t row = 0; row < rows; ++row) {
    const double fill = rows == 1 ? 1 : 1 - 0.8 * static_cast<double>(row) / static_cast<double>(rows - 1);
    lengths[row] = std::max<std::int64_t>(static_cast<std::int64_t>(fill * static_cast<double>(length)), 4);
  }
  return at::arange(length).unsqueeze(0).ge(lengths.unsqueeze(1));
}

// The relation-aware stack on one batch.
class RatStep {
 public:
  explicit RatStep(const RatLayerBench& bench) {
    Json values = {{"model", "extra_layers"},
                   {"model.width", bench.width},
                   {"model.heads", bench.heads},
                   {"model.extra_layers.heads", bench.heads},
                   {"model.extra_layers.feed_forward", bench.feedForward},
                   {"model.extra_layers.relation_types", bench.relations},
                   {"extra.layers", bench.layers},
                   {"extra.attention", "relation_aware"},
                   {"extra.residual", "post_ln"}};
    const OptionValues options = benchModelOptions(values);
    m_model = std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"input", bench.width}},
                                            extraStackConfiguration(options), options,
                                            torch::TensorOptions(torch::kFloat32));
    initialiseModel(*m_model, benchModelOptions({{"init", "xavier"}}), 1).value();
    at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
    generator.set_current_seed(2);
    m_features.states = {at::empty({bench.rows, bench.length, bench.width}).normal_(0, 1, generator)};
    torch::Tensor lengths;
    const torch::Tensor padding = spreadPadding(bench.rows, bench.length, lengths);
    m_padding = bench.spread ? padding : at::zeros_like(padding);
    if (bench.spread) m_features.padding = m_padding;
    m_features.relations = uniformIds({bench.rows, bench.length, bench.length}, 0, bench.relations, 3);
    m_real = m_padding.logical_not().unsqueeze(-1).to(torch::kFloat32);
    m_weight = at::empty({bench.width}).normal_(0, 1, generator);
  }

  // Weighted mean of sines over real rows, so that gradients are of the order of one.
  double step() {
    m_model->parameters().zeroGradients();
    const torch::Tensor out = m_model->forward(m_features, {});
    const torch::Tensor loss = ((out * m_weight).sin() * m_real).sum() / m_real.sum();
    loss.backward();
    return loss.item<double>();
  }
  double gradientNorm() const { return fathom::gradientNorm(m_model->parameters()); }

  Status write(const RatLayerBench& bench, const std::string& folder, int threads) const {
    FATHOM_TRY(const std::string weights, writeTensors(peerWeights(folder), m_model->parameters().state()));
    FATHOM_TRY(const std::string batch,
               writeTensors(peerBatch(folder), {{"states", m_features.states[0]},
                                                {"padding", m_padding.to(torch::kInt64)},
                                                {"relations", m_features.relations},
                                                {"weight", m_weight}}));
    const Json config = {{"layers", bench.layers}, {"heads", bench.heads}, {"threads", threads}};
    return writePeerConfig(folder, config);
  }

 private:
  std::unique_ptr<ExtraLayers> m_model;
  ExtraLayers::Features m_features;
  torch::Tensor m_padding, m_real, m_weight;
};

}  // namespace

Status benchRatLayer(const RatLayerBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  RatStep ours(bench);
  PairBench pairs = pairBench("rat-layer", "rat_layer.py", bench.settings);
  pairs.step = [&] { ours.step(); };
  const double loss = ours.step();
  pairs.check = {{"loss", loss}, {"grad_norm", ours.gradientNorm()}};
  return finishBench(
      runPairBench(pairs, [&](const std::string& folder) { return ours.write(bench, folder, threads); }),
      threads);
}

namespace {

class BertStep {
 public:
  explicit BertStep(const BertStepBench& bench, std::int64_t groups)
      : m_options(benchModelOptions({{"model", "bert"},
                                     {"init", "bert"},
                                     {"model.width", bench.width},
                                     {"model.heads", bench.heads},
                                     {"model.feed_forward", bench.feedForward},
                                     {"model.activation", "gelu_erf"},
                                     {"model.dropout", 0.0},
                                     {"encoder.layers", bench.layers},
                                     {"encoder.self_attention.score_chain", bench.chain},
                                     {kBertPrefix + ".head", "masked_words"},
                                     {kBertPrefix + ".max_positions", bench.length},
                                     {kBertPrefix + ".row_groups", groups},
                                     {"optimizer", "adam"},
                                     {"optimizer.adam.eps_place", "plain"},
                                     {"optimizer.beta2", 0.999},
                                     {"optimizer.weight_decay", 0.01}})) {
    const ModelInputs inputs{{"vocabulary", bench.vocabulary}, {"pad_id", 0}};
    m_model = std::make_unique<Bert>(bertConfiguration(m_options, inputs), m_options,
                                     torch::TensorOptions(torch::kFloat32));
    initialiseModel(*m_model, m_options, 1).value();
    m_optimizer = makeOptimizer(m_options, m_model->parameters()).value();
    torch::Tensor lengths;
    const torch::Tensor padding = spreadPadding(bench.rows, bench.length, lengths);
    const torch::Tensor tokens = uniformIds({bench.rows, bench.length}, 5, bench.vocabulary, 4);
    m_batch = {tokens.masked_fill(padding, 0), {}, padding};
    std::vector<torch::Tensor> rows;
    for (std::int64_t row = 0; row < bench.rows; ++row) {
      const auto real = lengths[row].item<std::int64_t>();
      rows.push_back(at::arange(1, real, std::max<std::int64_t>(1, 100 / 15)) + row * bench.length);
    }
    m_positions = at::cat(rows);
    m_labels = uniformIds({m_positions.size(0)}, 5, bench.vocabulary, 5);
  }

  double step(bool apply) {
    m_model->parameters().zeroGradients();
    const torch::Tensor hidden = m_model->hidden(m_batch, {});
    const SmoothedLoss loss =
        projectedSmoothedLoss(m_model->maskedHidden(hidden, m_positions), m_model->maskedWeight(), m_labels,
                              -1, {}, 0, m_model->maskedBias());
    const torch::Tensor mean = loss.lossSum / static_cast<double>(m_labels.size(0));
    mean.backward();
    if (apply) m_optimizer->step(1e-5);
    return mean.item<double>();
  }
  double gradientNorm() const { return fathom::gradientNorm(m_model->parameters()); }

  Status write(const BertStepBench& bench, const std::string& folder, int threads) const {
    std::map<std::string, torch::Tensor> tensors;
    for (auto& [name, tensor] : m_model->parameters().state()) tensors.emplace(name, tensor);
    OptionValues plain = m_options;
    FATHOM_CHECK(plain.set("encoder.self_attention.score_chain", "none"));
    const ModelInputs facts{{"vocabulary", bench.vocabulary}, {"pad_id", 0}, {"lower_case", 1}};
    FATHOM_CHECK(writeHuggingFaceEncoder({plain, facts, std::move(tensors), {}}, folder + "/model"));
    torch::Tensor labels = at::full({m_batch.tokens.numel()}, -100, torch::kInt64);
    labels.index_copy_(0, m_positions, m_labels);
    FATHOM_TRY(const std::string hash,
               writeTensors(peerBatch(folder), {{"tokens", m_batch.tokens},
                                                {"mask", m_batch.padding.logical_not().to(torch::kInt64)},
                                                {"labels", labels.view_as(m_batch.tokens)}}));
    const Json config = {{"threads", threads}};
    return writePeerConfig(folder, config);
  }

 private:
  OptionValues m_options;
  std::unique_ptr<Bert> m_model;
  std::unique_ptr<Optimizer> m_optimizer;
  TextBatch m_batch;
  torch::Tensor m_positions, m_labels;
};

}  // namespace

Status benchBertStep(const BertStepBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  BertStep ours(bench, bench.groups);
  PairBench pairs = pairBench("bert-step", "bert_step.py", bench.settings);
  pairs.step = [&] { ours.step(true); };
  const double loss = ours.step(false);
  if (bench.chain == "none") pairs.check = {{"loss", loss}, {"grad_norm", ours.gradientNorm()}};
  return finishBench(
      runPairBench(pairs, [&](const std::string& folder) { return ours.write(bench, folder, threads); }),
      threads);
}

namespace {

class UpdateWork {
 public:
  explicit UpdateWork(const OptimizerStepBench& bench)
      : m_options(benchModelOptions({{"optimizer", "adam"},
                                     {"optimizer.adam.eps_place", "plain"},
                                     {"optimizer.beta2", 0.999},
                                     {"optimizer.weight_decay", 0.01}})) {
    at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
    generator.set_current_seed(6);
    const std::int64_t each =
        std::max<std::int64_t>(bench.elements / std::max<std::int64_t>(bench.tensors, 1), 1);
    for (std::int64_t i = 0; i < bench.tensors; ++i) {
      ParameterInfo info;
      info.name = "tensor." + std::to_string(i);
      // Every other tensor is a vector, as norms and biases are.
      torch::Tensor tensor = m_store.add(info, {i % 2 == 0 ? 2 * each - 256 : 256});
      tensor.detach().normal_(0, 1, generator);
      tensor.mutable_grad() = at::empty_like(tensor.detach()).normal_(0, 1, generator);
      m_tensors.push_back(tensor);
    }
    m_optimizer = makeOptimizer(m_options, m_store).value();
  }
  double step() {
    const double norm = gradientNorm(m_tensors);
    m_optimizer->step(1e-4, clipFactor(ClipRule::Torch, 1, norm));
    return norm;
  }
  double sum() const {
    double total = 0;
    for (const torch::Tensor& tensor : m_tensors)
      total += tensor.detach().abs().sum(torch::kFloat64).item<double>();
    return total;
  }
  Status write(const std::string& folder, int threads) const {
    std::vector<std::pair<std::string, torch::Tensor>> values = m_store.state();
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
      values.emplace_back("gradient." + std::to_string(i), m_tensors[i].grad());
    FATHOM_TRY(const std::string hash, writeTensors(folder + "/tensors.safetensors", values));
    const Json config = {{"threads", threads}, {"tensors", m_tensors.size()}};
    return writePeerConfig(folder, config);
  }

 private:
  OptionValues m_options;
  ParameterStore m_store{torch::TensorOptions(torch::kFloat32)};
  std::vector<torch::Tensor> m_tensors;
  std::unique_ptr<Optimizer> m_optimizer;
};

}  // namespace

Status benchOptimizerStep(const OptimizerStepBench& bench) {
  const int threads = prepareNumerics(torch::kCPU, bench.settings.threads);
  UpdateWork ours(bench);
  PairBench pairs = pairBench("optimizer-step", "optimizer_step.py", bench.settings);
  pairs.step = [&] { ours.step(); };
  return finishBench(
      runPairBench(pairs,
                   [&](const std::string& folder) -> Status {
                     FATHOM_CHECK(ours.write(folder, threads));
                     const double norm = ours.step();
                     pairs.check = {{"grad_norm", norm, kUpdateGap}, {"sum", ours.sum(), kUpdateGap}};
                     return {};
                   }),
      threads);
}

}  // namespace fathom
