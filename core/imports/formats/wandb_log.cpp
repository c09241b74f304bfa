// SPDX-License-Identifier: Apache-2.0
#include "core/imports/formats/wandb_log.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace fathom {

namespace {

constexpr std::uint64_t kBlock = 32768, kChunkHead = 7;
constexpr std::string_view kWandbHead("\x3AW&B\xE1\xBE\0", 7);
constexpr std::size_t kMaxWandbRecord = std::size_t{256} << 20;
constexpr std::size_t kReadAhead = std::size_t{1} << 20;

}  // namespace

Result<WandbLog> WandbLog::open(const std::string& path, std::uint64_t from) {
  FATHOM_TRY(RegularFile file, RegularFile::open(path));
  WandbLog log(std::move(file));
  log.m_at = log.m_whole = from;
  if (from > 0) return log;
  char head[kChunkHead];
  FATHOM_TRY(const std::size_t got, log.bytesAt(0, head, sizeof head));
  if (std::string_view(head, got) != kWandbHead.substr(0, got))
    return dataErrorAt(path, 0, Phrase::tr("not a W&B run: it does not begin as a .wandb file of version 0"));
  if (got == sizeof head) log.m_at = log.m_whole = kChunkHead;
  return log;
}

Result<std::size_t> WandbLog::bytesAt(std::uint64_t offset, char* to, std::size_t count) {
  if (offset < m_bufferAt || offset + count > m_bufferAt + m_buffer.size()) {
    m_buffer.resize(std::max(kReadAhead, count));
    m_bufferAt = offset;
    std::size_t filled = 0;
    while (filled < m_buffer.size()) {
      FATHOM_TRY(const std::size_t got,
                 m_file.readAt(offset + filled, m_buffer.data() + filled, m_buffer.size() - filled));
      if (got == 0) break;
      filled += got;
    }
    m_buffer.resize(filled);
  }
  return std::string_view(m_buffer).substr(offset - m_bufferAt).copy(to, count);
}

Result<bool> WandbLog::next(std::string& record) {
  record.clear();
  bool inside = false;
  if (m_whole == 0) return false;  // not even its head is there
  while (true) {
    const std::uint64_t left = kBlock - m_at % kBlock;
    if (left < kChunkHead) {
      m_at += left;
      continue;
    }
    char head[kChunkHead];
    FATHOM_TRY(const std::size_t got, bytesAt(m_at, head, sizeof head));
    m_torn = got > 0 || inside;
    const auto wait = [this]() {
      m_at = m_whole;  // what came of it is read again
      return false;
    };
    if (got < sizeof head) return wait();
    std::uint32_t sum = 0;
    std::uint16_t length = 0;
    std::memcpy(&sum, head, 4);
    std::memcpy(&length, head + 4, 2);
    const char type = head[6];
    if (sum == 0 && length == 0 && type == 0) {
      // The rest of the block is empty, once something stands in the next one.
      char behind = 0;
      FATHOM_TRY(const std::size_t more, bytesAt(m_at + left, &behind, 1));
      if (more == 0) {
        m_torn = inside;
        return wait();
      }
      m_at += left;
      continue;
    }
    if (length > left - kChunkHead || type < 1 || type > 4) {
      // Nothing can be found behind such a head but the next block.
      char behind = 0;
      FATHOM_TRY(const std::size_t more, bytesAt(m_at + left - 1, &behind, 1));
      if (more == 0) return wait();
      ++m_bad;
      m_at += left;
      inside = false;
      record.clear();
      m_whole = m_at;
      continue;
    }
    std::string& payload = m_payload;
    payload.resize(static_cast<std::size_t>(length) + 1);
    payload[0] = type;
    FATHOM_TRY(const std::size_t there, bytesAt(m_at + kChunkHead, payload.data() + 1, length));
    if (there < length) return wait();
    const auto own = ::crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size());
    m_at += kChunkHead + length;
    const bool follows = type == 3 || type == 4;
    if (static_cast<std::uint32_t>(own) != sum || follows != inside ||
        record.size() + length > kMaxWandbRecord) {
      // The rest of a record whose beginning is damaged is no damage of its own.
      if (static_cast<std::uint32_t>(own) != sum || inside) ++m_bad;
      record.clear();
      inside = false;
      const bool begins = static_cast<std::uint32_t>(own) == sum && !follows;
      if (!begins) {
        m_whole = m_at;
        continue;
      }
      m_whole = m_at - kChunkHead - length;
    }
    record.append(payload, 1);
    if (type == 1 || type == 4) {
      m_whole = m_at;
      m_torn = false;
      return true;
    }
    inside = true;
  }
}

}  // namespace fathom
