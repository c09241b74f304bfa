// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/text_to_sql_batches.h"

#include <algorithm>

#include "core/base/text/text_list.h"

namespace fathom {

namespace {

// Rows of different length, one after the other; `width` values an element.
class RaggedWriter {
 public:
  explicit RaggedWriter(std::int64_t width = 1) : m_width(width) {}
  void add(std::int64_t value) { m_values.push_back(value); }
  void add(const std::vector<RowSpan>& spans) {
    for (const RowSpan& span : spans) {
      add(span.begin);
      add(span.end);
    }
  }
  void endRow() { m_ends.push_back(static_cast<std::int64_t>(m_values.size()) / m_width); }

  HostRagged take() const {
    const auto elements = static_cast<std::int64_t>(m_values.size()) / m_width;
    HostRagged ragged;
    ragged.values = HostArray(HostDtype::I64, m_width == 1 ? std::vector<std::int64_t>{elements}
                                                           : std::vector<std::int64_t>{elements, m_width});
    std::copy(m_values.begin(), m_values.end(), ragged.values.values<std::int64_t>().begin());
    ragged.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(m_ends.size()) + 1});
    std::copy(m_ends.begin(), m_ends.end(), ragged.offsets.values<std::int64_t>().begin() + 1);
    return ragged;
  }

 private:
  std::int64_t m_width;
  std::vector<std::int64_t> m_values, m_ends;
};

// Tokens, segments, positions, lengths.
void addPieceArrays(const std::vector<EncoderRow>& rows, const RowBuilder& builder, HostBatch& batch) {
  std::size_t width = 0;
  for (const EncoderRow& row : rows) width = std::max(width, row.ids.size());
  const auto B = static_cast<std::int64_t>(rows.size()), T = static_cast<std::int64_t>(width);
  HostArray tokens(HostDtype::I64, {B, T}), segments(HostDtype::I64, {B, T}),
      positions(HostDtype::I64, {B, T}), lengths(HostDtype::I64, {B});
  const auto tokenAt = tokens.values<std::int64_t>(), segmentAt = segments.values<std::int64_t>(),
             positionAt = positions.values<std::int64_t>();
  std::fill(tokenAt.begin(), tokenAt.end(), builder.pad());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const EncoderRow& row = rows[r];
    std::copy(row.ids.begin(), row.ids.end(), tokenAt.begin() + static_cast<std::ptrdiff_t>(r * width));
    std::copy(row.segments.begin(), row.segments.end(),
              segmentAt.begin() + static_cast<std::ptrdiff_t>(r * width));
    for (std::size_t t = 0; t < width; ++t)
      positionAt[r * width + t] = builder.firstPosition() + static_cast<std::int64_t>(t);
    lengths.values<std::int64_t>()[r] = static_cast<std::int64_t>(row.ids.size());
  }
  batch.paddedUnits = B * T;
  batch.arrays.emplace("tokens", std::move(tokens));
  batch.arrays.emplace("segments", std::move(segments));
  batch.arrays.emplace("positions", std::move(positions));
  batch.arrays.emplace("lengths", std::move(lengths));
}

void addSpans(const std::vector<EncoderRow>& rows, HostBatch& batch) {
  RaggedWriter words(2), items(2);
  for (const EncoderRow& row : rows) {
    words.add(row.words);
    words.endRow();
    items.add(row.items);
    items.endRow();
  }
  batch.raggeds.emplace("word_spans", words.take());
  batch.raggeds.emplace("item_spans", items.take());
}

void addSchemas(const std::vector<SqlRow>& rows, const SqlDatabases& databases, HostBatch& batch) {
  const auto B = static_cast<std::int64_t>(rows.size());
  HostArray number(HostDtype::I64, {B}), words(HostDtype::I64, {B}), columns(HostDtype::I64, {B}),
      tables(HostDtype::I64, {B});
  RaggedWriter columnTable, order;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const SqlQuestion& question = *rows[r].question;
    const SchemaItems& items = databases.at(question.database).items;
    number.values<std::int64_t>()[r] = question.database;
    words.values<std::int64_t>()[r] = question.words.size();
    columns.values<std::int64_t>()[r] = items.columnCount();
    tables.values<std::int64_t>()[r] = items.tableCount();
    for (int c = 0; c < items.columnCount(); ++c) columnTable.add(items.tableOf(c));
    columnTable.endRow();
    for (int place = 0; place < items.itemCount(); ++place)
      order.add(rows[r].order.empty() ? place : rows[r].order[static_cast<std::size_t>(place)]);
    order.endRow();
  }
  batch.arrays.emplace("databases", std::move(number));
  batch.arrays.emplace("words", std::move(words));
  batch.arrays.emplace("columns", std::move(columns));
  batch.arrays.emplace("tables", std::move(tables));
  batch.raggeds.emplace("column_table", columnTable.take());
  batch.raggeds.emplace("item_order", order.take());
}

// A byte a pair, [n, n] of each row behind each other.
void addRelations(const std::vector<SqlRow>& rows, const SqlDatabases& databases, HostBatch& batch) {
  HostRagged ragged;
  ragged.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(rows.size()) + 1});
  const auto offsets = ragged.offsets.values<std::int64_t>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const SqlQuestion& question = *rows[r].question;
    const auto n = static_cast<std::int64_t>(databases.at(question.database).relations.size(question.links));
    offsets[r + 1] = offsets[r] + n * n;
  }
  ragged.values = HostArray(HostDtype::U8, {offsets.back()});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const SqlQuestion& question = *rows[r].question;
    databases.at(question.database)
        .relations.write(question.links, ragged.values.values<std::uint8_t>().subspan(
                                             static_cast<std::size_t>(offsets[r]),
                                             static_cast<std::size_t>(offsets[r + 1] - offsets[r])));
  }
  batch.raggeds.emplace("relations", std::move(ragged));
}

// The questions' tokens, a line each.
void addQuestions(const std::vector<SqlRow>& rows, HostBatch& batch) {
  std::string text;
  HostRagged ragged;
  ragged.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(rows.size()) + 1});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].tokens != nullptr)
      text += joined(*rows[r].tokens, "\n", [](std::string token) {
        std::replace(token.begin(), token.end(), '\n', ' ');
        return token;
      });
    ragged.offsets.values<std::int64_t>()[r + 1] = static_cast<std::int64_t>(text.size());
  }
  ragged.values = HostArray(HostDtype::U8, {static_cast<std::int64_t>(text.size())});
  std::copy(text.begin(), text.end(), ragged.values.values<std::uint8_t>().begin());
  batch.raggeds.emplace("question", std::move(ragged));
}

// Gold, and where each action stands in its tree.
void addActions(const std::vector<SqlRow>& rows, HostBatch& batch) {
  RaggedWriter actions, parents, rules, types;
  for (const SqlRow& row : rows) {
    GrammarState state;
    for (const GrammarAction action : *row.actions) {
      actions.add(action);
      parents.add(state.parentStep());
      rules.add(state.parentProduction());
      types.add(state.frontier().type);
      state.apply(action);
    }
    for (RaggedWriter* writer : {&actions, &parents, &rules, &types}) writer->endRow();
  }
  batch.raggeds.emplace("actions", actions.take());
  batch.raggeds.emplace("action_parents", parents.take());
  batch.raggeds.emplace("action_parent_rules", rules.take());
  batch.raggeds.emplace("action_types", types.take());
}

}  // namespace

HostBatch makeSqlBatch(const std::vector<SqlRow>& rows, const SqlDatabases& databases,
                       const RowBuilder& builder) {
  HostBatch batch;
  std::vector<EncoderRow> written;
  for (const SqlRow& row : rows) {
    const SqlDatabase& database = databases.at(row.question->database);
    written.push_back(builder.row(row.question->words, database.pieces, row.order));
    batch.examples.push_back(row.example);
  }
  batch.targetUnits = batch.rows();
  addPieceArrays(written, builder, batch);
  addSpans(written, batch);
  addSchemas(rows, databases, batch);
  addQuestions(rows, batch);
  if (!rows.empty() && databases.at(rows[0].question->database).relations.set() != RelationSet::None)
    addRelations(rows, databases, batch);
  if (!rows.empty() && rows[0].actions != nullptr) addActions(rows, batch);
  return batch;
}

}  // namespace fathom
