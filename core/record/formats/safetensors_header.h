// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/formats/safetensors_file.h"

namespace fathom {

struct SafetensorsHeader {
  std::vector<TensorEntry> entries;  // by place in the file
  std::map<std::string, std::string> metadata;
};

// Validates a header against the size of the data part (docs/reliability.md §5): an object at the first byte,
// only spaces behind it, strict UTF-8, no duplicate keys, at most 100,000 entries of known type with exactly
// dtype, shape and data_offsets, and the ranges cover the data part without gap or overlap. Foreign bytes
// welcome; errors name `file` and the tensor.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view header, std::size_t dataBytes,
                                                 const std::string& file);

}  // namespace fathom
