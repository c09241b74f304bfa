// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/grammar_decoder.h"

#include <cmath>
#include <limits>

#include "core/nn/device_upload.h"
#include "core/nn/dropout.h"

namespace fathom {

namespace {

ParameterInfo decoderParameter(const std::string& name, ParameterRole role) {
  ParameterInfo info;
  info.name = "decoder." + name;
  info.role = role;
  return info;
}

torch::Tensor withZeroRow(const torch::Tensor& table) {
  return at::constant_pad_nd(table, {0, 0, 0, 1});
}

}  // namespace

DecoderMemory DecoderMemory::chosen(const torch::Tensor& rows) const {
  DecoderMemory part = *this;
  part.attended.keys = attended.keys.index_select(0, rows);
  part.attended.values = attended.values.index_select(0, rows);
  if (attended.blocked.defined()) part.attended.blocked = attended.blocked.index_select(0, rows);
  part.pointers = pointers.index_select(0, rows);
  if (columnPadding.defined()) part.columnPadding = columnPadding.index_select(0, rows);
  const torch::Tensor onHost = rows.to(torch::kCPU);
  const auto* row = onHost.const_data_ptr<std::int64_t>();
  part.columns.clear();
  part.firstColumns.clear();
  for (std::int64_t i = 0; i < onHost.numel(); ++i) {
    part.columns.push_back(columns[static_cast<std::size_t>(row[i])]);
    part.firstColumns.push_back(firstColumns[static_cast<std::size_t>(row[i])]);
  }
  return part;
}

GrammarDecoder::GrammarDecoder(ParameterStore& store, const GrammarDecoderSetup& setup) : m_setup(setup) {
  const std::int64_t d = setup.memory, a = setup.action, v = setup.vector, h = setup.hidden;
  const auto add = [&](const std::string& name, ParameterRole role, std::vector<std::int64_t> shape) {
    return store.add(decoderParameter(name, role), shape);
  };
  const auto linear = [&](const std::string& name, ParameterRole role, std::int64_t out, std::int64_t in) {
    return Linear{add(name + ".weight", role, {out, in}), add(name + ".bias", ParameterRole::Bias, {out})};
  };
  const Linear productions = linear("production_embedding", ParameterRole::TokenEmbedding, kReduce + 1, a);
  m_productions = productions.weight;
  m_productionBias = productions.bias;
  m_types = add("type_embedding.weight", ParameterRole::TokenEmbedding, {kGrammarTypes, setup.type});
  m_cell = LstmWeights(store, "decoder.cell", 2 * a + v + setup.type + h, h);
  m_query = add("attention.query.weight", ParameterRole::Dense, {d, h});
  m_keyValue = store.addFused("decoder.attention.key_value.weight",
                              {{decoderParameter("attention.key.weight", ParameterRole::Dense), d},
                               {decoderParameter("attention.value.weight", ParameterRole::Dense), d}},
                              d);
  m_output = linear("attention.output", ParameterRole::Dense, d, d);
  m_vector = add("attention_vector.weight", ParameterRole::Dense, {v, h + d});
  m_readIn = linear("readout.input", ParameterRole::Dense, 4 * v, v);
  m_readOut = linear("readout.output", ParameterRole::Dense, a, 4 * v);
  m_pointer = add("column_pointer.weight", ParameterRole::Dense, {v, d});
  m_columnInput = add("column_input.weight", ParameterRole::Dense, {a, d});
  m_gate = add("gate.weight", ParameterRole::Dense, {1, v});
}

torch::Tensor GrammarDecoder::production() const {
  return withZeroRow(m_productions);
}
torch::Tensor GrammarDecoder::types() const {
  return withZeroRow(m_types);
}

// The attention's output map goes straight into the vector: W [h | O c + b] = [W_h | W_c O] [h | c] + W_c b.
SweepWeights GrammarDecoder::sweepWeights() const {
  const torch::Tensor ofHidden = m_vector.narrow(1, 0, m_setup.hidden);
  const torch::Tensor ofContext = m_vector.narrow(1, m_setup.hidden, m_setup.memory);
  return {m_cell, m_query, at::cat({ofHidden, at::mm(ofContext, m_output.weight)}, 1),
          at::mv(ofContext, m_output.bias)};
}

DecoderMemory GrammarDecoder::prepare(const torch::Tensor& memoryRows, const RowPacking& packing,
                                      const torch::Tensor& columnRows,
                                      const std::vector<std::int64_t>& columns) const {
  const std::int64_t batch = packing.batch, length = packing.length, d = m_setup.memory;
  DecoderMemory memory;
  const torch::Tensor projected = unpacked(at::linear(memoryRows, m_keyValue), packing);
  const torch::Tensor parts =
      projected.view({batch, length, 2, m_setup.heads, d / m_setup.heads}).permute({2, 0, 3, 1, 4});
  memory.attended.keys = parts.select(0, 0).contiguous();
  memory.attended.values = parts.select(0, 1).contiguous();
  if (memoryRows.size(0) < batch * length) {
    memory.attended.blocked =
        at::ones({batch * length}, torch::TensorOptions(torch::kBool).device(memoryRows.device()))
            .index_fill(0, packing.rows, false)
            .view({batch, 1, length});
  }
  memory.actions = at::cat({production(), at::linear(columnRows, m_columnInput)}, 0);
  const RowPacking byExample = packingOf(columns, columnRows.device());
  memory.pointers = unpacked(at::linear(columnRows, m_pointer), byExample);
  if (columnRows.size(0) < batch * byExample.length) {
    memory.columnPadding =
        at::ones({batch * byExample.length}, torch::TensorOptions(torch::kBool).device(columnRows.device()))
            .index_fill(0, byExample.rows, false)
            .view({batch, byExample.length});
  }
  memory.columns = columns;
  std::int64_t first = 0;
  for (const std::int64_t count : columns) {
    memory.firstColumns.push_back(first);
    first += count;
  }
  return memory;
}

torch::Tensor GrammarDecoder::cellInput(const DecoderMemory& memory, const torch::Tensor& actions,
                                        const torch::Tensor& productions, const torch::Tensor& types,
                                        const torch::Tensor& vectors, const torch::Tensor& parents) const {
  return at::cat({at::embedding(memory.actions, actions), vectors, at::embedding(production(), productions),
                  at::embedding(this->types(), types), parents},
                 1);
}

DecoderStates GrammarDecoder::step(const torch::Tensor& x, const LstmState& before,
                                   const DecoderMemory& memory) const {
  const SweepWeights weights = sweepWeights();
  DecoderStates states;
  states.cell = lstmCell(x, before, m_cell);
  const torch::Tensor query = at::linear(states.cell.hidden, m_query);
  const Attended attended = attend(query.view({memory.batch(), -1, m_setup.memory}), memory.attended);
  states.attended = attended.values.reshape(query.sizes());
  states.probabilities = attended.probabilities;
  states.vectors =
      at::tanh(at::linear(at::cat({states.cell.hidden, states.attended}, 1), weights.joined, weights.bias));
  return states;
}

torch::Tensor GrammarDecoder::ruleLogits(const torch::Tensor& vectors) const {
  const torch::Tensor inner = at::tanh(at::linear(vectors, m_readIn.weight, m_readIn.bias));
  return at::linear(at::linear(inner, m_readOut.weight, m_readOut.bias), m_productions, m_productionBias);
}

GrammarDecoder::Pointed GrammarDecoder::pointAt(const torch::Tensor& vectors, const DecoderMemory& memory,
                                                const torch::Tensor& chosen) const {
  Pointed pointed;
  pointed.raw = at::bmm(vectors, memory.pointers.transpose(1, 2));
  pointed.gate = at::sigmoid(at::linear(vectors, m_gate));
  pointed.logits = pointed.raw * at::where(chosen, pointed.gate, 1 - pointed.gate);
  if (memory.columnPadding.defined()) {
    pointed.logits = pointed.logits.masked_fill(memory.columnPadding.unsqueeze(1),
                                                -std::numeric_limits<double>::infinity());
  }
  return pointed;
}

DecoderLoss GrammarDecoder::loss(const DecoderMemory& memory, const DerivationPlan& plan,
                                 const StepContext& context) const {
  const AttendedMemory& all = memory.attended;
  const AttendedMemory sorted{all.keys.index_select(0, plan.order), all.values.index_select(0, plan.order),
                              all.blocked.defined() ? all.blocked.index_select(0, plan.order) : all.blocked};
  torch::Tensor mask;
  if (context.training && m_setup.dropout > 0) {
    mask = dropout(at::ones({plan.rows, m_setup.vector}, memory.actions.options().requires_grad(false)),
                   m_setup.dropout, context, "decoder.vector");
  }
  const torch::Tensor frontier =
      at::cat({at::embedding(production(), plan.parentProduction), at::embedding(types(), plan.type)}, 1);
  DecoderLoss result;
  result.states = decoderSweep(plan, sweepWeights(), sorted,
                               at::embedding(memory.actions, plan.previousAction), frontier, mask);
  const torch::Tensor& vectors = result.states.vectors;
  const torch::Tensor rules = ruleLogits(vectors.index_select(0, plan.ruleRows)).log_softmax(1);
  const torch::Tensor ruleNll = rules.gather(1, plan.ruleTargets.unsqueeze(1)).squeeze(1).neg();
  result.rules = plan.ruleCount;
  result.ruleNll = ruleNll.detach().sum();
  result.loss = at::zeros({memory.batch()}, ruleNll.options())
                    .index_add(0, plan.example.index_select(0, plan.ruleRows), ruleNll) +
                columnLoss(memory, plan, vectors, result);
  return result;
}

// By example: 1 - e of the target's -log p and e of the mean over the example's columns.
torch::Tensor GrammarDecoder::columnLoss(const DecoderMemory& memory, const DerivationPlan& plan,
                                         const torch::Tensor& vectors, DecoderLoss& out) const {
  const std::int64_t batch = memory.batch();
  const torch::Tensor grouped = vectors.index_select(0, plan.columnRows.flatten())
                                    .view({batch, plan.columnRows.size(1), m_setup.vector});
  const torch::Tensor logP = pointAt(grouped, memory, plan.chosen).logits.log_softmax(2);
  const torch::Tensor nll = logP.gather(2, plan.columnTargets.unsqueeze(2)).squeeze(2).neg();
  out.columns = plan.columnCount;
  const torch::Tensor real = plan.columnReal.to(nll.scalar_type());
  out.columnNll = (nll.detach() * real).sum();
  if (m_setup.smoothing <= 0) return (nll * real).sum(1);
  const torch::Tensor counts = uploaded(memory.columns, nll.device()).to(nll.scalar_type());
  const torch::Tensor ofAll =
      memory.columnPadding.defined() ? logP.masked_fill(memory.columnPadding.unsqueeze(1), 0) : logP;
  const torch::Tensor spread = ofAll.sum(2).neg() / counts.unsqueeze(1);
  return ((nll * (1 - m_setup.smoothing) + spread * m_setup.smoothing) * real).sum(1);
}

}  // namespace fathom
