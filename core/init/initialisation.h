// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/option_field.h"
#include "core/nn/models/model.h"

namespace fathom {

// Runs one training-mode forward on profiling batch number `index` (0-based) with this context; nothing is
// updated. The caller knows batches and model interface (an objective's forward).
using ProfileForward = std::function<void(std::int64_t index, const StepContext& context)>;

// Target of an initialisation.
struct InitTarget {
  Model& model;
  const OptionValues& options;
  std::uint64_t seed = 1;
  ProfileForward profileForward;     // may be empty: entries that need it then fail with a usage error
  std::set<StackKind> stacks;        // stacks (and, for Encoder, shared tables) to fill; empty = all
  std::int64_t trainingBatches = 0;  // how many indices profileForward knows, 0 = unknown
  Json* report = nullptr;            // array of {name, rule, ...}: what was filled or scaled by how much
  // Before the first profileForward of a pass, where it is known how many there will be; may be empty.
  std::function<void(std::int64_t batches)> passBegins = {};

  bool takes(const ParameterInfo& info) const;
};

struct InitEntry {
  std::string id, title, reference = {};
  std::vector<OptionField> (*fields)() = noOptionFields;
  std::vector<OptionRule> (*rules)() = noOptionRules;
  Status (*fill)(InitTarget& target) = nullptr;       // values of the tensors
  Status (*calibrate)(InitTarget& target) = nullptr;  // after all stacks are filled (profile pass)
  bool depthDependent = false;  // the values of a layer depend on how many layers there are
  bool (*looksAtDepth)(const OptionValues& options) = nullptr;  // the same where an option decides
};
const std::vector<InitEntry>& initEntries();  // inits.list

// True when the first layers of the model are those of a deeper one of the same options: neither a residual
// scheme nor the initialisation looks at the depth. Sweeps over depths may then share prefixes
// (docs/analyses.md §4).
bool sharesPrefixes(const Model& model, const OptionValues& options);

// Step between filling and calibrating: weights of a pre-trained part are copied in, and the pass to
// come may be made shorter (trainingBatches).
using AfterFill = std::function<Status(InitTarget&)>;

// Fills the model as the option `init` says ("by_scheme": each stack as the paper of its residual scheme
// does). Every tensor comes from its own generator, seeded by its name. Returns {"init": id, "tensors":
// [...], "profile": ...}.
Result<Json> initialiseModel(Model& model, const OptionValues& options, std::uint64_t seed,
                             const ProfileForward& profileForward = {}, std::int64_t trainingBatches = 0,
                             const AfterFill& afterFill = {});

std::vector<OptionField> initOptionFields();
std::vector<OptionRule> initOptionRules();

}  // namespace fathom
