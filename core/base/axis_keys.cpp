// SPDX-License-Identifier: Apache-2.0
#include "core/base/axis_keys.h"

#include <algorithm>

namespace fathom {

std::vector<std::string> axisKeys(const std::string& axis) {
  std::vector<std::string> keys;
  for (std::size_t start = 0; start <= axis.size();) {
    const std::size_t plus = std::min(axis.find('+', start), axis.size());
    keys.push_back(axis.substr(start, plus - start));
    start = plus + 1;
  }
  return keys;
}

}  // namespace fathom
