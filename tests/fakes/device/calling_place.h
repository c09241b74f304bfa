// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fathom::stand_in {

// The innermost function of ours (namespace fathom, not this folder's) that the caller was called from, read
// from the symbols of the running program; "" where it has none.
std::string callingPlace();

}  // namespace fathom::stand_in
