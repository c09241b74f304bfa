// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/decoder_sweep.h"

#include <torch/csrc/autograd/custom_function.h>

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "core/nn/packed_matrix.h"
#include "core/nn/sql_sp/device_sweep.h"
#include "core/nn/sql_sp/sweep_tensors.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// [B, H, 1, x] times [B, H, x, y].
torch::Tensor perHead(const torch::Tensor& rows, const torch::Tensor& matrices) {
  return at::matmul(rows, matrices);
}

torch::Tensor softmaxScores(const torch::Tensor& query, const torch::Tensor& keys,
                            const torch::Tensor& blocked) {
  torch::Tensor scores = at::matmul(query, keys.transpose(2, 3));
  if (blocked.defined()) scores = scores.masked_fill(blocked.unsqueeze(1), -1e9);
  return at::softmax(scores, -1);
}

SweepTrace runForward(const DerivationPlan& plan, const SweepTensors& in, const torch::Tensor& blocked,
                      const torch::Tensor& mask) {
  const SweepWidths w = in.widths();
  const auto& options = in.joined.options();
  SweepTrace trace;
  trace.dynamic = at::zeros({plan.rows, w.vector + 2 * w.hidden}, options);
  trace.gates = at::addmm(in.inputBias + in.hiddenBias, in.previous, in.actionMap(w).t());
  trace.gates.addmm_(in.frontier, in.frontierMap(w).t());
  trace.cells = at::empty({plan.rows, w.hidden}, options);
  trace.states = at::empty({plan.rows, w.hidden + w.memory}, options);
  trace.queries = at::empty({plan.rows, w.memory}, options);
  trace.probabilities = at::empty({plan.rows, w.heads, w.keys}, options);
  trace.raw = at::empty({plan.rows, w.vector}, options);
  const PackedMatrix step(in.dynamic(w).t()), query(in.query.t()), joined(in.joined.t());
  const torch::Tensor hidden = trace.states.narrow(1, 0, w.hidden);
  for (std::size_t t = 0; t < plan.live.size(); ++t) {
    const std::int64_t first = plan.offsets[t], n = plan.live[t];
    const torch::Tensor gates = trace.gates.narrow(0, first, n), cell = trace.cells.narrow(0, first, n);
    const torch::Tensor state = trace.states.narrow(0, first, n);
    if (t > 0) {
      const std::int64_t before = plan.offsets[t - 1];
      const torch::Tensor dynamic = trace.dynamic.narrow(0, first, n);
      const torch::Tensor raw = trace.raw.narrow(0, before, n);
      dynamic.narrow(1, 0, w.vector).copy_(mask.defined() ? raw * mask.narrow(0, before, n) : raw);
      dynamic.narrow(1, w.vector, w.hidden).copy_(hidden.index_select(0, plan.parentRow.narrow(0, first, n)));
      dynamic.narrow(1, w.vector + w.hidden, w.hidden).copy_(hidden.narrow(0, before, n));
      step.addProduct(dynamic, gates);
    }
    gates.narrow(1, 0, 2 * w.hidden).sigmoid_();
    gates.narrow(1, 2 * w.hidden, w.hidden).tanh_();
    gates.narrow(1, 3 * w.hidden, w.hidden).sigmoid_();
    const auto gate = [&](std::int64_t i) { return gates.narrow(1, i * w.hidden, w.hidden); };
    torch::Tensor next = gate(0) * gate(2);
    if (t > 0) next.addcmul_(gate(1), trace.cells.narrow(0, plan.offsets[t - 1], n));
    cell.copy_(next);
    state.narrow(1, 0, w.hidden).copy_(next.tanh_().mul_(gate(3)));
    const torch::Tensor asked = trace.queries.narrow(0, first, n);
    query.multiply(state.narrow(1, 0, w.hidden), asked);
    const torch::Tensor probabilities =
        softmaxScores(asked.view({n, w.heads, 1, -1}), in.keys.narrow(0, 0, n),
                      blocked.defined() ? blocked.narrow(0, 0, n) : blocked);
    trace.probabilities.narrow(0, first, n).copy_(probabilities.squeeze(2));
    state.narrow(1, w.hidden, w.memory)
        .copy_(perHead(probabilities, in.values.narrow(0, 0, n)).reshape({n, w.memory}));
    torch::Tensor raw = trace.raw.narrow(0, first, n);
    joined.multiply(state, raw);
    raw.add_(in.bias).tanh_();
  }
  return trace;
}

SweepSlopes runBackward(const DerivationPlan& plan, const SweepTensors& in, const SweepTrace& trace,
                        const torch::Tensor& mask, const torch::Tensor& gradient) {
  const SweepWidths w = in.widths();
  SweepSlopes slopes{at::empty_like(trace.gates), at::empty_like(trace.raw), at::empty_like(trace.queries),
                     at::empty_like(trace.probabilities), at::empty_like(trace.queries)};
  torch::Tensor ofVectors = gradient.clone();  // grows by what the next step read
  torch::Tensor ofHidden = at::zeros_like(trace.cells);
  torch::Tensor ofCells = at::zeros({plan.live.empty() ? 0 : plan.live[0], w.hidden}, gradient.options());
  const PackedMatrix step(in.dynamic(w)), query(in.query), joined(in.joined);
  for (std::size_t t = plan.live.size(); t-- > 0;) {
    const std::int64_t first = plan.offsets[t], n = plan.live[t];
    const auto at = [&](const torch::Tensor& all) { return all.narrow(0, first, n); };
    const torch::Tensor slope = at(slopes.vectors);
    slope.copy_(at(ofVectors));
    if (mask.defined()) slope.mul_(at(mask));
    slope.mul_(1 - at(trace.raw).square());
    const torch::Tensor ofState = joined.times(slope);
    // Attention.
    at(slopes.attended).copy_(ofState.narrow(1, w.hidden, w.memory));
    const torch::Tensor probabilities = at(trace.probabilities).unsqueeze(2);
    const torch::Tensor ofProbabilities =
        perHead(at(slopes.attended).view({n, w.heads, 1, -1}), in.values.narrow(0, 0, n).transpose(2, 3));
    const torch::Tensor weighed = ofProbabilities * probabilities;
    const torch::Tensor ofScores = weighed - probabilities * weighed.sum(-1, true);
    at(slopes.scores).copy_(ofScores.squeeze(2));
    at(slopes.queries).copy_(perHead(ofScores, in.keys.narrow(0, 0, n)).reshape({n, w.memory}));
    // Cell.
    const torch::Tensor hidden = at(ofHidden) + ofState.narrow(1, 0, w.hidden);
    query.addProduct(at(slopes.queries), hidden);
    const torch::Tensor gates = at(trace.gates), out = at(slopes.gates);
    const auto gate = [&](std::int64_t i) { return gates.narrow(1, i * w.hidden, w.hidden); };
    const auto slot = [&](std::int64_t i) { return out.narrow(1, i * w.hidden, w.hidden); };
    const torch::Tensor squashed = at(trace.cells).tanh();
    const torch::Tensor ofCell = ofCells.narrow(0, 0, n);
    ofCell.add_(hidden * gate(3) * (1 - squashed.square()));
    slot(0).copy_(ofCell * gate(2) * gate(0) * (1 - gate(0)));
    slot(2).copy_(ofCell * gate(0) * (1 - gate(2).square()));
    slot(3).copy_(hidden * squashed * gate(3) * (1 - gate(3)));
    if (t == 0) {
      slot(1).zero_();
      break;
    }
    const std::int64_t before = plan.offsets[t - 1];
    slot(1).copy_(ofCell * trace.cells.narrow(0, before, n) * gate(1) * (1 - gate(1)));
    ofCell.mul_(gate(1));
    const torch::Tensor ofDynamic = step.times(out);
    ofVectors.narrow(0, before, n).add_(ofDynamic.narrow(1, 0, w.vector));
    ofHidden.narrow(0, before, n).add_(ofDynamic.narrow(1, w.vector + w.hidden, w.hidden));
    ofHidden.index_add_(0, at(plan.parentRow), ofDynamic.narrow(1, w.vector, w.hidden));
  }
  return slopes;
}

// Rows of a plan as [B, steps, ...] in its order, zeros behind the last step.
torch::Tensor byExample(const DerivationPlan& plan, const torch::Tensor& rows) {
  const auto steps = static_cast<std::int64_t>(plan.live.size());
  const std::int64_t batch = plan.live.empty() ? 0 : plan.live[0];
  std::vector<std::int64_t> shape = rows.sizes().vec();
  shape[0] = batch * steps;
  const torch::Tensor padded =
      at::zeros(shape, rows.options()).index_copy(0, plan.place * steps + plan.step, rows);
  shape[0] = steps;
  shape.insert(shape.begin(), batch);
  return padded.view(shape);
}

// Sum over steps of left [rows, H, N] times right [rows, d], per example and head: [B, H, N, d/H].
torch::Tensor overSteps(const DerivationPlan& plan, const torch::Tensor& left, const torch::Tensor& right) {
  const std::int64_t heads = left.size(1);
  const torch::Tensor a = byExample(plan, left).permute({0, 2, 3, 1});  // [B, H, N, T]
  const torch::Tensor b =
      byExample(plan, right.view({right.size(0), heads, right.size(1) / heads})).permute({0, 2, 1, 3});
  return at::matmul(a, b);
}

class SweepFunction : public torch::autograd::Function<SweepFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const torch::Tensor& previous,
                               const torch::Tensor& frontier, const torch::Tensor& input,
                               const torch::Tensor& recurrent, const torch::Tensor& inputBias,
                               const torch::Tensor& hiddenBias, const torch::Tensor& query,
                               const torch::Tensor& joined, const torch::Tensor& bias,
                               const torch::Tensor& keys, const torch::Tensor& values,
                               const std::optional<torch::Tensor>& blocked,
                               const std::optional<torch::Tensor>& mask, const DerivationPlan& plan) {
    const SweepTensors in{previous, frontier, input, recurrent, inputBias, hiddenBias,
                          query,    joined,   bias,  keys,      values};
    const torch::Tensor dropped = mask.value_or(torch::Tensor());
    const torch::Tensor hidden = blocked.value_or(torch::Tensor());
    const bool fused = sweepsOnDevice(in);
    const SweepTrace trace =
        fused ? sweepForwardOnDevice(plan, in, hidden, dropped) : runForward(plan, in, hidden, dropped);
    ctx->save_for_backward({previous, frontier, input, recurrent, query, joined, keys, values});
    const std::initializer_list<std::pair<const char*, torch::Tensor>> kept = {
        {"dynamic", trace.dynamic}, {"gates", trace.gates},     {"cells", trace.cells},
        {"states", trace.states},   {"queries", trace.queries}, {"probabilities", trace.probabilities},
        {"raw", trace.raw},         {"mask", dropped},          {"parents", plan.parentRow},
        {"place", plan.place},      {"step", plan.step}};
    for (const auto& [name, tensor] : kept) ctx->saved_data[name] = tensor;
    ctx->saved_data["fused"] = fused;
    ctx->saved_data["live"] = plan.live;
    ctx->saved_data["offsets"] = plan.offsets;
    const torch::Tensor states = trace.states.narrow(1, 0, recurrent.size(1)).clone();
    const torch::Tensor cells = trace.cells.clone();
    ctx->mark_non_differentiable({states, cells});
    return {dropped.defined() ? trace.raw * dropped : trace.raw.clone(), states, cells};
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const SweepTensors in{saved[0], saved[1], saved[2], saved[3], {},      {},
                          saved[4], saved[5], {},       saved[6], saved[7]};
    const auto kept = [&](const char* name) { return ctx->saved_data.at(name).toTensor(); };
    const SweepTrace trace{kept("dynamic"), kept("gates"),         kept("cells"), kept("states"),
                           kept("queries"), kept("probabilities"), kept("raw")};
    DerivationPlan plan;
    plan.live = ctx->saved_data.at("live").toIntVector();
    plan.offsets = ctx->saved_data.at("offsets").toIntVector();
    plan.rows = trace.raw.size(0);
    plan.parentRow = kept("parents");
    plan.place = kept("place");
    plan.step = kept("step");
    const SweepWidths w = in.widths();
    const SweepSlopes slopes = ctx->saved_data.at("fused").toBool()
                                   ? sweepBackwardOnDevice(plan, in, trace, kept("mask"), gradients[0])
                                   : runBackward(plan, in, trace, kept("mask"), gradients[0]);
    const torch::Tensor gates = slopes.gates.t();
    const torch::Tensor dynamic = at::mm(gates, trace.dynamic);
    torch::Tensor input = at::empty_like(in.input);
    input.narrow(1, 0, w.action).copy_(at::mm(gates, in.previous));
    input.narrow(1, w.action, w.vector).copy_(dynamic.narrow(1, 0, w.vector));
    input.narrow(1, w.action + w.vector, w.frontier).copy_(at::mm(gates, in.frontier));
    input.narrow(1, w.action + w.vector + w.frontier, w.hidden).copy_(dynamic.narrow(1, w.vector, w.hidden));
    const torch::Tensor biases = slopes.gates.sum(0);
    const torch::Tensor hidden = trace.states.narrow(1, 0, w.hidden);
    return {at::mm(slopes.gates, in.actionMap(w)),
            at::mm(slopes.gates, in.frontierMap(w)),
            input,
            dynamic.narrow(1, w.vector + w.hidden, w.hidden).contiguous(),
            biases,
            biases.clone(),
            at::mm(slopes.queries.t(), hidden),
            at::mm(slopes.vectors.t(), trace.states),
            slopes.vectors.sum(0),
            overSteps(plan, slopes.scores, trace.queries),
            overSteps(plan, trace.probabilities, slopes.attended),
            {},
            {},
            {}};
  }
};

}  // namespace

Attended attend(const torch::Tensor& query, const AttendedMemory& memory) {
  const std::int64_t batch = query.size(0), group = query.size(1), heads = memory.keys.size(1);
  const torch::Tensor split = query.view({batch, group, heads, -1}).transpose(1, 2);
  const torch::Tensor probabilities = softmaxScores(split, memory.keys, memory.blocked);
  return {at::matmul(probabilities, memory.values).transpose(1, 2).reshape(query.sizes()), probabilities};
}

SweepStates decoderSweep(const DerivationPlan& plan, const SweepWeights& weights,
                         const AttendedMemory& memory, const torch::Tensor& previous,
                         const torch::Tensor& frontier, const torch::Tensor& mask) {
  const auto maybe = [](const torch::Tensor& tensor) {
    return tensor.defined() ? std::optional(tensor) : std::nullopt;
  };
  const variable_list out = SweepFunction::apply(previous, frontier, weights.cell.input, weights.cell.hidden,
                                                 weights.cell.inputBias, weights.cell.hiddenBias,
                                                 weights.query, weights.joined, weights.bias, memory.keys,
                                                 memory.values, maybe(memory.blocked), maybe(mask), plan);
  return {out[0], out[1], out[2]};
}

}  // namespace fathom
