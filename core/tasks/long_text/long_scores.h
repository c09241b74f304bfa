// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// F1 of a precision and a recall, each of 0 to 1; 0 where both are 0.
inline double harmonicMean(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

}  // namespace fathom
