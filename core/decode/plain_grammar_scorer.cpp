// SPDX-License-Identifier: Apache-2.0
#include "core/decode/plain_grammar_scorer.h"

namespace fathom {

std::vector<std::vector<double>> PlainGrammarScorer::operator()(
    const std::vector<const GrammarHypothesis*>& live) {
  const at::NoGradGuard noGrad;
  std::vector<std::vector<double>> scores;
  for (const GrammarHypothesis* hypothesis : live) scores.push_back(score(*hypothesis));
  return scores;
}

torch::Tensor PlainGrammarScorer::cellInput(const GrammarHypothesis& hypothesis, const Known& before) const {
  const StepInputs in =
      stepInputs(hypothesis.state, hypothesis.actions.back(), m_memory.firstColumns.front());
  const auto parent = static_cast<std::size_t>(hypothesis.state.parentStep());
  return m_decoder.cellInput(m_memory, at::tensor({in.action}), at::tensor({in.production}),
                             at::tensor({in.type}), before.vector, before.hidden[parent]);
}

std::vector<double> PlainGrammarScorer::score(const GrammarHypothesis& hypothesis) {
  const GrammarDecoderSetup& setup = m_decoder.setup();
  const auto zeros = [&](std::int64_t width) { return at::zeros({1, width}, m_memory.actions.options()); };
  Known known{{zeros(setup.hidden), zeros(setup.hidden)}, {}, {}};
  torch::Tensor x = zeros(2 * setup.action + setup.vector + setup.type + setup.hidden);
  if (!hypothesis.actions.empty()) {
    std::vector<GrammarAction> before = hypothesis.actions;
    before.pop_back();
    known = m_known.at(before);
    x = cellInput(hypothesis, known);
  }
  const DecoderStates states = m_decoder.step(x, known.state, m_memory);
  known.state = states.cell;
  known.vector = states.vectors;
  known.hidden.push_back(states.cell.hidden);
  const torch::Tensor chosen = at::zeros({1, 1, m_memory.pointers.size(1)}, torch::kBool);
  for (const GrammarAction action : hypothesis.actions) {
    if (action >= kSelectColumn) chosen[0][0][action - kSelectColumn].fill_(true);
  }
  const torch::Tensor columns =
      m_decoder.pointAt(states.vectors.unsqueeze(0), m_memory, chosen).logits.log_softmax(2).flatten();
  const torch::Tensor all =
      at::cat({m_decoder.ruleLogits(states.vectors).log_softmax(1).flatten(), columns}).to(torch::kFloat64);
  m_known[hypothesis.actions] = std::move(known);
  return {all.const_data_ptr<double>(), all.const_data_ptr<double>() + all.numel()};
}

}  // namespace fathom
