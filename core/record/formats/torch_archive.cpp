// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/torch_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/files/input_file.h"
#include "core/record/formats/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::uint64_t kMaxPickleBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxByteOrderBytes = 16;
constexpr std::uint64_t kFreeTensorBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kFreeSpread = std::uint64_t{16} << 20;

// Place of a tensor's elements; tied tensors are one view under two names.
using View =
    std::tuple<std::string, std::string, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>>;
View viewOf(const PickledTensor& tensor) {
  return {tensor.storageKey, tensor.dtype, tensor.offset, tensor.shape, tensor.stride};
}

// Elements of a checked view.
std::uint64_t countOf(const PickledTensor& tensor) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : tensor.shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}
std::uint64_t bytesOf(const PickledTensor& tensor) {
  return countOf(tensor) * dtypeBytes(tensor.dtype);
}

// The bytes of its storage from a checked view's first to its last element: begin and end.
std::pair<std::uint64_t, std::uint64_t> spanOf(const PickledTensor& tensor) {
  if (countOf(tensor) == 0) return {0, 0};
  std::int64_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) last += (tensor.shape[i] - 1) * tensor.stride[i];
  const std::uint64_t item = dtypeBytes(tensor.dtype);
  return {static_cast<std::uint64_t>(tensor.offset) * item, (static_cast<std::uint64_t>(last) + 1) * item};
}

bool rowMajor(const PickledTensor& tensor) {
  std::int64_t step = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.stride[i] != step) return false;
    step *= tensor.shape[i];
  }
  return true;
}

// The elements of a view in row-major order; `kept` holds its storage from byte `begin` on.
std::string elementsOf(const PickledTensor& tensor, const std::string& kept, std::uint64_t begin) {
  const std::uint64_t count = countOf(tensor), item = dtypeBytes(tensor.dtype);
  if (count == 0) return {};
  const auto first = static_cast<std::int64_t>(begin / item);
  if (rowMajor(tensor))
    return kept.substr(static_cast<std::uint64_t>(tensor.offset - first) * item, count * item);
  std::string bytes;
  bytes.reserve(count * item);
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::int64_t at = tensor.offset - first;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * tensor.stride[d];
    bytes.append(kept, static_cast<std::uint64_t>(at) * item, item);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.shape[d]) break;
      index[d] = 0;
    }
  }
  return bytes;
}

// Checks one view: sizes and strides not negative, and its last element inside the storage.
Status checkView(const PickledTensor& tensor, const std::string& path) {
  const auto bad = [&](const Phrase& why) {
    return dataErrorAt(path, 0, Phrase::tr("tensor '%1' %2")(tensor.name, why));
  };
  if (tensor.shape.size() != tensor.stride.size())
    return bad(Phrase::tr("has %1 sizes but %2 strides")(tensor.shape.size(), tensor.stride.size()));
  if (tensor.offset < 0 || tensor.storageCount < 0)
    return bad(Phrase::tr("has a negative offset or storage"));
  std::int64_t count = 1, last = tensor.offset;
  bool empty = false;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] < 0 || tensor.stride[i] < 0) return bad(Phrase::tr("has a negative size or stride"));
    empty = empty || tensor.shape[i] == 0;
    std::int64_t step = 0;
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(tensor.shape[i], 1), &count) ||
        __builtin_mul_overflow(std::max<std::int64_t>(tensor.shape[i] - 1, 0), tensor.stride[i], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return bad(Phrase::tr("is larger than can be addressed"));
    }
  }
  if (!empty && last >= tensor.storageCount) return bad(Phrase::tr("reaches beyond its storage"));
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, static_cast<std::int64_t>(dtypeBytes(tensor.dtype)), &bytes))
    return bad(Phrase::tr("is larger than can be addressed"));
  return {};
}

// Up to `count` bytes from `offset` on, fewer only at the end of the file.
Result<std::string> readAt(int fd, const std::string& path, std::uint64_t offset, std::uint64_t count) {
  std::string bytes;
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  while (bytes.size() < count) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(kPiece, count - before));
    const ssize_t read =
        ::pread(fd, bytes.data() + before, bytes.size() - before, static_cast<off_t>(offset + before));
    const int failed = errno;
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
    if (read < 0 && failed == EINTR) continue;
    if (read < 0) return inputError(Phrase::tr("cannot read"), path, failed);
    if (read == 0) break;
  }
  return bytes;
}

}  // namespace

TorchArchive::TorchArchive(TorchArchive&& other) noexcept {
  *this = std::move(other);
}
TorchArchive& TorchArchive::operator=(TorchArchive&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_size, other.m_size);
  std::swap(m_path, other.m_path);
  std::swap(m_prefix, other.m_prefix);
  std::swap(m_members, other.m_members);
  std::swap(m_records, other.m_records);
  std::swap(m_tensors, other.m_tensors);
  return *this;
}
TorchArchive::~TorchArchive() {
  if (m_fd >= 0) ::close(m_fd);
}

Result<TorchArchive> TorchArchive::open(const std::string& path) {
  TorchArchive archive;
  archive.m_path = path;
  FATHOM_TRY(archive.m_fd, openInput(path));
  struct stat info {};
  if (::fstat(archive.m_fd, &info) != 0) return inputError(Phrase::tr("cannot read"), path, errno);
  archive.m_size = static_cast<std::uint64_t>(info.st_size);
  FATHOM_TRY(const std::string start, readAt(archive.m_fd, path, 0, kLegacyTorchMark.size()));
  if (start.starts_with("PK\x03\x04")) {
    FATHOM_CHECK(archive.load());
  } else if (isLegacyTorch(start)) {
    FATHOM_CHECK(archive.loadLegacy());
  } else {
    return dataErrorAt(path, 0, Phrase::tr("not a file of weights that torch wrote"),
                       Phrase::tr("load it where it was made and save it again, best as safetensors"));
  }
  return archive;
}

Status TorchArchive::loadLegacy() {
  constexpr std::uint64_t kCountBytes = 8;
  FATHOM_TRY(const std::string head, readAt(m_fd, m_path, 0, kMaxPickleBytes));
  FATHOM_TRY(LegacyTorchHead read, readLegacyTorchHead(head, m_path));
  m_tensors = std::move(read.tensors);
  std::uint64_t at = read.bytes;
  for (const LegacyStorage& storage : read.storages) {
    const auto bad = [&](const Phrase& what) {
      return dataErrorAt(m_path, 0, Phrase::tr("storage '%1' %2")(storage.key, what));
    };
    FATHOM_TRY(const std::string count, readAt(m_fd, m_path, at, kCountBytes));
    std::uint64_t elements = 0, bytes = 0;
    for (std::size_t i = count.size(); i-- > 0;)
      elements = elements << 8 | static_cast<unsigned char>(count[i]);
    if (count.size() < kCountBytes) return bad(Phrase::tr("is missing: the file is cut off"));
    if (storage.count < 0 || elements != static_cast<std::uint64_t>(storage.count))
      return bad(Phrase::tr("has %1 elements, the description says %2")(elements, storage.count));
    at += kCountBytes;
    if (__builtin_mul_overflow(elements, static_cast<std::uint64_t>(dtypeBytes(storage.dtype)), &bytes) ||
        bytes > m_size - std::min(at, m_size))
      return bad(Phrase::tr("is longer than the rest of the file: it is cut off"));
    m_records.emplace(storage.key, Record{at, bytes, {}});
    at += bytes;
  }
  if (at != m_size)
    return dataErrorAt(m_path, 0, Phrase::tr("%1 bytes stand behind the last storage")(m_size - at));
  return checkTensors();
}

Status TorchArchive::load() {
  FATHOM_TRY(const auto members, readStoredZip(m_fd, m_path));
  for (const ZipMember& item : members) m_members.emplace(item.name, item);
  const ZipMember* pickle = nullptr;
  FATHOM_CHECK(checkMembers(&pickle));
  FATHOM_TRY(const std::string bytes, readZipMember(m_fd, *pickle, m_path, kMaxPickleBytes));
  FATHOM_TRY(m_tensors, readStateDictPickle(bytes, m_path));
  return checkTensors();
}

Status TorchArchive::checkMembers(const ZipMember** pickle) {
  for (const auto& [name, item] : m_members) {
    if (!name.ends_with("/data.pkl")) continue;
    if (*pickle != nullptr) return dataErrorAt(m_path, 0, Phrase::tr("the archive holds two models"));
    *pickle = &item;
    m_prefix = name.substr(0, name.size() - std::strlen("data.pkl"));
  }
  if (*pickle == nullptr) return dataErrorAt(m_path, 0, Phrase::tr("the archive holds no data.pkl"));
  for (const auto& [name, item] : m_members) {
    if (name == m_prefix + "constants.pkl" || name.starts_with(m_prefix + "code/")) {
      return dataErrorAt(m_path, 0, Phrase::tr("this is a TorchScript program, not a file of weights"),
                         Phrase::tr("save the state dict of the model instead"));
    }
  }
  if (const ZipMember* order = member("byteorder")) {
    FATHOM_TRY(const std::string text, readZipMember(m_fd, *order, m_path, kMaxByteOrderBytes));
    if (text != "little")
      return dataErrorAt(m_path, 0,
                         Phrase::tr("the weights are stored in byte order '%1'; only little is read")(text));
  }
  return {};
}

Status TorchArchive::checkTensors() const {
  std::set<std::string> names;
  std::set<View> views;
  std::uint64_t total = 0;
  for (const PickledTensor& tensor : m_tensors) {
    const auto bad = [&](const Phrase& what) {
      return dataErrorAt(m_path, 0, Phrase::tr("tensor '%1'%2")(tensor.name, what));
    };
    if (!names.insert(tensor.name).second) return bad(Phrase::tr(" appears twice"));
    FATHOM_CHECK(checkView(tensor, m_path));
    const std::optional<Record> stored = record(tensor.storageKey);
    if (!stored) return bad(Phrase::tr(": its storage '%1' is not in the archive")(tensor.storageKey));
    std::int64_t expected = 0;
    if (__builtin_mul_overflow(tensor.storageCount, static_cast<std::int64_t>(dtypeBytes(tensor.dtype)),
                               &expected) ||
        static_cast<std::uint64_t>(expected) != stored->size) {
      return bad(Phrase::tr(": its storage has %1 bytes, not the %2 elements it names")(stored->size,
                                                                                        tensor.storageCount));
    }
    if (!views.insert(viewOf(tensor)).second) continue;
    if (__builtin_add_overflow(total, bytesOf(tensor), &total) || total > m_size + kFreeTensorBytes) {
      return bad(Phrase::tr(
          " and those before it stand for more than %1 bytes, in a file of %2: it repeats what it stores")(
          m_size + kFreeTensorBytes, m_size));
    }
  }
  return {};
}

const ZipMember* TorchArchive::member(const std::string& name) const {
  const auto found = m_members.find(m_prefix + name);
  return found == m_members.end() ? nullptr : &found->second;
}

std::optional<TorchArchive::Record> TorchArchive::record(const std::string& storage) const {
  if (const auto found = m_records.find(storage); found != m_records.end()) return found->second;
  const ZipMember* zipped = m_records.empty() ? member("data/" + storage) : nullptr;
  if (zipped == nullptr) return std::nullopt;
  return Record{zipped->begin, zipped->size, *zipped};
}

Status TorchArchive::stream(const Record& record, const ZipPiece& take) const {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  if (record.zipped) return streamZipMember(m_fd, *record.zipped, m_path, take);
  for (std::uint64_t at = 0; at < record.size;) {
    FATHOM_TRY(const std::string piece,
               readAt(m_fd, m_path, record.begin + at, std::min(kPiece, record.size - at)));
    if (piece.empty()) return dataErrorAt(m_path, 0, Phrase::tr("the file became shorter while it was read"));
    take(at, piece);
    at += piece.size();
  }
  return {};
}

Status TorchArchive::read(const std::vector<const PickledTensor*>& wanted, const Take& take) const {
  std::map<std::string, std::map<View, std::vector<const PickledTensor*>>> storages;
  for (const PickledTensor* tensor : wanted) storages[tensor->storageKey][viewOf(*tensor)].push_back(tensor);
  for (const auto& [key, views] : storages) {
    const std::optional<Record> stored = record(key);
    if (!stored) return internalError("storage '" + key + "' is not of this archive");
    std::uint64_t begin = stored->size, end = 0, needed = 0;
    for (const auto& [view, same] : views) {
      FATHOM_CHECK(checkView(*same.front(), m_path));
      const auto [from, to] = spanOf(*same.front());
      if (from == to) continue;
      begin = std::min(begin, from);
      end = std::max(end, to);
      needed += bytesOf(*same.front());
    }
    if (end > stored->size) return internalError("storage '" + key + "' is not of this archive");
    begin = std::min(begin, end) / 8 * 8;  // whole elements of every number format
    if (end - begin > kFreeSpread && (end - begin) / 4 > needed)
      return dataErrorAt(
          m_path, 0,
          Phrase::tr("storage '%1': its tensors hold %2 bytes, spread over %3")(key, needed, end - begin),
          Phrase::tr("save the model as safetensors"));
    std::string kept;
    kept.reserve(end - begin);
    FATHOM_CHECK(stream(*stored, [&](std::uint64_t at, std::string_view piece) {
      const std::uint64_t from = std::max(at, begin), to = std::min(at + piece.size(), end);
      if (from < to) kept += piece.substr(from - at, to - from);
    }));
    for (const auto& [view, same] : views) {
      const bool whole =
          views.size() == 1 && rowMajor(*same.front()) && kept.size() == bytesOf(*same.front());
      FATHOM_CHECK(take(same, whole ? std::move(kept) : elementsOf(*same.front(), kept, begin)));
    }
  }
  return {};
}

Result<std::string> TorchArchive::read(const PickledTensor& tensor) const {
  std::string result;
  FATHOM_CHECK(read({&tensor}, [&](const auto&, std::string bytes) -> Status {
    result = std::move(bytes);
    return {};
  }));
  return result;
}

}  // namespace fathom
