// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <utility>
#include <vector>

#include "core/nn/sql_sp/grammar_decoder.h"
#include "core/spider/grammar/grammar_search.h"

namespace fathom {

// The decoder one hypothesis and one step at a time, for searchGrammar(): what the batched search is compared
// with, and what benches measure it against. `memory` holds one example. One thread.
class PlainGrammarScorer {
 public:
  PlainGrammarScorer(const GrammarDecoder& decoder, DecoderMemory memory)
      : m_decoder(decoder), m_memory(std::move(memory)) {}
  std::vector<std::vector<double>> operator()(const std::vector<const GrammarHypothesis*>& live);

 private:
  struct Known {
    LstmState state;
    torch::Tensor vector;
    std::vector<torch::Tensor> hidden;  // of every step
  };
  std::vector<double> score(const GrammarHypothesis& hypothesis);
  torch::Tensor cellInput(const GrammarHypothesis& hypothesis, const Known& before) const;

  const GrammarDecoder& m_decoder;
  DecoderMemory m_memory;
  std::map<std::vector<GrammarAction>, Known> m_known;  // by the actions that led there
};

}  // namespace fathom
