// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/array_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

std::size_t itemBytes(std::string_view dtype) {
  static const char* const kKnown[] = {"f8", "f4", "f2", "i8", "i4", "i2",
                                       "i1", "u8", "u4", "u2", "u1", "b1"};
  for (const char* known : kKnown) {
    if (dtype == known) return static_cast<std::size_t>(dtype[1] - '0');
  }
  return 0;
}

// The value behind 'key': in the header's Python dictionary, up to the comma that ends it.
std::optional<std::string_view> headerValue(std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return std::nullopt;
  at += quoted.size();
  while (at < header.size() && header[at] == ' ') ++at;
  const std::size_t end = header.find(header.substr(at, 1) == "(" ? ')' : ',', at);
  if (end == std::string_view::npos) return std::nullopt;
  return header.substr(at, end - at);
}

std::optional<std::vector<std::int64_t>> parseShape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  text.remove_prefix(1);
  std::vector<std::int64_t> shape;
  while (true) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
    if (text.empty()) return shape;
    std::int64_t extent = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (code != std::errc() || extent < 0 || shape.size() >= 64) return std::nullopt;
    shape.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

template <typename To, typename From>
std::vector<To> convertItems(const std::string& bytes) {
  std::vector<To> values(bytes.size() / sizeof(From));
  for (std::size_t i = 0; i < values.size(); ++i) {
    From item;
    std::memcpy(&item, bytes.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(item);
  }
  return values;
}

template <typename To>
std::vector<To> convertArray(const NpyArray& array) {
  const std::string& dtype = array.dtype;
  if (dtype == "f8") return convertItems<To, double>(array.bytes);
  if (dtype == "f4") return convertItems<To, float>(array.bytes);
  if (dtype == "i8") return convertItems<To, std::int64_t>(array.bytes);
  if (dtype == "i4") return convertItems<To, std::int32_t>(array.bytes);
  if (dtype == "i2") return convertItems<To, std::int16_t>(array.bytes);
  if (dtype == "i1") return convertItems<To, std::int8_t>(array.bytes);
  if (dtype == "u8") return convertItems<To, std::uint64_t>(array.bytes);
  if (dtype == "u4") return convertItems<To, std::uint32_t>(array.bytes);
  if (dtype == "u2") return convertItems<To, std::uint16_t>(array.bytes);
  if (dtype == "f2") {
    std::vector<To> values;
    for (const std::uint16_t bits : convertItems<std::uint16_t, std::uint16_t>(array.bytes))
      values.push_back(static_cast<To>(halfToDouble(bits)));
    return values;
  }
  return convertItems<To, std::uint8_t>(array.bytes);
}

}  // namespace

std::int64_t NpyArray::count() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}
std::vector<double> NpyArray::doubles() const {
  return convertArray<double>(*this);
}
namespace {

// `bytes` begins the file and holds at least its head.
Result<NpyHead> parseHead(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 12)
    return dataErrorAt(file, 0, Phrase::tr("not an .npy array"));
  const int version = bytes[6];
  if (version < 1 || version > 3) return dataErrorAt(file, 0, Phrase::tr("unknown .npy version %1")(version));
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = lengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[8 + i]);
  const std::size_t start = 8 + lengthBytes;
  if (length > bytes.size() - start) return dataErrorAt(file, 0, Phrase::tr("the .npy header is cut"));
  const std::string_view header = bytes.substr(start, length);
  const auto descr = headerValue(header, "descr");
  const auto order = headerValue(header, "fortran_order");
  const auto extents = headerValue(header, "shape");
  if (!descr || !order || !extents)
    return dataErrorAt(file, 0, Phrase::tr("the .npy header lacks descr, order or shape"));
  NpyHead array;
  if (descr->size() == 5 && ((*descr)[1] == '<' || (*descr)[1] == '|')) array.dtype = descr->substr(2, 2);
  const std::size_t item = itemBytes(array.dtype);
  if (item == 0 || (item > 1 && (*descr)[1] != '<'))
    return dataErrorAt(file, 0, Phrase::tr("arrays of type %1 are not read")(*descr));
  const auto shape = parseShape(*extents);
  if (!shape) return dataErrorAt(file, 0, Phrase::tr("the shape %1) is not valid")(*extents));
  if (*order != "False" && shape->size() > 1)
    return dataErrorAt(file, 0, Phrase::tr("arrays in Fortran order are not read"));
  array.shape = *shape;
  std::size_t size = item;
  for (const std::int64_t extent : array.shape) {
    if (__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size))
      return dataErrorAt(file, 0, Phrase::tr("the shape is too large"));
  }
  array.start = start + length;
  array.bytes = size;
  return array;
}

Error wrongSize(const std::string& file, std::size_t needed, std::size_t there) {
  return dataErrorAt(file, 0, Phrase::tr("the shape needs %1 bytes, the file has %2")(needed, there));
}

}  // namespace

Result<NpyArray> parseArray(std::string_view bytes, const std::string& file) {
  FATHOM_TRY(const NpyHead head, parseHead(bytes, file));
  if (head.bytes != bytes.size() - head.start) return wrongSize(file, head.bytes, bytes.size() - head.start);
  return NpyArray{head.dtype, head.shape, std::string(bytes.substr(head.start))};
}

Result<ArrayPart> ArrayPart::open(const std::string& path) {
  constexpr std::size_t kMostHead = std::size_t{1} << 16;
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  const auto size = static_cast<std::size_t>(file.size());
  std::string bytes(std::min(size, kMostHead), '\0');
  FATHOM_TRY(const std::size_t got, file.readAt(0, bytes.data(), bytes.size()));
  bytes.resize(got);
  ArrayPart part;
  part.m_path = path;
  FATHOM_TRY(part.m_head, parseHead(bytes, path));
  if (part.m_head.bytes != size - part.m_head.start)
    return wrongSize(path, part.m_head.bytes, size - part.m_head.start);
  return part;
}

Result<std::vector<float>> ArrayPart::read(std::int64_t first, std::int64_t count) const {
  const std::size_t item = itemBytes(m_head.dtype), all = m_head.bytes / item;
  const auto from = static_cast<std::size_t>(first), many = static_cast<std::size_t>(count);
  if (first < 0 || count < 0 || many > all || from > all - many)
    return internalError(m_path + ": numbers outside of the array are asked for");
  FATHOM_TRY(const RegularFile file, RegularFile::open(m_path));
  std::string bytes(many * item, '\0');
  FATHOM_TRY(const std::size_t got, file.readAt(m_head.start + from * item, bytes.data(), bytes.size()));
  if (got < bytes.size()) return wrongSize(m_path, m_head.bytes, got);
  return convertArray<float>({m_head.dtype, {count}, std::move(bytes)});
}

Result<NpyArray> readArrayFile(const std::string& path, std::size_t maxBytes) {
  FATHOM_TRY(const std::string bytes, readFile(path, maxBytes));
  return parseArray(bytes, path);
}

Status writeArrayFile(const std::string& path, const std::vector<std::int64_t>& shape,
                      std::span<const float> values) {
  std::size_t count = 1;
  std::string extents;
  for (const std::int64_t extent : shape) {
    count *= static_cast<std::size_t>(extent);
    extents += std::to_string(extent) + ",";
  }
  if (shape.size() > 1) extents.pop_back();
  if (count != values.size()) {
    return internalError(path + ": a shape of " + std::to_string(count) + " items for " +
                         std::to_string(values.size()) + " values");
  }
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + extents + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8 & 0xFF);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return writeFileAtomically(path, bytes);
}

}  // namespace fathom
