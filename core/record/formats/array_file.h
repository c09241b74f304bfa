// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// An .npy file (format 1.0–3.0, little-endian, C order), as analyses and probes leave them behind.
struct NpyArray {
  std::string dtype;  // "f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"
  std::vector<std::int64_t> shape;
  std::string bytes;  // little-endian, C order

  std::int64_t count() const;  // product of the shape
  std::vector<double> doubles() const;
};

// Head of an .npy file, before its numbers.
struct NpyHead {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::size_t start = 0;  // first byte of the numbers
  std::size_t bytes = 0;  // of all numbers
};

// Numbers of an array that is too large to be read as a whole, a part at a time.
class ArrayPart {
 public:
  // Data error naming the file for what readArrayFile refuses; the numbers are not looked at.
  static Result<ArrayPart> open(const std::string& path);
  const std::string& dtype() const { return m_head.dtype; }
  const std::vector<std::int64_t>& shape() const { return m_head.shape; }
  // `count` numbers from number `first` on, in C order. Data error for a file that was changed meanwhile.
  Result<std::vector<float>> read(std::int64_t first, std::int64_t count) const;

 private:
  std::string m_path;
  NpyHead m_head;
};

// Data error naming the file for anything that is not such an array (Fortran order, objects, sizes that lie).
Result<NpyArray> readArrayFile(const std::string& path, std::size_t maxBytes = std::size_t{4} << 30);
Result<NpyArray> parseArray(std::string_view bytes, const std::string& file);

// Atomic; the product of `shape` must be the number of values.
Status writeArrayFile(const std::string& path, const std::vector<std::int64_t>& shape,
                      std::span<const float> values);

}  // namespace fathom
