// SPDX-License-Identifier: Apache-2.0
#include "core/imports/grown_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/json/json_members.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kPart = std::size_t{4} << 20;

bool isPacked(std::string_view head) {
  return head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd");
}

// The next `count` unpacked bytes, fewer at the end.
Result<std::string> nextOf(PackedReader& in, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    FATHOM_TRY(const std::size_t got, in.read(bytes.data() + filled, count - filled));
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

// Gives the first `count` bytes of a stream away; false where it has fewer.
Result<bool> passBy(PackedReader& in, std::uint64_t count, std::uint32_t& sum) {
  while (count > 0) {
    FATHOM_TRY(const std::string part, nextOf(in, std::min<std::uint64_t>(count, kPart)));
    if (part.empty()) return false;
    sum = crc32c(part, sum);
    count -= part.size();
  }
  return true;
}

}  // namespace

GrownFile::Change GrownFile::look() {
  struct stat info {};
  if (::stat(m_path.c_str(), &info) != 0) return Change::Gone;
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const bool first = m_inode == 0, another = m_inode != info.st_ino || m_device != info.st_dev;
  if (first) {
    m_inode = info.st_ino;
    m_device = info.st_dev;
    m_seen = size;
    return Change::Grew;
  }
  if (!m_packed && size < m_position) return Change::Replaced;
  if (!another && size == m_seen) return Change::Same;
  if (!beginsAsBefore(another)) return Change::Replaced;
  m_inode = info.st_ino;
  m_device = info.st_dev;
  m_seen = size;
  // A packed file is unpacked once more, up to where it was.
  m_in.reset();
  m_ahead.clear();
  return Change::Grew;
}

// Some programs write a file anew in its place, longer than it was: what was read tells whether it goes on.
// Of the same file the end of that is looked at, of another one the whole.
bool GrownFile::beginsAsBefore(bool anotherFile) const {
  if (m_tail.empty()) return true;
  if ((anotherFile && m_summed) || m_packed) return holdsWhatWasRead();
  const auto file = RegularFile::open(m_path);
  std::string there(m_tail.size(), '\0');
  if (!file.ok()) return true;
  const auto got = file->readAt(m_position - m_tail.size(), there.data(), there.size());
  return !got.ok() || (*got == there.size() && there == m_tail);
}

// A file that cannot be read now (half a packed one) is no other file yet.
bool GrownFile::holdsWhatWasRead() const {
  const auto in = PackedReader::open(m_path);
  if (!in.ok()) return true;
  std::uint32_t sum = 0;
  const auto whole = passBy(**in, m_position, sum);
  return !whole.ok() || (*whole && (sum == m_sum || !m_summed));
}

void GrownFile::used(std::string_view bytes) {
  constexpr std::size_t kTail = 64;
  m_sum = crc32c(bytes, m_sum);
  m_position += bytes.size();
  m_tail += bytes.substr(bytes.size() - std::min(bytes.size(), kTail));
  if (m_tail.size() > kTail) m_tail.erase(0, m_tail.size() - kTail);
  m_ahead.erase(0, bytes.size());
}

void GrownFile::startOver() {
  m_position = m_inode = m_device = m_seen = 0;
  m_sum = 0;
  m_tail.clear();
  m_packed = m_skipping = false;
  m_summed = true;
  m_in.reset();
  m_ahead.clear();
  (void)look();
}

Result<std::string> GrownFile::unpacked(std::size_t most) {
  if (m_in == nullptr) {
    FATHOM_TRY(m_in, PackedReader::open(m_path));
    std::uint32_t ignored = 0;
    FATHOM_TRY(const bool there, passBy(*m_in, m_position, ignored));
    if (!there) return std::string();
  }
  if (m_ahead.size() < most) {
    FATHOM_TRY(const std::string next, nextOf(*m_in, most - m_ahead.size()));
    m_ahead += next;
  }
  return m_ahead.substr(0, most);
}

Result<std::string> GrownFile::more(std::size_t most) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(m_path));
  if (m_position == 0) {
    char head[4];
    FATHOM_TRY(const std::size_t got, file.readAt(0, head, sizeof head));
    m_packed = isPacked({head, got});
  }
  if (m_packed) return unpacked(most);
  const std::uint64_t there = file.size() > m_position ? file.size() - m_position : 0;
  std::string bytes(std::min<std::uint64_t>(most, there), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    FATHOM_TRY(const std::size_t got,
               file.readAt(m_position + filled, bytes.data() + filled, bytes.size() - filled));
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

Status GrownFile::lines(const StopToken& stop, bool last, std::size_t longest,
                        const std::function<Status(std::string_view line)>& take) {
  while (true) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const std::string bytes, more(std::max(kPart, longest + 1)));
    std::string_view rest = bytes;
    const auto give = [&](std::string_view line) -> Status {
      if (std::exchange(m_skipping, false) || line.size() > longest) {
        ++m_leftOut;
        return {};
      }
      if (line.ends_with('\r')) line.remove_suffix(1);
      return take(line);
    };
    for (std::string_view line; takeWholeLine(rest, line);) FATHOM_CHECK(give(line));
    std::size_t count = bytes.size() - rest.size();
    // A rest without an end is a line in a packed file, and where nothing more will come.
    const bool whole = bytes.size() < std::max(kPart, longest + 1);
    if (!rest.empty() && whole && (last || m_packed)) {
      FATHOM_CHECK(give(rest));
      count = bytes.size();
    } else if (rest.size() > longest) {
      m_skipping = true;
      count = bytes.size();
    }
    used(std::string_view(bytes).substr(0, count));
    if (whole) return {};
  }
}

Json GrownFile::state() const {
  return {{"path", m_path},         {"position", m_position},
          {"inode", m_inode},       {"device", m_device},
          {"seen", m_seen},         {"sum", m_sum},
          {"left_out", m_leftOut},  {"packed", m_packed},
          {"skipping", m_skipping}, {"tail", std::vector<unsigned char>(m_tail.begin(), m_tail.end())}};
}

void GrownFile::restore(const Json& state) {
  m_position = static_cast<std::uint64_t>(memberInteger(state, "position"));
  m_inode = static_cast<std::uint64_t>(memberInteger(state, "inode"));
  m_device = static_cast<std::uint64_t>(memberInteger(state, "device"));
  m_seen = static_cast<std::uint64_t>(memberInteger(state, "seen"));
  // Older records have no sum: the end of what was read is all that can be compared.
  m_summed = m_position == 0 || state.contains("sum");
  m_sum = static_cast<std::uint32_t>(memberInteger(state, "sum"));
  m_leftOut = memberInteger(state, "left_out");
  m_packed = memberFlag(state, "packed", false);
  m_skipping = memberFlag(state, "skipping", false);
  for (const Json& byte : memberList(state, "tail")) m_tail += static_cast<char>(byte.get<int>());
}

Result<std::optional<std::uint32_t>> sumUpTo(const std::string& path, std::uint64_t from, std::uint64_t to,
                                             std::uint32_t sum) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  std::string part(std::min<std::uint64_t>(kPart, to - std::min(from, to)), '\0');
  while (from < to) {
    const std::size_t most = std::min<std::uint64_t>(part.size(), to - from);
    FATHOM_TRY(const std::size_t got, file.readAt(from, part.data(), most));
    if (got == 0) return std::optional<std::uint32_t>();
    sum = crc32c(std::string_view(part).substr(0, got), sum);
    from += got;
  }
  return std::optional(sum);
}

std::string decodedText(std::string bytes) {
  const bool little = bytes.starts_with("\xFF\xFE"), big = bytes.starts_with("\xFE\xFF");
  if (!little && !big) return bytes;
  std::string text;
  std::uint32_t high = 0;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]),
               second = static_cast<unsigned char>(bytes[i + 1]);
    const std::uint32_t unit = little ? first | (second << 8u) : second | (first << 8u);
    if (high != 0) {
      const bool pair = unit >= 0xDC00 && unit < 0xE000;
      appendCodePoint(text, pair ? 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00) : 0xFFFD);
      high = 0;
      if (pair) continue;
    }
    if (unit >= 0xD800 && unit < 0xDC00)
      high = unit;
    else
      appendCodePoint(text, unit >= 0xDC00 && unit < 0xE000 ? 0xFFFD : unit);
  }
  if (high != 0) appendCodePoint(text, 0xFFFD);
  return text;
}

namespace {

void addLatin1Line(std::string_view line, std::string& text) {
  if (validUtf8(line)) {
    text += line;
    return;
  }
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xC0u | byte >> 6u);
      text += static_cast<char>(0x80u | (byte & 0x3Fu));
    }
  }
}

}  // namespace

std::string latin1Decoded(std::string_view bytes) {
  std::string text;
  std::string_view line;
  while (takeWholeLine(bytes, line)) {
    addLatin1Line(line, text);
    text += '\n';
  }
  addLatin1Line(bytes, text);
  return text;
}

double isoSeconds(std::string_view text) {
  std::tm parts{};
  const std::string whole(text.substr(0, 64));
  const char* rest = ::strptime(whole.c_str(), "%Y-%m-%d", &parts);
  if (rest == nullptr) return kNaN;
  if (*rest == 'T' || *rest == ' ') {
    const char* clock = ::strptime(rest + 1, "%H:%M:%S", &parts);
    if (clock == nullptr) return kNaN;
    rest = clock;
  }
  double seconds = static_cast<double>(::timegm(&parts));
  if (*rest == '.' || *rest == ',') {
    double scale = 0.1;
    for (++rest; *rest >= '0' && *rest <= '9'; ++rest, scale /= 10) seconds += (*rest - '0') * scale;
  }
  while (*rest == ' ') ++rest;
  if (*rest == 'Z') return seconds;
  if (*rest == '+' || *rest == '-') {
    int hours = 0, minutes = 0;
    const double sign = *rest == '+' ? 1 : -1;
    const auto digit = [&rest](int& number) {
      for (int i = 0; i < 2 && *rest >= '0' && *rest <= '9'; ++i, ++rest)
        number = number * 10 + (*rest - '0');
    };
    ++rest;
    digit(hours);
    if (*rest == ':') ++rest;
    digit(minutes);
    seconds -= sign * (hours * 3600 + minutes * 60);
  }
  return *rest == '\0' ? seconds : kNaN;
}

double plainSeconds(double time) {
  if (time > 1e17) return time / 1e9;
  if (time > 1e14) return time / 1e6;
  return time > 1e11 ? time / 1e3 : time;
}

}  // namespace fathom
