// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// Full Unicode lower-casing without a language (final sigma in context, İ becomes i and a combining dot).
std::string toLowerCase(std::string_view text);

}  // namespace fathom
