// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace fathom {

// A member of an object, or the place of a member in a list.
using JsonStep = std::variant<std::string_view, std::size_t>;

// The line (from 1) on which the value that `path` leads to begins, for messages about what was read without
// places: `text` is JSON that parseJson has taken. 0 where the path leads nowhere.
std::int64_t lineOfJson(std::string_view text, std::span<const JsonStep> path);

}  // namespace fathom
