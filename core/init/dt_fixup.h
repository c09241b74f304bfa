// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>

#include "core/init/initialisation.h"

namespace fathom {

// mu of DT-Fixup (docs/initialisation.md §5.2): the largest L2 norm of an input vector over all examples and
// positions. Kept per part ("question", "schema"; "" = what enters layer 1). A part of an example with a NaN
// row is left out as a whole; padding is not looked at.
class InputNorm {
 public:
  // states [B, n, width], padding [B, n] bool or undefined.
  void add(const std::string& part, const torch::Tensor& states, const torch::Tensor& padding);
  double of(const std::string& part) const;  // 0 when nothing was seen
  // Paper: what enters layer 1. Released: the states before the projections, where a model has such.
  double paper() const { return of(""); }
  double released() const;
  const std::map<std::string, double>& parts() const { return m_largest; }

 private:
  std::map<std::string, double> m_largest;
};

// Factor of the selected tensors (DT-Fixup §3; docs/initialisation.md §5.1): relational (N (4
// mu^2 + 2 mu + 2))^-1/2, vanilla N^-1/2 / (2 mu).
enum class DtFixupForm { Relational, Vanilla };
double dtFixupFactor(DtFixupForm form, double mu, std::int64_t layers);

// Multiplies value, attention output and both feed-forward maps of a stack, in the relational form the
// relation-value tables too; query, key, relation-key tables and everything with one dimension stay
// untouched.
void scaleDtFixup(InitTarget& target, StackKind stack, DtFixupForm form, double factor);

}  // namespace fathom
