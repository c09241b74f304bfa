// SPDX-License-Identifier: Apache-2.0
#include "core/text/sentencepiece_file.h"

#include <bit>
#include <optional>

namespace fathom {

namespace {

// One field of a message of protocol buffers: a number, or bytes.
struct WireField {
  std::uint64_t number = 0, value = 0;
  std::string_view bytes;
};

// The fields of a message one after the other; nothing at its end, and where it is torn.
class WireReader {
 public:
  explicit WireReader(std::string_view rest) : m_rest(rest) {}

  std::optional<WireField> next() {
    if (m_rest.empty() || m_torn) return std::nullopt;
    const std::uint64_t key = varint();
    WireField field{key >> 3, 0, {}};
    switch (key & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        field.bytes = take(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.bytes = take(4);
        break;
      default:
        m_torn = true;
    }
    if (m_torn) return std::nullopt;
    return field;
  }
  bool torn() const { return m_torn; }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = take(1);
      if (byte.empty()) return 0;
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(byte[0]) & 0x7FU) << shift;
      if ((static_cast<unsigned char>(byte[0]) & 0x80U) == 0) return value;
    }
    m_torn = true;
    return 0;
  }
  std::string_view take(std::uint64_t count) {
    if (count > m_rest.size()) {
      m_torn = true;
      return {};
    }
    const std::string_view taken = m_rest.substr(0, count);
    m_rest.remove_prefix(count);
    return taken;
  }
  std::string_view m_rest;
  bool m_torn = false;
};

float floatOf(std::string_view bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return std::bit_cast<float>(bits);
}

bool readPiece(std::string_view bytes, SentencePieceFile& file) {
  SentencePieceFile::Piece piece;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1) piece.text = field->bytes;
    if (field->number == 2) piece.score = floatOf(field->bytes);
    if (field->number == 3) piece.sort = static_cast<SentencePieceFile::Sort>(field->value);
  }
  file.pieces.push_back(std::move(piece));
  return !reader.torn();
}

bool readTraining(std::string_view bytes, SentencePieceFile& file) {
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 3) file.model = static_cast<SentencePieceFile::Model>(field->value);
    if (field->number == 24) file.suffix = field->value != 0;
    if (field->number == 35) file.byteFallback = field->value != 0;
  }
  return !reader.torn();
}

bool readNormalization(std::string_view bytes, SentencePieceFile& file) {
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1) file.normalization = field->bytes;
    if (field->number == 2) file.charsmap = field->bytes;
    if (field->number == 3) file.prefixBlank = field->value != 0;
    if (field->number == 4) file.singleBlanks = field->value != 0;
    if (field->number == 5) file.marksBlanks = field->value != 0;
  }
  return !reader.torn();
}

}  // namespace

Result<SentencePieceFile> SentencePieceFile::parse(std::string_view bytes, const std::string& name) {
  SentencePieceFile file;
  WireReader reader(bytes);
  bool whole = true;
  while (const auto field = reader.next()) {
    if (field->number == 1) whole = whole && readPiece(field->bytes, file);
    if (field->number == 2) whole = whole && readTraining(field->bytes, file);
    if (field->number == 3) whole = whole && readNormalization(field->bytes, file);
  }
  if (whole && !reader.torn() && !file.pieces.empty()) return file;
  return dataError(Phrase::tr("%1: the SentencePiece model is torn")(name),
                   Phrase::tr("a .model file made by SentencePiece is expected"));
}

}  // namespace fathom
