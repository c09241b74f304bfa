// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_reals.h"

namespace fathom {

double realOr(const Json& value, double otherwise) {
  const auto real = realFromJson(value);
  return real.ok() ? *real : otherwise;
}

double memberReal(const Json& object, const char* key, double otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() ? realOr(*found, otherwise) : otherwise;
}

}  // namespace fathom
