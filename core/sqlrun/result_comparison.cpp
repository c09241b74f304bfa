// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/result_comparison.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace fathom {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// Equal cells have equal fingerprints. A whole number that no real can hold (2^53 + 1) has one of its own.
std::uint64_t fingerprint(const SqlCell& cell) {
  if (cell.kind == SqlCell::Kind::Null) return mix(1);
  if (cell.kind == SqlCell::Kind::Integer && !exactReal(cell.integer))
    return mix(static_cast<std::uint64_t>(cell.integer) ^ mix(5));
  if (cell.kind == SqlCell::Kind::Integer || cell.kind == SqlCell::Kind::Real) {
    double value = cell.kind == SqlCell::Kind::Integer ? static_cast<double>(cell.integer) : cell.real;
    if (value == 0) value = 0;  // -0 and 0 are equal
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return mix(bits ^ 2);
  }
  std::uint64_t hash = cell.kind == SqlCell::Kind::Text ? 3 : 4;
  for (const char c : cell.text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix(hash);
}

using Columns = std::vector<std::vector<std::uint64_t>>;  // [column][row]

Columns columnsOf(const SqlRunResult& result) {
  Columns columns(result.columns.size(), std::vector<std::uint64_t>(result.rows.size()));
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    for (std::size_t c = 0; c < result.columns.size(); ++c) columns[c][r] = fingerprint(result.rows[r][c]);
  }
  return columns;
}

// Finds, column by column, a predicted column for each gold column such that the rows made so far agree.
class ColumnMatcher {
 public:
  ColumnMatcher(Columns gold, Columns predicted, bool ordered)
      : m_gold(std::move(gold)),
        m_predicted(std::move(predicted)),
        m_ordered(ordered),
        m_used(m_predicted.size(), false) {}

  ResultMatch run() {
    const std::size_t rows = m_gold[0].size();
    if (search(0, std::vector<std::uint64_t>(rows, 7), std::vector<std::uint64_t>(rows, 7)))
      return ResultMatch::Equal;
    return m_steps > kMaxSteps ? ResultMatch::Undecided : ResultMatch::Different;
  }

 private:
  static constexpr int kMaxSteps = 100000;

  static std::vector<std::uint64_t> extended(const std::vector<std::uint64_t>& rows,
                                             const std::vector<std::uint64_t>& column) {
    std::vector<std::uint64_t> out(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) out[r] = mix(rows[r] * 31 + column[r]);
    return out;
  }
  bool agree(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) const {
    if (!m_ordered) {
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
    }
    return a == b;
  }

  bool search(std::size_t at, const std::vector<std::uint64_t>& goldRows,
              const std::vector<std::uint64_t>& predictedRows) {
    if (at == m_gold.size()) return true;
    const auto nextGold = extended(goldRows, m_gold[at]);
    for (std::size_t c = 0; c < m_predicted.size(); ++c) {
      if (m_used[c] || ++m_steps > kMaxSteps) continue;
      // Among equal columns only the first free one is tried.
      bool twin = false;
      for (std::size_t earlier = 0; earlier < c && !twin; ++earlier)
        twin = !m_used[earlier] && m_predicted[earlier] == m_predicted[c];
      if (twin) continue;
      const auto nextPredicted = extended(predictedRows, m_predicted[c]);
      if (!agree(nextGold, nextPredicted)) continue;
      m_used[c] = true;
      if (search(at + 1, nextGold, nextPredicted)) return true;
      m_used[c] = false;
    }
    return false;
  }

  Columns m_gold, m_predicted;
  bool m_ordered;
  std::vector<bool> m_used;
  int m_steps = 0;
};

}  // namespace

ResultMatch compareBags(const SqlRunResult& gold, const SqlRunResult& predicted, bool ordered) {
  if (gold.rows.empty() && predicted.rows.empty()) return ResultMatch::Equal;
  if (gold.rows.size() != predicted.rows.size() || gold.columns.size() != predicted.columns.size())
    return ResultMatch::Different;
  return ColumnMatcher(columnsOf(gold), columnsOf(predicted), ordered).run();
}

ResultMatch compareByKeys(const SqlRunResult& gold, const std::vector<std::string>& goldKeys,
                          const SqlRunResult& predicted, const std::vector<std::string>& predictedKeys) {
  const auto mapOf = [](const SqlRunResult& result, const std::vector<std::string>& keys, bool& fits) {
    std::map<std::string, std::size_t> map;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      fits = fits && (i < result.columns.size() || result.rows.empty());
      map[keys[i]] = i;
    }
    return map;
  };
  bool fits = true;
  const auto a = mapOf(gold, goldKeys, fits), b = mapOf(predicted, predictedKeys, fits);
  if (!fits || a.size() != b.size()) return ResultMatch::Different;
  for (const auto& [key, column] : a) {
    const auto other = b.find(key);
    if (other == b.end() || gold.rows.size() != predicted.rows.size()) return ResultMatch::Different;
    for (std::size_t r = 0; r < gold.rows.size(); ++r) {
      if (!(gold.rows[r][column] == predicted.rows[r][other->second])) return ResultMatch::Different;
    }
  }
  return ResultMatch::Equal;
}

}  // namespace fathom
