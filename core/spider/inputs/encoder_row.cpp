// SPDX-License-Identifier: Apache-2.0
#include "core/spider/inputs/encoder_row.h"

#include <map>
#include <string_view>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

void addPieces(const Tokenizer& tokenizer, std::string_view text, PieceList& list) {
  for (const std::int64_t id : tokenizer.encode(text)) list.ids.push_back(static_cast<std::int32_t>(id));
  list.ends.push_back(static_cast<std::int32_t>(list.ids.size()));
}

// Writes one row from left to right.
class RowWriter {
 public:
  explicit RowWriter(EncoderRow& row) : m_row(row) {}

  void add(std::int64_t id, std::uint8_t segment) {
    m_row.ids.push_back(static_cast<std::int32_t>(id));
    m_row.segments.push_back(segment);
  }
  RowSpan add(std::span<const std::int32_t> ids, std::uint8_t segment) {
    const auto begin = static_cast<std::int32_t>(m_row.ids.size());
    m_row.ids.insert(m_row.ids.end(), ids.begin(), ids.end());
    m_row.segments.resize(m_row.ids.size(), segment);
    return {begin, static_cast<std::int32_t>(m_row.ids.size())};
  }

 private:
  EncoderRow& m_row;
};

}  // namespace

std::span<const std::int32_t> PieceList::operator[](std::int32_t text) const {
  const auto at = static_cast<std::size_t>(text);
  const auto begin = at == 0 ? std::size_t{0} : static_cast<std::size_t>(ends[at - 1]);
  return std::span(ids).subspan(begin, static_cast<std::size_t>(ends[at]) - begin);
}

RowBuilder::RowBuilder(std::shared_ptr<const Tokenizer> tokenizer, const Options& options)
    : m_tokenizer(std::move(tokenizer)), m_options(options) {
  const SpecialIds special = m_tokenizer->special();
  const bool unknown = options.layout == RowLayout::Released && options.bytes;
  m_cls = unknown ? special.unk : special.bos;
  m_sep = unknown ? special.unk : special.eos;
  m_pad = options.layout == RowLayout::Released ? 0 : special.pad;
}

PieceList RowBuilder::wordPieces(std::span<const std::string> surfaces) const {
  PieceList list;
  for (const std::string& surface : surfaces) addPieces(*m_tokenizer, surface, list);
  return list;
}

ItemPieces RowBuilder::itemPieces(const SchemaItems& items) const {
  ItemPieces made;
  std::map<std::string_view, std::int32_t> first;
  for (const std::string& text : items.texts) {
    made.same.push_back(first.try_emplace(text, made.pieces.size()).first->second);
    addPieces(*m_tokenizer, text, made.pieces);
  }
  return made;
}

std::int64_t RowBuilder::rowLength(const PieceList& words, const ItemPieces& items) const {
  auto length = static_cast<std::int64_t>(words.ids.size()) + 2;
  for (std::int32_t item = 0; item < items.pieces.size(); ++item) {
    const bool shared =
        m_options.equal == EqualItems::Once && items.same[static_cast<std::size_t>(item)] != item;
    if (!shared) length += static_cast<std::int64_t>(items.pieces[item].size()) + 1;
  }
  return length;
}

EncoderRow RowBuilder::row(const PieceList& words, const ItemPieces& items,
                           std::span<const std::int64_t> order) const {
  const auto count = static_cast<std::size_t>(items.pieces.size());
  if (!order.empty() && order.size() != count)
    throw Failure(
        internalError("an order of " + std::to_string(order.size()) + " items for " + std::to_string(count)));
  EncoderRow row;
  RowWriter writer(row);
  writer.add(m_cls, 0);
  for (std::int32_t word = 0; word < words.size(); ++word) row.words.push_back(writer.add(words[word], 0));
  writer.add(m_sep, 0);
  row.items.resize(count);
  const bool fixed = m_options.layout == RowLayout::Fixed;
  std::vector<RowSpan> written(count, {-1, -1});  // by the first item of a text
  for (std::size_t place = 0; place < count; ++place) {
    const auto item = order.empty() ? place : static_cast<std::size_t>(order[place]);
    const auto same = static_cast<std::size_t>(items.same[item]);
    if (m_options.equal == EqualItems::Once && written[same].begin >= 0) {
      row.items[item] = written[same];
      continue;
    }
    row.items[item] = writer.add(items.pieces[static_cast<std::int32_t>(item)], 1);
    written[same] = row.items[item];
    writer.add(m_sep, fixed || place + 1 == count ? 1 : 0);
  }
  return row;
}

}  // namespace fathom
