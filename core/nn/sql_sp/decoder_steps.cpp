// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/decoder_steps.h"

#include <limits>

#include "core/nn/sql_sp/searched_rows.h"

namespace fathom {

namespace {

// Maps of vector, parent's hidden state and hidden state: [v + 2h, 4h].
torch::Tensor dynamicMap(const GrammarDecoderSetup& s, const LstmWeights& cell) {
  return at::cat({cell.input.narrow(1, s.action, s.vector),
                  cell.input.narrow(1, 2 * s.action + s.vector + s.type, s.hidden), cell.hidden},
                 1)
      .t();
}

torch::Tensor gateShare(const torch::Tensor& table, const LstmWeights& cell, std::int64_t first) {
  return at::mm(table, cell.input.narrow(1, first, table.size(1)).t());
}

}  // namespace

DecoderSteps::DecoderSteps(const GrammarDecoder& decoder, const DecoderMemory& memory)
    : DecoderSteps(decoder, memory, decoder.sweepWeights()) {}

// Both maps behind the inner one of the rules are linear: one map.
DecoderSteps::DecoderSteps(const GrammarDecoder& decoder, const DecoderMemory& memory,
                           const SweepWeights& weights)
    : m_setup(decoder.setup()),
      m_actions(gateShare(memory.actions, weights.cell, 0)),
      m_productions(gateShare(decoder.production(), weights.cell, m_setup.action + m_setup.vector)),
      m_types(gateShare(decoder.types(), weights.cell, 2 * m_setup.action + m_setup.vector) +
              (weights.cell.inputBias + weights.cell.hiddenBias)),
      m_dynamic(dynamicMap(m_setup, weights.cell)),
      m_query(weights.query.t()),
      m_joined(weights.joined.t()),
      m_inner(decoder.m_readIn.weight.t()),
      m_rules(at::mm(decoder.m_productions, decoder.m_readOut.weight).t()),
      m_joinedBias(weights.bias),
      m_innerBias(decoder.m_readIn.bias),
      m_ruleBias(at::mv(decoder.m_productions, decoder.m_readOut.bias) + decoder.m_productionBias),
      m_gate(decoder.m_gate) {}

DecoderSteps::States DecoderSteps::step(const Rows& rows, const DecoderMemory& memory) const {
  const std::int64_t h = m_setup.hidden, d = m_setup.memory, count = rows.actions.size(0);
  const torch::Tensor gates = m_actions.index_select(0, rows.actions);
  gates.add_(m_productions.index_select(0, rows.productions));
  gates.add_(m_types.index_select(0, rows.types));
  m_dynamic.addProduct(at::cat({rows.vectors, rows.parents, rows.before.hidden}, 1), gates);
  gates.narrow(1, 0, 2 * h).sigmoid_();
  gates.narrow(1, 2 * h, h).tanh_();
  gates.narrow(1, 3 * h, h).sigmoid_();
  const auto gate = [&](std::int64_t i) { return gates.narrow(1, i * h, h); };
  States states;
  states.cell.cell = (gate(1) * rows.before.cell).addcmul_(gate(0), gate(2));
  // State and what it attends to, side by side as the joined map reads them.
  const torch::Tensor joined = at::empty({count, h + d}, gates.options());
  states.cell.hidden = states.cell.cell.tanh().mul_(gate(3));
  joined.narrow(1, 0, h).copy_(states.cell.hidden);
  const torch::Tensor asked = m_query.times(states.cell.hidden), attended = joined.narrow(1, h, d);
  if (takesSearchedRows(asked, memory.attended, memory.pointers)) {
    attendRows(asked, rows.places.floor_divide(rows.width), memory.attended, attended);
  } else {
    const std::int64_t places = memory.batch() * rows.width;
    torch::Tensor query = asked;
    if (count < places) query = at::zeros({places, d}, query.options()).index_copy_(0, rows.places, query);
    torch::Tensor values =
        attend(query.view({memory.batch(), rows.width, d}), memory.attended).values.view({places, d});
    if (count < places) values = values.index_select(0, rows.places);
    attended.copy_(values);
  }
  states.vectors = m_joined.times(joined).add_(m_joinedBias).tanh_();
  return states;
}

torch::Tensor DecoderSteps::ruleLogP(const torch::Tensor& vectors) const {
  const torch::Tensor inner = m_inner.times(vectors).add_(m_innerBias).tanh_();
  return m_rules.times(inner).add_(m_ruleBias).log_softmax(1);
}

torch::Tensor DecoderSteps::columnLogP(const torch::Tensor& vectors, const torch::Tensor& examples,
                                       const DecoderMemory& memory, const torch::Tensor& chosen) const {
  const torch::Tensor raw =
      takesSearchedRows(vectors, memory.attended, memory.pointers)
          ? pointRows(vectors, examples, memory.pointers)
          : at::bmm(memory.pointers.index_select(0, examples), vectors.unsqueeze(2)).squeeze(2);
  const torch::Tensor gate = at::sigmoid(at::linear(vectors, m_gate));
  torch::Tensor logits = raw * at::where(chosen, gate, 1 - gate);
  if (memory.columnPadding.defined())
    logits.masked_fill_(memory.columnPadding.index_select(0, examples),
                        -std::numeric_limits<double>::infinity());
  return logits.log_softmax(1);
}

}  // namespace fathom
