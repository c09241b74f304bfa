// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/spider/inputs/schema_items.h"
#include "core/text/tokenizer.h"

namespace fathom {

// A row of word pieces: CLS, question, SEP, then every item and a SEP (docs/text_to_sql.md §5).
enum class RowLayout {
  // Special pieces and padding are the vocabulary's own; whatever stands behind the question's SEP has
  // segment 1.
  Fixed,
  // As DT-Fixup's code: of a byte-level vocabulary CLS and SEP are <unk> and padding is id 0; the SEP of an
  // item has segment 0, that of the last listed item 1.
  Released
};

// Items of equal text: one span for all of them, at the place of the first listed; or one each.
enum class EqualItems { Once, All };

// Positions [begin, end) of a row. Empty for a token that has no piece.
struct RowSpan {
  std::int32_t begin = 0, end = 0;
  bool operator==(const RowSpan&) const = default;
};

struct EncoderRow {
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> segments;  // parallel to ids
  std::vector<RowSpan> words;          // of the question's tokens
  std::vector<RowSpan> items;          // in the order of SchemaItems::texts, however they were listed
};

// Pieces of texts, one after the other.
struct PieceList {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> ends;  // of every text
  std::int32_t size() const { return static_cast<std::int32_t>(ends.size()); }
  std::span<const std::int32_t> operator[](std::int32_t text) const;
};

// The items of one database, cut into pieces once.
struct ItemPieces {
  PieceList pieces;                // of every item
  std::vector<std::int32_t> same;  // of every item the first one with its text, itself when there is none
};

// Immutable; every function may be called from any thread.
class RowBuilder {
 public:
  struct Options {
    RowLayout layout = RowLayout::Fixed;
    EqualItems equal = EqualItems::Once;
    // True for a byte-level vocabulary: its first position is 2, and the released layout treats it apart.
    bool bytes = false;
  };
  // A tokenizer that reads a text by itself: byte-level BPE without a blank before it.
  RowBuilder(std::shared_ptr<const Tokenizer> tokenizer, const Options& options);

  std::int64_t cls() const { return m_cls; }
  std::int64_t sep() const { return m_sep; }
  std::int64_t pad() const { return m_pad; }
  // Position id of the first piece; positions rise by one along the whole row, padding included.
  std::int64_t firstPosition() const { return m_options.bytes ? 2 : 0; }

  PieceList wordPieces(std::span<const std::string> surfaces) const;
  ItemPieces itemPieces(const SchemaItems& items) const;
  // Pieces of a row: the same for every order of the items.
  std::int64_t rowLength(const PieceList& words, const ItemPieces& items) const;
  // `order`: order[place] = item, a permutation; empty = the order of SchemaItems::texts. Spans come back by
  // item.
  EncoderRow row(const PieceList& words, const ItemPieces& items,
                 std::span<const std::int64_t> order = {}) const;

 private:
  std::shared_ptr<const Tokenizer> m_tokenizer;
  Options m_options;
  std::int64_t m_cls = 0, m_sep = 0, m_pad = 0;
};

}  // namespace fathom
