// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/init/initialisation.h"
#include "core/nn/residual/residual_scheme.h"

namespace fathom {

namespace {

const InitEntry& initEntry(const std::string& id) {
  if (const InitEntry* entry = findEntry(initEntries(), id)) return *entry;
  throw Failure(internalError("no initialisation '" + id + "'"));
}

// Runs `step` of each entry once, for all stacks whose scheme names it: a profile pass measures them
// together. What belongs to no stack goes with the first stack.
Status forEachEntry(InitTarget& target, Status (*InitEntry::*step)(InitTarget&)) {
  std::vector<std::pair<std::string, std::set<StackKind>>> groups;
  for (const StackDescription& stack : target.model.stacks()) {
    const std::string& id = residualEntry(stack.residual).paperInit;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == id; });
    if (group == groups.end()) group = groups.insert(groups.end(), {id, {}});
    group->second.insert(stack.kind);
  }
  if (!groups.empty()) groups[0].second.insert(StackKind::None);
  for (const auto& [id, stacks] : groups) {
    InitTarget part = target;
    part.stacks = stacks;
    const InitEntry& entry = initEntry(id);
    if (entry.*step) FATHOM_CHECK((entry.*step)(part));
  }
  return {};
}

}  // namespace

bool sharesPrefixes(const Model& model, const OptionValues& options) {
  const std::string chosen = options.text("init");
  for (const StackDescription& stack : model.stacks()) {
    const ResidualEntry& scheme = residualEntry(stack.residual);
    const InitEntry& init = initEntry(chosen == "by_scheme" ? scheme.paperInit : chosen);
    if (!scheme.depthIndependent || init.depthDependent) return false;
    if (scheme.looksAtDepth != nullptr && scheme.looksAtDepth(stackOptions(stack.kind), options))
      return false;
    if (init.looksAtDepth != nullptr && init.looksAtDepth(options)) return false;
  }
  return true;
}

InitEntry bySchemeEntry() {
  return {.id = "by_scheme",
          .title = "As the residual scheme's paper does",
          .fill = [](InitTarget& target) { return forEachEntry(target, &InitEntry::fill); },
          .calibrate = [](InitTarget& target) { return forEachEntry(target, &InitEntry::calibrate); }};
}

}  // namespace fathom
