// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/column_memory.h"

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

constexpr std::size_t kKindsKept = 50;

std::string kindOfTable(const std::vector<SourceColumn>& columns) {
  std::string names;
  for (const SourceColumn& column : columns) names += column.name + '\n';
  return sha256Hex(names).substr(0, 16);
}

}  // namespace

ColumnMemory::ColumnMemory(const std::string& text) {
  const auto kinds = parseJson(text);
  if (kinds.ok() && kinds->is_array()) m_kinds = *kinds;
}

std::string ColumnMemory::text() const {
  return m_kinds.dump();
}

ColumnUses ColumnMemory::usesOf(const std::vector<SourceColumn>& columns) const {
  const std::string kind = kindOfTable(columns);
  for (const Json& known : m_kinds)
    if (memberText(known, "kind") == kind) return ofRecordPairs(memberObject(known, "uses"));
  return {};
}

void ColumnMemory::remember(const std::vector<SourceColumn>& columns, const ColumnUses& uses) {
  const std::string kind = kindOfTable(columns);
  Json kinds = Json::array();
  if (!uses.empty()) kinds.push_back({{"kind", kind}, {"uses", recordPairs(uses)}});
  for (const Json& known : m_kinds)
    if (memberText(known, "kind") != kind && kinds.size() < kKindsKept) kinds.push_back(known);
  m_kinds = std::move(kinds);
}

}  // namespace fathom
