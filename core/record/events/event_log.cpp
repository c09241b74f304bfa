// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/event_log.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"

namespace fathom {

namespace {

constexpr double kSyncSeconds = 5;
constexpr std::size_t kMaxWaitingBytes = std::size_t{16} << 20;
constexpr std::string_view kCrcMember = ",\"crc\":";
// The other sum, for writers that are not ours: most languages have zlib's at hand and no fast CRC-32C.
constexpr std::string_view kZlibMember = ",\"crc32\":";

double clockSeconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename T>
void appendNumber(std::string& line, T value) {
  char text[40];
  line.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void appendReal(std::string& line, double value) {
  if (!std::isfinite(value) || (value == 0 && std::signbit(value))) {
    line += jsonNumber(value);
  } else {
    appendNumber(line, value);
  }
}

void appendText(std::string& line, std::string_view text) {
  line += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Like dump(), but non-finite numbers keep their names and invalid UTF-8 becomes U+FFFD instead of an error.
void appendJson(std::string& line, const Json& value) {
  if (value.is_number_float()) {
    appendReal(line, value.get<double>());
  } else if (value.is_array()) {
    line += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) line += ',';
      appendJson(line, value[i]);
    }
    line += ']';
  } else if (value.is_object()) {
    line += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      if (!first) line += ',';
      first = false;
      appendText(line, key);
      line += ':';
      appendJson(line, member);
    }
    line += '}';
  } else {
    line += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

std::uint32_t zlibCrc(std::string_view bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void openEventLine(std::string& line, std::int64_t seq, std::string_view kind) {
  line += "{\"v\":";
  appendNumber(line, kEventVersion);
  line += ",\"seq\":";
  appendNumber(line, seq);
  line += ",\"t\":";
  appendNumber(line, std::round(clockSeconds(CLOCK_REALTIME) * 1e6) / 1e6);
  line += ",\"k\":";
  appendText(line, kind);
}

}  // namespace

void closeEventLine(std::string& line) {
  const std::uint32_t crc = crc32c(line);
  line += kCrcMember;
  appendNumber(line, crc);
  line += "}\n";
}

std::string_view checkedEventBody(std::string_view line) {
  if (!line.ends_with('}')) return {};
  const std::size_t at = line.rfind(",\"crc");  // the last member
  if (at == std::string_view::npos) return {};
  const std::string_view body = line.substr(0, at), member = line.substr(at);
  const bool zlibs = member.starts_with(kZlibMember);
  if (!zlibs && !member.starts_with(kCrcMember)) return {};
  const char* begin = member.data() + (zlibs ? kZlibMember : kCrcMember).size();
  const char* end = line.data() + line.size() - 1;
  std::uint32_t crc = 0;
  const auto [stop, code] = std::from_chars(begin, end, crc);
  if (code != std::errc() || stop != end) return {};
  return (zlibs ? zlibCrc(body) : crc32c(body)) == crc ? body : std::string_view();
}

Result<std::unique_ptr<EventLog>> EventLog::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot create event log"), path, errno);
  std::unique_ptr<EventLog> log(new EventLog(fd, path));
  FATHOM_CHECK(syncFolder(std::filesystem::path(path).parent_path().string()));
  return log;
}

EventLog::EventLog(int fd, std::string path)
    : m_fd(fd), m_path(std::move(path)), m_lastSync(clockSeconds(CLOCK_MONOTONIC)) {}

EventLog::~EventLog() {
  if (!m_waiting.empty()) (void)writeOut({});
  ::fdatasync(m_fd);
  ::close(m_fd);
}

Status EventLog::append(std::string_view kind, const Json& members) {
  const std::lock_guard lock(m_mutex);
  std::string line;
  openEventLine(line, m_seq, kind);
  for (const auto& [key, value] : members.items()) {
    line += ',';
    appendText(line, key);
    line += ':';
    appendJson(line, value);
  }
  return writeLine(line);
}

Status EventLog::appendStep(std::int64_t step, double epoch, std::int64_t tokens, double learningRate,
                            const std::vector<std::pair<std::string_view, double>>& metrics) {
  const std::lock_guard lock(m_mutex);
  std::string line;
  line.reserve(128 + 40 * metrics.size());
  openEventLine(line, m_seq, "step");
  line += ",\"step\":";
  appendNumber(line, step);
  line += ",\"epoch\":";
  appendReal(line, epoch);
  line += ",\"tokens\":";
  appendNumber(line, tokens);
  line += ",\"lr\":";
  appendReal(line, learningRate);
  line += ",\"m\":{";
  bool first = true;
  for (const auto& [name, value] : metrics) {
    if (!first) line += ',';
    first = false;
    // Metric names are identifiers; anything else takes the careful way.
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") ==
        std::string_view::npos) {
      line += '"';
      line += name;
      line += '"';
    } else {
      appendText(line, name);
    }
    line += ':';
    appendReal(line, value);
  }
  line += '}';
  return writeLine(line);
}

Status EventLog::writeLine(std::string& line) {
  closeEventLine(line);
  if (line.size() > kMaxEventBytes) {
    return internalError("an event of " + std::to_string(line.size()) + " bytes is over the limit of " +
                         std::to_string(kMaxEventBytes) + "; large data belongs in array files");
  }
  ++m_seq;
  if (Status status = writeOut(line); !status.ok()) {
    keepWaiting(line);
    return status;
  }
  if (clockSeconds(CLOCK_MONOTONIC) - m_lastSync < kSyncSeconds) return {};
  m_lastSync = clockSeconds(CLOCK_MONOTONIC);
  return syncData(m_fd, m_path);
}

// Waiting lines first, then `bytes`. On failure the file is cut back to its last whole line.
Status EventLog::writeOut(std::string_view bytes) {
  if (m_torn) {
    FATHOM_CHECK(writeAll(m_fd, "\n", m_path));  // ends the half line; the reader counts it as bad
    m_torn = false;
    m_size = ::lseek(m_fd, 0, SEEK_END);
  }
  std::string joined;
  if (!m_waiting.empty()) {
    joined = m_waiting;
    joined += bytes;
    bytes = joined;
  }
  if (Status status = writeAll(m_fd, bytes, m_path); !status.ok()) {
    m_torn = ::ftruncate(m_fd, m_size) != 0;
    return status;
  }
  m_size += static_cast<std::int64_t>(bytes.size());
  m_waiting.clear();
  return {};
}

// When the ring is full the newest events are dropped; their numbers show as a gap.
void EventLog::keepWaiting(std::string_view line) {
  if (m_waiting.size() + line.size() > kMaxWaitingBytes) return;
  m_waiting += line;
}

bool EventLog::crowded() {
  const std::lock_guard lock(m_mutex);
  return m_waiting.size() > kMaxWaitingBytes / 2;
}

Status EventLog::sync() {
  const std::lock_guard lock(m_mutex);
  if (!m_waiting.empty()) FATHOM_CHECK(writeOut({}));
  m_lastSync = clockSeconds(CLOCK_MONOTONIC);
  return syncData(m_fd, m_path);
}

}  // namespace fathom
