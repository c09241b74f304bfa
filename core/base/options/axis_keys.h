// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fathom {

// An axis of a grid may set several options to the same value: "encoder.residual+decoder.residual" is one
// axis over two options. Returns the keys in the order written; one for an ordinary axis.
std::vector<std::string> axisKeys(const std::string& axis);

}  // namespace fathom
