// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/place_record.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Keys of the fields that every place has.
namespace place_key {
inline constexpr const char* kName = "name";
inline constexpr const char* kLauncher = "launcher";
inline constexpr const char* kRoot = "root";
inline constexpr const char* kHead = "head";
inline constexpr const char* kBefore = "before";
inline constexpr const char* kUser = "user";
}  // namespace place_key

// Fields of a place, but for those of its launcher. `fathom add-place` has them.
std::vector<OptionField> placeFields();
// All fields of all launchers, of which those of another one are not active: the key of a launcher's own is
// "<launcher>.<key>".
OptionSchema placeSchema();
// Values of placeSchema() for a record: what its form begins with.
OptionValues placeValues(const PlaceRecord& record);
// The record that they make, as it will be read back from `file`; an error has the key of its field in
// placeSchema().
Result<PlaceRecord> placeFromValues(const OptionValues& values, const std::string& file);

}  // namespace fathom
