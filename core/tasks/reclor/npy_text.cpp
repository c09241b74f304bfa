// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reclor/npy_text.h"

namespace fathom {

namespace {

void appendLittleEndian(std::string& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

}  // namespace

std::string npyOfIntegers(std::span<const std::int64_t> values) {
  constexpr std::size_t kPreamble = 10, kMultiple = 64;  // magic, version, length of the header
  std::string header =
      "{'descr': '<i8', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  // numpy leaves room for a first axis that grows to twenty digits.
  constexpr std::size_t kDigits = 21;
  header.append(kDigits - std::to_string(values.size()).size(), ' ');
  while ((kPreamble + header.size() + 1) % kMultiple != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  appendLittleEndian(bytes, header.size(), 2);
  bytes += header;
  for (const std::int64_t value : values) appendLittleEndian(bytes, static_cast<std::uint64_t>(value), 8);
  return bytes;
}

}  // namespace fathom
