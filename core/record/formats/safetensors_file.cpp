// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/safetensors_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json.h"
#include "core/record/formats/safetensors_header.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxHeaderBytes = 100'000'000;

Status readAt(int fd, void* into, std::size_t count, std::size_t offset, const std::string& path) {
  auto* at = static_cast<char*>(into);
  while (count > 0) {
    const ssize_t got = ::pread(fd, at, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return inputError(Phrase::tr("cannot read"), path, errno);
    if (got == 0)
      return dataErrorAt(path, 0, Phrase::tr("the file ends early: it was cut while it was open"));
    at += got;
    offset += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace

double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0) {
    value = fraction * 0x1p-24;
  } else if (exponent == 31) {
    value =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    value = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - 15 + 1023) << 52 |
                                  static_cast<std::uint64_t>(fraction) << 42);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

std::size_t dtypeBytes(const std::string& dtype) {
  static const std::map<std::string, std::size_t> kSizes = {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2},
                                                            {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1},
                                                            {"U8", 1},  {"BOOL", 1}};
  const auto it = kSizes.find(dtype);
  return it == kSizes.end() ? 0 : it->second;
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
  SafetensorsFile file;
  file.m_path = path;
  FATHOM_TRY(file.m_fd, openInput(path));
  struct stat info {};
  if (::fstat(file.m_fd, &info) != 0) return inputError(Phrase::tr("cannot read"), path, errno);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size < 10) return dataErrorAt(path, 0, Phrase::tr("a safetensors file of %1 bytes is too short")(size));
  unsigned char prefix[8];
  FATHOM_CHECK(readAt(file.m_fd, prefix, sizeof prefix, 0, path));
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | prefix[i];
  if (length < 2 || length > kMaxHeaderBytes || length > size - 8) {
    return dataErrorAt(path, 0,
                       Phrase::tr("the header length %1 does not fit a file of %2 bytes")(length, size),
                       Phrase::tr("this is not a safetensors file, or it was cut"));
  }
  std::string header(length, '\0');
  FATHOM_CHECK(readAt(file.m_fd, header.data(), length, 8, path));
  file.m_dataStart = 8 + length;
  FATHOM_TRY(SafetensorsHeader parsed, parseSafetensorsHeader(header, size - file.m_dataStart, path));
  file.m_entries = std::move(parsed.entries);
  file.m_metadata = std::move(parsed.metadata);
  return file;
}

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept {
  *this = std::move(other);
}

SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&& other) noexcept {
  if (this == &other) return *this;
  if (m_fd >= 0) ::close(m_fd);
  m_fd = std::exchange(other.m_fd, -1);
  m_path = std::move(other.m_path);
  m_dataStart = other.m_dataStart;
  m_entries = std::move(other.m_entries);
  m_metadata = std::move(other.m_metadata);
  return *this;
}

SafetensorsFile::~SafetensorsFile() {
  if (m_fd >= 0) ::close(m_fd);
}

const TensorEntry* SafetensorsFile::find(const std::string& name) const {
  const auto named = [&name](const TensorEntry& entry) { return entry.name == name; };
  const auto found = std::find_if(m_entries.begin(), m_entries.end(), named);
  return found == m_entries.end() ? nullptr : &*found;
}

Status SafetensorsFile::read(const TensorEntry& entry, void* into) const {
  return readAt(m_fd, into, entry.end - entry.begin, m_dataStart + entry.begin, m_path);
}

namespace {

float realAt(const char* bytes, const std::string& dtype) {
  if (dtype == "F64") {
    double value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<float>(value);
  }
  if (dtype == "F32") {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  if (dtype == "F16") return static_cast<float>(halfToDouble(bits));
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace

Result<std::vector<float>> SafetensorsFile::readReals(const TensorEntry& entry, std::int64_t first,
                                                      std::int64_t count) const {
  const std::size_t item = dtypeBytes(entry.dtype);
  const bool real =
      entry.dtype == "F64" || entry.dtype == "F32" || entry.dtype == "F16" || entry.dtype == "BF16";
  const auto all = static_cast<std::int64_t>(real ? (entry.end - entry.begin) / item : 0);
  if (first < 0 || count < 0 || count > all || first > all - count)
    return internalError(m_path + ": numbers outside of " + entry.name + " are asked for");
  std::string bytes(static_cast<std::size_t>(count) * item, '\0');
  FATHOM_CHECK(readAt(m_fd, bytes.data(), bytes.size(),
                      m_dataStart + entry.begin + static_cast<std::size_t>(first) * item, m_path));
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = realAt(bytes.data() + i * item, entry.dtype);
  return values;
}

namespace {

Result<std::string> headerText(const std::vector<TensorView>& tensors,
                               const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t begin = 0;
  for (const TensorView& tensor : tensors) {
    const std::size_t item = dtypeBytes(tensor.dtype);
    if (item == 0) return internalError("tensor " + tensor.name + " has the unknown type " + tensor.dtype);
    if (tensor.name == "__metadata__" || header.contains(tensor.name))
      return internalError("the tensor name " + tensor.name + " is used twice or reserved");
    std::size_t bytes = item;
    for (const std::int64_t extent : tensor.shape) bytes *= static_cast<std::size_t>(extent);
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, begin + bytes}}};
    begin += bytes;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > kMaxHeaderBytes) return internalError("a safetensors header over 100 MB");
  return text;
}

// Counts and hashes what goes to the file.
class HashingWriter {
 public:
  HashingWriter(int fd, const std::string& path) : m_fd(fd), m_path(path) {}
  Status write(std::string_view bytes) {
    m_hash.update(bytes);
    return writeAll(m_fd, bytes, m_path);
  }
  std::string hex() { return m_hash.hex(); }

 private:
  int m_fd;
  const std::string& m_path;
  Sha256 m_hash;
};

Status writeTensors(HashingWriter& out, const std::string& header, const std::vector<TensorView>& tensors) {
  std::string prefix;
  for (int i = 0; i < 8; ++i) prefix += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  FATHOM_CHECK(out.write(prefix + header));
  for (const TensorView& tensor : tensors) {
    std::size_t bytes = dtypeBytes(tensor.dtype);
    for (const std::int64_t extent : tensor.shape) bytes *= static_cast<std::size_t>(extent);
    if (bytes > 0) FATHOM_CHECK(out.write({static_cast<const char*>(tensor.data), bytes}));
  }
  return {};
}

}  // namespace

Result<std::string> writeSafetensors(const std::string& path, const std::vector<TensorView>& tensors,
                                     const std::map<std::string, std::string>& metadata) {
  FATHOM_TRY(const std::string header, headerText(tensors, metadata));
  const std::string temporary = temporaryBeside(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot create"), path, errno);
  HashingWriter out(fd, path);
  Status status = writeTensors(out, header, tensors);
  if (status.ok()) status = syncData(fd, path);
  if (::close(fd) != 0 && status.ok()) status = systemError(Phrase::tr("cannot close"), path, errno);
  if (status.ok()) status = renamePath(temporary, path);
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return status.error();
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  FATHOM_CHECK(syncFolder(folder.empty() ? "." : folder));
  return out.hex();
}

}  // namespace fathom
