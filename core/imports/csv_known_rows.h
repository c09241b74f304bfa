// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/text/csv.h"

namespace fathom {

// Rows of a table that are taken already, where a program writes its file anew as it grows. Some write
// everything once more when a column comes: then only the new column is new. Another first row, or other
// cells in the rows that are known, are another training. One thread.
class CsvKnownRows {
 public:
  struct Row {
    bool known = false;       // taken before: only columns that were not there are new
    bool beginsAnew = false;  // the first row of another training: what comes follows the old curves
    bool another = false;     // rows were passed over as known that are not: read all once more
  };
  Row take(const CsvRow& row);
  std::int64_t rows() const { return m_rows; }  // of the file as it is now, taken or passed over
  bool isOld(const std::string& column) const;  // the column was there before

  void setHeader(const std::vector<std::string>& header);
  // The file is a new one in its place, and had `header` before. That it may be written anew again before it
  // is as long as it was changes nothing of what is known.
  void beginAgain(const std::vector<std::string>& header);
  void forget();  // nothing is known
  // Members of the source's record.
  Json state() const;
  void restore(const Json& state);

 private:
  std::vector<std::size_t> placesOf(const std::vector<std::string>& names) const;
  bool isAnother(const CsvRow& row);
  bool beginsLikeOld(const CsvRow& row) const;

  std::vector<std::string> m_header, m_firstRow, m_oldHeader, m_oldFirst;
  // CRC-32C of the cells of all rows, of those that are known by the columns they had (m_sumHeader), and of
  // as many new ones by the same columns.
  std::uint32_t m_sum = 0, m_knownSum = 0, m_newSum = 0;
  std::vector<std::string> m_sumHeader;
  std::vector<std::size_t> m_places, m_oldPlaces;
  std::int64_t m_rows = 0, m_known = 0;
  bool m_summed = true, m_undecided = false;
};

}  // namespace fathom
