// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/long_encoding.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

namespace fathom {

namespace {

bool hasUnusedPieces(const TextEncoding& encoding) {
  const LongPieces etc;
  const std::array<std::int64_t, 4> wanted = {etc.sentence, etc.question, etc.candidate, etc.paragraph};
  return std::all_of(wanted.begin(), wanted.end(), [&](std::int64_t id) {
    return id < encoding.size() && encoding.piece(id).starts_with("[unused");
  });
}

// The piece that stands for a masked word; -1 without one.
std::int64_t maskOf(const TextEncoding& encoding) {
  for (std::int64_t id = encoding.size() - 1; id >= 0; --id) {
    const std::string piece = encoding.piece(id);
    if (piece == "[MASK]" || piece == "<mask>") return id;
  }
  return -1;
}

}  // namespace

LongPieces longPiecesOf(const TextEncoding& encoding) {
  const auto own = std::make_shared<const TextEncoding>(encoding);
  LongPieces pieces;
  pieces.encode = [own](std::string_view text) {
    if (text.empty()) return std::vector<std::int64_t>();
    return own->byteLevel() ? own->encode(" " + std::string(text)).ids : own->encode(text).ids;
  };
  pieces.piece = [own](std::int64_t id) { return own->piece(id); };
  if (!own->wordPieces())
    pieces.decode = [own](std::span<const std::int64_t> ids) { return own->decode(ids); };
  pieces.lowerCase = own->lowerCase();
  pieces.cls = own->cls();
  pieces.sep = own->sep();
  pieces.pad = own->pad();
  if (hasUnusedPieces(*own)) return pieces;
  const std::int64_t mask = maskOf(*own), unknown = own->unk() >= 0 ? own->unk() : own->sep();
  pieces.outside = mask >= 0 ? pieces.pad : unknown;
  pieces.sentence = mask >= 0 ? mask : pieces.pad;
  pieces.question = own->sep();
  pieces.candidate = pieces.paragraph = unknown;
  return pieces;
}

}  // namespace fathom
