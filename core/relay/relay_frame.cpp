// SPDX-License-Identifier: Apache-2.0
#include "core/relay/relay_frame.h"

#include <cstdint>
#include <cstring>

#include "core/base/files/hash.h"
#include "core/base/text/lines_of.h"

namespace fathom {

namespace {

constexpr std::string_view kFrameMark = "FRLY";
constexpr std::size_t kFrameStart = 16;
constexpr std::size_t kMostChatter = std::size_t{1} << 20;
constexpr std::string_view kRelayWord = "FATHOM-RELAY ", kWantsWord = "FATHOM-WANTS",
                           kTroubleWord = "FATHOM-TROUBLE ", kMachineWord = "FATHOM-MACHINE ";

void putNumber(std::string& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<char>((value >> shift) & 0xff));
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

Error noFrame(const char* why) {
  return dataError(Phrase::tr("what comes over the connection is no message of a relay: %1")(why));
}

}  // namespace

std::string frameBytes(const Json& head, std::string_view body) {
  const std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes(kFrameMark);
  bytes.reserve(kFrameStart + text.size() + body.size());
  putNumber(bytes, static_cast<std::uint32_t>(text.size()));
  putNumber(bytes, static_cast<std::uint32_t>(body.size()));
  putNumber(bytes, crc32c(body, crc32c(text)));
  bytes += text;
  bytes += body;
  return bytes;
}

void FrameReader::feed(std::string_view bytes) {
  if (m_at > 0) m_bytes.erase(0, std::exchange(m_at, 0));
  m_bytes += bytes;
}

Result<std::optional<RelayFrame>> FrameReader::next() {
  const std::string_view left = std::string_view(m_bytes).substr(m_at);
  if (left.substr(0, kFrameMark.size()) != kFrameMark.substr(0, left.size())) return noFrame("mark");
  if (left.size() < kFrameStart) return std::optional<RelayFrame>();
  const std::size_t head = numberAt(left, 4), body = numberAt(left, 8);
  if (head > kMostFrameHead || body > kMostFrameBody) return noFrame("length");
  if (left.size() < kFrameStart + head + body) return std::optional<RelayFrame>();
  if (crc32c(left.substr(kFrameStart, head + body)) != numberAt(left, 12)) return noFrame("sum");
  FATHOM_TRY(Json json, parseJson(left.substr(kFrameStart, head)));
  if (!json.is_object()) return noFrame("head");
  RelayFrame frame{std::move(json), std::string(left.substr(kFrameStart + head, body))};
  m_at += kFrameStart + head + body;
  return std::optional<RelayFrame>(std::move(frame));
}

GreetingReader::Kind GreetingReader::feed(std::string_view bytes) {
  m_bytes += bytes;
  while (true) {
    std::string_view rest = m_bytes, whole;
    if (!takeWholeLine(rest, whole))
      return m_skipped + m_bytes.size() > kMostChatter ? Kind::TooMuch : Kind::More;
    std::string line(whole);
    m_skipped += m_bytes.size() - rest.size();
    m_bytes.erase(0, m_bytes.size() - rest.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    // A start file may print without ending its line.
    for (const std::string_view word : {kRelayWord, kWantsWord, kTroubleWord, kMachineWord})
      if (const std::size_t at = line.rfind(word); at != std::string::npos) line.erase(0, at);
    if (line == kRelayGreeting) return Kind::Ready;
    if (line == kWantsWord) return Kind::Wants;
    if (line.starts_with(kTroubleWord)) {
      m_words = line.substr(kTroubleWord.size());
      return Kind::Trouble;
    }
    if (line.starts_with(kMachineWord)) {
      m_words = line.substr(kMachineWord.size());
      return Kind::OtherMachine;
    }
    if (line.starts_with(kRelayWord)) {
      m_words = line.substr(kRelayWord.size());
      return Kind::OtherVersion;
    }
    if (m_skipped > kMostChatter) return Kind::TooMuch;
  }
}

std::string GreetingReader::takeRest() {
  return std::exchange(m_bytes, {});
}

}  // namespace fathom
