// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/compressed_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/temporary_file.h"

namespace fathom {

namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

// Owns the file and the 1 MiB between it and the decoder.
class InputFile {
 public:
  explicit InputFile(RegularFile file) : m_file(std::move(file)), m_buffer(kBufferBytes) {}
  const std::string& path() const { return m_file.path(); }
  // The unread bytes; refilled when there are none, empty at the end.
  Result<std::string_view> peek(std::uint64_t& counter) {
    if (m_begin == m_end) {
      m_begin = m_end = 0;
      FATHOM_TRY(m_end, m_file.readAt(m_offset, m_buffer.data(), m_buffer.size()));
      m_offset += m_end;
      counter += m_end;
    }
    return std::string_view(m_buffer.data() + m_begin, m_end - m_begin);
  }
  void take(std::size_t count) { m_begin += count; }

 private:
  RegularFile m_file;
  std::uint64_t m_offset = 0;
  std::vector<char> m_buffer;
  std::size_t m_begin = 0, m_end = 0;
};

class PlainReader : public PackedReader {
 public:
  explicit PlainReader(std::unique_ptr<InputFile> file) : m_file(std::move(file)) {}
  Result<std::size_t> read(char* into, std::size_t count) override {
    FATHOM_TRY(const std::string_view bytes, m_file->peek(m_packed));
    const std::size_t taken = bytes.copy(into, count);
    m_file->take(taken);
    return taken;
  }

 private:
  std::unique_ptr<InputFile> m_file;
};

class GzipReader : public PackedReader {
 public:
  explicit GzipReader(std::unique_ptr<InputFile> file) : m_file(std::move(file)) {
    m_good = ::inflateInit2(&m_stream, 15 + 16) == Z_OK;
  }
  ~GzipReader() override { ::inflateEnd(&m_stream); }
  Result<std::size_t> read(char* into, std::size_t count) override {
    if (!m_good) return internalError("zlib could not be started");
    m_stream.next_out = reinterpret_cast<Bytef*>(into);
    m_stream.avail_out = static_cast<uInt>(std::min<std::size_t>(count, 1u << 30));
    const uInt wanted = m_stream.avail_out;
    while (m_stream.avail_out == wanted) {
      FATHOM_TRY(const std::string_view bytes, m_file->peek(m_packed));
      if (bytes.empty() && m_ended) return std::size_t{0};
      if (bytes.empty()) return dataErrorAt(m_file->path(), 0, Phrase::tr("the packed file ends early"));
      if (m_ended) {  // zeros that fill up the last block, or another member
        const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
        m_padded = m_padded || zeros > 0;
        if (zeros > 0) {
          m_file->take(zeros);
          continue;
        }
        if (m_padded || bytes.front() != '\x1F')
          return dataErrorAt(m_file->path(), 0, Phrase::tr("what stands behind the gzip data is not gzip"));
        m_ended = false;
        ::inflateReset(&m_stream);
      }
      m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      m_stream.avail_in = static_cast<uInt>(bytes.size());
      const int code = ::inflate(&m_stream, Z_NO_FLUSH);
      m_file->take(bytes.size() - m_stream.avail_in);
      if (code == Z_STREAM_END)
        m_ended = true;
      else if (code != Z_OK && code != Z_BUF_ERROR)
        return dataErrorAt(m_file->path(), 0, Phrase::tr("the gzip data is damaged"));
    }
    return static_cast<std::size_t>(wanted - m_stream.avail_out);
  }

 private:
  std::unique_ptr<InputFile> m_file;
  z_stream m_stream{};
  bool m_good = false, m_ended = false, m_padded = false;
};

class ZstdReader : public PackedReader {
 public:
  explicit ZstdReader(std::unique_ptr<InputFile> file)
      : m_file(std::move(file)), m_stream(::ZSTD_createDStream()) {
    ::ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, 27);  // 128 MiB at most
  }
  ~ZstdReader() override { ::ZSTD_freeDStream(m_stream); }
  Result<std::size_t> read(char* into, std::size_t count) override {
    ZSTD_outBuffer out{into, count, 0};
    while (out.pos == 0) {
      FATHOM_TRY(const std::string_view bytes, m_file->peek(m_packed));
      if (bytes.empty() && m_ended) return std::size_t{0};
      if (bytes.empty()) return dataErrorAt(m_file->path(), 0, Phrase::tr("the packed file ends early"));
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      const std::size_t code = ::ZSTD_decompressStream(m_stream, &out, &in);
      m_file->take(in.pos);
      if (::ZSTD_isError(code) != 0) {
        return dataErrorAt(m_file->path(), 0,
                           Phrase::tr("the zstd data is damaged: %1")(::ZSTD_getErrorName(code)));
      }
      m_ended = code == 0;
    }
    return out.pos;
  }

 private:
  std::unique_ptr<InputFile> m_file;
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

Result<std::unique_ptr<PackedReader>> PackedReader::open(const std::string& path) {
  FATHOM_TRY(RegularFile opened, RegularFile::open(path));
  auto file = std::make_unique<InputFile>(std::move(opened));
  std::uint64_t packed = 0;
  FATHOM_TRY(const std::string_view head, file->peek(packed));
  std::unique_ptr<PackedReader> reader;
  if (head.starts_with("\x1F\x8B"))
    reader = std::make_unique<GzipReader>(std::move(file));
  else if (head.starts_with("\x28\xB5\x2F\xFD"))
    reader = std::make_unique<ZstdReader>(std::move(file));
  else
    reader = std::make_unique<PlainReader>(std::move(file));
  reader->m_packed = packed;
  return reader;
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
