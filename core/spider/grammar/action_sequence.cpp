// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/action_sequence.h"

namespace fathom {

namespace {

const GrammarProduction& productionAt(int id) {
  return grammarProductions()[static_cast<std::size_t>(id)];
}

void appendActions(const GrammarTree& tree, std::vector<GrammarAction>& out) {
  if (tree.production < 0) {
    out.push_back(kSelectColumn + tree.column);
    return;
  }
  out.push_back(tree.production);
  const auto& fields = productionAt(tree.production).fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (const auto& child : tree.fields[i]) appendActions(child, out);
    const bool many = fields[i].cardinality == Cardinality::Many;
    const bool absent = fields[i].cardinality == Cardinality::Optional && tree.fields[i].empty();
    if (many || absent) out.push_back(kReduce);
  }
}

// Builds the subtree whose first action is at `at`; the sequence is already known to be valid.
GrammarTree buildTree(const std::vector<GrammarAction>& actions, std::size_t& at) {
  GrammarTree tree;
  const GrammarAction action = actions[at++];
  if (action >= kSelectColumn) {
    tree.column = action - kSelectColumn;
    return tree;
  }
  tree.production = action;
  const auto& fields = productionAt(action).fields;
  tree.fields.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].cardinality == Cardinality::One) {
      tree.fields[i].push_back(buildTree(actions, at));
    } else if (fields[i].cardinality == Cardinality::Optional) {
      if (actions[at] == kReduce) {
        ++at;
      } else {
        tree.fields[i].push_back(buildTree(actions, at));
      }
    } else {
      while (actions[at] != kReduce) tree.fields[i].push_back(buildTree(actions, at));
      ++at;
    }
  }
  return tree;
}

}  // namespace

GrammarField GrammarState::frontier() const {
  if (m_frames.empty()) return {kTypeStmt, Cardinality::One};
  const Frame& top = m_frames.back();
  return productionAt(top.production).fields[static_cast<std::size_t>(top.field)];
}

std::vector<GrammarAction> GrammarState::validActions(int columns) const {
  std::vector<GrammarAction> actions;
  if (m_complete) return actions;
  const GrammarField field = frontier();
  if (field.type == kTypeColId) {
    for (int c = 0; c < columns; ++c) actions.push_back(kSelectColumn + c);
    return actions;
  }
  const auto& productions = productionsOf(field.type);
  actions.assign(productions.begin(), productions.end());
  if (field.cardinality != Cardinality::One) actions.push_back(kReduce);
  return actions;
}

bool GrammarState::valid(GrammarAction action, int columns) const {
  if (m_complete) return false;
  const GrammarField field = frontier();
  if (field.type == kTypeColId) return action >= kSelectColumn && action < kSelectColumn + columns;
  if (action == kReduce) return field.cardinality != Cardinality::One;
  return action >= 0 && action < kGrammarRules && productionAt(action).type == field.type;
}

void GrammarState::apply(GrammarAction action) {
  const int step = m_steps++;
  const bool many = !m_frames.empty() && frontier().cardinality == Cardinality::Many;
  if (!m_frames.empty() && (action == kReduce || !many)) ++m_frames.back().field;
  if (action < kReduce) m_frames.push_back({action, 0, step});
  closeFinished();
}

void GrammarState::closeFinished() {
  while (!m_frames.empty() &&
         m_frames.back().field == static_cast<int>(productionAt(m_frames.back().production).fields.size())) {
    m_frames.pop_back();
  }
  m_complete = m_frames.empty();
}

std::vector<GrammarAction> actionsOf(const GrammarTree& tree) {
  std::vector<GrammarAction> actions;
  appendActions(tree, actions);
  return actions;
}

Result<GrammarTree> treeFromActions(const std::vector<GrammarAction>& actions, int columns) {
  GrammarState state;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!state.valid(actions[i], columns)) {
      const std::string where = "action " + std::to_string(actions[i]) + " at step " + std::to_string(i);
      if (state.complete()) return dataError(Phrase::tr("%1 comes after the end of the tree")(where));
      return dataError(Phrase::tr("%1 is not valid for %2")(where, grammarTypeName(state.frontier().type)));
    }
    state.apply(actions[i]);
  }
  if (!state.complete())
    return dataError(Phrase::tr("the sequence of %1 actions ends early")(actions.size()));
  std::size_t at = 0;
  return buildTree(actions, at);
}

}  // namespace fathom
