// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json/json.h"

namespace fathom {

// A real as jsonReal writes it (the words of those that are not finite, too), `otherwise` where it is none.
double realOr(const Json& value, double otherwise);
// The same of a member of an object.
double memberReal(const Json& object, const char* key, double otherwise);

}  // namespace fathom
