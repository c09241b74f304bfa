// SPDX-License-Identifier: Apache-2.0
#include "core/decode/grammar_beam.h"

#include <algorithm>
#include <utility>

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

using Rows = std::vector<std::int64_t>;

torch::Tensor rowIndex(const Rows& rows, const torch::Device& device) {
  return at::tensor(rows, torch::TensorOptions(torch::kInt64)).to(device);
}

// The states of the cell at every step of every hypothesis, so that a node can be looked back at however its
// hypothesis was copied since. Grows by doubling.
class StateArena {
 public:
  std::int64_t append(const torch::Tensor& states) {
    const std::int64_t first = m_used, needed = m_used + states.size(0);
    if (!m_states.defined() || needed > m_states.size(0)) {
      torch::Tensor wider = at::empty({std::max(2 * needed, needed + 64), states.size(1)}, states.options());
      if (m_used > 0) wider.narrow(0, 0, m_used).copy_(m_states.narrow(0, 0, m_used));
      m_states = std::move(wider);
    }
    m_states.narrow(0, first, states.size(0)).copy_(states);
    m_used = needed;
    return first;
  }
  torch::Tensor at(const torch::Tensor& rows) const { return m_states.index_select(0, rows); }

 private:
  torch::Tensor m_states;
  std::int64_t m_used = 0;
};

// One example in the search: its hypotheses, and where in the arena each of their steps lies.
struct SearchedExample {
  GrammarBeam beam;
  std::vector<Rows> traces;  // by live hypothesis, by step
  std::size_t slot = 0;      // place in the memory of the pass
};

// Row s * width + h of a pass is hypothesis h of the example in slot s; rows without a hypothesis are
// computed in vain.
class BatchedSearch {
 public:
  BatchedSearch(const GrammarDecoder& decoder, const DecoderMemory& memory,
                const GrammarSearchOptions& options)
      : m_decoder(decoder), m_memory(memory), m_device(memory.actions.device()) {
    for (const std::int64_t columns : memory.columns) {
      m_examples.push_back({GrammarBeam(static_cast<int>(columns), options), {{}}, m_examples.size()});
      if (!m_examples.back().beam.ended()) m_active.push_back(m_examples.size() - 1);
    }
  }

  std::vector<GrammarSearchResult> run(const StopToken& stop) {
    while (!m_active.empty()) {
      if (stop.stopRequested()) throw Failure(interruptedError());
      compact();
      step();
    }
    std::vector<GrammarSearchResult> results;
    for (SearchedExample& example : m_examples) results.push_back(example.beam.take());
    return results;
  }

 private:
  // The inputs of one pass on the host.
  struct Pass {
    Rows actions, productions, types, parents, sources;
    std::vector<std::size_t> lengths;
    torch::Tensor chosen;  // bool [slots, width, C]
  };

  // Copies of keys and values are as large as these: only when a quarter of the slots is idle.
  void compact() {
    const auto slots = static_cast<std::size_t>(m_memory.batch());
    if (4 * m_active.size() > 3 * slots) return;
    Rows kept;
    for (std::size_t i = 0; i < m_active.size(); ++i) {
      SearchedExample& example = m_examples[m_active[i]];
      kept.push_back(static_cast<std::int64_t>(example.slot));
      example.slot = i;
    }
    m_memory = m_memory.chosen(rowIndex(kept, m_device));
  }

  Pass inputs(std::int64_t width) {
    const std::int64_t slots = m_memory.batch(), columns = m_memory.pointers.size(1);
    const auto rows = static_cast<std::size_t>(slots * width);
    Pass pass{Rows(rows, kNoAction),
              Rows(rows, kNoAction),
              Rows(rows, kNoType),
              Rows(rows, 0),
              Rows(rows, 0),
              {},
              at::zeros({slots, width, columns}, torch::kBool)};
    auto chosen = pass.chosen.accessor<bool, 3>();
    for (const std::size_t e : m_active) {
      const SearchedExample& example = m_examples[e];
      for (std::size_t h = 0; h < example.beam.live().size(); ++h) {
        const GrammarHypothesis& hypothesis = example.beam.live()[h];
        const auto slot = static_cast<std::int64_t>(example.slot), place = static_cast<std::int64_t>(h);
        const auto row = static_cast<std::size_t>(slot * width + place);
        if (hypothesis.actions.empty()) continue;
        const StepInputs in =
            stepInputs(hypothesis.state, hypothesis.actions.back(), m_memory.firstColumns[example.slot]);
        pass.actions[row] = in.action;
        pass.productions[row] = in.production;
        pass.types[row] = in.type;
        pass.parents[row] = example.traces[h][static_cast<std::size_t>(hypothesis.state.parentStep())];
        pass.sources[row] = example.traces[h].back() - m_lastFirst;
        for (const GrammarAction action : hypothesis.actions) {
          if (action >= kSelectColumn) chosen[slot][place][action - kSelectColumn] = true;
        }
      }
    }
    return pass;
  }

  torch::Tensor cellInput(const Pass& pass) const {
    const torch::Tensor sources = rowIndex(pass.sources, m_device);
    return m_decoder.cellInput(m_memory, rowIndex(pass.actions, m_device),
                               rowIndex(pass.productions, m_device), rowIndex(pass.types, m_device),
                               m_last.vectors.index_select(0, sources),
                               m_arena.at(rowIndex(pass.parents, m_device)));
  }

  LstmState before(const Pass& pass) const {
    const torch::Tensor sources = rowIndex(pass.sources, m_device);
    return {m_last.cell.hidden.index_select(0, sources), m_last.cell.cell.index_select(0, sources)};
  }

  void step() {
    std::size_t most = 1;
    for (const std::size_t e : m_active) most = std::max(most, m_examples[e].beam.live().size());
    const auto width = static_cast<std::int64_t>(most);
    const Pass pass = inputs(width);
    const std::int64_t rows = m_memory.batch() * width;
    const GrammarDecoderSetup& sizes = m_decoder.setup();
    if (!m_last.vectors.defined()) {
      const auto options = m_memory.actions.options();
      const torch::Tensor zeros = at::zeros({rows, sizes.hidden}, options);
      const std::int64_t inputs = 2 * sizes.action + sizes.vector + sizes.type + sizes.hidden;
      m_last = m_decoder.step(at::zeros({rows, inputs}, options), {zeros, zeros}, m_memory);
    } else {
      m_last = m_decoder.step(cellInput(pass), before(pass), m_memory);
    }
    m_lastFirst = m_arena.append(m_last.cell.hidden);
    advance(width, pass);
  }

  // Log p of all outputs, and what the beams make of them.
  void advance(std::int64_t width, const Pass& pass) {
    const torch::Tensor grouped = m_last.vectors.view({m_memory.batch(), width, -1});
    const torch::Tensor rules = m_decoder.ruleLogits(grouped).log_softmax(2);
    const torch::Tensor columns =
        m_decoder.pointAt(grouped, m_memory, pass.chosen.to(m_device)).logits.log_softmax(2);
    const torch::Tensor onHost = at::cat({rules, columns}, 2).to(torch::kCPU, torch::kFloat64);
    const auto logP = onHost.accessor<double, 3>();
    std::vector<std::size_t> active;
    for (const std::size_t e : m_active) {
      SearchedExample& example = m_examples[e];
      const auto slot = static_cast<std::int64_t>(example.slot);
      example.beam.advance([&](std::size_t h, std::size_t output) {
        return logP[slot][static_cast<std::int64_t>(h)][static_cast<std::int64_t>(output)];
      });
      std::vector<Rows> traces;
      for (const std::size_t parent : example.beam.parents()) {
        traces.push_back(example.traces[parent]);
        traces.back().push_back(m_lastFirst + slot * width + static_cast<std::int64_t>(parent));
      }
      example.traces = std::move(traces);
      if (!example.beam.ended()) active.push_back(e);
    }
    m_active = std::move(active);
  }

  const GrammarDecoder& m_decoder;
  DecoderMemory m_memory;
  torch::Device m_device;
  std::vector<SearchedExample> m_examples;
  std::vector<std::size_t> m_active;
  StateArena m_arena;
  DecoderStates m_last;
  std::int64_t m_lastFirst = 0;  // row of the last pass in the arena
};

}  // namespace

std::vector<GrammarSearchResult> searchGrammarBatch(const GrammarDecoder& decoder,
                                                    const DecoderMemory& memory,
                                                    const GrammarSearchOptions& options,
                                                    const StopToken& stop) {
  const at::NoGradGuard noGrad;
  return BatchedSearch(decoder, memory, options).run(stop);
}

std::vector<OptionField> grammarSearchFields(const std::string& prefix) {
  const GrammarSearchOptions defaults;
  const bool validation = prefix == "validation";  // two fields of one name cannot be told apart in a form
  return inGroup(
      "Decoding",
      fromPaper(
          "DT-Fixup's released code, rnn_decoders",
          {integerField(prefix + ".beam", validation ? "Validation beam" : "Prediction beam",
                        "Hypotheses kept while decoding; 1 is greedy decoding.", defaults.beam)
               .between(1, 1000),
           integerField(prefix + ".max_steps",
                        validation ? "Longest validation derivation" : "Longest predicted derivation",
                        "Actions after which a search ends; what is not complete then is no answer.",
                        defaults.maxSteps)
               .unit("actions")
               .between(1, 10000),
           realField(prefix + ".column_weight",
                     validation ? "Weight of columns in validation" : "Weight of columns in predictions",
                     "Log p of a column counts this often, in the search only.", defaults.columnWeight)
               .atLeast(0)}));
}

GrammarSearchOptions grammarSearchOptions(const OptionValues& options, const std::string& prefix) {
  return {static_cast<int>(options.integer(prefix + ".beam")),
          static_cast<int>(options.integer(prefix + ".max_steps")), options.real(prefix + ".column_weight")};
}

}  // namespace fathom
