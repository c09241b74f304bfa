// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// An .npy file as NumPy writes it, version 1, for the tests of those who read such files.
namespace fathom::test {

// `descr` such as "<f8", `shape` such as "(2, 3)".
template <typename T>
std::string npyBytes(const std::string& descr, const std::string& shape, const std::vector<T>& values) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace fathom::test
