// SPDX-License-Identifier: Apache-2.0
#include "core/imports/csv_known_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

std::uint32_t sumOfCells(const CsvRow& row, const std::vector<std::size_t>& places, std::uint32_t sum) {
  for (const std::size_t place : places) {
    if (place < row.size()) sum = crc32c(row[place], sum);
    sum = crc32c("\n", sum);
  }
  return sum;
}

}  // namespace

CsvKnownRows::Row CsvKnownRows::take(const CsvRow& row) {
  Row seen;
  if (m_rows == 0) m_firstRow = row;
  if (std::exchange(m_undecided, false) && !beginsLikeOld(row)) {
    m_known = 0;
    m_oldHeader.clear();
    seen.beginsAnew = true;
  }
  seen.another = isAnother(row);
  if (!seen.another) seen.known = m_rows++ < m_known;
  return seen;
}

bool CsvKnownRows::isOld(const std::string& column) const {
  return std::find(m_oldHeader.begin(), m_oldHeader.end(), column) != m_oldHeader.end();
}

bool CsvKnownRows::isAnother(const CsvRow& row) {
  m_sum = sumOfCells(row, m_places, m_sum);
  if (m_rows >= m_known || m_sumHeader.empty()) return false;
  m_newSum = sumOfCells(row, m_oldPlaces, m_newSum);
  return m_rows + 1 == m_known && m_newSum != m_knownSum;
}

bool CsvKnownRows::beginsLikeOld(const CsvRow& row) const {
  if (m_oldFirst.empty()) return false;
  const std::vector<std::size_t> places = placesOf(m_oldHeader);
  const std::size_t cells = std::min(row.size(), m_header.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= cells || i >= m_oldFirst.size() || row[places[i]] != m_oldFirst[i]) return false;
  return true;
}

// Places of these columns now; behind the last where a column is gone.
std::vector<std::size_t> CsvKnownRows::placesOf(const std::vector<std::string>& names) const {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < m_header.size(); ++i) places.try_emplace(m_header[i], i);
  std::vector<std::size_t> found;
  for (const std::string& name : names) {
    const auto at = places.find(name);
    found.push_back(at == places.end() ? m_header.size() : at->second);
  }
  return found;
}

void CsvKnownRows::setHeader(const std::vector<std::string>& header) {
  m_header = header;
  m_places = placesOf(m_header);
  m_oldPlaces = placesOf(m_sumHeader);
}

void CsvKnownRows::beginAgain(const std::vector<std::string>& header) {
  if (!m_firstRow.empty()) {
    m_oldHeader = header;
    m_oldFirst = std::exchange(m_firstRow, {});
  }
  if (m_rows > 0 && m_rows >= m_known) {
    m_knownSum = m_sum;
    m_sumHeader = m_summed ? header : std::vector<std::string>();
  }
  m_sum = m_newSum = 0;
  m_known = std::max(m_known, std::exchange(m_rows, 0));
  m_summed = m_undecided = true;
}

void CsvKnownRows::forget() {
  *this = CsvKnownRows();
}

Json CsvKnownRows::state() const {
  return {{"first_row", recordTexts(m_firstRow)},
          {"rows", m_rows},
          {"skip", m_known},
          {"old_header", recordTexts(m_oldHeader)},
          {"old_first", recordTexts(m_oldFirst)},
          {"undecided", m_undecided},
          {"sum", m_sum},
          {"summed", m_summed},
          {"known_sum", m_knownSum},
          {"new_sum", m_newSum},
          {"sum_header", recordTexts(m_sumHeader)}};
}

void CsvKnownRows::restore(const Json& state) {
  m_firstRow = ofRecordTexts(memberList(state, "first_row"));
  m_oldHeader = ofRecordTexts(memberList(state, "old_header"));
  m_oldFirst = ofRecordTexts(memberList(state, "old_first"));
  m_sumHeader = ofRecordTexts(memberList(state, "sum_header"));
  m_undecided = memberFlag(state, "undecided", false);
  m_rows = memberInteger(state, "rows");
  m_known = memberInteger(state, "skip");
  // Older records have no sum: then the first row alone is compared.
  m_summed = m_rows == 0 || memberFlag(state, "summed", false);
  m_sum = static_cast<std::uint32_t>(memberInteger(state, "sum"));
  m_knownSum = static_cast<std::uint32_t>(memberInteger(state, "known_sum"));
  m_newSum = static_cast<std::uint32_t>(memberInteger(state, "new_sum"));
}

}  // namespace fathom
