// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/label_smoothed_cross_entropy.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <optional>

#include "core/base/options/field_builder.h"
#include "core/nn/device_upload.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

constexpr const char* kEpsilonKey = "loss.label_smoothing";
constexpr const char* kRuleKey = "loss.label_smoothing_rule";
constexpr EnumWord<LabelSmoothingRule> kSmoothingRules[] = {
    {LabelSmoothingRule::Uniform, "uniform", "Over all pieces (papers' code)"},
    {LabelSmoothingRule::ExcludeTarget, "exclude_target", "Over the other pieces (fairseq since 2021)"}};

// loss = confidence * nll + share * sum_v -log p_v
struct SmoothingWeights {
  double confidence = 1;
  double share = 0;
};

SmoothingWeights smoothingWeights(const LabelSmoothing& smoothing, std::int64_t vocabulary) {
  if (smoothing.epsilon == 0) return {};
  if (smoothing.rule == LabelSmoothingRule::Uniform)
    return {1 - smoothing.epsilon, smoothing.epsilon / static_cast<double>(vocabulary)};
  const double share = smoothing.epsilon / static_cast<double>(std::max<std::int64_t>(vocabulary - 1, 1));
  return {1 - smoothing.epsilon - share, share};
}

struct ChunkSums {
  torch::Tensor loss, nll;   // scalars, float64
  torch::Tensor hiddenGrad;  // [n, d] or undefined
  torch::Tensor weightGrad;  // [V, d] or undefined
  torch::Tensor biasGrad;    // [V] or undefined
};

// Adds one chunk of rows: hidden [c, d], target [c].
void addChunk(ChunkSums& sums, const torch::Tensor& hidden, const torch::Tensor& weight,
              const torch::Tensor& bias, const torch::Tensor& target, const SmoothingWeights& weights,
              torch::Tensor hiddenGrad, bool withGradients) {
  torch::Tensor logits = bias.defined() ? torch::addmm(bias, hidden, weight.t()) : hidden.mm(weight.t());
  const bool widen = logits.scalar_type() == torch::kHalf || logits.scalar_type() == torch::kBFloat16;
  torch::Tensor logProbabilities = widen ? logits.log_softmax(1, torch::kFloat32) : logits.log_softmax(1);
  const torch::Tensor column = target.unsqueeze(1);
  const torch::Tensor nll = logProbabilities.gather(1, column).sum(torch::kFloat64).neg();
  sums.nll.add_(nll);
  sums.loss.add_(nll, weights.confidence);
  if (weights.share != 0) sums.loss.sub_(logProbabilities.sum(torch::kFloat64), weights.share);
  if (!withGradients) return;
  // d loss / d logits = (confidence + share V) p - share - confidence [v = target]; the first factor is 1.
  const double total = weights.confidence + weights.share * static_cast<double>(weight.size(0));
  torch::Tensor gradient = logProbabilities.exp_();
  if (std::abs(total - 1) > 1e-12) gradient.mul_(total);
  if (weights.share != 0) gradient.sub_(weights.share);
  gradient.scatter_add_(1, column,
                        torch::full({1, 1}, -weights.confidence, gradient.options()).expand_as(column));
  if (sums.biasGrad.defined()) sums.biasGrad.add_(gradient.sum(0));
  if (widen) {  // mixed precision: products narrow, sums as wide as the weights
    gradient = gradient.to(logits.scalar_type());
    if (hiddenGrad.defined()) hiddenGrad.copy_(gradient.mm(weight.to(logits.scalar_type())));
    if (sums.weightGrad.defined()) sums.weightGrad.add_(gradient.t().mm(hidden.to(logits.scalar_type())));
    return;
  }
  if (hiddenGrad.defined()) torch::mm_out(hiddenGrad, gradient, weight);
  if (sums.weightGrad.defined()) sums.weightGrad.addmm_(gradient.t(), hidden);
}

struct WantedGradients {
  bool hidden = false, weight = false, bias = false;
  bool any() const { return hidden || weight || bias; }
};

ChunkSums chunkedLoss(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& bias,
                      const torch::Tensor& target, const LabelSmoothing& smoothing,
                      std::int64_t chunkElements, const WantedGradients& wanted) {
  const std::int64_t rows = hidden.size(0), vocabulary = weight.size(0);
  if (chunkElements <= 0) chunkElements = isOnHost(hidden) ? std::int64_t{1} << 19 : std::int64_t{1} << 26;
  const std::int64_t chunk =
      std::max<std::int64_t>(chunkElements / std::max<std::int64_t>(vocabulary, 1), 16);
  const SmoothingWeights weights = smoothingWeights(smoothing, vocabulary);
  ChunkSums sums;
  sums.loss = torch::zeros({}, hidden.options().dtype(torch::kFloat64));
  sums.nll = torch::zeros({}, hidden.options().dtype(torch::kFloat64));
  if (wanted.hidden) sums.hiddenGrad = torch::empty_like(hidden, torch::MemoryFormat::Contiguous);
  if (wanted.weight) sums.weightGrad = torch::zeros_like(weight, torch::MemoryFormat::Contiguous);
  if (wanted.bias) sums.biasGrad = torch::zeros_like(bias);
  for (std::int64_t first = 0; first < rows; first += chunk) {
    const std::int64_t count = std::min(chunk, rows - first);
    addChunk(sums, hidden.narrow(0, first, count), weight, bias, target.narrow(0, first, count), weights,
             wanted.hidden ? sums.hiddenGrad.narrow(0, first, count) : torch::Tensor(), wanted.any());
  }
  return sums;
}

class ProjectedLossFunction : public torch::autograd::Function<ProjectedLossFunction> {
 public:
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context,
                                                const torch::Tensor& hidden, const torch::Tensor& weight,
                                                const std::optional<torch::Tensor>& maybeBias,
                                                const torch::Tensor& target, double epsilon,
                                                std::int64_t rule, std::int64_t chunkElements) {
    const torch::Tensor bias = maybeBias.value_or(torch::Tensor());
    const ChunkSums sums = chunkedLoss(
        hidden, weight, bias, target, {epsilon, static_cast<LabelSmoothingRule>(rule)}, chunkElements,
        {hidden.requires_grad(), weight.requires_grad(), bias.defined() && bias.requires_grad()});
    context->saved_data["hidden"] = sums.hiddenGrad;
    context->saved_data["weight"] = sums.weightGrad;
    context->saved_data["bias"] = sums.biasGrad;
    context->mark_non_differentiable({sums.nll});
    return {sums.loss, sums.nll};
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    torch::autograd::variable_list result(7);
    const char* const names[] = {"hidden", "weight", "bias"};
    for (std::size_t i = 0; i < 3; ++i) {
      const torch::Tensor saved = context->saved_data[names[i]].toTensor();
      if (!saved.defined() || !gradients[0].defined()) continue;
      // Wide: a loss scale may be larger than float16 can hold.
      const auto wide = torch::promoteTypes(saved.scalar_type(), torch::kFloat32);
      result[i] = saved.to(wide).mul(gradients[0].to(wide)).to(saved.scalar_type());
    }
    return result;
  }
};

}  // namespace

SmoothedLoss projectedSmoothedLoss(const torch::Tensor& hidden, const torch::Tensor& weight,
                                   const torch::Tensor& target, std::int64_t padId,
                                   const LabelSmoothing& smoothing, std::int64_t chunkElements,
                                   const torch::Tensor& bias) {
  const torch::Tensor kept = target.ne(padId).nonzero().squeeze(1);
  const bool all = kept.size(0) == target.size(0);
  return projectedSmoothedLoss(hidden, weight, target, {all ? torch::Tensor() : kept}, smoothing,
                               chunkElements, bias);
}

torch::Tensor keptRowsOnHost(const torch::Tensor& target, std::int64_t padId) {
  const torch::Tensor kept = target.flatten().ne(padId).nonzero().squeeze(1);
  return kept.size(0) == target.numel() ? torch::Tensor() : kept;
}

KeptRows keptRows(const torch::Tensor& target, std::int64_t padId, const torch::Device& device) {
  const torch::Tensor kept = keptRowsOnHost(target, padId);
  return {kept.defined() ? uploaded(kept, device) : kept};
}

SmoothedLoss projectedSmoothedLoss(const torch::Tensor& hidden, const torch::Tensor& weight,
                                   const torch::Tensor& target, const KeptRows& kept,
                                   const LabelSmoothing& smoothing, std::int64_t chunkElements,
                                   const torch::Tensor& bias) {
  const bool all = !kept.rows.defined();
  const torch::Tensor rows = all ? hidden : hidden.index_select(0, kept.rows);
  const torch::Tensor ids = all ? target : target.index_select(0, kept.rows);
  const bool withGradients =
      torch::GradMode::is_enabled() &&
      (rows.requires_grad() || weight.requires_grad() || (bias.defined() && bias.requires_grad()));
  if (!withGradients) {
    const ChunkSums sums = chunkedLoss(rows, weight, bias, ids, smoothing, chunkElements, {});
    return {sums.loss, sums.nll};
  }
  // Autograd asks each tensor argument for its device: no bias has to be no value.
  const auto maybeBias = bias.defined() ? std::optional(bias) : std::nullopt;
  const auto outputs = ProjectedLossFunction::apply(rows, weight, maybeBias, ids, smoothing.epsilon,
                                                    static_cast<std::int64_t>(smoothing.rule), chunkElements);
  return {outputs[0], outputs[1]};
}

std::vector<OptionField> labelSmoothingOptionFields() {
  return inGroup("Objective",
                 {realField(kEpsilonKey, "Label smoothing",
                            "Share of the probability that the training target spreads over all pieces.", 0.1)
                      .atLeast(0)
                      .below(1)
                      .off(0.0)
                      .reference("Transformer §5.4"),
                  choiceField(kRuleKey, "Smoothing rule",
                              "Whether the target itself receives a part of the spread probability.",
                              choicesOf(kSmoothingRules))
                      .unless(kEpsilonKey, {0.0})});
}

LabelSmoothing labelSmoothing(const OptionValues& options) {
  return {options.real(kEpsilonKey), valueOf(kSmoothingRules, options.text(kRuleKey))};
}

}  // namespace fathom
