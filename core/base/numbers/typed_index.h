// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace fathom {

// An integer that is not interchangeable with another kind of integer.
template <typename Tag>
struct TypedIndex {
  std::int64_t value = 0;
  constexpr TypedIndex() = default;
  constexpr explicit TypedIndex(std::int64_t v) : value(v) {}
  auto operator<=>(const TypedIndex&) const = default;
};

using ExampleId = TypedIndex<struct ExampleTag>;  // stable index in its data set

}  // namespace fathom
