// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/text_normalizers.h"

namespace fathom {

// Pieces and their ids; ids may leave some out.
class PieceTable {
 public:
  // The last id of a piece that is there twice counts.
  void add(const std::string& piece, std::int64_t id);
  std::int64_t find(std::string_view piece) const;  // -1 if unknown
  // "" for an id without a piece.
  const std::string& piece(std::int64_t id) const;
  std::int64_t count() const { return static_cast<std::int64_t>(m_ids.size()); }     // different pieces
  std::int64_t idEnd() const { return static_cast<std::int64_t>(m_pieces.size()); }  // largest id + 1
  std::size_t longest() const { return m_longest; }                                  // bytes of a piece

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::string> m_pieces;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> m_ids;
  std::size_t m_longest = 0;
};

// The model of tokenizer.json (docs/tokenizers.md §6): cuts one part of a text into pieces. Immutable, any
// thread.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  virtual void encode(const TextCharacters& part, EncodedText& into) const = 0;
  const PieceTable& table() const { return m_table; }
  const std::string& type() const { return m_type; }
  const std::string& unknownPiece() const { return m_unknownPiece; }

 protected:
  PieceTable m_table;
  std::string m_type, m_unknownPiece;
};

// Failure (data) naming file and member for a model that is not read: other types, drop-out of merges.
std::shared_ptr<const PieceModel> makePieceModel(const Json& json, const std::string& file,
                                                 const std::string& path, std::vector<std::string>& unknown);

}  // namespace fathom
