// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/numbers/typed_index.h"

namespace fathom {

enum class HostDtype { U8, I32, I64, F32, F64 };
const char* hostDtypeName(HostDtype dtype);  // "u8", "i32", "i64", "f32", "f64"
std::size_t hostDtypeSize(HostDtype dtype);  // bytes of one element

template <typename T>
constexpr HostDtype hostDtypeOf() {
  static_assert(std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int32_t> ||
                    std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "no HostDtype for this type");
  if constexpr (std::is_same_v<T, std::uint8_t>) return HostDtype::U8;
  if constexpr (std::is_same_v<T, std::int32_t>) return HostDtype::I32;
  if constexpr (std::is_same_v<T, std::int64_t>) return HostDtype::I64;
  if constexpr (std::is_same_v<T, float>) return HostDtype::F32;
  return HostDtype::F64;
}

// A dense row-major array on the host. The buffer is 64-byte aligned, zero-filled when made, and shared by
// copies (copying is a reference count): whoever makes a batch fills it, everybody later only reads. An
// engine may wrap `storage()` without copying.
class HostArray {
 public:
  HostArray() = default;  // shape [0], i64, no buffer
  // Throws Failure(internal) for a negative size or more than 2^40 bytes, Failure(resource) without memory.
  HostArray(HostDtype dtype, std::vector<std::int64_t> shape);

  HostDtype dtype() const { return m_dtype; }
  const std::vector<std::int64_t>& shape() const { return m_shape; }
  std::int64_t size(std::size_t axis) const { return m_shape.at(axis); }
  std::int64_t elements() const { return m_elements; }
  std::size_t bytes() const { return static_cast<std::size_t>(m_elements) * hostDtypeSize(m_dtype); }
  const std::shared_ptr<std::byte[]>& storage() const { return m_storage; }

  // All elements in row-major order. Throws Failure(internal) when T is not the dtype.
  template <typename T>
  std::span<T> values() {
    checkDtype(hostDtypeOf<T>());
    return {reinterpret_cast<T*>(m_storage.get()), static_cast<std::size_t>(m_elements)};
  }
  template <typename T>
  std::span<const T> values() const {
    checkDtype(hostDtypeOf<T>());
    return {reinterpret_cast<const T*>(m_storage.get()), static_cast<std::size_t>(m_elements)};
  }

 private:
  void checkDtype(HostDtype asked) const;
  HostDtype m_dtype = HostDtype::I64;
  std::vector<std::int64_t> m_shape{0};
  std::int64_t m_elements = 0;
  std::shared_ptr<std::byte[]> m_storage;
};

// Row `row` of an i64 array [rows, width].
inline std::span<const std::int64_t> rowOf(const HostArray& array, std::int64_t row) {
  const auto width = static_cast<std::size_t>(array.size(1));
  return array.values<std::int64_t>().subspan(static_cast<std::size_t>(row) * width, width);
}

// Sequences of different lengths: row i is values[offsets[i] .. offsets[i + 1]) along the first axis.
struct HostRagged {
  HostArray values;   // [total, ...]
  HostArray offsets;  // [rows + 1] i64, starts with 0
};

// One row of bytes (u8) for each text.
HostRagged raggedOfTexts(const std::vector<std::string>& texts);

// One batch as a task hands it to its objective. Which names occur is the task's contract (its header says).
struct HostBatch {
  std::map<std::string, HostArray, std::less<>> arrays;
  std::map<std::string, HostRagged, std::less<>> raggeds;
  std::vector<ExampleId> examples;  // [rows], stable index of each row in its data set
  std::int64_t targetUnits =
      0;  // normaliser: target tokens (nmt), masked positions (mlm), examples (classification)
  std::int64_t paddedUnits = 0;  // rows × width of the widest side, padding counted: the cost of the batch

  std::int64_t rows() const { return static_cast<std::int64_t>(examples.size()); }
  // Throws Failure(internal) naming the missing array.
  const HostArray& array(std::string_view name) const;
  const HostRagged& ragged(std::string_view name) const;
};

}  // namespace fathom
