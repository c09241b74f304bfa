// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "core/record/formats/safetensors_file.h"

namespace fathom::fixtures {

// The one of that name, of a file's tensors; Failure where there is none.
template <typename Tensors>
const auto& named(const Tensors& tensors, const std::string& name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& e) { return e.name == name; });
  if (found == tensors.end()) throw Failure(dataError("there is no tensor \"" + name + "\""));
  return *found;
}

template <typename T, typename Convert>
std::vector<double> widened(const std::string& bytes, Convert convert) {
  std::vector<double> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T item;
    std::memcpy(&item, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(convert(item));
  }
  return values;
}

// A tensor of any numeric type, as doubles. A data error for a name that the file does not have.
inline Result<std::vector<double>> readDoubles(const SafetensorsFile& file, const std::string& name) {
  const auto& all = file.entries();
  if (std::none_of(all.begin(), all.end(), [&](const TensorEntry& e) { return e.name == name; }))
    return dataError("there is no tensor \"" + name + "\"");
  const TensorEntry& entry = named(all, name);
  std::string bytes(entry.end - entry.begin, '\0');
  FATHOM_CHECK(file.read(entry, bytes.data()));
  const std::string& type = entry.dtype;
  const auto same = [](auto item) { return item; };
  if (type == "F64") return widened<double>(bytes, same);
  if (type == "F32") return widened<float>(bytes, same);
  if (type == "F16") return widened<std::uint16_t>(bytes, halfToDouble);
  if (type == "BF16")
    return widened<std::uint16_t>(bytes, [](std::uint16_t bits) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    });
  if (type == "I64") return widened<std::int64_t>(bytes, same);
  if (type == "I32") return widened<std::int32_t>(bytes, same);
  if (type == "I16") return widened<std::int16_t>(bytes, same);
  if (type == "I8") return widened<std::int8_t>(bytes, same);
  return widened<std::uint8_t>(bytes, same);
}

}  // namespace fathom::fixtures
