// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace fathom {

// Lifting (ETC §4; docs/long_inputs.md §3): where the initial values of a model of two streams come from in
// an encoder of one stream, by parameter name.
// - token table, query, key, value, feed-forward maps, head for masked words: the same tensor;
// - output maps and layer norms, which each stream has of its own: both from the encoder's;
// - every row of the segment table: the encoder's row 0, that of a single text;
// - relation tables E and b: nothing, they keep their initial values; positions are not lifted.
struct LiftedFrom {
  std::string name;
  bool firstRow = false;  // each row is row 0 of it
};
std::optional<LiftedFrom> liftedFrom(const std::string& parameter);

}  // namespace fathom
