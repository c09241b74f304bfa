// SPDX-License-Identifier: Apache-2.0
#include "core/decode/grammar_beam.h"

#include <algorithm>
#include <utility>

#include "core/base/errors/error.h"
#include "core/base/options/decoding_keys.h"
#include "core/base/options/field_builder.h"
#include "core/nn/sql_sp/decoder_steps.h"

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
  std::size_t firstRow = 0;  // of its hypotheses in the last pass
};

// The rows of a pass are the live hypotheses of the examples that go on, example after example.
class BatchedSearch {
 public:
  BatchedSearch(const GrammarDecoder& decoder, const DecoderMemory& memory,
                const GrammarSearchOptions& options)
      : m_sizes(decoder.setup()),
        m_steps(decoder, memory),
        m_memory(memory),
        m_device(memory.actions.device()) {
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
    std::int64_t width = 1;  // most hypotheses of an example
    Rows actions, productions, types, parents, sources, places;
    // Rows whose open field takes a rule or Reduce, and those that take a column, with the slots of these.
    Rows ruleRows, columnRows, columnSlots;
    std::vector<std::int64_t> readout;  // by row: its place in one or the other
    torch::Tensor chosen;               // bool [column rows, C]
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

  Pass inputs() {
    Pass pass;
    for (const std::size_t e : m_active)
      pass.width = std::max(pass.width, static_cast<std::int64_t>(m_examples[e].beam.live().size()));
    std::vector<const GrammarHypothesis*> choosing;
    for (const std::size_t e : m_active) {
      SearchedExample& example = m_examples[e];
      const std::size_t before = example.firstRow;
      example.firstRow = pass.actions.size();
      for (std::size_t h = 0; h < example.beam.live().size(); ++h) {
        const GrammarHypothesis& hypothesis = example.beam.live()[h];
        addRow(pass, example, h, before);
        if (hypothesis.state.frontier().type == kTypeColId) choosing.push_back(&hypothesis);
      }
    }
    const std::int64_t columns = m_memory.pointers.size(1);
    pass.chosen = at::zeros({static_cast<std::int64_t>(choosing.size()), columns}, torch::kBool);
    auto* chosen = pass.chosen.mutable_data_ptr<bool>();
    for (const GrammarHypothesis* hypothesis : choosing) {
      for (const GrammarAction action : hypothesis->actions) {
        if (action >= kSelectColumn) chosen[action - kSelectColumn] = true;
      }
      chosen += columns;
    }
    return pass;
  }

  // `before`: first row of the example in the last pass.
  void addRow(Pass& pass, const SearchedExample& example, std::size_t h, std::size_t before) const {
    const GrammarHypothesis& hypothesis = example.beam.live()[h];
    StepInputs in;
    std::int64_t parent = 0, source = 0;
    if (!hypothesis.actions.empty()) {
      in = stepInputs(hypothesis.state, hypothesis.actions.back(), m_memory.firstColumns[example.slot]);
      parent = example.traces[h][static_cast<std::size_t>(hypothesis.state.parentStep())];
      source = static_cast<std::int64_t>(before + example.beam.parents()[h]);
    }
    const auto row = static_cast<std::int64_t>(pass.actions.size());
    pass.actions.push_back(in.action);
    pass.productions.push_back(in.production);
    pass.types.push_back(in.type);
    pass.parents.push_back(parent);
    pass.sources.push_back(source);
    const auto slot = static_cast<std::int64_t>(example.slot);
    pass.places.push_back(slot * pass.width + static_cast<std::int64_t>(h));
    const bool column = hypothesis.state.frontier().type == kTypeColId;
    Rows& sort = column ? pass.columnRows : pass.ruleRows;
    pass.readout.push_back(static_cast<std::int64_t>(sort.size()));
    sort.push_back(row);
    if (column) pass.columnSlots.push_back(slot);
  }

  // Before the first step everything is zero.
  DecoderSteps::Rows stepRows(const Pass& pass) const {
    DecoderSteps::Rows rows;
    rows.actions = rowIndex(pass.actions, m_device);
    rows.productions = rowIndex(pass.productions, m_device);
    rows.types = rowIndex(pass.types, m_device);
    rows.places = rowIndex(pass.places, m_device);
    rows.width = pass.width;
    if (!m_last.vectors.defined()) {
      const auto zeros = [&](std::int64_t width) {
        return at::zeros({rows.actions.size(0), width}, m_memory.actions.options());
      };
      rows.vectors = zeros(m_sizes.vector);
      rows.parents = rows.before.hidden = rows.before.cell = zeros(m_sizes.hidden);
      return rows;
    }
    const torch::Tensor sources = rowIndex(pass.sources, m_device);
    rows.vectors = m_last.vectors.index_select(0, sources);
    rows.parents = m_arena.at(rowIndex(pass.parents, m_device));
    rows.before = {m_last.cell.hidden.index_select(0, sources), m_last.cell.cell.index_select(0, sources)};
    return rows;
  }

  void step() {
    const Pass pass = inputs();
    m_last = m_steps.step(stepRows(pass), m_memory);
    advance(pass, m_arena.append(m_last.cell.hidden));
  }

  // Log p of what may follow, on the host in double precision: [rows of the sort, outputs].
  torch::Tensor ruleScores(const Pass& pass) const {
    if (pass.ruleRows.empty()) return at::zeros({0, kReduce + 1}, torch::kFloat64);
    const bool all = pass.columnRows.empty();
    return m_steps
        .ruleLogP(all ? m_last.vectors : m_last.vectors.index_select(0, rowIndex(pass.ruleRows, m_device)))
        .to(torch::kCPU, torch::kFloat64);
  }
  torch::Tensor columnScores(const Pass& pass) const {
    if (pass.columnRows.empty()) return at::zeros({0, m_memory.pointers.size(1)}, torch::kFloat64);
    return m_steps
        .columnLogP(m_last.vectors.index_select(0, rowIndex(pass.columnRows, m_device)),
                    rowIndex(pass.columnSlots, m_device), m_memory, pass.chosen.to(m_device))
        .to(torch::kCPU, torch::kFloat64);
  }

  // Advances the beams by a pass; `arena`: the place of the pass's states.
  void advance(const Pass& pass, std::int64_t arena) {
    const torch::Tensor rules = ruleScores(pass), columns = columnScores(pass);
    const auto ofRules = rules.accessor<double, 2>(), ofColumns = columns.accessor<double, 2>();
    std::vector<std::size_t> active;
    for (const std::size_t e : m_active) {
      SearchedExample& example = m_examples[e];
      example.beam.advance([&](std::size_t h, std::size_t output) {
        const std::int64_t place = pass.readout[example.firstRow + h];
        const auto at = static_cast<std::int64_t>(output);
        return output < kRuleOutputs ? ofRules[place][at]
                                     : ofColumns[place][at - static_cast<std::int64_t>(kRuleOutputs)];
      });
      std::vector<Rows> traces;
      for (const std::size_t parent : example.beam.parents()) {
        traces.push_back(example.traces[parent]);
        traces.back().push_back(arena + static_cast<std::int64_t>(example.firstRow + parent));
      }
      example.traces = std::move(traces);
      if (!example.beam.ended()) active.push_back(e);
    }
    m_active = std::move(active);
  }

  GrammarDecoderSetup m_sizes;
  DecoderSteps m_steps;
  DecoderMemory m_memory;
  torch::Device m_device;
  std::vector<SearchedExample> m_examples;
  std::vector<std::size_t> m_active;
  StateArena m_arena;
  DecoderSteps::States m_last;
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
  // Two fields of one name cannot be told apart in a form.
  const bool validation = prefix == kValidationDecoding;
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
