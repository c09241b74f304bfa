// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/init/initialisation.h"

namespace fathom {

// Admin's profile pass (Admin §4.3; docs/initialisation.md §3). Code rule, while the forward runs, per stack:
// omega_i
// := r (starting at 1), then r := sqrt(Var[x * omega_i] + Var[branch after dropout]); variances are
// population variances over all entries, padding included. Paper rule: omega_i = sqrt(sum of earlier branch
// variances) measured with every omega 1 (first omega 0).
enum class ProfileRule { Code, Paper };

struct StackProfile {
  StackKind stack = StackKind::Encoder;
  std::vector<double> omega;           // per sub-layer in order of execution
  std::vector<double> inputVariance;   // Var x_{i-1}
  std::vector<double> branchVariance;  // Var f_i
};

// Profiles the given stacks (those with scheme `admin`) and leaves omega in the model. Several batches:
// variances are averaged over batches; the first batch runs with the rule's running omega, the others with
// what is known then.
Result<std::vector<StackProfile>> profileAdmin(Model& model, const std::vector<StackKind>& stacks,
                                               ProfileRule rule, std::int64_t batches, std::uint64_t seed,
                                               const ProfileForward& forward);

}  // namespace fathom
