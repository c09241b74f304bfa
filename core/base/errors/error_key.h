// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/base/errors/error.h"

namespace fathom {

// The error as one about an option, or about a file.
inline Error aboutKey(std::string key, Error error) {
  error.key = std::move(key);
  return error;
}
inline Error aboutFile(std::string file, Error error) {
  error.file = std::move(file);
  return error;
}

}  // namespace fathom
