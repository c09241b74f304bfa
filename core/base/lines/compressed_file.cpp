// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines/compressed_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/temporary_file.h"

namespace fathom {

namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
// As little as a reader takes at once: what lies before damage is given in pieces of this size.
constexpr std::size_t kPackedBytes = 1 << 18;
constexpr std::size_t kMagicBytes = 16;

}  // namespace

// The packed bytes and where they come from: a file, a descriptor without places, or memory.
class PackedInput {
 public:
  explicit PackedInput(RegularFile file)
      : m_file(std::move(file)),
        m_path(m_file->path()),
        m_fileBytes(m_file->size()),
        m_buffer(kPackedBytes) {}
  PackedInput(int fd, std::string path) : m_fd(fd), m_path(std::move(path)), m_buffer(kPackedBytes) {}
  PackedInput(std::string_view bytes, std::string path)
      : m_memory(bytes), m_path(std::move(path)), m_fileBytes(bytes.size()) {}
  PackedInput(const PackedInput&) = delete;
  PackedInput& operator=(const PackedInput&) = delete;
  ~PackedInput() {
    if (m_fd >= 0) ::close(m_fd);
  }
  const std::string& path() const { return m_path; }
  std::uint64_t fileBytes() const { return m_fileBytes; }
  std::uint64_t seen() const { return m_seen; }
  std::string_view magic() const { return m_magic; }
  // Bytes before the unread ones.
  std::uint64_t taken() const { return m_seen - m_unread.size(); }
  // The unread bytes; refilled when there are none, empty at the end.
  Result<std::string_view> peek() {
    if (!m_unread.empty()) return m_unread;
    FATHOM_TRY(m_unread, more());
    if (m_seen == 0) m_magic = m_unread.substr(0, kMagicBytes);
    m_seen += m_unread.size();
    if (m_hash) m_hash->update(m_unread);
    return m_unread;
  }
  void take(std::size_t count) { m_unread.remove_prefix(count); }
  void sumUp() { m_hash.emplace().update(m_unread); }
  std::string sha256() { return m_hash->hex(); }

 private:
  Result<std::string_view> more() {
    if (m_fd >= 0) return readOn();
    if (!m_file) return std::exchange(m_memory, {});
    FATHOM_TRY(const std::size_t got, m_file->readAt(m_seen, m_buffer.data(), m_buffer.size()));
    return std::string_view(m_buffer.data(), got);
  }
  // As much as is there: whoever types waits for an answer. An end is one for good: a terminal would be asked
  // anew.
  Result<std::string_view> readOn() {
    if (m_ended) return std::string_view();
    ssize_t got = 0;
    do {
      got = ::read(m_fd, m_buffer.data(), m_buffer.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) return inputError(Phrase::tr("cannot read"), m_path, errno);
    m_ended = got == 0;
    return std::string_view(m_buffer.data(), static_cast<std::size_t>(got));
  }
  std::optional<RegularFile> m_file;
  int m_fd = -1;
  bool m_ended = false;  // of the descriptor
  std::string_view m_memory;
  std::string m_path;
  std::uint64_t m_fileBytes = 0, m_seen = 0;
  std::vector<char> m_buffer;
  std::string_view m_unread;
  std::string m_magic;
  std::optional<Sha256> m_hash;
};

namespace {

class PlainReader : public PackedReader {
 public:
  explicit PlainReader(std::unique_ptr<PackedInput> input) : PackedReader(std::move(input)) {}
  Result<std::size_t> read(char* into, std::size_t count) override {
    FATHOM_TRY(const std::string_view bytes, in().peek());
    const std::size_t taken = bytes.copy(into, count);
    in().take(taken);
    return taken;
  }
};

class GzipReader : public PackedReader {
 public:
  explicit GzipReader(std::unique_ptr<PackedInput> input) : PackedReader(std::move(input)) {
    m_good = ::inflateInit2(&m_stream, 15 + 16) == Z_OK;
  }
  ~GzipReader() override { ::inflateEnd(&m_stream); }
  Result<std::size_t> read(char* into, std::size_t count) override {
    if (!m_good) return memoryError(Phrase::tr("no memory to unpack %1")(in().path()));
    m_stream.next_out = reinterpret_cast<Bytef*>(into);
    m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(count, 1u << 30));
    const uInt wanted = m_stream.avail_out;
    while (m_stream.avail_out == wanted) {
      FATHOM_TRY(const std::string_view bytes, in().peek());
      if (bytes.empty() && m_ended) return std::size_t{0};
      if (bytes.empty())
        return failed({PackedFault::Kind::EndsEarly, m_begin + 1, {}, 0},
                      Phrase::tr("the packed file ends early"));
      if (m_ended) {
        FATHOM_TRY(const bool another, anotherMember(bytes));
        if (!another) continue;
      }
      m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      m_stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), 1u << 30));
      const uInt offered = m_stream.avail_in;
      const int code = ::inflate(&m_stream, Z_NO_FLUSH);
      in().take(offered - m_stream.avail_in);
      if (code == Z_STREAM_END)
        m_ended = true;
      else if (code != Z_OK && code != Z_BUF_ERROR)
        return failed({PackedFault::Kind::Damaged, 0, m_stream.msg != nullptr ? m_stream.msg : "", code},
                      Phrase::tr("the gzip data is damaged"));
    }
    return static_cast<std::size_t>(wanted - m_stream.avail_out);
  }

 private:
  // Behind a member: another one begins, or zeros that tapes and block devices fill up with are passed over.
  Result<bool> anotherMember(std::string_view bytes) {
    const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
    m_padded = m_padded || zeros > 0;
    if (zeros > 0) {
      in().take(zeros);
      return false;
    }
    if (m_padded || bytes.front() != '\x1F')
      return failed({PackedFault::Kind::NotPacked, in().taken() + 1, {}, 0},
                    Phrase::tr("what stands behind the gzip data is not gzip"));
    m_ended = false;
    m_begin = in().taken();
    ::inflateReset(&m_stream);
    return true;
  }
  z_stream m_stream{};
  std::uint64_t m_begin = 0;  // of the member, in the packed file
  bool m_good = false, m_ended = false, m_padded = false;
};

class ZstdReader : public PackedReader {
 public:
  explicit ZstdReader(std::unique_ptr<PackedInput> input)
      : PackedReader(std::move(input)), m_stream(::ZSTD_createDStream()) {
    ::ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, 27);  // 128 MiB at most
  }
  ~ZstdReader() override { ::ZSTD_freeDStream(m_stream); }
  Result<std::size_t> read(char* into, std::size_t count) override {
    ZSTD_outBuffer out{into, count, 0};
    while (out.pos == 0) {
      FATHOM_TRY(const std::string_view bytes, in().peek());
      if (bytes.empty() && m_ended) return std::size_t{0};
      if (bytes.empty())
        return failed({PackedFault::Kind::EndsEarly, 0, {}, 0}, Phrase::tr("the packed file ends early"));
      ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
      const std::size_t code = ::ZSTD_decompressStream(m_stream, &out, &from);
      in().take(from.pos);
      if (::ZSTD_isError(code) != 0) {
        return failed({PackedFault::Kind::Damaged, 0, ::ZSTD_getErrorName(code), 0},
                      Phrase::tr("the zstd data is damaged: %1")(::ZSTD_getErrorName(code)));
      }
      m_ended = code == 0;
    }
    return out.pos;
  }

 private:
  ZSTD_DStream* m_stream;
  bool m_ended = false;
};

// Temporary file, counted writes, flush and rename at the end.
class OutputFile {
 public:
  OutputFile(int fd, std::string path, std::string temporary)
      : m_fd(fd), m_path(std::move(path)), m_temporary(std::move(temporary)) {}
  ~OutputFile() {
    if (m_fd < 0) return;
    ::close(m_fd);
    ::unlink(m_temporary.c_str());
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  Status write(std::string_view bytes) { return writeAll(m_fd, bytes, m_path); }
  Status finish() {
    FATHOM_CHECK(syncData(m_fd, m_path));
    FATHOM_CHECK(renamePath(m_temporary, m_path));
    ::close(std::exchange(m_fd, -1));
    const std::string folder = std::filesystem::path(m_path).parent_path().string();
    return syncFolder(folder.empty() ? "." : folder);
  }

 private:
  int m_fd;
  std::string m_path, m_temporary;
};

class PlainWriter : public PackedWriter {
 public:
  explicit PlainWriter(std::unique_ptr<OutputFile> file) : m_file(std::move(file)) {}
  Status write(std::string_view bytes) override { return m_file->write(bytes); }
  Status finish() override { return m_file->finish(); }

 private:
  std::unique_ptr<OutputFile> m_file;
};

class GzipWriter : public PackedWriter {
 public:
  explicit GzipWriter(std::unique_ptr<OutputFile> file) : m_file(std::move(file)), m_buffer(kBufferBytes) {
    m_good =
        ::deflateInit2(&m_stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~GzipWriter() override { ::deflateEnd(&m_stream); }
  Status write(std::string_view bytes) override { return pump(bytes, Z_NO_FLUSH); }
  Status finish() override {
    FATHOM_CHECK(pump({}, Z_FINISH));
    return m_file->finish();
  }

 private:
  Status pump(std::string_view bytes, int flush) {
    if (!m_good) return internalError("zlib could not be started");
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    m_stream.avail_in = static_cast<uInt>(bytes.size());
    int code = Z_OK;
    do {
      m_stream.next_out = reinterpret_cast<Bytef*>(m_buffer.data());
      m_stream.avail_out = static_cast<uInt>(m_buffer.size());
      code = ::deflate(&m_stream, flush);
      FATHOM_CHECK(m_file->write({m_buffer.data(), m_buffer.size() - m_stream.avail_out}));
    } while (m_stream.avail_out == 0 || (flush == Z_FINISH && code == Z_OK));
    return {};
  }
  std::unique_ptr<OutputFile> m_file;
  std::vector<char> m_buffer;
  z_stream m_stream{};
  bool m_good = false;
};

class ZstdWriter : public PackedWriter {
 public:
  explicit ZstdWriter(std::unique_ptr<OutputFile> file)
      : m_file(std::move(file)), m_buffer(kBufferBytes), m_stream(::ZSTD_createCCtx()) {
    ::ZSTD_CCtx_setParameter(m_stream, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdWriter() override { ::ZSTD_freeCCtx(m_stream); }
  Status write(std::string_view bytes) override { return pump(bytes, ZSTD_e_continue); }
  Status finish() override {
    FATHOM_CHECK(pump({}, ZSTD_e_end));
    return m_file->finish();
  }

 private:
  Status pump(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{m_buffer.data(), m_buffer.size(), 0};
      left = ::ZSTD_compressStream2(m_stream, &out, &in, directive);
      if (::ZSTD_isError(left) != 0) return internalError(std::string("zstd: ") + ::ZSTD_getErrorName(left));
      FATHOM_CHECK(m_file->write({m_buffer.data(), out.pos}));
    } while (directive == ZSTD_e_end ? left != 0 : in.pos < in.size);
    return {};
  }
  std::unique_ptr<OutputFile> m_file;
  std::vector<char> m_buffer;
  ZSTD_CCtx* m_stream;
};

}  // namespace

PackedReader::PackedReader(std::unique_ptr<PackedInput> in) : m_in(std::move(in)) {}
PackedReader::~PackedReader() = default;

std::uint64_t PackedReader::packedBytes() const {
  return m_in->seen();
}
std::uint64_t PackedReader::fileBytes() const {
  return m_in->fileBytes();
}
std::string_view PackedReader::magic() const {
  return m_in->magic();
}
void PackedReader::sumUp() {
  m_in->sumUp();
}
std::string PackedReader::sha256() {
  return m_in->sha256();
}

Error PackedReader::failed(PackedFault fault, const Phrase& message) {
  m_fault = std::move(fault);
  return dataErrorAt(m_in->path(), 0, message);
}

Result<std::unique_ptr<PackedReader>> PackedReader::readerOf(std::unique_ptr<PackedInput> in) {
  FATHOM_TRY(const std::string_view head, in->peek());
  std::unique_ptr<PackedReader> reader;
  if (head.starts_with("\x1F\x8B"))
    reader = std::make_unique<GzipReader>(std::move(in));
  else if (head.starts_with("\x28\xB5\x2F\xFD"))
    reader = std::make_unique<ZstdReader>(std::move(in));
  else
    reader = std::make_unique<PlainReader>(std::move(in));
  return reader;
}

Result<std::unique_ptr<PackedReader>> PackedReader::open(const std::string& path) {
  FATHOM_TRY(RegularFile file, RegularFile::open(path));
  return readerOf(std::make_unique<PackedInput>(std::move(file)));
}

Result<std::unique_ptr<PackedReader>> PackedReader::standardInput(const std::string& name) {
  const int fd = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return inputError(Phrase::tr("cannot read"), name, errno);
  return readerOf(std::make_unique<PackedInput>(fd, name));
}

Result<std::unique_ptr<PackedReader>> PackedReader::over(std::string_view bytes, const std::string& path) {
  return readerOf(std::make_unique<PackedInput>(bytes, path));
}

Result<std::unique_ptr<PackedWriter>> PackedWriter::create(const std::string& path) {
  FATHOM_CHECK(prepareNamedFile(path));
  const std::string temporary = temporaryBeside(path);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot create"), path, errno);
  auto file = std::make_unique<OutputFile>(fd, path, temporary);
  std::unique_ptr<PackedWriter> writer;
  if (path.ends_with(".zst"))
    writer = std::make_unique<ZstdWriter>(std::move(file));
  else if (path.ends_with(".gz") || path.ends_with(".tgz"))
    writer = std::make_unique<GzipWriter>(std::move(file));
  else
    writer = std::make_unique<PlainWriter>(std::move(file));
  return writer;
}

}  // namespace fathom
