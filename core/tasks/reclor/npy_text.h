// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace fathom {

// A list of integers as numpy.save writes it: format 1.0, '<i8', header padded to 128 bytes or a multiple of
// 64 beyond.
std::string npyOfIntegers(std::span<const std::int64_t> values);

}  // namespace fathom
