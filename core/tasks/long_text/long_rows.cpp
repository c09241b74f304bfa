// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/long_rows.h"

#include <algorithm>
#include <functional>

namespace fathom {

namespace {

using List = std::vector<std::int32_t>;
using ListOf = std::function<const List&(const LongLayout&)>;

// One row of `width` for each layout, filled up with `rest`.
template <typename T>
HostArray padded(const std::vector<const LongLayout*>& rows, std::int64_t width, T rest, const ListOf& list) {
  HostArray array(hostDtypeOf<T>(), {static_cast<std::int64_t>(rows.size()), width});
  auto to = array.values<T>().begin();
  for (const LongLayout* row : rows) {
    const List& own = list(*row);
    const auto end = std::copy(own.begin(), own.end(), to);
    to += width;
    std::fill(end, to, rest);
  }
  return array;
}

std::vector<LongLayout> withContexts(const std::vector<const LongLayout*>& rows) {
  std::vector<LongLayout> contexts(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    contexts[i].breaks = contextsOf(rows[i]->breaks, rows[i]->breaks.size());
    contexts[i].globalBreaks = contextsOf(rows[i]->globalBreaks, rows[i]->globalBreaks.size());
  }
  return contexts;
}

HostArray lengthsOf(const std::vector<const LongLayout*>& rows, std::int64_t (LongLayout::*count)() const) {
  HostArray lengths(HostDtype::I64, {static_cast<std::int64_t>(rows.size())});
  for (std::size_t i = 0; i < rows.size(); ++i) lengths.values<std::int64_t>()[i] = (rows[i]->*count)();
  return lengths;
}

HostArray everythingOf(const std::vector<const LongLayout*>& rows, std::int64_t width,
                       const std::vector<GlobalKind>& kinds) {
  HostArray everything(HostDtype::I32, {static_cast<std::int64_t>(rows.size()), width});
  const auto values = everything.values<std::int32_t>();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t g = 0; g < rows[i]->globalKinds.size(); ++g) {
      const bool all = std::find(kinds.begin(), kinds.end(), rows[i]->globalKinds[g]) != kinds.end();
      values[i * static_cast<std::size_t>(width) + g] = all ? 1 : 0;
    }
  return everything;
}

}  // namespace

void putLongRows(HostBatch& batch, const std::vector<const LongLayout*>& rows, const LongRowRules& rules) {
  std::int64_t longs = std::max<std::int64_t>(rules.length, 1),
               globals = std::max<std::int64_t>(rules.globals, 1);
  for (const LongLayout* row : rows) {
    longs = std::max(longs, row->length());
    globals = std::max(globals, row->globals());
  }
  const std::vector<LongLayout> contexts = withContexts(rows);
  std::vector<const LongLayout*> numbered;
  for (const LongLayout& one : contexts) numbered.push_back(&one);
  const auto put = [&](const char* name, HostArray array) {
    batch.arrays.insert_or_assign(name, std::move(array));
  };
  const auto list = [](List LongLayout::*member) {
    return [member](const LongLayout& row) -> const List& { return row.*member; };
  };
  using I64 = std::int64_t;
  using I32 = std::int32_t;
  put("tokens", padded<I64>(rows, longs, rules.pad, list(&LongLayout::tokens)));
  put("segments", padded<I64>(rows, longs, 0, list(&LongLayout::types)));
  put("lengths", lengthsOf(rows, &LongLayout::length));
  put("sentence", padded<I32>(rows, longs, -1, list(&LongLayout::sentence)));
  put("paragraph", padded<I32>(rows, longs, -1, list(&LongLayout::paragraph)));
  put("link", padded<I32>(rows, longs, -1, list(&LongLayout::link)));
  put("context", padded<I32>(numbered, longs, 0, list(&LongLayout::breaks)));
  put("global_tokens", padded<I64>(rows, globals, rules.pad, list(&LongLayout::globalTokens)));
  put("global_segments", padded<I64>(rows, globals, 0, list(&LongLayout::globalTypes)));
  put("global_lengths", lengthsOf(rows, &LongLayout::globals));
  put("global_context", padded<I32>(numbered, globals, 0, list(&LongLayout::globalBreaks)));
  put("global_everything", everythingOf(rows, globals, rules.everything));
  batch.paddedUnits = static_cast<std::int64_t>(rows.size()) * (longs + globals);
}

}  // namespace fathom
