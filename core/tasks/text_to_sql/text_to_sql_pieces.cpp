// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_pieces.h"

#include <algorithm>

namespace fathom {

namespace {

constexpr const char *kWordSort = "question", *kColumnSort = "column", *kTableSort = "table";

template <typename T>
std::span<const T> raggedRow(const HostRagged& ragged, std::int64_t row, std::size_t width = 1) {
  const auto offsets = ragged.offsets.values<std::int64_t>().subspan(static_cast<std::size_t>(row), 2);
  const auto begin = static_cast<std::size_t>(offsets[0]), end = static_cast<std::size_t>(offsets[1]);
  return ragged.values.values<T>().subspan(begin * width, (end - begin) * width);
}

// Tables stand before columns in a row of pieces.
TokenRow pieceRow(const HostBatch& batch, std::int64_t row, const SchemaItems& items,
                  const Tokenizer& tokenizer) {
  TokenRow pieces;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row)) pieces.texts.push_back(tokenizer.piece(id));
  pieces.sorts.assign(pieces.texts.size(), "");
  const auto spans = raggedRow<std::int64_t>(batch.ragged("item_spans"), row, 2);
  const auto tables = static_cast<std::size_t>(items.tableCount());
  for (std::size_t item = 0; 2 * item < spans.size(); ++item) {
    for (std::int64_t at = spans[2 * item]; at < spans[2 * item + 1]; ++at) {
      std::string& sort = pieces.sorts[static_cast<std::size_t>(at)];
      if (sort.empty()) sort = item < tables ? kTableSort : kColumnSort;
    }
  }
  std::string before = kWordSort;
  for (std::string& sort : pieces.sorts) {
    if (sort.empty()) sort = before;
    before = sort;
  }
  return pieces;
}

void addQuestion(const HostBatch& batch, std::int64_t row, const Tokenizer& tokenizer, TokenRow& elements) {
  const auto ids = rowOf(batch.array("tokens"), row);
  const auto spans = raggedRow<std::int64_t>(batch.ragged("word_spans"), row, 2);
  for (std::size_t word = 0; 2 * word < spans.size(); ++word) {
    const auto begin = static_cast<std::size_t>(spans[2 * word]),
               end = static_cast<std::size_t>(spans[2 * word + 1]);
    elements.texts.push_back(tokenizer.decode(ids.subspan(begin, end - begin)));
    elements.sorts.emplace_back(kWordSort);
  }
}

// Elements of the other kind that a relation links with words and items.
std::vector<bool> linkedElements(std::span<const std::uint8_t> relations, std::size_t words,
                                 std::size_t elements, RelationSet set) {
  std::vector<bool> linked(elements, false);
  for (std::size_t word = 0; word < words; ++word) {
    for (std::size_t item = words; item < elements; ++item) {
      if (!isLink(set, relations[word * elements + item])) continue;
      linked[word] = linked[item] = true;
    }
  }
  return linked;
}

}  // namespace

TokenRows sqlTokenRows(const HostBatch& batch, std::int64_t row, const SqlDatabases& databases,
                       const Tokenizer& tokenizer) {
  const SqlDatabase& database =
      databases.at(batch.array("databases").values<std::int64_t>()[static_cast<std::size_t>(row)]);
  const SchemaItems& items = database.items;
  TokenRows rows;
  rows["encoder"] = pieceRow(batch, row, items, tokenizer);
  TokenRow& elements = rows["extra"];
  addQuestion(batch, row, tokenizer, elements);
  const std::size_t words = elements.texts.size();
  for (const auto& column : items.columns) {
    const std::string table =
        column.table < 0 ? "" : items.tables[static_cast<std::size_t>(column.table)] + ".";
    elements.texts.push_back(table + column.name);
    elements.sorts.emplace_back(kColumnSort);
  }
  elements.texts.insert(elements.texts.end(), items.tables.begin(), items.tables.end());
  elements.sorts.resize(elements.texts.size(), kTableSort);
  if (batch.raggeds.contains("relations"))
    elements.linked = linkedElements(raggedRow<std::uint8_t>(batch.ragged("relations"), row), words,
                                     elements.texts.size(), database.relations.set());
  std::size_t longest = elements.texts.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.rows()); ++i) {
    std::int64_t all = 0;
    for (const char* part : {"words", "columns", "tables"})
      all += batch.array(part).values<std::int64_t>()[i];
    longest = std::max(longest, static_cast<std::size_t>(all));
  }
  elements.texts.resize(longest);
  elements.sorts.resize(longest);
  if (!elements.linked.empty()) elements.linked.resize(longest);
  return rows;
}

}  // namespace fathom
