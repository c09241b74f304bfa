// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/device_sweep.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "core/kernels/kernel_way.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

// Keys or values of the first n examples as [n * H, N, d/H].
torch::Tensor memoryOf(const torch::Tensor& all, std::int64_t n) {
  return all.narrow(0, 0, n).flatten(0, 1);
}

// Rows that the steps have made one behind the other.
torch::Tensor joinedRows(const std::vector<torch::Tensor>& steps, const torch::Tensor& none) {
  return steps.empty() ? none : at::cat(steps);
}

}  // namespace

bool sweepsOnDevice(const SweepTensors& in) {
  return !isOnHost(in.joined) && !mixedFormat(in.joined.device());
}

SweepTrace sweepForwardOnDevice(const DerivationPlan& plan, const SweepTensors& in,
                                const torch::Tensor& blocked, const torch::Tensor& mask) {
  const SweepWidths w = in.widths();
  const auto& options = in.joined.options();
  SweepTrace trace;
  trace.dynamic = at::zeros({plan.rows, w.vector + 2 * w.hidden}, options);
  trace.states = at::empty({plan.rows, w.hidden + w.memory}, options);
  trace.queries = at::empty({plan.rows, w.memory}, options);
  torch::Tensor known = at::addmm(in.inputBias + in.hiddenBias, in.previous, in.actionMap(w).t());
  known.addmm_(in.frontier, in.frontierMap(w).t());
  const torch::Tensor step = in.dynamic(w).t(), query = in.query.t(), joined = in.joined.t();
  const torch::Tensor allHidden = trace.states.narrow(1, 0, w.hidden);
  std::vector<torch::Tensor> gates, cells, probabilities, raw;
  for (std::size_t t = 0; t < plan.live.size(); ++t) {
    const std::int64_t first = plan.offsets[t], n = plan.live[t];
    torch::Tensor dynamic = trace.dynamic.narrow(0, first, n), before;
    if (t > 0) {
      const std::int64_t last = plan.offsets[t - 1];
      torch::Tensor read = raw[t - 1].narrow(0, 0, n);
      if (mask.defined()) read = read * mask.narrow(0, last, n);
      const torch::Tensor parents = allHidden.index_select(0, plan.parentRow.narrow(0, first, n));
      at::cat_out(dynamic, {read, parents, allHidden.narrow(0, last, n)}, 1);
      before = cells[t - 1].narrow(0, 0, n);
    } else {
      before = at::zeros({n, w.hidden}, options);
    }
    auto [hidden, cell, active] =
        at::_thnn_fused_lstm_cell(known.narrow(0, first, n), at::mm(dynamic, step), before);
    torch::Tensor asked = trace.queries.narrow(0, first, n);
    at::mm_out(asked, hidden, query);
    torch::Tensor scores = at::bmm(asked.view({n * w.heads, 1, -1}), memoryOf(in.keys, n).transpose(1, 2))
                               .view({n, w.heads, w.keys});
    if (blocked.defined()) scores.masked_fill_(blocked.narrow(0, 0, n), -1e9);
    probabilities.push_back(at::softmax(scores, -1));
    const torch::Tensor attended =
        at::bmm(probabilities.back().view({n * w.heads, 1, w.keys}), memoryOf(in.values, n));
    torch::Tensor state = trace.states.narrow(0, first, n);
    at::cat_out(state, {hidden, attended.view({n, w.memory})}, 1);
    raw.push_back(at::addmm(in.bias, state, joined).tanh_());
    gates.push_back(active);
    cells.push_back(cell);
  }
  trace.gates = joinedRows(gates, known);
  trace.cells = joinedRows(cells, allHidden);
  trace.probabilities = joinedRows(probabilities, at::empty({0, w.heads, w.keys}, options));
  trace.raw = joinedRows(raw, at::empty({0, w.vector}, options));
  return trace;
}

SweepSlopes sweepBackwardOnDevice(const DerivationPlan& plan, const SweepTensors& in, const SweepTrace& trace,
                                  const torch::Tensor& mask, const torch::Tensor& gradient) {
  const SweepWidths w = in.widths();
  SweepSlopes slopes{at::empty_like(trace.gates), at::empty_like(trace.raw), at::empty_like(trace.queries),
                     at::empty_like(trace.probabilities), at::empty_like(trace.queries)};
  const torch::Tensor ofVectors = gradient.clone();  // grows by what the next step read
  const torch::Tensor ofHidden = at::zeros_like(trace.cells);
  const torch::Tensor ofCells =
      at::zeros({plan.live.empty() ? 0 : plan.live[0], w.hidden}, gradient.options());
  const torch::Tensor step = in.dynamic(w);
  const auto type = trace.probabilities.scalar_type();
  for (std::size_t t = plan.live.size(); t-- > 0;) {
    const std::int64_t first = plan.offsets[t], n = plan.live[t];
    const auto at = [&](const torch::Tensor& all) { return all.narrow(0, first, n); };
    torch::Tensor slope = at(slopes.vectors);
    const torch::Tensor read = mask.defined() ? at(ofVectors) * at(mask) : at(ofVectors);
    at::tanh_backward_out(slope, read, at(trace.raw));
    const torch::Tensor ofState = at::mm(slope, in.joined);
    // Attention.
    const torch::Tensor attended = at(slopes.attended);
    attended.copy_(ofState.narrow(1, w.hidden, w.memory));
    const torch::Tensor ofProbabilities =
        at::bmm(attended.view({n * w.heads, 1, -1}), memoryOf(in.values, n).transpose(1, 2));
    torch::Tensor scores = at(slopes.scores);
    at::_softmax_backward_data_out(scores, ofProbabilities.view({n, w.heads, w.keys}),
                                   at(trace.probabilities), -1, type);
    torch::Tensor queries = at(slopes.queries).view({n * w.heads, 1, w.memory / w.heads});
    at::bmm_out(queries, scores.view({n * w.heads, 1, w.keys}), memoryOf(in.keys, n));
    // Cell.
    const torch::Tensor hidden =
        at::addmm(at(ofHidden) + ofState.narrow(1, 0, w.hidden), queries.view({n, w.memory}), in.query);
    const torch::Tensor before =
        t > 0 ? trace.cells.narrow(0, plan.offsets[t - 1], n) : at::zeros({n, w.hidden}, gradient.options());
    const torch::Tensor ofCell = ofCells.narrow(0, 0, n);
    const auto [ofGates, ofBefore, none] = at::_thnn_fused_lstm_cell_backward_impl(
        hidden, ofCell, before, at(trace.cells), at(trace.gates), /*has_bias=*/false);
    at(slopes.gates).copy_(ofGates);
    if (t == 0) break;
    ofCell.copy_(ofBefore);
    const torch::Tensor ofDynamic = at::mm(ofGates, step);
    const std::int64_t last = plan.offsets[t - 1];
    ofVectors.narrow(0, last, n).add_(ofDynamic.narrow(1, 0, w.vector));
    ofHidden.narrow(0, last, n).add_(ofDynamic.narrow(1, w.vector + w.hidden, w.hidden));
    ofHidden.index_add_(0, at(plan.parentRow), ofDynamic.narrow(1, w.vector, w.hidden));
  }
  return slopes;
}

}  // namespace fathom
