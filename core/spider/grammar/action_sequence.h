// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/spider/grammar/sql_grammar.h"

namespace fathom {

// An action as one number: 0..44 apply that production, 45 Reduce, 1000 + c select expanded column c.
using GrammarAction = std::int32_t;
constexpr GrammarAction kSelectColumn = 1000;

// A tree over the grammar. `column` is set for leaves of type col_id (production -1).
struct GrammarTree {
  int production = -1;
  int column = -1;
  std::vector<std::vector<GrammarTree>> fields;  // as the production's fields; absent optional = empty
  bool operator==(const GrammarTree&) const = default;
};

// The transition system: where a partial tree goes on. Small, copied per hypothesis.
class GrammarState {
 public:
  bool complete() const { return m_complete; }
  int steps() const { return m_steps; }
  // The first unfinished field, depth first; undefined when complete.
  GrammarField frontier() const;
  // Creation step of the node that owns the frontier field: index of the decoder state to look back at (root:
  // 0).
  int parentStep() const { return m_frames.empty() ? 0 : m_frames.back().step; }
  // Production of that node, -1 at the root.
  int parentProduction() const { return m_frames.empty() ? -1 : m_frames.back().production; }
  // Valid actions in the order of the search: productions ascending, then Reduce; or columns ascending.
  std::vector<GrammarAction> validActions(int columns) const;
  bool valid(GrammarAction action, int columns) const;
  // Precondition: valid(action).
  void apply(GrammarAction action);

 private:
  struct Frame {
    int production;
    int field;
    int step;
  };
  void closeFinished();
  std::vector<Frame> m_frames;
  int m_steps = 0;
  bool m_complete = false;
};

// Pre-order, fields left to right; Reduce ends every list and stands for every absent optional field.
std::vector<GrammarAction> actionsOf(const GrammarTree& tree);
// Error: an action that is not valid, named with its step, or a sequence that ends early.
Result<GrammarTree> treeFromActions(const std::vector<GrammarAction>& actions, int columns);

}  // namespace fathom
