// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Many short texts in one buffer: 8 bytes of overhead each, so that millions of sentences fit.
class TextColumn {
 public:
  void add(std::string_view text) {
    m_bytes.append(text);
    m_ends.push_back(m_bytes.size());
  }
  std::int64_t size() const { return static_cast<std::int64_t>(m_ends.size()); }
  std::string_view operator[](std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return std::string_view(m_bytes).substr(begin, m_ends[i] - begin);
  }

 private:
  std::string m_bytes;
  std::vector<std::size_t> m_ends;
};

}  // namespace fathom
