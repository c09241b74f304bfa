// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/lines/compressed_file.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kCopyBufferBytes = 1 << 20;
constexpr std::uint64_t kFreeBytes = 64u << 20;  // too small to be a bomb

// --- writing -------------------------------------------------------------------------------------------

void putOctal(char* field, std::size_t width, std::uint64_t value) {
  field[width - 1] = '\0';
  for (std::size_t i = width - 1; i-- > 0; value >>= 3) field[i] = static_cast<char>('0' + (value & 7));
}

// One ustar header. Sizes over 8 GiB and names over 100 bytes go into a pax header before it.
std::string tarHeader(const std::string& name, std::uint64_t size, std::int64_t time, char type) {
  std::string header(kBlock, '\0');
  std::memcpy(header.data(), name.data(), std::min<std::size_t>(name.size(), 100));
  putOctal(&header[100], 8, type == '5' ? 0755 : 0644);
  putOctal(&header[108], 8, 0);
  putOctal(&header[116], 8, 0);
  putOctal(&header[124], 12, size < (std::uint64_t{1} << 33) ? size : 0);
  putOctal(&header[136], 12, static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0)));
  std::memset(&header[148], ' ', 8);
  header[156] = type;
  std::memcpy(&header[257], "ustar\00000", 8);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  putOctal(&header[148], 7, sum);
  return header;
}

std::string paxRecord(const std::string& key, const std::string& value) {
  std::size_t length = key.size() + value.size() + 3;
  while (std::to_string(length).size() + key.size() + value.size() + 3 != length)
    length = std::to_string(length).size() + key.size() + value.size() + 3;
  return std::to_string(length) + " " + key + "=" + value + "\n";
}

void padToBlock(std::string& bytes) {
  bytes.append((kBlock - bytes.size() % kBlock) % kBlock, '\0');
}

std::string entryHeader(const std::string& name, std::uint64_t size, std::int64_t time, char type) {
  std::string records;
  if (name.size() > 100) records += paxRecord("path", name);
  if (size >= (std::uint64_t{1} << 33)) records += paxRecord("size", std::to_string(size));
  std::string bytes;
  if (!records.empty()) {
    bytes = tarHeader("pax_header", records.size(), time, 'x') + records;
    padToBlock(bytes);
  }
  return bytes + tarHeader(name, size, time, type);
}

// Copies exactly `size` bytes (a growing event file may have more by now), then fills the block.
Status writeEntryBytes(PackedWriter& out, const std::string& path, std::uint64_t size, double& done,
                       Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path, false));
  std::vector<char> buffer(kCopyBufferBytes);
  for (std::uint64_t at = 0; at < size;) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const std::size_t count,
               file.readAt(at, buffer.data(), std::min<std::uint64_t>(size - at, buffer.size())));
    if (count == 0) return dataErrorAt(path, 0, Phrase::tr("the file became shorter while it was read"));
    FATHOM_CHECK(out.write({buffer.data(), count}));
    at += count;
    progress.report(done += static_cast<double>(count));
  }
  return out.write(std::string((kBlock - size % kBlock) % kBlock, '\0'));
}

bool leftOut(const fs::path& relative, bool withCheckpoints) {
  for (const fs::path& part : relative) {
    const std::string name = part.string();
    if (name.starts_with('.') || name.find(kUnfinishedEnd) != std::string::npos) return true;
  }
  const std::string top = relative.begin()->string();
  // Requests to a run are no part of it. "cache": what a run outside a project keeps of what can be made
  // again.
  return top == kRunLockName || top == kCacheName || top == kControlFolderName || top == kMirrorNoteName ||
         (top == kCheckpointsName && !withCheckpoints);
}

struct ArchiveItem {
  fs::path path;
  std::string name;
  bool folder = false;
  std::uint64_t size = 0;
  std::int64_t time = 0;
};

Result<std::vector<ArchiveItem>> collect(const std::string& runPath, bool withCheckpoints) {
  std::vector<ArchiveItem> items;
  const std::string top = fs::path(absolutePath(runPath)).filename().string();
  FATHOM_TRY(const auto entries, treeBelow(runPath));
  for (const auto& entry : entries) {
    const fs::path relative = entry.path().lexically_relative(runPath);
    if (leftOut(relative, withCheckpoints)) continue;
    struct stat info {};
    if (::lstat(entry.path().c_str(), &info) != 0) {
      if (errno == ENOENT) continue;  // a temporary of somebody who writes
      return inputError(Phrase::tr("cannot look at"), entry.path().string(), errno);
    }
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) continue;
    const bool folder = S_ISDIR(info.st_mode);
    items.push_back({entry.path(), (top.empty() ? "run" : top) + "/" + relative.string(), folder,
                     folder ? 0 : static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec});
  }
  std::sort(items.begin(), items.end(),
            [](const ArchiveItem& a, const ArchiveItem& b) { return a.name < b.name; });
  return items;
}

// --- reading -------------------------------------------------------------------------------------------

struct TarEntry {
  std::string name;
  char type = '0';
  std::uint64_t size = 0;
};

std::optional<std::uint64_t> octalField(std::string_view field) {
  std::uint64_t value = 0;
  if (!field.empty() && (field[0] & 0x80) != 0) {  // GNU's binary form; a negative one begins with 0xFF
    if (field[0] != '\x80') return std::nullopt;
    for (const char byte : field.substr(1)) {
      if (value >> 56 != 0) return std::nullopt;
      value = value << 8 | static_cast<unsigned char>(byte);
    }
    return value;
  }
  const std::size_t begin = field.find_first_not_of(' ');
  if (begin == std::string_view::npos) return 0;
  const std::size_t end = std::min(field.find_first_of(std::string_view(" \0", 2), begin), field.size());
  if (end == begin) return 0;
  const auto [stop, code] = std::from_chars(field.data() + begin, field.data() + end, value, 8);
  if (code != std::errc() || stop != field.data() + end) return std::nullopt;
  return value;
}

bool plainPart(std::string_view part) {
  return !part.empty() && part.size() <= 128 && part != "." && part != ".." &&
         part.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string_view::npos;
}

class TarReader {
 public:
  TarReader(PackedReader& in, std::string path, const ArchiveLimits& limits, const StopToken& stop)
      : m_in(in), m_path(std::move(path)), m_limits(limits), m_stop(stop) {}

  Status unpack(const std::string& folder, Progress& progress) {
    std::string block(kBlock, '\0');
    bool any = false;
    while (true) {
      FATHOM_TRY(const bool more, fill(block));
      if (!more || block.find_first_not_of('\0') == std::string::npos) break;
      FATHOM_TRY(TarEntry entry, parseHeader(block));
      if (++m_entries > m_limits.maxEntries)
        return refuse(Phrase::tr("it has more than %1 entries and headers")(m_limits.maxEntries));
      if (entry.type == 'x' || entry.type == 'L' || entry.type == 'g') {
        FATHOM_CHECK(readExtension(entry));
        continue;
      }
      if (!m_longName.empty()) entry.name = std::exchange(m_longName, {});
      if (m_longSize) entry.size = *std::exchange(m_longSize, std::nullopt);
      any = true;
      FATHOM_CHECK(takeEntry(entry, folder));
      progress.report(static_cast<double>(m_in.packedBytes()));
    }
    if (!any) return refuse(Phrase::tr("it is empty, or not a tar archive"));
    return {};
  }

 private:
  Error refuse(const Phrase& why) const {
    return dataErrorAt(m_path, 0, Phrase::tr("the archive is refused: %1")(why));
  }

  // The one place where bytes come from: whatever they are, a header of a header or a file, they count.
  Result<std::size_t> readSome(char* into, std::size_t count) {
    if (m_stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const std::size_t got, m_in.read(into, count));
    m_bytes += got;
    if (m_bytes > m_limits.maxBytes ||
        (m_bytes > kFreeBytes &&
         static_cast<double>(m_bytes) > m_limits.maxRatio * static_cast<double>(m_in.packedBytes())))
      return refuse(Phrase::tr("it unpacks to far more than its size (over %1 MiB)")(m_bytes >> 20));
    return got;
  }

  // False at the very end; a cut block is an error.
  Result<bool> fill(std::string& block) {
    std::size_t filled = 0;
    while (filled < block.size()) {
      FATHOM_TRY(const std::size_t count, readSome(block.data() + filled, block.size() - filled));
      if (count == 0 && filled == 0) return false;
      if (count == 0) return refuse(Phrase::tr("it ends in the middle of a block"));
      filled += count;
    }
    return true;
  }

  Result<TarEntry> parseHeader(const std::string& block) const {
    unsigned sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
    const auto field = [&](std::size_t at, std::size_t width) {
      return std::string_view(block).substr(at, width);
    };
    const auto text = [&](std::size_t at, std::size_t width) {
      return std::string(field(at, width).substr(0, field(at, width).find('\0')));
    };
    const auto expected = octalField(field(148, 8));
    const auto size = octalField(field(124, 12));
    if (!expected || *expected != sum || !size)
      return refuse(Phrase::tr("it is not a tar archive, or a header is damaged"));
    TarEntry entry{text(0, 100), block[156], *size};
    if (const std::string prefix = text(345, 155);
        !prefix.empty() && block.compare(257, 5, "ustar") == 0 && block[263] == '0')
      entry.name = prefix + "/" + entry.name;
    return entry;
  }

  Status readExtension(const TarEntry& entry) {
    if (entry.size > (1u << 16)) return refuse(Phrase::tr("a name or pax header is longer than 64 KiB"));
    std::string bytes((entry.size + kBlock - 1) / kBlock * kBlock, '\0');
    if (!bytes.empty()) {
      FATHOM_TRY(const bool more, fill(bytes));
      if (!more) return refuse(Phrase::tr("it ends in the middle of a header"));
    }
    bytes.resize(entry.size);
    if (entry.type == 'L') m_longName = bytes.substr(0, bytes.find('\0'));
    if (entry.type == 'x') return readPax(bytes);
    return {};
  }

  Status readPax(std::string_view bytes) {
    while (!bytes.empty()) {
      std::size_t length = 0;
      const auto [stop, code] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
      const auto digits = static_cast<std::size_t>(stop - bytes.data());
      if (code != std::errc() || length <= digits + 2 || length > bytes.size())
        return refuse(Phrase::tr("a pax header is damaged"));
      const std::string_view record = bytes.substr(digits + 1, length - digits - 2);
      bytes.remove_prefix(length);
      const std::size_t equals = record.find('=');
      if (equals == std::string_view::npos) return refuse(Phrase::tr("a pax header is damaged"));
      const std::string_view value = record.substr(equals + 1);
      if (record.starts_with("path=")) m_longName = value;
      if (record.starts_with("size=")) {
        std::uint64_t size = 0;
        const char* const end = value.data() + value.size();
        const auto [last, bad] = std::from_chars(value.data(), end, size);
        if (bad != std::errc() || last != end) return refuse(Phrase::tr("a pax header is damaged"));
        m_longSize = size;
      }
    }
    return {};
  }

  // The path below the top folder; the top's own entry gives "".
  Result<std::string> relativeName(const std::string& name) {
    std::string_view rest = name;
    if (rest.starts_with("./")) rest.remove_prefix(2);
    std::string relative;
    bool top = true;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      const std::string_view part = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      // The top folder may be called anything that is one name; it is not used.
      if (top && (part.empty() || part == ".."))
        return refuse(Phrase::tr("the name \"%1\" is not allowed")(name.substr(0, 200)));
      if (!top && !plainPart(part))
        return refuse(Phrase::tr("the name \"%1\" is not allowed")(name.substr(0, 200)));
      if (top) {
        if (!m_top.empty() && m_top != part) return refuse(Phrase::tr("it has more than one top folder"));
        m_top = part;
      } else {
        relative += (relative.empty() ? "" : "/") + std::string(part);
      }
      top = false;
    }
    return relative;
  }

  Status takeEntry(const TarEntry& entry, const std::string& folder) {
    const bool file = entry.type == '0' || entry.type == '\0';
    if (!file && entry.type != '5')
      return refuse(Phrase::tr("\"%1\" is neither a plain file nor a folder")(entry.name.substr(0, 200)));
    // Before anything is made of it: near 2^64 even the size in whole blocks does not exist.
    if (entry.size > m_limits.maxBytes)
      return refuse(Phrase::tr("\"%1\" claims %2 bytes")(entry.name.substr(0, 200), entry.size));
    if (!file && entry.size != 0)
      return refuse(Phrase::tr("the folder \"%1\" claims to have bytes")(entry.name.substr(0, 200)));
    FATHOM_TRY(const std::string relative, relativeName(entry.name));
    if (!file) return relative.empty() ? Status() : makeFolders(folder + "/" + relative);
    if (relative.empty())
      return refuse(Phrase::tr("\"%1\" lies outside a top folder")(entry.name.substr(0, 200)));
    const std::string path = folder + "/" + relative;
    FATHOM_CHECK(makeFolders(fs::path(path).parent_path().string()));
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0 && errno == EEXIST) return refuse(Phrase::tr("\"%1\" is in it twice")(relative));
    if (fd < 0) return systemError(Phrase::tr("cannot create"), path, errno);
    Status status = copyBytes(fd, path, entry.size);
    if (status.ok()) status = syncData(fd, path);
    ::close(fd);
    return status;
  }

  Status copyBytes(int fd, const std::string& path, std::uint64_t size) {
    std::string buffer(kCopyBufferBytes, '\0');
    std::uint64_t left = (size + kBlock - 1) / kBlock * kBlock;
    std::uint64_t data = size;
    while (left > 0) {
      FATHOM_TRY(const std::size_t count,
                 readSome(buffer.data(), std::min<std::uint64_t>(left, buffer.size())));
      if (count == 0) return refuse(Phrase::tr("it ends in the middle of a file"));
      left -= count;
      const std::uint64_t used = std::min<std::uint64_t>(count, data);
      FATHOM_CHECK(writeAll(fd, std::string_view(buffer.data(), used), path));
      data -= used;
    }
    return {};
  }

  PackedReader& m_in;
  std::string m_path;
  const ArchiveLimits& m_limits;
  const StopToken& m_stop;
  std::string m_top, m_longName;
  std::optional<std::uint64_t> m_longSize;
  std::size_t m_entries = 0;
  std::uint64_t m_bytes = 0;
};

bool isArchiveName(const std::string& path) {
  const char* const endings[] = {".tar", ".tar.gz", ".tgz", ".tar.zst"};
  return std::any_of(std::begin(endings), std::end(endings),
                     [&path](const char* ending) { return path.ends_with(ending); });
}

}  // namespace

Status exportRunArchive(const std::string& runPath, const std::string& archivePath, bool withCheckpoints,
                        Progress& progress, const StopToken& stop) {
  if (!isArchiveName(archivePath))
    return usageError(Phrase::tr("'%1' is no archive that can be written")(archivePath),
                      Phrase::tr("end the name with .tar, .tar.gz, .tgz or .tar.zst"));
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  FATHOM_TRY(const auto items, collect(runPath, withCheckpoints));
  double total = 0, done = 0;
  for (const ArchiveItem& item : items) total += static_cast<double>(item.size);
  progress.begin(Phrase::tr("writing archive").english, Phrase::tr("bytes").english, total);
  FATHOM_TRY(const auto out, PackedWriter::create(archivePath));
  for (const ArchiveItem& item : items) {
    FATHOM_CHECK(out->write(entryHeader(item.folder ? item.name + "/" : item.name, item.size, item.time,
                                        item.folder ? '5' : '0')));
    if (!item.folder)
      FATHOM_CHECK(writeEntryBytes(*out, item.path.string(), item.size, done, progress, stop));
  }
  FATHOM_CHECK(out->write(std::string(2 * kBlock, '\0')));
  FATHOM_CHECK(out->finish());
  progress.finish();
  return {};
}

Status importRunArchive(const std::string& archivePath, const std::string& folder, Progress& progress,
                        const StopToken& stop, const ArchiveLimits& limits) {
  FATHOM_TRY(const auto in, PackedReader::open(archivePath));
  if (::mkdir(folder.c_str(), 0755) != 0) return systemError(Phrase::tr("cannot create"), folder, errno);
  progress.begin(Phrase::tr("reading archive").english, Phrase::tr("bytes").english,
                 static_cast<double>(fileBytes(archivePath)));
  TarReader reader(*in, archivePath, limits, stop);
  Status status = reader.unpack(folder, progress);
  if (status.ok()) {
    if (auto run = RunFolder::open(folder); !run.ok())
      status = dataErrorAt(archivePath, 0,
                           Phrase::tr("the archive does not hold a run: %1")(run.error().messagePhrase()));
  }
  std::error_code ignored;
  if (!status.ok()) fs::remove_all(folder, ignored);
  progress.finish();
  return status;
}

}  // namespace fathom
