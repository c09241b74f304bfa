// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/stored_zip.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace fathom {

namespace {

constexpr std::uint64_t kMaxMembers = 200000;
constexpr std::size_t kMaxDirectoryBytes = std::size_t{64} << 20;
constexpr std::uint32_t kEndSignature = 0x06054b50, kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50, kEntrySignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;

std::uint64_t littleEndian(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

Result<std::string> readRange(int fd, std::uint64_t begin, std::size_t size, const std::string& path) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::pread(fd, bytes.data() + done, size - done, static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return inputError(Phrase::tr("cannot read"), path, errno);
    if (count == 0)
      return dataErrorAt(path, 0, Phrase::tr("the archive ends early, at byte %1")(begin + done));
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

struct Directory {
  std::uint64_t begin = 0, size = 0, members = 0;
};

// Finds the end record (the file's last bytes, a comment may follow) and, where it says so, the 64-bit one.
Result<Directory> findDirectory(int fd, std::uint64_t fileSize, const std::string& path) {
  const std::size_t tailSize = static_cast<std::size_t>(std::min<std::uint64_t>(fileSize, 65535 + 22));
  FATHOM_TRY(const std::string tail, readRange(fd, fileSize - tailSize, tailSize, path));
  for (std::size_t at = tail.size() < 22 ? 0 : tail.size() - 22 + 1; at-- > 0;) {
    if (tail.size() - at < 22 || littleEndian(tail, at, 4) != kEndSignature) continue;
    if (at + 22 + littleEndian(tail, at + 20, 2) != tail.size()) continue;
    Directory directory{littleEndian(tail, at + 16, 4), littleEndian(tail, at + 12, 4),
                        littleEndian(tail, at + 10, 2)};
    const bool needs64 =
        directory.begin == 0xFFFFFFFF || directory.size == 0xFFFFFFFF || directory.members == 0xFFFF;
    if (needs64 && at >= 20 && littleEndian(tail, at - 20, 4) == kLocator64Signature) {
      const std::uint64_t where = littleEndian(tail, at - 12, 8);
      if (where > fileSize - std::min<std::uint64_t>(fileSize, 56)) break;
      FATHOM_TRY(const std::string record, readRange(fd, where, 56, path));
      if (littleEndian(record, 0, 4) != kEnd64Signature) break;
      directory = {littleEndian(record, 48, 8), littleEndian(record, 40, 8), littleEndian(record, 32, 8)};
    }
    if (directory.begin > fileSize || directory.size > fileSize - directory.begin) break;
    return directory;
  }
  return dataErrorAt(
      path, 0, Phrase::tr("not a complete zip archive: its directory at the end is missing or damaged"));
}

bool oddName(const std::string& name) {
  if (name.empty() || name.size() > 4096 || name[0] == '/' || name.find('\\') != std::string::npos)
    return true;
  if (name.find('\0') != std::string::npos) return true;
  return name == ".." || name.starts_with("../") || name.find("/../") != std::string::npos ||
         name.ends_with("/..");
}

// The 64-bit sizes and offset of a directory entry, where its 32-bit fields are all ones.
bool widen(const std::string& extra, std::uint64_t& size, std::uint64_t& packed, std::uint64_t& offset) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = littleEndian(extra, at, 2);
    const std::size_t length = littleEndian(extra, at + 2, 2);
    if (at + 4 + length > extra.size()) return false;
    if (id == 1) {
      std::size_t field = at + 4;
      for (std::uint64_t* value : {&size, &packed, &offset}) {
        if (*value != 0xFFFFFFFF) continue;
        if (field + 8 > at + 4 + length) return false;
        *value = littleEndian(extra, field, 8);
        field += 8;
      }
    }
    at += 4 + length;
  }
  return size != 0xFFFFFFFF && packed != 0xFFFFFFFF && offset != 0xFFFFFFFF;
}

// Checks the local header and sets where the bytes begin.
Status locate(int fd, ZipMember& member, std::uint64_t header, std::uint64_t limit, const std::string& path) {
  const auto bad = [&](const Phrase& what) {
    return dataErrorAt(path, 0, Phrase::tr("archive member '%1' %2")(member.name, what));
  };
  if (header > limit || limit - header < 30) return bad(Phrase::tr("lies outside the file"));
  FATHOM_TRY(const std::string local, readRange(fd, header, 30, path));
  if (littleEndian(local, 0, 4) != kLocalSignature)
    return bad(Phrase::tr("has no header where the directory says"));
  const std::uint64_t nameSize = littleEndian(local, 26, 2);
  FATHOM_TRY(const std::string name, readRange(fd, header + 30, nameSize, path));
  if (name != member.name) return bad(Phrase::tr("has another name in its own header"));
  member.begin = header + 30 + nameSize + littleEndian(local, 28, 2);
  if (member.begin > limit || member.size > limit - member.begin)
    return bad(Phrase::tr("reaches beyond the file"));
  return {};
}

}  // namespace

Result<std::vector<ZipMember>> readStoredZip(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return inputError(Phrase::tr("cannot read"), path, errno);
  FATHOM_TRY(const Directory directory, findDirectory(fd, static_cast<std::uint64_t>(info.st_size), path));
  if (directory.members > kMaxMembers || directory.size > kMaxDirectoryBytes) {
    return dataErrorAt(path, 0, Phrase::tr("the archive lists too many members"));
  }
  FATHOM_TRY(const std::string bytes, readRange(fd, directory.begin, directory.size, path));
  std::vector<ZipMember> members;
  std::set<std::string> names;
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    if (at + 46 > bytes.size() || littleEndian(bytes, at, 4) != kEntrySignature) {
      return dataErrorAt(path, 0, Phrase::tr("the archive's directory is damaged at entry %1")(i));
    }
    const std::uint64_t flags = littleEndian(bytes, at + 8, 2), method = littleEndian(bytes, at + 10, 2);
    std::uint64_t packed = littleEndian(bytes, at + 20, 4), size = littleEndian(bytes, at + 24, 4);
    std::uint64_t offset = littleEndian(bytes, at + 42, 4);
    const std::size_t nameSize = littleEndian(bytes, at + 28, 2), extraSize = littleEndian(bytes, at + 30, 2);
    const std::size_t total = 46 + nameSize + extraSize + littleEndian(bytes, at + 32, 2);
    if (at + total > bytes.size())
      return dataErrorAt(path, 0, Phrase::tr("the archive's directory is cut off"));
    ZipMember member{bytes.substr(at + 46, nameSize), 0, 0,
                     static_cast<std::uint32_t>(littleEndian(bytes, at + 16, 4))};
    if (oddName(member.name))
      return dataErrorAt(path, 0,
                         Phrase::tr("archive member with a name that is not allowed: '%1'")(member.name));
    if (!names.insert(member.name).second)
      return dataErrorAt(path, 0, Phrase::tr("archive member '%1' appears twice")(member.name));
    if ((flags & 1) != 0 || method != 0) {
      return dataErrorAt(
          path, 0,
          Phrase::tr("archive member '%1' is compressed or encrypted; only stored members are read")(
              member.name));
    }
    if (!widen(bytes.substr(at + 46 + nameSize, extraSize), size, packed, offset) || packed != size) {
      return dataErrorAt(path, 0, Phrase::tr("archive member '%1' has contradicting sizes")(member.name));
    }
    member.size = size;
    FATHOM_CHECK(locate(fd, member, offset, directory.begin, path));
    members.push_back(std::move(member));
    at += total;
  }
  std::vector<ZipMember> sorted = members;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].begin < sorted[i - 1].begin + sorted[i - 1].size) {
      return dataErrorAt(
          path, 0, Phrase::tr("archive members '%1' and '%2' overlap")(sorted[i - 1].name, sorted[i].name));
    }
  }
  return members;
}

Status streamZipMember(int fd, const ZipMember& member, const std::string& path, const ZipPiece& take) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  std::string piece;
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < member.size; at += piece.size()) {
    FATHOM_TRY(piece, readRange(fd, member.begin + at, std::min(kPiece, member.size - at), path));
    crc = static_cast<std::uint32_t>(
        ::crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size())));
    take(at, piece);
  }
  if (crc != member.crc) {
    return dataErrorAt(
        path, 0, Phrase::tr("archive member '%1' is damaged: its checksum does not match")(member.name));
  }
  return {};
}

Result<std::string> readZipMember(int fd, const ZipMember& member, const std::string& path,
                                  std::uint64_t maxBytes) {
  if (member.size > maxBytes) {
    return dataErrorAt(path, 0,
                       Phrase::tr("archive member '%1' has %2 bytes, more than the %3 it may have")(
                           member.name, member.size, maxBytes));
  }
  std::string bytes;
  FATHOM_CHECK(
      streamZipMember(fd, member, path, [&](std::uint64_t, std::string_view piece) { bytes += piece; }));
  return bytes;
}

}  // namespace fathom
