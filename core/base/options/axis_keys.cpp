// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/axis_keys.h"

#include "core/base/text/text_list.h"

namespace fathom {

std::vector<std::string> axisKeys(const std::string& axis) {
  const std::vector<std::string_view> keys = splitAt(axis, '+');
  return {keys.begin(), keys.end()};
}

}  // namespace fathom
