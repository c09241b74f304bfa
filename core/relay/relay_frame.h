// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json/json.h"

namespace fathom {

// One message between a relay and whoever started it, in either direction. On the wire: "FRLY", bytes of the
// head and of the body as 32-bit little-endian numbers, CRC-32C of both, head (JSON), body.
struct RelayFrame {
  Json head = Json::object();
  std::string body = {};
};

inline constexpr std::size_t kMostFrameHead = std::size_t{8} << 20;
inline constexpr std::size_t kMostFrameBody = std::size_t{1} << 20;
// Bytes of a piece of a file.
inline constexpr std::size_t kFramePiece = std::size_t{128} << 10;

std::string frameBytes(const Json& head, std::string_view body = {});

// Bytes as they come, in pieces of any size, to frames.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  // std::nullopt while the next one is not whole. Data error where the bytes are no frame: the connection is
  // of no use from then on.
  Result<std::optional<RelayFrame>> next();

 private:
  std::string m_bytes;
  std::size_t m_at = 0;
};

// The first word of a relay, in a line of its own, whatever a shell's start files have printed before it.
inline constexpr std::string_view kRelayGreeting = "FATHOM-RELAY 1";

// Reads what comes before the first frame.
class GreetingReader {
 public:
  // Ready: frames follow. Wants: the host has no relay of this content, and waits for its bytes. Trouble: the
  // host's words why there can be none. OtherMachine: system and processor of one that engines are not made
  // for. OtherVersion: a relay of another protocol.
  enum class Kind { More, Ready, Wants, Trouble, OtherMachine, OtherVersion, TooMuch };
  Kind feed(std::string_view bytes);
  const std::string& words() const { return m_words; }
  // Bytes that came behind the line.
  std::string takeRest();

 private:
  std::string m_bytes, m_words;
  std::size_t m_skipped = 0;
};

}  // namespace fathom
