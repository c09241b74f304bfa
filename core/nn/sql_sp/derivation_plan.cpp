// SPDX-License-Identifier: Apache-2.0
#include "core/nn/sql_sp/derivation_plan.h"

#include <algorithm>
#include <numeric>

#include "core/base/errors/error.h"
#include "core/nn/device_upload.h"

namespace fathom {

StepInputs stepInputs(const GrammarState& state, GrammarAction last, std::int64_t firstColumn) {
  if (state.steps() == 0) return {};
  const std::int64_t action =
      last >= kSelectColumn ? kFirstColumnRow + firstColumn + last - kSelectColumn : last;
  return {action, state.parentProduction(), state.frontier().type};
}

namespace {

using Indices = std::vector<std::int64_t>;

// The steps of one example, in their order.
struct ExampleSteps {
  std::vector<StepInputs> inputs;
  Indices parents;
};

ExampleSteps stepsOf(const std::vector<GrammarAction>& actions, std::int64_t columns,
                     std::int64_t firstColumn, std::size_t example) {
  ExampleSteps steps;
  GrammarState state;
  GrammarAction last = kReduce;
  for (const GrammarAction action : actions) {
    if (!state.valid(action, static_cast<int>(columns)))
      throw Failure(
          dataError(Phrase::tr("action %1 at step %2 of row %3 is not one the grammar allows there")(
              action, state.steps(), static_cast<std::int64_t>(example))));
    steps.inputs.push_back(stepInputs(state, last, firstColumn));
    steps.parents.push_back(state.steps() == 0 ? -1 : state.parentStep());
    state.apply(action);
    last = action;
  }
  if (!state.complete())
    throw Failure(dataError(
        Phrase::tr("the actions of row %1 end before their tree does")(static_cast<std::int64_t>(example))));
  return steps;
}

// Place of every example in the plan, and its rows.
struct Layout {
  Indices order, place;        // example at a place; place of an example
  std::vector<Indices> rowOf;  // by example and step
};

Layout layOut(DerivationPlan& plan, const std::vector<std::vector<GrammarAction>>& actions) {
  Layout layout;
  layout.order.resize(actions.size());
  layout.place.resize(actions.size());
  layout.rowOf.resize(actions.size());
  std::iota(layout.order.begin(), layout.order.end(), 0);
  const auto lengthOf = [&](std::int64_t b) { return actions[static_cast<std::size_t>(b)].size(); };
  std::stable_sort(layout.order.begin(), layout.order.end(),
                   [&](std::int64_t a, std::int64_t b) { return lengthOf(a) > lengthOf(b); });
  for (std::size_t k = 0; k < layout.order.size(); ++k)
    layout.place[static_cast<std::size_t>(layout.order[k])] = static_cast<std::int64_t>(k);
  const std::size_t longest = layout.order.empty() ? 0 : lengthOf(layout.order[0]);
  for (std::size_t t = 0; t < longest; ++t) {
    plan.offsets.push_back(plan.rows);
    for (const std::int64_t b : layout.order) {
      if (lengthOf(b) <= t) break;
      layout.rowOf[static_cast<std::size_t>(b)].push_back(plan.rows++);
    }
    plan.live.push_back(plan.rows - plan.offsets.back());
  }
  return layout;
}

void fillColumns(DerivationPlan& plan, const std::vector<std::vector<GrammarAction>>& actions,
                 const std::vector<std::int64_t>& columns, const Layout& layout,
                 const torch::Device& device) {
  const auto batch = static_cast<std::int64_t>(actions.size());
  const auto selects = [](GrammarAction action) { return action >= kSelectColumn; };
  std::int64_t most = 1, widest = 1;
  for (std::size_t b = 0; b < actions.size(); ++b) {
    most = std::max<std::int64_t>(most, std::count_if(actions[b].begin(), actions[b].end(), selects));
    widest = std::max(widest, columns[b]);
  }
  const auto whole = torch::TensorOptions(torch::kInt64);
  torch::Tensor rows = at::zeros({batch, most}, whole), targets = at::zeros({batch, most}, whole);
  torch::Tensor real = at::zeros({batch, most}, torch::kBool);
  torch::Tensor chosen = at::zeros({batch, most, widest}, torch::kBool);
  auto row = rows.accessor<std::int64_t, 2>(), target = targets.accessor<std::int64_t, 2>();
  auto isReal = real.accessor<bool, 2>();
  auto before = chosen.accessor<bool, 3>();
  for (std::size_t b = 0; b < actions.size(); ++b) {
    const auto example = static_cast<std::int64_t>(b);
    std::vector<std::int64_t> seen;
    std::int64_t next = 0;
    for (std::size_t t = 0; t < actions[b].size(); ++t) {
      if (!selects(actions[b][t])) continue;
      row[example][next] = layout.rowOf[b][t];
      target[example][next] = actions[b][t] - kSelectColumn;
      isReal[example][next] = true;
      for (const std::int64_t column : seen) before[example][next][column] = true;
      seen.push_back(target[example][next++]);
    }
    plan.columnCount += next;
  }
  plan.columnRows = uploaded(rows, device);
  plan.columnTargets = uploaded(targets, device);
  plan.columnReal = uploaded(real, device);
  plan.chosen = uploaded(chosen, device);
}

}  // namespace

DerivationPlan derivationPlan(const std::vector<std::vector<GrammarAction>>& actions,
                              const std::vector<std::int64_t>& columns, const torch::Device& device) {
  DerivationPlan plan;
  const Layout layout = layOut(plan, actions);
  const auto count = static_cast<std::size_t>(plan.rows);
  Indices previous(count), production(count), type(count), parent(count), place(count), step(count),
      example(count), ruleRows, ruleTargets;
  std::int64_t firstColumn = 0;
  for (std::size_t b = 0; b < actions.size(); ++b) {
    const ExampleSteps steps = stepsOf(actions[b], columns[b], firstColumn, b);
    for (std::size_t t = 0; t < actions[b].size(); ++t) {
      const std::int64_t row = layout.rowOf[b][t];
      const auto at = static_cast<std::size_t>(row);
      previous[at] = steps.inputs[t].action;
      production[at] = steps.inputs[t].production;
      type[at] = steps.inputs[t].type;
      parent[at] = t == 0 ? -1 : layout.rowOf[b][static_cast<std::size_t>(steps.parents[t])];
      place[at] = layout.place[b];
      step[at] = static_cast<std::int64_t>(t);
      example[at] = static_cast<std::int64_t>(b);
      if (actions[b][t] < kSelectColumn) {
        ruleRows.push_back(row);
        ruleTargets.push_back(actions[b][t]);
      }
    }
    firstColumn += columns[b];
  }
  DeviceUpload upload(device);
  plan.ruleCount = static_cast<std::int64_t>(ruleRows.size());
  plan.order = uploaded(layout.order, device);
  plan.previousAction = uploaded(previous, device);
  plan.parentProduction = uploaded(production, device);
  plan.type = uploaded(type, device);
  plan.parentRow = uploaded(parent, device);
  plan.place = uploaded(place, device);
  plan.step = uploaded(step, device);
  plan.example = uploaded(example, device);
  plan.ruleRows = uploaded(ruleRows, device);
  plan.ruleTargets = uploaded(ruleTargets, device);
  fillColumns(plan, actions, columns, layout, device);
  upload.send();
  return plan;
}

}  // namespace fathom
