// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

// Many token sequences in one buffer, 4 bytes a token.
class TokenColumn {
 public:
  void add(std::span<const std::int32_t> ids) {
    m_ids.insert(m_ids.end(), ids.begin(), ids.end());
    m_ends.push_back(m_ids.size());
  }
  std::int64_t size() const { return static_cast<std::int64_t>(m_ends.size()); }
  std::span<const std::int32_t> operator[](std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return std::span(m_ids).subspan(begin, m_ends[i] - begin);
  }
  std::vector<std::int32_t> lengths() const {
    std::vector<std::int32_t> result;
    result.reserve(m_ends.size());
    for (std::int64_t i = 0; i < size(); ++i) result.push_back(static_cast<std::int32_t>((*this)[i].size()));
    return result;
  }

 private:
  std::vector<std::int32_t> m_ids;
  std::vector<std::size_t> m_ends;
};

}  // namespace fathom
