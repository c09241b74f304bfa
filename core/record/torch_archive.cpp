// SPDX-License-Identifier: Apache-2.0
#include "core/record/torch_archive.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "core/record/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::uint64_t kMaxPickleBytes = std::uint64_t{64} << 20;

// Checks one view: sizes and strides not negative, and its last element inside the storage.
Status checkView(const PickledTensor& tensor, const std::string& path) {
  const auto bad = [&](const std::string& why) {
    return dataErrorAt(path, 0, "tensor '" + tensor.name + "' " + why);
  };
  if (tensor.shape.size() != tensor.stride.size())
    return bad("has " + std::to_string(tensor.shape.size()) + " sizes but " +
               std::to_string(tensor.stride.size()) + " strides");
  if (tensor.offset < 0 || tensor.storageCount < 0) return bad("has a negative offset or storage");
  std::int64_t count = 1, last = tensor.offset;
  bool empty = false;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] < 0 || tensor.stride[i] < 0) return bad("has a negative size or stride");
    empty = empty || tensor.shape[i] == 0;
    std::int64_t step = 0;
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(tensor.shape[i], 1), &count) ||
        __builtin_mul_overflow(std::max<std::int64_t>(tensor.shape[i] - 1, 0), tensor.stride[i], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return bad("is larger than can be addressed");
    }
  }
  if (!empty && last >= tensor.storageCount) return bad("reaches beyond its storage");
  // A view with stride 0 can be larger than its storage; without a bound a small file asks for any amount of
  // memory.
  if (count > std::int64_t{1} << 34) return bad("has more than 2^34 elements");
  return {};
}

}  // namespace

TorchArchive::TorchArchive(TorchArchive&& other) noexcept {
  *this = std::move(other);
}
TorchArchive& TorchArchive::operator=(TorchArchive&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_path, other.m_path);
  std::swap(m_prefix, other.m_prefix);
  std::swap(m_members, other.m_members);
  std::swap(m_tensors, other.m_tensors);
  return *this;
}
TorchArchive::~TorchArchive() {
  if (m_fd >= 0) ::close(m_fd);
}

Result<TorchArchive> TorchArchive::open(const std::string& path) {
  TorchArchive archive;
  archive.m_path = path;
  archive.m_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (archive.m_fd < 0) return inputError("cannot open", path, errno);
  char start[4] = {};
  const ssize_t count = ::pread(archive.m_fd, start, sizeof start, 0);
  if (count < 4 || std::memcmp(start, "PK\x03\x04", 4) != 0) {
    return dataErrorAt(path, 0, "not a torch archive of the zip form",
                       "load it where it was made and save it again, best as safetensors");
  }
  FATHOM_CHECK(archive.load());
  return archive;
}

Status TorchArchive::load() {
  FATHOM_TRY(m_members, readStoredZip(m_fd, m_path));
  const ZipMember* pickle = nullptr;
  for (const ZipMember& item : m_members) {
    if (!item.name.ends_with("/data.pkl")) continue;
    if (pickle != nullptr) return dataErrorAt(m_path, 0, "the archive holds two models");
    pickle = &item;
    m_prefix = item.name.substr(0, item.name.size() - std::strlen("data.pkl"));
  }
  if (pickle == nullptr) return dataErrorAt(m_path, 0, "the archive holds no data.pkl");
  for (const ZipMember& item : m_members) {
    if (item.name == m_prefix + "constants.pkl" || item.name.starts_with(m_prefix + "code/")) {
      return dataErrorAt(m_path, 0, "this is a TorchScript program, not a file of weights",
                         "save the state dict of the model instead");
    }
  }
  if (const ZipMember* order = member("byteorder")) {
    FATHOM_TRY(const std::string text, readZipMember(m_fd, *order, m_path));
    if (text != "little")
      return dataErrorAt(
          m_path, 0,
          "the weights are stored in byte order '" + text.substr(0, 20) + "'; only little is read");
  }
  if (pickle->size > kMaxPickleBytes) return dataErrorAt(m_path, 0, "data.pkl is larger than 64 MiB");
  FATHOM_TRY(const std::string bytes, readZipMember(m_fd, *pickle, m_path));
  FATHOM_TRY(m_tensors, readStateDictPickle(bytes, m_path));
  std::set<std::string> names, checked;
  for (const PickledTensor& tensor : m_tensors) {
    if (!names.insert(tensor.name).second)
      return dataErrorAt(m_path, 0, "tensor '" + tensor.name + "' appears twice");
    FATHOM_CHECK(checkView(tensor, m_path));
    const ZipMember* record = member("data/" + tensor.storageKey);
    if (record == nullptr)
      return dataErrorAt(
          m_path, 0,
          "tensor '" + tensor.name + "': its storage '" + tensor.storageKey + "' is not in the archive");
    std::int64_t expected = 0;
    if (__builtin_mul_overflow(tensor.storageCount, static_cast<std::int64_t>(dtypeBytes(tensor.dtype)),
                               &expected) ||
        static_cast<std::uint64_t>(expected) != record->size) {
      return dataErrorAt(m_path, 0,
                         "tensor '" + tensor.name + "': its storage has " + std::to_string(record->size) +
                             " bytes, not the " + std::to_string(tensor.storageCount) + " elements it names");
    }
    if (checked.insert(tensor.storageKey).second)
      FATHOM_CHECK([&]() -> Status {
        FATHOM_TRY(const auto data, readZipMember(m_fd, *record, m_path));
        return {};
      }());
  }
  return {};
}

const ZipMember* TorchArchive::member(const std::string& name) const {
  for (const ZipMember& item : m_members) {
    if (item.name == m_prefix + name) return &item;
  }
  return nullptr;
}

const PickledTensor* TorchArchive::find(const std::string& name) const {
  for (const PickledTensor& tensor : m_tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

Result<std::string> TorchArchive::read(const PickledTensor& tensor) const {
  FATHOM_CHECK(checkView(tensor, m_path));
  const ZipMember* record = member("data/" + tensor.storageKey);
  if (record == nullptr) return internalError("tensor '" + tensor.name + "' is not of this archive");
  FATHOM_TRY(const std::string storage, readZipMember(m_fd, *record, m_path));
  const std::size_t size = dtypeBytes(tensor.dtype);
  std::int64_t count = 1;
  for (const std::int64_t extent : tensor.shape) count *= extent;
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(count) * size);
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t at = tensor.offset;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * tensor.stride[d];
    bytes.append(storage, static_cast<std::size_t>(at) * size, size);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.shape[d]) break;
      index[d] = 0;
    }
  }
  return bytes;
}

}  // namespace fathom
